"""What is known of each hidden question, as plain values: no Streamlit, no figure."""

from collections.abc import Mapping
from dataclasses import dataclass, field

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
    """The marked answers to a hidden question, or (`secretly`) the secret ones alone. mse: over them, exact. told: what
    the rows say, metric → value. levels: of a question with secret answers "secret" and "private" → exact mean squared
    error; secret: what is known of those alone, where it has both.
    """

    asked: review.Hidden
    mse: float
    told: Mapping[str, float]
    givers: tuple[Giver, ...]
    secretly: bool = False
    levels: Mapping[str, float] = field(default_factory=dict)
    secret: "Fact | None" = None

    @property
    def epsilon(self) -> float:
        return self.asked.secret_epsilon if self.secretly else self.asked.epsilon

    @property
    def delicate(self) -> "Fact":
        """The most protected of its answers whose exposure is known."""
        return self if self.secret is None or self.secret.own is None else self.secret

    @property
    def others(self) -> float | None:
        """Pairs told apart without the own report; None but of secret answers."""
        return self.told.get("others")

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
    errors, levels = here.errors(), here.by_level()
    found: dict[str, Fact] = {}
    for name, one in here.hidden.items():
        own = rows[(rows["scope"] == name) & (rows["repetition"] == 0)]
        told = dict(zip(own["metric"], own["value"].astype(float), strict=True))
        on_secret = {
            metric.removeprefix(review.ON_SECRET): value
            for metric, value in told.items()
            if metric.startswith(review.ON_SECRET)
        }
        secret = None
        if one.secret.any() and one.private.any():
            secret = Fact(one, levels[name]["secret"], on_secret, _givers(on_secret), secretly=True)
        found[name] = Fact(
            one, errors[name][1], told, _givers(told), one.is_secret, levels.get(name, {}), secret
        )  # fmt: skip
    return found


def _givers(told: Mapping[str, float]) -> tuple[Giver, ...]:
    return tuple(
        Giver(column, told[metric], told[f"least:{column}"])
        for metric in told
        if metric.startswith("with:") and (column := metric.removeprefix("with:"))
    )


def focus(found: Mapping[str, Fact], column: str) -> Fact:
    """What the page speaks of: the most protected answers to the chosen question, if anybody is told apart by it."""
    apart = [fact for fact in found.values() if fact.asked.apart]
    return next((fact for fact in apart if fact.asked.name == column), apart[0]).delicate
