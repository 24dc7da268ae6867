"""What the renderer draws of a figure, what it may pass over, and how the rest is refused."""

import base64
from collections.abc import Mapping
from typing import Any

import numpy as np


class Unknown(ValueError):
    """The figure has something that would not be drawn."""


def only(part: Mapping[str, Any], where: str, drawn: str, passed: str = "") -> None:
    """Unknown, unless each of the part's keys is drawn, or is nothing that paper could show (`passed`)."""
    spare = set(part) - set(drawn.split()) - set(passed.split())
    if spare:
        raise Unknown(f"{where}: {', '.join(sorted(spare))}")


def one_of(value: Any, where: str, *values: Any) -> None:
    if value not in values:
        raise Unknown(f"{where}: {value!r}")


def array(value: Any) -> Any:
    """Plotly's packed arrays as NumPy's; everything else as it is."""
    if isinstance(value, Mapping) and "bdata" in value:
        numbers = np.frombuffer(base64.b64decode(value["bdata"]), value["dtype"])
        return numbers.reshape([int(n) for n in str(value["shape"]).split(",")]) if "shape" in value else numbers
    return value


def plain(part: Any) -> Any:
    """A figure's JSON with its packed arrays unpacked."""
    if isinstance(part, Mapping):
        values = array(part)
        return values if values is not part else {key: plain(value) for key, value in part.items() if value is not None}
    return [plain(value) for value in part] if isinstance(part, (list, tuple)) else part


def nth(value: Any, place: int) -> Any:
    """What holds for one of many points: its own, or the same for all."""
    return value[place] if isinstance(value, (list, tuple, np.ndarray)) else value
