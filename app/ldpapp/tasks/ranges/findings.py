"""Ranges: what the page says, computed from the cells and the strategies."""

from typing import Any

from ldpapp import words
from ldpapp.tasks.ranges import data as range_data
from ldpapp.tasks.ranges.data import Cells
from ldpcore.catalog import RANGES
from ldpcore.data import ColumnProfile, dates


def _said(name: str) -> str:
    """A strategy within a sentence."""
    label = RANGES[range_data.key(name)].label
    return name if name == range_data.key(name) and " " not in name else f"the {label[0].lower()}{label[1:]}"


def finding(one: str, two: str, cells: Cells, chosen: tuple[int, int], epsilon: float, named: Any, escape: Any) -> str:
    """The page's sentence: one range by two strategies, then all ranges, and where the order turns round."""
    errors_ = [range_data.build(name, cells.h).variance(*chosen, epsilon) ** 0.5 for name in (one, two)]
    text = (
        f"At ε = {words.epsilon(epsilon)}, {named(one)} is off by ±{words.decimals(errors_[0])} people on "
        f"“{escape(cells.short(*chosen))}”, {named(two)} by ±{words.decimals(errors_[1])}. "
    )
    if one == two:
        return text
    best = range_data.average(range_data.BEST, cells, epsilon)
    a, b = range_data.average(one, cells, epsilon), range_data.average(two, cells, epsilon)
    better, worse = (one, two) if a <= b else (two, one)
    times = max(a, b) / min(a, b)
    all_ranges = over(cells)
    if times < 1.005:
        return text + f"Over {all_ranges} they are equally exact."
    text += f"Over {all_ranges} {_said(better)} is {_times(times)} more exact"
    turn, since = range_data.overtakes(worse, better), range_data.overtakes(better, worse)
    full = "" if cells.k == cells.size else " without padding"
    if turn is not None:
        text += f";{full} {_said(worse)} overtakes at N = {words.count(1 << turn)}."
    elif since and full:
        text += f";{full} from N = {words.count(1 << since)} on."
    else:
        text += f", as from N = {words.count(1 << since)} on." if since else "."
    more = min(a, b) / best
    return text + (f" The best tree is {_times(more)} more exact still." if more > 1.03 else "")


def over(cells: Cells) -> str:
    """What averages are over: the ranges that can be asked, not those of the padding."""
    return f"all {words.count(cells.own)} ranges of the {words.plural(cells.k, cells.unit)}"


def _times(ratio: float) -> str:
    return words.times(ratio) if ratio >= 1.95 else f"{ratio:.2f} times"


def ordered(profile: ColumnProfile, known: bool) -> str:
    """In which order the values of a category stand, since a range runs along it."""
    if known:
        return "Its values stand in their known order."
    if profile.numeric:
        return "Its numbers stand by size."
    if dates.in_order(profile.dates):
        return "Its dates stand in order of time."
    if profile.dates:
        return "Its dates are text in alphabetical order, not in order of time: write them as 2024-01-31."
    return "Its values stand in alphabetical order: their order says nothing."
