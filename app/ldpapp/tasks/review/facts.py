"""What is known of each hidden question, as plain values: no Streamlit, no figure."""

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from ldpcore.study import Study, review


@dataclass(frozen=True)
class Giver:
    """Another column: what is told apart with the own report and it, and the least that it adds."""

    column: str
    pairs: float
    least: float


@dataclass(frozen=True)
class Fact:
    """A hidden question. mse: over its marked answers, exact. told: what the rows say, metric → value."""

    asked: review.Hidden
    mse: float
    told: Mapping[str, float]
    givers: tuple[Giver, ...]

    @property
    def own(self) -> float | None:
        """Pairs told apart by the own report; None where nobody can be told from anybody, or not known yet."""
        return self.told.get("own")

    @property
    def exact(self) -> bool:
        """Whether `own` has a closed form, and is that."""
        return self.own is not None and self.told["own:low"] == self.told["own:high"]

    @property
    def pairs(self) -> float | None:
        """Pairs told apart with everything that a person sends: by the strongest attacker, until all have tried by the
        quick one; None where only the own report is seen.
        """
        return self.told.get("pairs", self.told.get("first"))

    @property
    def interval(self) -> tuple[float, float] | None:
        """Of `pairs`; None until all have tried."""
        return (self.told["pairs:low"], self.told["pairs:high"]) if "pairs" in self.told else None

    @property
    def most(self) -> float | None:
        """Pairs told apart by whoever the study lets look."""
        return self.own if self.pairs is None else self.pairs

    @property
    def surest(self) -> float | None:
        """Of the hundredth that the attacker is surest of, the share with a marked answer."""
        return self.told.get("surest", self.told.get("own:surest"))

    @property
    def worst(self) -> Giver | None:
        """Who gives it away most; None where nobody adds anything beyond chance."""
        return next((giver for giver in self.givers if giver.least > 0), None)


def facts(study: Study, people: review.People, here: review.Asked, rows: pd.DataFrame) -> dict[str, Fact]:
    """Question → what is known of it so far."""
    errors = here.errors()
    found: dict[str, Fact] = {}
    for name, one in here.hidden.items():
        own = rows[(rows["scope"] == name) & (rows["repetition"] == 0)]
        told = dict(zip(own["metric"], own["value"].astype(float), strict=True))
        givers = tuple(
            Giver(column, told[metric], told[f"least:{column}"])
            for metric in told
            if metric.startswith("with:") and (column := metric.removeprefix("with:"))
        )
        found[name] = Fact(one, errors[name][1], told, givers)
    return found


def focus(found: Mapping[str, Fact], column: str) -> Fact:
    """The question that the page speaks of: the chosen one, if anybody can be told apart by it."""
    apart = [fact for fact in found.values() if fact.asked.apart]
    return next((fact for fact in apart if fact.asked.name == column), apart[0])
