"""Charts: tables and arrays in, Plotly figures out. They know nothing of Streamlit and nothing of the engine.

Every builder takes `dark` and a fixed `height` in px, and `width`: the px its panel usually has. The width is only used
to judge what fits (labels, ticks, texts); the figure itself always fills its container.
"""

from .curves import error_curves, error_range, success_curves
from .dumbbells import Panel, dumbbells
from .histograms import histogram, number_histogram
from .icons import icon_array
from .mined import Mined, mined_bars
from .pairs import loss_heatmap, pair_tones
from .plane import plane
from .range_cells import range_histogram, range_releases
from .range_errors import accuracy_indices, average_errors, experiment_ratios
from .range_maps import covariance_map, error_maps, map_scale
from .release import release

__all__ = [
    "Mined",
    "Panel",
    "accuracy_indices",
    "average_errors",
    "covariance_map",
    "dumbbells",
    "error_curves",
    "error_maps",
    "error_range",
    "experiment_ratios",
    "histogram",
    "icon_array",
    "loss_heatmap",
    "map_scale",
    "mined_bars",
    "number_histogram",
    "pair_tones",
    "plane",
    "range_histogram",
    "range_releases",
    "release",
    "success_curves",
]
