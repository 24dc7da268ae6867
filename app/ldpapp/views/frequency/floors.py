"""What Frequency's curves draw beside the error: the adversary's success, and the limit with its words."""

import numpy as np
import pandas as pd

from ldpapp import compute
from ldpapp.parts import curve_words
from ldpapp.views.frequency import captions
from ldpcore.data import Histogram
from ldpcore.study import Study, curves
from ldpcore.study.frequency import facts
from ldpcore.study.frequency.curves import FrequencyCurveOptions
from ldpcore.study.frequency.facts import ShareFacts, limits
from ldpcore.study.frequency.floor import policy_of


def errors(view: FrequencyCurveOptions, study: Study, counted: Histogram) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The error's lines and simulated marks. Where there is no theory, lines join the marks."""
    marks = curves.error_marks(view, compute.summary(view.simulated(study), counted, view.metric))
    if view.quantity == "largest":
        return marks[["mechanism", "x", "value"]], marks
    return curves.error_lines(view, compute.theory(view.theoretical(study), counted)), marks


def floor(
    view: FrequencyCurveOptions, study: Study, counted: Histogram, main: ShareFacts
) -> tuple[pd.DataFrame | None, str]:
    """The limit under the curves for the promise of the mechanism in focus, and its words."""
    if view.axis != "epsilon" or view.quantity == "largest":
        return None, ""
    along, least = limits.along(study, counted, main, view.scope, view.dense), main.least_error(view.scope)
    if along is None or not np.isfinite(least):
        return None, ""
    frame = pd.DataFrame({"x": view.dense, "value": curves.drawn(view.quantity, along**2)})
    times = (main.error(view.scope) / least) ** 2 if least > 0 else 1.0
    written = curve_words.written(view.quantity, least)
    return frame, captions.limited(policy_of(main.cell), facts.epsilon_of(study, main), written, main.key, times)


def floor_for_shares(view: FrequencyCurveOptions, counted: Histogram, main: ShareFacts) -> str:
    """Whether one made for these very shares could get below that limit, in words; "" where it is not known."""
    ends = limits.for_shares(counted, main, view.scope)
    if ends is None:
        return ""
    return captions.limited_for_shares(
        *(curve_words.written(view.quantity, x) for x in (main.least_error(view.scope), *ends))
    )
