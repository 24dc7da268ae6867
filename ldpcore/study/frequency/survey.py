"""One simulated survey of a frequency study: its estimate, in every form in which it is released, and its attack."""

from collections.abc import Iterator

import numpy as np

from ldpcore.attacks import bayes
from ldpcore.data import Histogram
from ldpcore.estimators import consistency, publishing
from ldpcore.rng import stream
from ldpcore.scope import Scope
from ldpcore.study.definition import Study
from ldpcore.study.frequency.cell import MARKED, FrequencyDesignPoint, Mask, Shares
from ldpcore.study.frequency.choices import OF_MARKED, options
from ldpcore.study.frequency.making import cell, detailed, exists
from ldpcore.study.skeleton import Row
from ldpcore.tally import Tally, WeightedTally


def rows(study: Study, data: Histogram, mechanism: str, x: float, repetition: int) -> Iterator[Row]:
    """Rows of one survey of a cell, and of its attack."""
    if not exists(study, data, mechanism, x):
        return
    point, each = cell(study, data, mechanism, x), detailed(study, data, mechanism, x)
    rng = stream(study.seed, mechanism, float(x), repetition)
    tallies = [group.tallies(rng, 1)[0] for group in point.groups]
    estimates = np.array([g.mechanism.estimate(t) for g, t in zip(point.groups, tallies, strict=True)])
    for how in point.combinations:
        estimate = np.sum(point.weights(how) * estimates, axis=0)
        metric = "mse" if how == "share" else f"mse:{how}"
        yield from _errors(metric, estimate - point.drawn, point)
        if how == "share":
            yield from _published(study, estimate, point, tallies, repetition)
            yield from _errors("max error", estimate - point.drawn, point)
            if each and len(estimate) == data.domain.k:
                error, labels = (estimate - point.drawn) ** 2, data.domain.labels
                estimate = estimate + (point.freq - point.drawn)
                yield from (("squared error", v, float(e)) for v, e in zip(labels, error, strict=True))
                yield from (("estimate", v, float(e)) for v, e in zip(labels, estimate, strict=True))
    yield "bits", "all", point.bits
    yield from _attack(study, point, repetition)


def _published(
    study: Study, estimate: Shares, here: FrequencyDesignPoint, tallies: list[Tally | WeightedTally], repetition: int
) -> Iterator[Row]:
    """Errors after each named post-processing, apart from the raw ones."""
    one = here.groups[0].mechanism if len(tallies) == 1 else None
    for form in options(study).postprocessing:
        if form == publishing.REPORTS and one is not None:
            rng = stream(study.seed, here.mechanism, float(here.x), repetition, "reports")
            released = here.groups[0].likeliest(rng)
        elif one is not None:
            released = publishing.release(one, tallies[0], form)
        elif form in consistency.POSTPROCESSING:
            released = publishing.shaped(estimate, form)
        else:  # groups with marks of their own have no likelihood in common
            continue
        yield from _errors(f"mse:{form}", released - here.drawn, here)


def _attack(study: Study, here: FrequencyDesignPoint, repetition: int) -> Iterator[Row]:
    """Share of attacked people whose answer was named: as many of the marked as of the others are attacked."""
    trials = options(study).attacks
    if not trials:
        return
    for prior in options(study).priors:
        # A stream of its own, so that leaving one adversary out changes nothing for the others.
        rng = stream(study.seed, here.mechanism, float(here.x), repetition, "attack", prior)
        hit: dict[str, float] = {}
        for scope, part in here.scopes:
            if scope == Scope.ALL or (prior in OF_MARKED and scope not in MARKED):
                continue
            hit[scope] = _attacked(here, prior, part, trials, rng)
            yield f"success:{prior}", scope, hit[scope]
        if prior not in OF_MARKED:
            mass = here.freq[here.marked].sum()
            won = mass * hit.get(Scope.SENSITIVE, 0) + (1 - mass) * hit.get(Scope.OTHER, 0)
            yield f"success:{prior}", Scope.ALL, won


def _errors(metric: str, error: Shares, here: FrequencyDesignPoint) -> Iterator[Row]:
    for scope, part in here.scopes:
        yield metric, scope, float(np.abs(error[part]).max() if metric == "max error" else np.mean(error[part] ** 2))


def _attacked(here: FrequencyDesignPoint, prior: str, part: Mask, trials: int, rng: np.random.Generator) -> float:
    """Empirical success against `trials` holders of values in `part`, drawn as the population holds them."""
    hits = 0
    weight = np.array([group.held * part for group in here.groups], float)
    if not weight.sum():
        weight[0] = part
    per_group = rng.multinomial(trials, weight.sum(axis=1) / weight.sum())
    for group, share, size in zip(here.groups, weight, per_group, strict=True):
        if not size:
            continue
        values = rng.choice(len(share), size, p=share / share.sum())
        reports = group.mechanism.perturb(values, rng)
        for known, belief in here.beliefs(prior):
            some = known[values]
            named = bayes.guess(group.mechanism, reports[some], belief, rng)
            hits += int(np.count_nonzero(named == values[some]))
    return hits / trials
