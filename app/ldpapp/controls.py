"""How a curve panel is looked at: what is drawn against what. The choices make a small View."""

from dataclasses import dataclass

import pandas as pd

SCOPES = {"all": "all values", "sensitive": "marked values", "other": "other values"}
QUANTITIES = {"points": "typical error, points", "mse": "mean squared error", "largest": "largest error, points"}
ESTIMATORS = {
    "raw": "as estimated, unbiased",
    "clip": "clipped to 0…1",
    "norm-sub": "nearest distribution (norm-sub)",
    "em": "maximum likelihood (EM)",
}


@dataclass(frozen=True)
class View:
    """One way to look: scope, quantity and estimator of the error; prior and scope of the adversary; the axis."""

    scope: str
    quantity: str
    estimator: str
    axis: str
    prior: str
    attacked: str
    grid: tuple[float, ...]
    dense: tuple[float, ...]

    @property
    def metric(self) -> str:
        if self.quantity == "largest":
            return "max error"
        return "mse" if self.estimator == "raw" else f"mse:{self.estimator}"

    @property
    def log_x(self) -> bool:
        return self.axis in ("epsilon", "n")

    def shown_x(self, x: pd.Series) -> pd.Series:
        """Axis values as written: a share of values in percent."""
        return x * 100 if self.axis == "share" else x
