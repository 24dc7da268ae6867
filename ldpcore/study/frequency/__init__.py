"""The frequency task: shares of one column under several mechanisms, their error and who is exposed.

Every arm is a list of groups of people with the same marks; an ordinary arm has one. People who choose between the
arms for themselves (option `choose`) make one more arm with a group for each choice: the personalised mechanisms of
sdldp §5 are this, for any mechanism.

>>> from ldpcore import Arm, Source, Study, run
>>> study = Study(Source("health"), "condition", (Arm.of("A", ["HIV"]),), ("GRR", "uSS"), grid=(), repetitions=2)
>>> rows = run(study.with_options(attacks=0))
>>> mse = rows[(rows["metric"] == "mse") & (rows["repetition"] == 0) & (rows["scope"] != "all")]
>>> (mse.set_index(["mechanism", "scope"])["theory"] ** 0.5 * 100).round(2).unstack().to_dict("index")  # points
{'GRR': {'other': 2.07, 'sensitive': 2.0}, 'uSS': {'other': 0.13, 'sensitive': 0.57}}
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ldpcore import catalog, checks
from ldpcore.attacks import bayes
from ldpcore.data import DataError, Histogram, Table
from ldpcore.estimators import consistency, likelihood, publishing
from ldpcore.rng import stream
from ldpcore.study import fitting, skeleton
from ldpcore.study.column import histogram
from ldpcore.study.definition import Study
from ldpcore.study.frequency import own as invented
from ldpcore.study.frequency.cell import Cell, Group, Mask, Shares
from ldpcore.study.frequency.setting import PRIVATE, PUBLIC, SECRET, Setting, ranks_of, setting
from ldpcore.study.measures import NORMAL, POSITIVE, Chance
from ldpcore.study.skeleton import Chunk, Row, Run
from ldpcore.tally import Tally

PRIORS = ("uniform", "population", "targeted", "level")
"""What the adversary knows: nothing, the shares, that the answer is marked, or even whether it is private or secret."""
OF_MARKED = ("targeted", "level")
CHOICE = "each chooses"
"""Name of the arm in which people choose between the first two arms."""

CATALOG = catalog.ANSWERS
OWN = invented.KEY
BESIDES = (OWN,)
"""What can be compared and is in no catalogue."""
AXES = ("epsilon", "n", "share", "k")
MARKS = "answers"
PORTABLE = ("attacks", "priors", "postprocessing", "guess")
OPTIONS: dict[str, Any] = {
    "attacks": 100,  # attacked reports of marked, and of other values, per repetition; 0 leaves the attack out
    "priors": ("uniform", "population", "targeted"),
    "postprocessing": ("clip", "norm-sub"),  # forms of the release (`publishing.FORMS`), whose errors are shown too
    "guess": None,  # public guess of the share of people with a marked value, where it helps; None is σ/k
    "choose": None,  # share of people who choose the second arm; None leaves the choice out
    "choose_marked": None,  # the same among people whose answer the second arm marks; None is the same share
    "own": None,  # a table of chances as CSV text, rows = answers: the mechanism "Own" (ldpcore.own)
}


def options(study: Study) -> dict[str, Any]:
    out = study.chosen(OPTIONS)
    out["attacks"] = checks.integer(out["attacks"], "the option attacks", 0, skeleton.MOST_ATTACKS)
    for name in ("choose", "choose_marked", "guess"):
        if out[name] is not None and not 0 <= out[name] <= 1:
            raise ValueError(f"the option {name} is a share between 0 and 1, got {out[name]:g}")
    for form in out["postprocessing"]:
        publishing.check(form, (*publishing.FORMS, publishing.REPORTS))
    if out["choose"] is not None and len(study.arms) < 2:
        raise ValueError("the option choose needs two arms to choose between")
    return out


columns, default_column = fitting.countable, fitting.default_countable


def fit(study: Study, table: Table) -> fitting.Fitted:
    """The study about this table: a column that can be counted, its bins, and marks of values that it has."""
    # The own mechanism is compared wherever the study has a table for it.
    study = replace(study, mechanisms=tuple(key for key in study.mechanisms if key != OWN) or CATALOG.defaults)
    study, said = fitting.start(study, table, CATALOG, columns(table), default_column(table))
    profile = fitting.column(table, study.column)
    if profile is None:
        return study, said
    if study.bins is not None and not profile.numeric:
        study = replace(study, bins=None)
    if study.bins is None and fitting.must_bin(profile):
        study = replace(study, bins=fitting.proposed(profile))
    try:
        known = histogram(study, table).domain.labels
    except DataError:  # whoever counts it says why it cannot be counted
        known = ()
    study, unknown = fitting.marks(study, known)
    study, senseless = fitting.options(study, options)
    study, misfit = invented.fit(study, known)
    return study, (*said, *unknown, *senseless, *misfit)


def prepare(study: Study, table: Table) -> Histogram:
    """What the simulation needs of the data: the column, counted."""
    return histogram(study, table)


def current(study: Study, data: Histogram) -> float:
    """The point of the axis that is chosen now; it alone gets a row for every value."""
    if study.axis == "epsilon":
        return study.epsilon
    if study.axis == "n":
        return float(study.n or data.n)
    return float(data.domain.k) if study.axis == "k" else (ranks_of(study.arms[0], data.domain) > 0).mean()


MARKED = ("sensitive", "private", "secret")
"""Scopes of marked values only."""


def cell(study: Study, data: Histogram, arm: str, mechanism: str, x: float) -> Cell:
    """Everything that one cell of the study needs, built from the study alone."""
    if mechanism == OWN:
        return _own_cell(study, data, arm, x)
    entry = CATALOG[mechanism]

    def group(at: Setting, counts: NDArray[np.int64]) -> Group:
        return Group(entry.protecting(at.epsilons, at.budgets[PRIVATE], options(study)["guess"]), counts)

    def made(groups: tuple[Group, ...], budgets: tuple[float, ...], ranks: NDArray[np.int64]) -> Cell:
        return Cell(arm, mechanism, x, groups, np.array(budgets)[ranks], ranks == SECRET)

    if arm != CHOICE:
        own = setting(study, data, next(a for a in study.arms if a.name == arm), x)
        return made((group(own, own.counts),), own.budgets, own.ranks)
    first, second = (setting(study, data, each, x) for each in study.arms[:2])
    choose, of_marked = options(study)["choose"], options(study)["choose_marked"]
    share = np.where(second.ranks > PUBLIC, choose if of_marked is None else of_marked, choose)
    chosen = np.round(first.counts * share).astype(np.int64)
    parts = [(first, first.counts - chosen), (second, chosen)]
    both = np.maximum(first.ranks, second.ranks)
    return made(tuple(group(at, c) for at, c in parts if c.sum()), first.budgets, both)


def exists(study: Study, data: Histogram, arm: str, mechanism: str, x: float) -> bool:
    """Whether there is such a cell: a mechanism may be computed up to a largest ε only; one's own has one ε."""
    if mechanism == OWN:
        whole = study.axis != "k" or round(x) >= data.domain.k
        return whole and invented.stands(study, _own_cell(study, data, arm, x).groups[0].mechanism, x)
    own = [each for each in study.arms if arm in (each.name, CHOICE)]
    return all(CATALOG[mechanism].exists(setting(study, data, each, x).epsilons) for each in own)


