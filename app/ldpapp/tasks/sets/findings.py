"""What the Sets view says, from its numbers."""

from collections.abc import Callable, Mapping

import pandas as pd

from ldpapp import words
from ldpapp.tasks.sets.data import LEAKY, MEMBERSHIP, PRESENCE, Fact, Leak, Padding

Named = Callable[[str], str]
PROMISES = {
    "LDP": "the whole report, whatever is held",
    "SULDP-joint": "the whole report, among holders of what it shows",
    LEAKY: "the masked number y₀ alone, not the items shown beside it",
}
WORTH = 0.05
"""A smaller gain in error is not worth another m."""
USELESS = 0.5
"""A typical error above this is worse than saying that every second person holds every item."""


def sentence(
    epsilon: float,
    found: Mapping[str, Fact],
    main: Fact,
    told: pd.DataFrame,
    named: Named,
    sensitive: str,
) -> str:
    """What the estimates are worth, and, by what the reports have `told` in surveys, who is still exposed."""
    eps = words.epsilon(epsilon)
    worse = ", worse than guessing 50 % throughout" if main.error() > USELESS else ""
    first = f"At ε = {eps}, {named(main.key)} is off by {_error(main)} points{worse}"
    if not main.here.marked.any():
        open_ones = [named(fact.key) for fact in found.values() if fact.promise != "LDP"]
        said = f"No item is marked {sensitive}"
        if open_ones:
            said += f": {words.listing(open_ones)} would protect nothing"
        return f"{said}. {first}{' and protects every item' if main.promise == 'LDP' else ''}."
    leaky = next((fact for fact in found.values() if fact.promise == LEAKY and fact is not main), None)
    every = [fact for fact in found.values() if fact.promise == "LDP" and fact is not main]
    if every and main.promise != "LDP":
        best = min(every, key=Fact.error)
        first += f", {named(best.key)}, which knows no marks, by {_error(best)}"
    shown = leaky or main
    right, low, high = (success(told, shown.key, PRESENCE, end) for end in ("value", "low", "high"))
    if right is None or low is None or high is None:
        return f"{first}."
    whether = f"whether someone holds a {sensitive} item"
    cases = f"{words.of_100(right)} ({words.of_100(low)}–{words.of_100(high)}) of 100 cases"
    found_out = f"tell {whether} in {cases}; guessing gets 50"
    return f"{first}. {f'{named(leaky.key)}’s' if leaky else 'Its'} reports {found_out}."


def _error(fact: Fact) -> str:
    return words.points(fact.error())


def success(told: pd.DataFrame, key: str, metric: str, end: str = "value") -> float | None:
    """Mean success over the surveys so far, or an `end` of its interval: "low" or "high"."""
    rows = told[(told["mechanism"] == key) & (told["metric"] == metric)]
    return float(rows[end].iloc[0]) if len(rows) else None


def attack_rows(told: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """One row per mechanism: presence, and membership of a marked and of another item, of 100, with 95 % intervals."""
    out = pd.DataFrame({"mechanism": keys})
    for name, metric, scope in (
        ("presence", PRESENCE, "all"),
        ("marked item", MEMBERSHIP, "sensitive"),
        ("other item", MEMBERSHIP, "other"),
    ):
        part = told[(told["metric"] == metric) & (told["scope"] == scope)].set_index("mechanism")
        for column, end in ((name, "value"), (f"{name}, low", "low"), (f"{name}, high", "high")):
            out[column] = 100 * part[end].reindex(keys).to_numpy(float)
    return out


def padding(found: Padding, main: Fact, escape: Named) -> str:
    """What becomes of baskets that are longer or shorter than m."""
    m = main.here.m
    if found.whole == 1:
        return f"No basket has more than {words.plural(m, 'item')}: all stay whole."
    whole = f"{words.share(found.whole)} of the baskets have at most {words.plural(m, 'item')} and stay whole"
    if found.loss < 5e-5:
        cut = "cutting the others hardly changes a share"
    else:
        cut = f"cutting the others takes {words.decimals(100 * found.loss)} points off {escape(found.item)}, the most"
    better = (
        f" With m = {found.best} the error of {main.key} would be {words.ratio(100 * found.gain)} % smaller."
        if found.gain >= WORTH
        else ""
    )
    return f"{whole}; {cut}.{better}"


def claim(leak: Leak, epsilon: float, odds: float) -> tuple[str, str]:
    """(what suWheel promises, what its whole report says)."""
    shown = (
        f"exactly {leak.m - 1} of {leak.m} items" if leak.m > 2 else "one of two items" if leak.m == 2 else "no item"
    )
    return (
        f"no y₀ is over {words.times(odds)} likelier for one person than for another.",
        f"a report that shows {shown} is {words.times(leak.times)} likelier from a person with one marked item (or "
        "dummy) than from one with none; with the hash known it can be proof.",
    )


def repaired(fixes: list[Fact], leaky: Fact, told: pd.DataFrame, named: Named) -> str:
    """What keeps the promise on the whole report, and what that costs."""
    parts = []
    for fix in fixes:
        right = success(told, fix.key, PRESENCE)
        ratio = fix.error() / leaky.error() if leaky.error() > 0 else 1.0
        cost = (
            f"{words.times(ratio)} the error"
            if ratio > 1.02
            else f"{words.ratio(100 * (1 - ratio))} % less error"
            if ratio < 0.98
            else "the same error"
        )
        found = f", {words.of_100(right)} of 100" if right is not None else ""
        parts.append(f"{named(fix.key)} ({cost}{found})")
    return words.listing(parts)
