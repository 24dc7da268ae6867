"""Charts on paper: without what compares with the truth, and with the light scheme's colours."""

from collections.abc import Mapping

import plotly.graph_objects as go

from ldpapp.charts.palette import LIGHT

from .base import INTERNAL
from .pairs import pair_tones
from .range_maps import HUES


def published(figure: go.Figure) -> go.Figure:
    """The figure without its internal traces and notes.

    >>> made = go.Figure({"data": [{"name": "truth", "meta": "internal"}, {"name": "published"}]})
    >>> [trace.name for trace in published(made).data]
    ['published']
    """
    made = figure.to_plotly_json()
    data = [trace for trace in made["data"] if trace.get("meta") != INTERNAL]
    notes = [note for note in made["layout"].get("annotations", ()) if note.get("name") != INTERNAL]
    return go.Figure({"data": data, "layout": made["layout"] | {"annotations": notes}}, _validate=False)


def light_hues() -> Mapping[str, str]:
    """Colours of charts alone: in the dark scheme → in the light one."""
    hues = {dark.lower(): light for (_, dark), (_, light) in zip(HUES[True], HUES[False], strict=True)}
    return hues | {pair_tones(True)[2].lower(): LIGHT.ink2}