def _own_cell(study: Study, data: Histogram, arm: str, x: float) -> Cell:
    """A mechanism of one's own knows no marks: they only say what it promises."""
    chosen = [each for each in study.arms if arm in (each.name, CHOICE)][:2]
    settings = [setting(study, data, each, x) for each in chosen]
    ranks = np.maximum.reduce([at.ranks for at in settings])
    made = invented.mechanism(study, data.domain.labels, ranks > PUBLIC)
    groups = (Group(made, settings[0].counts),)
    return Cell(arm, OWN, x, groups, np.array(settings[0].budgets)[ranks], ranks == SECRET)


def arms(study: Study) -> list[str]:
    return skeleton.named(study) + ([CHOICE] if options(study)["choose"] is not None else [])


def _expected(study: Study, data: Histogram, arm: str, mechanism: str, x: float) -> Iterator[Row]:
    if not exists(study, data, arm, mechanism, x):
        return
    here, detailed = cell(study, data, arm, mechanism, x), _detailed(study, data, mechanism, x)
    for how in here.combinations:
        error = here.squared_error(how)
        metric = "mse" if how == "share" else f"mse:{how}"
        yield from ((metric, scope, float(error[part].mean())) for scope, part in here.scopes)
        if detailed and how == "share" and len(error) == data.domain.k:
            yield from (("squared error", v, float(e)) for v, e in zip(data.domain.labels, error, strict=True))
            yield from (("estimate", v, float(f)) for v, f in zip(data.domain.labels, here.freq, strict=True))
    for prior in options(study)["priors"]:
        if prior in OF_MARKED and not here.marked.any():
            continue
        success = here.success(prior)
        for scope, part in here.scopes:
            if prior not in OF_MARKED or scope in MARKED:
                yield f"success:{prior}", scope, _over_holders(success, here.freq, part)


def _detailed(study: Study, data: Histogram, mechanism: str, x: float) -> bool:
    """Whether there is a row for every value: at the chosen point, and wherever along ε an own mechanism stands."""
    return x == current(study, data) or (mechanism == OWN and study.axis == "epsilon")


def _over_holders(success: Shares, freq: Shares, part: Mask) -> float:
    """Mean success over the people whose answer lies in this part; over its values if nobody's does."""
    weight = freq * part if freq[part].sum() > 0 else part
    return float(success @ weight / weight.sum())


