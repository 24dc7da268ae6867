"""How a curve panel is looked at: what is drawn against what. The choices make a small View.

What a choice is called is asked for when it is shown: its keys are fixed, its texts are those of a language.
"""

from dataclasses import dataclass

import pandas as pd

from ldpapp.words.language import t
from ldpcore.scope import Scope


def scopes() -> dict[str, str]:
    return {
        Scope.ALL: t("all values"),
        Scope.SENSITIVE: t("marked values"),
        Scope.OTHER: t("other values"),
        Scope.PRIVATE: t("private values"),
        Scope.SECRET: t("secret values"),
    }


def quantities() -> dict[str, str]:
    return {
        "points": t("± 95 %, points"),
        "typical": t("typical error, points (expert)"),
        "mse": t("mean squared error"),
        "largest": t("largest error, points"),
    }


def estimators() -> dict[str, str]:
    return {
        "raw": t("as estimated, unbiased"),
        "clip": t("clipped to 0…1"),
        "norm-sub": t("nearest distribution (norm-sub)"),
        "em": t("maximum likelihood (EM)"),
    }


@dataclass(frozen=True)
class CurveOptions:
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
