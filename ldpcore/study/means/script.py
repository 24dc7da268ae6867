"""The run of a study of means, as one would write it by hand."""

from ldpcore import catalog
from ldpcore.numeric_randomizer import FITTED
from ldpcore.study import invented, means
from ldpcore.study.definition import Study
from ldpcore.study.means import script_of_groups
from ldpcore.study.scripts import Cell, chart, chosen, fill, literal, reading, table, weighed


def cells(study: Study) -> list[Cell]:
    """Cells that make the study's rows. ValueError, in a sentence, for numbers without a public range."""
    if study.bins is None:
        raise ValueError("numbers need a public range that does not depend on them: give bins = [low, high, number]")
    if weighed(study) or study.choices or means.options(study).reports or invented.KEY in study.mechanisms:
        return script_of_groups.cells(study, _words(study))
    of, attacks = _words(study), means.options(study).attacks
    surveyed = "survey(mechanism, counts, marked, secret, name, x, repetition)"
    first = next((how for how in means.options(study).estimates if how not in FITTED), "mean")
    attack = [Cell("Attacks on the reports of people, drawn as they are", fill(_ATTACK, **of))] if attacks else []
    return [
        reading(study),
        Cell("The numbers within the public range, what is marked of it, and what is asked", fill(_ASKED, **of)),
        Cell(
            "At a point x of the axis: how many have each number, and which ε protects which part", fill(_PEOPLE, **of)
        ),
        Cell("Exact errors of the mean, and how often a guess is near", fill(_THEORY, **of)),
        *attack,
        Cell("One simulated survey: the mean by each estimate, and the distribution", fill(_SURVEY, **of)),
        table(study, _build(study), "theory(mechanism, counts, marked, secret, x)", surveyed),
        chart(study, f"mse:{first}", "typical error of the mean, in the column's units", "$m ** 0.5"),
    ]


def _build(study: Study) -> str:
    """Statements: the mechanism at a point, if it exists there."""
    exists = "if not catalog.NUMBERS[name].exists(hidden):\n    continue  # it is not computed for such ε\n"
    return (
        "counts, marked, secret, hidden = people(x)\n"
        + (exists if {*study.mechanisms} & {*catalog.LEVELED_MEANS} else "")
        + f"mechanism = catalog.NUMBERS[name].protecting(hidden, {_epsilon(study)}, BINS)\n"
    )


def _epsilon(study: Study) -> str:
    return "x" if study.axis == "epsilon" else "EPSILON"


def _words(study: Study) -> dict[str, str]:
    """What stands where in the cells of this study."""
    low, high, bins = study.bins or (0, 1, 1)
    given, epsilon = means.options(study), _epsilon(study)
    has_own = bool(study.marks.secret) and study.secret_epsilon is not None
    current = {"epsilon": "EPSILON", "n": "float(counts.sum())",
               "share": "round(sum(b - a for a, b in marked) / (2 * unit), 12)"}[study.axis]  # fmt: skip
    return {
        "low": repr(low), "high": repr(high), "bins": repr(bins),
        "column": literal(study.column), "missing": literal(study.missing),
        "marks": literal(study.marks.values), "secret": literal(study.marks.secret),
        "chosen": chosen(study, repr(float(study.n)) if study.n is not None and study.axis == "n" else current),
        "estimates": f"({', '.join(map(literal, given.estimates))}{',' if len(given.estimates) == 1 else ''})",
        "delta": "0.2" if given.delta is None else f"{given.delta!r} / unit",
        "attacks": f"ATTACKS = {given.attacks}  # reports, in each survey\n" if given.attacks else "",
        "own": f"SECRET = min({study.secret_epsilon!r}, EPSILON)  # the ε of secret numbers\n" if has_own else "",
        "n": f"\n    counts = scaled(counts, {study.n})" if study.n is not None and study.axis != "n" else "",
        "axis": _AXES[study.axis],
        "epsilon": epsilon,
        "own_epsilon": f"min(SECRET, {epsilon}) if pair in secret else {epsilon}" if has_own else epsilon,
        "lower": f"[pair for pair, each in epsilons if each < {epsilon}]" if has_own else "[]",
        "attacked": _ATTACKED if given.attacks else "",
    }  # fmt: skip


_ATTACKED = """
    if x == POINT:
        yield from attack(mechanism, counts, marked, secret, name, repetition)"""
_AXES = {
    "epsilon": "",
    "n": "\n    counts = scaled(counts, max(1, round(x)))  # so many people with the same shares",
    "share": """
    if x != POINT:  # this share of the range, half of it at each end
        marked, secret = intervals.outer(x, public), []""",
}
"""What a point of the axis changes."""

