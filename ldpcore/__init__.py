"""Local differential privacy: how wrong do statistics get, and who is still exposed?"""

from ldpcore.domain import Categorical, Interval, Items

__version__ = "0.1.0"
__all__ = ["Categorical", "Interval", "Items", "__version__"]
