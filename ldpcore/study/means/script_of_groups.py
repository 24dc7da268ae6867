"""The run of a study of means whose people are not all alike: they choose their marks, or have weights; also with how
much one report varies, and with a table of one's own.

What is known of groups together is that of `means.numbers`: the script makes the groups, and asks it.
"""

from collections.abc import Mapping

from ldpcore.numeric_randomizer import FITTED
from ldpcore.study import invented, means
from ldpcore.study.definition import Choice, Study
from ldpcore.study.means import varied
from ldpcore.study.scripts import Cell, chart, fill, literal, reading, table, weighed


def cells(study: Study, alike: Mapping[str, str]) -> list[Cell]:
    """Cells that make the study's rows. alike: what stands where in the cells of people who are all alike."""
    of, given = {**alike, **_words(study)}, means.options(study)
    first = next((how for how in given.estimates if how not in FITTED), "mean")
    attack = [Cell("Attacks on the reports of people, drawn as they are", _ATTACK)] if given.attacks else []
    varies = [Cell("How much one report varies, where it varies most", fill(_VARIES, **of))] if given.reports else []
    return [
        reading(study),
        Cell("The numbers within the public range, what is marked of it, and what is asked", fill(_ASKED, **of)),
        Cell("At a point x of the axis: the groups of people with the same marks", fill(_GROUPS, **of)),
        *varies,
        Cell("Exact errors of the mean, and how often a guess is near", fill(_THEORY, **of)),
        *attack,
        Cell("One simulated survey: the mean by each estimate, and the distribution", fill(_SURVEY, **of)),
        table(study, _BUILD, "theory(here, name, x)", "survey(here, name, x, repetition)"),
        chart(study, f"mse:{first}", "typical error of the mean, in the column's units", "$m ** 0.5"),
    ]


def _words(study: Study) -> dict[str, str]:
    """What stands where in the cells of this study, beside what does anyway."""
    given, weights, has_own = means.options(study), weighed(study), invented.KEY in study.mechanisms
    along = has_own and study.axis == "epsilon"
    others = ", *(pair for marks, *_ in CHOICES for pair in intervals.parse_all(marks, public))"
    detailed = '(x == POINT or name == "Own")' if along else "x == POINT"
    weighing = "weights.holding(people, {0}).among(np.flatnonzero({0}))" if weights else "None"
    rest = max(0.0, 1.0 - sum(choice.share for choice in study.choices))
    return {
        "points": fill(_WEIGHTS, column=literal(study.column), missing=literal(study.missing)) if weights else _ALIKE,
        "all": "weights.total" if weights else "people",
        "choices": fill(_CHOICES, choices="".join(f"    {_choice(each)},\n" for each in study.choices))
        if study.choices else "",
        "others": ", *(leveled(*each, epsilon) for *each, _ in CHOICES)" if study.choices else "",
        "n": f"scaled(people, {study.n})" if study.n is not None and study.axis != "n" else "people",
        "axis": "" if study.choices and study.axis == "share" else _AXES[study.axis],
        "drawn": 'stream(SEED, "choice", x).multinomial(counts, [REST, *(share for *_, share in CHOICES)]).T'
        if study.choices else "[counts]",
        "rest": f"REST = {rest!r}  # the share of the others\n" if study.choices else "",
        "weighing": weighing.format("part"),
        "table": fill(_OWN, table=literal(str(given.own).split("\n"))) if has_own else "",
        "visited": fill(_VISITED, marked=f"(*marked{others})" if study.choices else "tuple(marked)") if along else "",
        "of_own": fill(_OF_OWN, stands=_STANDS if along else "", weighing=weighing.format("counts")) if has_own else "",
        "detailed": detailed,
        "reports": f"REPORTS = {given.reports}  # of one answer, to tell their variance\n" if given.reports else "",
        "steps": repr(varied.STEPS + 1),
        "varies": '    for scope, _, variance in varying(here.groups[0].mechanism, here.marked):\n'
                  '        yield "report variance", scope, unit**2 * variance\n' if given.reports else "",
        "varied": '\n    yield from varied(here, stream(SEED, name, x, repetition, "reports"))'
        if given.reports else "",
        "attacked": f'\n    if {detailed} and len(here.groups) == 1:\n'
                    '        yield from attack(here, name, repetition)' if given.attacks else "",
    }  # fmt: skip


def _choice(choice: Choice) -> str:
    return f"({literal(choice.marks.values)}, {literal(choice.marks.secret)}, {choice.share!r})"