def _survey(study: Study, data: Histogram, arm: str, mechanism: str, x: float, repetition: int) -> Iterator[Row]:
    """One simulated survey, and its attack."""
    if not exists(study, data, arm, mechanism, x):
        return
    here, detailed = cell(study, data, arm, mechanism, x), _detailed(study, data, mechanism, x)
    rng = stream(study.seed, mechanism, float(x), repetition)
    tallies = [Tally(int(g.counts.sum()), g.mechanism.draw(g.counts, rng, 1)[0]) for g in here.groups]
    estimates = np.array([g.mechanism.estimate(t) for g, t in zip(here.groups, tallies, strict=True)])
    for how in here.combinations:
        estimate = np.sum(here.weights(how) * estimates, axis=0)
        metric = "mse" if how == "share" else f"mse:{how}"
        yield from _errors(metric, estimate - here.freq, here)
        if how == "share":
            yield from _published(study, estimate, here, tallies, repetition)
            yield from _errors("max error", estimate - here.freq, here)
            if detailed and len(estimate) == data.domain.k:
                error, labels = (estimate - here.freq) ** 2, data.domain.labels
                yield from (("squared error", v, float(e)) for v, e in zip(labels, error, strict=True))
                yield from (("estimate", v, float(e)) for v, e in zip(labels, estimate, strict=True))
    yield from _attack(study, here, repetition)


def _published(study: Study, estimate: Shares, here: Cell, tallies: list[Tally], repetition: int) -> Iterator[Row]:
    """Errors after each named post-processing, apart from the raw ones."""
    one = here.groups[0].mechanism if len(tallies) == 1 else None
    for form in options(study)["postprocessing"]:
        if form == publishing.REPORTS and one is not None:
            rng = stream(study.seed, here.mechanism, float(here.x), repetition, "reports")
            reports = one.perturb(np.repeat(np.arange(one.k), here.counts), rng)
            released = likelihood.of_reports(one, reports).freq
        elif one is not None:
            released = publishing.release(one, tallies[0], form)
        elif form in consistency.POSTPROCESSING:
            released = publishing.shaped(estimate, form)
        else:  # groups with marks of their own have no likelihood in common
            continue
        yield from _errors(f"mse:{form}", released - here.freq, here)


def _attack(study: Study, here: Cell, repetition: int) -> Iterator[Row]:
    """Share of attacked people whose answer was named: as many of the marked as of the others are attacked."""
    trials = options(study)["attacks"]
    if not trials:
        return
    for prior in options(study)["priors"]:
        # A stream of its own, so that leaving one adversary out changes nothing for the others.
        rng = stream(study.seed, here.mechanism, float(here.x), repetition, "attack", prior)
        hit: dict[str, float] = {}
        for scope, part in here.scopes:
            if scope == "all" or (prior in OF_MARKED and scope not in MARKED):
                continue
            hit[scope] = _attacked(here, prior, part, trials, rng)
            yield f"success:{prior}", scope, hit[scope]
        if prior not in OF_MARKED:
            mass = here.freq[here.marked].sum()
            yield f"success:{prior}", "all", mass * hit.get("sensitive", 0) + (1 - mass) * hit.get("other", 0)


def _errors(metric: str, error: Shares, here: Cell) -> Iterator[Row]:
    for scope, part in here.scopes:
        yield metric, scope, float(np.abs(error[part]).max() if metric == "max error" else np.mean(error[part] ** 2))


def _attacked(here: Cell, prior: str, part: Mask, trials: int, rng: np.random.Generator) -> float:
    """Empirical success against `trials` holders of values in `part`, drawn as the population holds them."""
    hits = 0
    weight = np.array([group.counts * part for group in here.groups], float)
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


def _trials(study: Study, data: Histogram, arm: str, scope: str) -> int:
    """Over all values as many of the marked as of the others are attacked, and then weighted by how many hold them: the
    variance is at most that of as many attacks on people drawn from all.
    """
    return options(study)["attacks"]


MEASURES = {
    "mse": POSITIVE,
    "max error": POSITIVE,
    "squared error": POSITIVE,
    "estimate": NORMAL,
    "success": Chance(_trials),
}


class _Run(Run):
    """One that visits the ε of an own mechanism too, so that all are compared there."""

    def points(self, study: Study, data: Histogram) -> list[float]:
        masks = (ranks_of(arm, data.domain) > PUBLIC for arm in study.arms)
        return sorted({*super().points(study, data), *invented.points(study, data, masks)})


RUN = _Run(current, _survey, _expected, arms)
points, theory = RUN.points, RUN.theory


def chunks(study: Study, data: Histogram) -> list[Chunk]:
    """The simulation as independent pieces, those that take long last."""
    slow = {key for key, entry in CATALOG.items() if entry.factory.slow_draw and data.domain.k > 200}
    return sorted(RUN.chunks(study, data), key=lambda chunk: chunk.mechanism in slow)