_ASKED = """
public, BINS = Interval($low, $high), $bins  # a range that everybody knows, and the bins of the distribution
numbers = table.numbers($column, missing=$missing)
points, counts = gathered(np.clip(public.encode(numbers), -1, 1), None, 1 << 16)  # on [-1, 1]
unit = (public.high - public.low) / 2  # the column's units per unit of [-1, 1]
marked = intervals.parse_all($marks, public)
secret = intervals.parse_all($secret, public)  # of them
${chosen}ESTIMATES = $estimates
DELTA = $delta  # a guess within ± this wins; 0.2 is a tenth of the range
${attacks}${own}
edges = np.linspace(public.low, public.high, BINS + 1)
labels = [f"{a:.6g}..{b:.6g}" for a, b in zip(edges, edges[1:])]
shares = np.histogram(points, np.linspace(-1, 1, BINS + 1), weights=counts)[0] / counts.sum()  # the true distribution
"""
_PEOPLE = """
def people(x, counts=counts, marked=marked, secret=secret):$n$axis
    epsilons = [(pair, $own_epsilon) for pair in marked]
    return counts, marked, $lower, intervals.parts(epsilons, public)


def scopes(numbers, marked, secret):
    \"\"\"Which of these numbers, in the column's units, lie where.\"\"\"
    return parts(public.mask(numbers, marked), public.mask(numbers, secret) if secret else None)
"""
_THEORY = """
def theory(mechanism, counts, marked, secret, x):
    at, people = points[counts > 0], counts[counts > 0]
    n = people.sum()
    truth = at @ people / n
    for how in estimates_of(mechanism, ESTIMATES):
        if how in ("mean", "unbiased"):  # the others have no closed form
            mean, spread = mechanism.moments(at, how)
            expected, variance = mean @ people / n, spread @ people / n**2
            yield f"mse:{how}", "all", unit**2 * (variance + (expected - truth) ** 2)  # its root: the page's error
            yield f"estimate:{how}", "all", float(public.decode(expected))
        elif x == POINT:
            yield from ((f"share:{how}", *pair) for pair in zip(labels, shares))
    yield "bits", "all", mechanism.report_bits()  # of one report
    if x == POINT:
        won = within.success(mechanism, DELTA, prior(mechanism, at, people), at)  # a guess from one report is near
        proved = mechanism.disclosure(at)  # the report is the number itself, and proves it
        for scope, part in scopes(public.decode(at), marked, secret).items():
            if people[part].sum():
                yield "proved", scope, np.average(proved[part], weights=people[part])
                yield "guessed", scope, np.average(won[part], weights=people[part])


def prior(mechanism, at, people):
    \"\"\"What whoever guesses knows of the people: their shares in the mechanism's bins.\"\"\"
    binned = np.bincount(within.bins(mechanism, at), people, len(mechanism.points)).astype(float)
    return binned / binned.sum()
"""
_ATTACK = """
def attack(mechanism, counts, marked, secret, name, repetition):
    rng = stream(SEED, name, float(repetition), "attack")
    at, people = points[counts > 0], counts[counts > 0]
    drawn = rng.choice(at, ATTACKS, p=people / people.sum())
    reports = mechanism.perturb(drawn, rng)
    guessed = within.guess(mechanism, reports, DELTA, prior(mechanism, at, people))
    hit = np.abs(guessed - mechanism.points[within.bins(mechanism, drawn)]) <= DELTA + 1e-12
    for scope, part in scopes(public.decode(drawn), marked, secret).items():
        if part.any():
            yield "guessed", scope, hit[part].mean()
    exact = (reports == mechanism.places(drawn)) & (mechanism.disclosure(drawn) > 0)
    yield "proved", "all", exact.mean()
"""
_SURVEY = """
def tallied(mechanism, at, people, rng):
    if people.sum() > 200_000:  # by how many have each number
        return next(mechanism.draw(at, rng, 1, people))
    return mechanism.tally(mechanism.perturb(np.repeat(at, people), rng))  # one by one


def survey(mechanism, counts, marked, secret, name, x, repetition):
    rng, (at, people) = stream(SEED, name, x, repetition), (points[counts > 0], counts[counts > 0])
    truth = at @ people / people.sum()
    tally = tallied(mechanism, at, people, rng)
    for how in estimates_of(mechanism, ESTIMATES):
        if how in ("mean", "unbiased"):
            estimate = mechanism.estimate_mean(tally, how)
        else:  # the distribution that makes these reports likeliest, and its mean
            freq = mechanism.fit(tally, how).freq
            estimate = mechanism.points @ freq
        yield f"mse:{how}", "all", (unit * (estimate - truth)) ** 2
        yield f"estimate:{how}", "all", float(public.decode(estimate))
        if x == POINT and how not in ("mean", "unbiased"):
            below = np.concatenate([[0.0], np.cumsum(freq)])
            fitted = np.diff(np.interp(np.linspace(-1, 1, BINS + 1), mechanism.inputs, below))
            yield from ((f"share:{how}", *pair) for pair in zip(labels, fitted))
    yield "bits", "all", mechanism.report_bits()$attacked
"""
