"""What a chart says in words: its notes, the names of its axes and of what is drawn."""

from collections.abc import Iterator, Mapping
from typing import Any

import plotly.graph_objects as go


def words_of(figure: go.Figure) -> list[str]:
    """Everything written in a figure but its ticks.

    >>> words_of(go.Figure({"data": [{"name": "uSS"}], "layout": {"xaxis": {"title": {"text": "ε"}}}}))
    ['ε', 'uSS']
    """
    return [*_texts(figure.layout.to_plotly_json()), *(trace.name for trace in figure.data if trace.name)]


def _texts(part: Any) -> Iterator[str]:
    if isinstance(part, Mapping):
        for key, value in part.items():
            if key == "text" and isinstance(value, str):
                yield value.replace("<br>", " ")
            else:
                yield from _texts(value)
    elif isinstance(part, (list, tuple)):
        for each in part:
            yield from _texts(each)