_ALIKE = "points, people = gathered(np.clip(public.encode(numbers), -1, 1), None, 1 << 16)  # on [-1, 1]"
_WEIGHTS = """points, where = placed(np.clip(public.encode(numbers), -1, 1), 1 << 16)  # distinct numbers, on [-1, 1]
people = np.bincount(where)
weights = Weighing.of(*table.number_weights($column, missing=$missing), where, len(points))"""
_CHOICES = """# What some mark instead, what of it is secret, and the share of people who do.
CHOICES = [
$choices]
"""
_OWN = """GIVEN, PLACES = custom.read_numbers("\\n".join($table), public)  # chances: rows are numbers, columns reports


@cache
def own(marked):
    \"\"\"The mechanism of this table, with what it promises to whoever marks one of these intervals.\"\"\"
    hidden = intervals.parts([(pair, 1.0) for pair in intervals.united(marked)], public)
    return custom.CustomNumbers(GIVEN.matrix, PLACES, hidden, BINS, GIVEN.reports)


"""
_VISITED = """of_own = own($marked).epsilon  # it stands at one ε: all are compared there, too
POINTS = sorted({*POINTS, of_own}) if np.isfinite(of_own) else POINTS
"""
_STANDS = """        if x != (mechanism.epsilon if np.isfinite(mechanism.epsilon) else EPSILON):
            return None  # it has one ε
"""
_OF_OWN = """    if name == "Own":
        mechanism = own(marked)
${stands}        group = PointGroup(mechanism, points[counts > 0], counts[counts > 0], $weighing)
        return MeanDesignPoint((group,), marked, lower)
"""
_AXES = {
    "epsilon": "",
    "n": "\n    counts = scaled(people, max(1, round(x)))  # so many people with the same shares",
    "share": """
    if x != POINT:  # this share of the range, half of it at each end
        markings = [[(pair, epsilon) for pair in intervals.outer(x, public)]]""",
}
"""What a point of the axis changes of the people."""
_ASKED = """
public, BINS = Interval($low, $high), $bins  # a range that everybody knows, and the bins of the distribution
numbers = table.numbers($column, missing=$missing)
$points
unit = (public.high - public.low) / 2  # the column's units per unit of [-1, 1]
MARKS = $marks
SECRET_MARKS = $secret  # of them
$choices${rest}marked, counts = intervals.parse_all(MARKS, public), people
${table}${chosen}${visited}ESTIMATES = $estimates
DELTA = $delta  # a guess within ± this wins; 0.2 is a tenth of the range
${attacks}${reports}${own}
edges = np.linspace(public.low, public.high, BINS + 1)
labels = [f"{a:.6g}..{b:.6g}" for a, b in zip(edges, edges[1:])]
shares = np.histogram(points, np.linspace(-1, 1, BINS + 1), weights=$all)[0] / $all.sum()  # the true distribution
"""
_GROUPS = """
def leveled(marks, secret, epsilon):
    \"\"\"Intervals of the range, each with its ε.\"\"\"
    secret = intervals.parse_all(secret, public)
    return [(pair, $own_epsilon) for pair in intervals.parse_all(marks, public)]


def point(name, x):
    epsilon, counts = $epsilon, $n
    markings = [leveled(MARKS, SECRET_MARKS, epsilon)$others]$axis
    pairs = [pair for each in markings for pair in each]  # what anybody marks, and what of it has a smaller ε
    marked, lower = tuple(pair for pair, _ in pairs), tuple(pair for pair, least in pairs if least < epsilon)
$of_own    hidden, entry = [intervals.parts(each, public) for each in markings], catalog.NUMBERS[name]
    if not all(map(entry.exists, hidden)):
        return None  # it is not computed for such ε
    groups = [
        PointGroup(entry.protecting(each, epsilon, BINS), points[part > 0], part[part > 0], $weighing)
        for each, part in zip(hidden, $drawn)
        if part.sum()
    ]
    return MeanDesignPoint(tuple(groups), marked, lower)


def scopes(here, numbers):
    \"\"\"Which of these numbers, in the column's units, lie where.\"\"\"
    return parts(public.mask(numbers, here.marked), public.mask(numbers, here.secret) if here.secret else None)
"""
_BUILD = """
here = point(name, x)
if here is None:
    continue
"""
_VARIES = """
def varying(mechanism, marked):
    \"\"\"The answer whose report varies most, and its variance: of all, of what is marked, and of the others.\"\"\"
    unmarked = intervals.complement(marked, public)
    x = np.unique(np.concatenate([np.linspace(-1, 1, $steps), *map(np.array, unmarked)]))
    variance = mechanism.report_moments(x)[1]
    free = np.zeros(len(x), bool)
    for low, high in unmarked:
        free |= (low <= x) & (x <= high)
    for scope, part in parts(~free).items():
        if part.any():
            at = np.flatnonzero(part)[variance[part].argmax()]
            yield scope, x[at], variance[at]


def varied(here, rng):
    mechanism = here.groups[0].mechanism
    for scope, answer, _ in varying(mechanism, here.marked):
        sent = mechanism.perturb(np.full(REPORTS, answer), rng)
        yield "report variance", scope, unit**2 * np.var(sent, ddof=1)
"""
_THEORY = """
def named(metric, how, combination):
    \"\"\"An estimate, as the table calls it: groups count by their sizes, or so that the variance is least.\"\"\"
    return f"{metric}:{how}" if combination == "share" else f"{metric}:{how}:{combination}"


def theory(here, name, x):
    for how in here.estimates(ESTIMATES):
        if how in ("mean", "unbiased"):  # the others have no closed form
            for combination in here.combinations:
                expected, variance = here.moments(how, combination)
                error = unit**2 * (variance + (expected - here.mean) ** 2)  # its root: the page's error
                yield named("mse", how, combination), "all", error
                yield named("estimate", how, combination), "all", float(public.decode(expected))
        elif $detailed and len(here.groups) == 1:
            yield from ((f"share:{how}", *pair) for pair in zip(labels, shares))
    yield "bits", "all", here.bits  # of one report
${varies}    if $detailed and len(here.groups) == 1:
        (group,) = here.groups
        won = within.success(group.mechanism, DELTA, prior(group), group.points)  # a guess from one report is near
        proved = group.mechanism.disclosure(group.points)  # the report is the number itself, and proves it
        for scope, part in scopes(here, public.decode(group.points)).items():
            if group.held[part].sum():
                yield "proved", scope, np.average(proved[part], weights=group.held[part])
                yield "guessed", scope, np.average(won[part], weights=group.held[part])


def prior(group):
    \"\"\"What whoever guesses knows of the people: their shares in the mechanism's bins.\"\"\"
    binned = np.bincount(within.bins(group.mechanism, group.points), group.held, len(group.mechanism.points))
    return binned.astype(float) / binned.astype(float).sum()
"""
_ATTACK = """
def attack(here, name, repetition):
    rng, (group,) = stream(SEED, name, float(repetition), "attack"), here.groups
    mechanism = group.mechanism
    drawn = rng.choice(group.points, ATTACKS, p=group.held / group.held.sum())
    reports = mechanism.perturb(drawn, rng)
    guessed = within.guess(mechanism, reports, DELTA, prior(group))
    hit = np.abs(guessed - mechanism.points[within.bins(mechanism, drawn)]) <= DELTA + 1e-12
    for scope, part in scopes(here, public.decode(drawn)).items():
        if part.any():
            yield "guessed", scope, hit[part].mean()
    exact = (reports == mechanism.places(drawn)) & (mechanism.disclosure(drawn) > 0)
    yield "proved", "all", exact.mean()
"""
_SURVEY = """
def survey(here, name, x, repetition):
    rng = stream(SEED, name, x, repetition)
    tallies = [group.survey(rng) for group in here.groups]
    for how in here.estimates(ESTIMATES):
        if how in ("mean", "unbiased") or len(tallies) > 1:
            means = [group.mechanism.estimate_mean(tally, how) for group, tally in zip(here.groups, tallies)]
        else:  # the distribution that makes these reports likeliest, and its mean
            mechanism = here.groups[0].mechanism
            freq = mechanism.fit(tallies[0], how).freq
            means = [mechanism.points @ freq]
        for combination in here.combinations:
            estimate = here.weights(combination, how) @ means
            yield named("mse", how, combination), "all", (unit * (estimate - here.drawn)) ** 2
            yield named("estimate", how, combination), "all", float(public.decode(estimate + here.rounding))
        if $detailed and how not in ("mean", "unbiased") and len(tallies) == 1:
            below = np.concatenate([[0.0], np.cumsum(freq)])
            fitted = np.diff(np.interp(np.linspace(-1, 1, BINS + 1), mechanism.inputs, below))
            yield from ((f"share:{how}", *pair) for pair in zip(labels, fitted))
    yield "bits", "all", here.bits$varied$attacked
"""
