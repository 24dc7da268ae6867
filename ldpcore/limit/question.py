"""What is asked of the limit: checked, completed, and refused with a sentence where it makes no sense."""

import math
from dataclasses import dataclass
from typing import Any

from ldpcore import checks
from ldpcore.policy import LDP, ULDP, GuardedSDLDP
from ldpcore.scope import Scope

POLICIES = (LDP.name, ULDP.name, GuardedSDLDP.name)


@dataclass(frozen=True)
class LimitProblem:
    policy: str
    k: int
    sigma: int
    epsilon: float
    share: float
    weights: tuple[float, float]
    lift: float | None
    """σ times the bound on the exposure."""

    @property
    def tau(self) -> int:
        return self.k - self.sigma

    @property
    def e_minus_1(self) -> float:
        """e = E−1."""
        return math.expm1(self.epsilon)

    @property
    def bound(self) -> float:
        """The exposure's bound as (σ·ASR−1)/e; 1 where it cannot bind."""
        certain = self.lift is None or self.lift >= self.sigma * (1 - 1e-12)
        return 1.0 if certain or self.lift is None else max(0.0, min(1.0, (self.lift - 1) / self.e_minus_1))

    @property
    def blind(self) -> bool:
        """Nothing may be learned within S."""
        return self.sigma > 1 and self.lift is not None and self.lift <= 1 + 1e-9


def ask(
    policy: str, k: Any, marked: Any, epsilon: Any, share: Any, exposure: Any, weight: str | tuple[float, float]
) -> LimitProblem:
    """Checked and completed."""
    if policy not in POLICIES:
        raise ValueError(f"policy must be one of {checks.name_list(POLICIES)}, got {policy!r}")
    k = checks.domain_size(k)
    sigma = checks.integer(marked, "marked (the number of sensitive values)", 0, k)
    epsilon = checks.epsilon(epsilon)
    share = sigma / k if share is None else _fraction(share, "share (of users with a sensitive value)", 0.0)
    if sigma in (0, k) and abs(share - sigma / k) > 1e-6:
        raise ValueError(
            f"share must be {sigma // k} when {'every' if sigma else 'no'} value is marked, got {share:g}; "
            "leave it out, or mark other values"
        )
    share = sigma / k if sigma in (0, k) else share
    lift = None
    if exposure is not None:
        if sigma == 0:
            raise ValueError("exposure bounds what is learned of marked values, and none is marked; leave it out")
        lift = sigma * _fraction(exposure, "exposure (the targeted adversary's success)", 1 / sigma)
    return LimitProblem(policy, k, sigma, epsilon, share, _weights(weight, k, sigma), lift)


def _fraction(value: Any, name: str, at_least: float) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a number, got {value!r}") from None
    if not at_least * (1 - 1e-9) <= number <= 1:
        blind = "" if at_least == 0 else f"; {at_least:.4g} is what a blind guess reaches, no channel is below it"
        raise ValueError(f"{name} must be between {at_least:.4g} and 1, got {number:g}{blind}")
    return number


def _weights(weight: str | tuple[float, float], k: int, sigma: int) -> tuple[float, float]:
    """The weights of Σ_S and Σ_N."""
    named: dict[str, tuple[float, float]] = {
        Scope.ALL: (1 / k, 1 / k), Scope.SENSITIVE: (1 / max(sigma, 1), 0.0), Scope.OTHER: (0.0, 1 / max(k - sigma, 1)),
    }  # fmt: skip
    if isinstance(weight, str):
        if weight not in named:
            raise ValueError(f'weight must be "all", "sensitive", "other" or a pair of numbers, got {weight!r}')
        pair = named[weight]
    else:
        try:
            first, second = weight
            pair = (float(first), float(second))
        except (TypeError, ValueError):
            raise TypeError(
                f'weight must be "all", "sensitive", "other" or a pair of numbers, got {weight!r}'
            ) from None
    if not all(math.isfinite(part) and part >= 0 for part in pair):
        raise ValueError(f"weight must be finite and not negative, got {weight!r}")
    if (pair[0] if sigma else 0.0) + (pair[1] if sigma < k else 0.0) <= 0:
        raise ValueError(
            f"weight {weight!r} counts no value's error: {sigma} values are marked and {k - sigma} are not; "
            "weigh one of the two that has values"
        )
    return pair
