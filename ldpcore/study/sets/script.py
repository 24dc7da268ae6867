"""The run of a study of sets, as one would write it by hand."""

from ldpcore.study import invented, sets
from ldpcore.study.definition import Study
from ldpcore.study.scripts import Cell, chart, chosen, fill, literal, reading, table, weighed
from ldpcore.study.sets.exposure import CROWD


def cells(study: Study) -> list[Cell]:
    """Cells that make the study's rows."""
    of, given = _words(study), sets.options(study)
    attack = [Cell("Attacks on single reports: who holds something sensitive, and which item?", fill(_ATTACK, **of))]
    return [
        reading(study),
        Cell("The baskets, what is marked in them, and what is asked", fill(_ASKED, **of)),
        Cell("At a point x of the axis: sets of m items, and which ε protects each item", fill(_PEOPLE, **of)),
        Cell("Exact errors, and the length of a report", fill(_THEORY, **of)),
        *(attack if given.attacks else []),
        Cell("One simulated survey: who sends which items, and what their reports err", fill(_SURVEY, **of)),
        table(
            study,
            fill(_OF_OWN if _has_own(study) else _BUILD, **of),
            "theory(mechanism, here)",
            "survey(mechanism, here, name, repetition)",
        ),
        chart(study, "mse", "typical error of a share, points", "100 * $m ** 0.5"),
    ]


def _has_own(study: Study) -> bool:
    """Whether a mechanism of one's own is compared."""
    return invented.KEY in study.mechanisms


def _words(study: Study) -> dict[str, str]:
    """What stands where in the cells of this study."""
    given, secret = sets.options(study), study.marks.secret
    marks = f"baskets.domain.mask({literal(study.marks.values)}).astype(int)"
    m = f"min({sets.MOST_SUGGESTED}, suggest_m(baskets.lengths))" if given.m is None else repr(given.m)
    if given.simulated and given.m is None:
        m = repr(min(8, given.simulated))
    people = "baskets.n" if study.n is None else repr(study.n)
    current = {"epsilon": "EPSILON", "m": "float(M)", "n": f"float({people})", "k": "float(baskets.k)",
               "share": "float((ranks > 0).mean())"}  # fmt: skip
    if given.simulated:
        current |= {"k": repr(float(given.simulated)), "share": repr(given.marked)}
    epsilon, along = "x" if study.axis == "epsilon" else "EPSILON", _has_own(study) and study.axis == "epsilon"
    graded = bool(secret) and study.secret_epsilon is not None
    return (_WEIGHED if weighed(study) and not given.simulated else _ALIKE) | {
        "column": literal(study.column),
        "marks": f"{marks} + baskets.domain.mask({literal(secret)})" if secret else marks,
        "m": f"{m}  # enough for nine people in ten" if given.m is None and not given.simulated else m,
        "chosen": chosen(study, current[study.axis]),
        "secret": f"SECRET = min({study.secret_epsilon!r}, EPSILON)  # the ε of secret items\n" if graded else "",
        "attacks": f"ATTACKS = {given.attacks}  # half of them with what is asked for\n" if given.attacks else "",
        "sample": fill(_INVENTED if given.simulated else _SAMPLE, axis=_AXES.get(study.axis, ""), **_sample(study)),
        "at": "" if study.axis == "epsilon" else "x",
        "dummies": "0" if given.simulated else "sample.m",
        "epsilon": epsilon,
        "of_secret": f"min(SECRET, {epsilon})" if graded else epsilon,
        "table": fill(_TABLE, table=literal(str(given.own).split("\n"))) if _has_own(study) else "",
        "visited": _VISITED if along else "",
        "stands": _STANDS if along else "",
        "detailed": "here.x == POINT or isinstance(mechanism, custom.CustomSets)" if along else "here.x == POINT",
        "sent": _WHOLE if given.simulated else _PADDED,
        "released": fill(_RELEASED, forms=literal(given.postprocessing)) if given.postprocessing else "",
        "attacked": "\n        yield from attack(mechanism, here, sent, key)" if given.attacks else "",
        "targets": repr(given.targets),
        "crowd": repr(CROWD),
    }  # fmt: skip


def _sample(study: Study) -> dict[str, str]:
    """How many people hold how many items of how many, and which share of these is marked."""
    given, axis = sets.options(study), study.axis
    return {
        "many": "max(2, round(x))" if axis == "k" else repr(given.simulated),
        "share": "x" if axis == "share" else repr(given.marked),
        "size": "max(1, round(x))" if axis == "m" else "M",
        "people": "max(1, round(x))" if axis == "n" else "baskets.n" if study.n is None else repr(study.n),
        "popularity": f", {given.popularity!r}" if given.popularity else "",
        "alike": f"the r-th popular as 1/r^{given.popularity:g}" if given.popularity else "all alike",
    }


_AXES = {
    "k": """
    common = np.argsort(-baskets.counts, kind="stable")[: max(2, round(x))]
    keep = np.isin(np.arange(baskets.k), common)  # the commonest items
    held, protected = baskets.onto(keep), ranks[keep]""",
    "share": """
    # The marked items first, then the rarest.
    order = np.lexsort((np.arange(baskets.k), baskets.counts, -ranks))
    within = np.isin(np.arange(baskets.k), order[: round(x * baskets.k)])
    protected = np.where(within, np.maximum(ranks, 1), 0)""",
}
"""What a point of the axis changes."""

_ALIKE = {
    "noise": "mechanism.variance(sample.kept, here.n, sample.company)",
    "alike": "sample.kept",
    "estimate": "mechanism.simulate(sent, stream(*key), 1)[0]",
}
"""Everybody counts alike."""
_WEIGHED = {
    "noise": "mechanism.variance(sample.noise, sample.effective, sample.company)",
    "alike": 'sample.shares("people")',
    "estimate": "estimated(mechanism, sent, here.sample, stream(*key))  # those with one weight apart",
}
"""People with weights: errors go by their squares, and by Kish's n."""
_ASKED = """
baskets = table.baskets($column)
ranks = $marks  # 0 public, 1 sensitive, 2 secret
M = $m
$chosen$secret$attacks
"""
_SAMPLE = """
    held, protected = baskets, ranks$axis
    return SetSample(resampled(held, $people, SEED), protected, $size)
"""
_INVENTED = """
    k, m = $many, $size  # sets of exactly m of k items, $alike
    return SetSample(invented(SEED, $people, k, m$popularity), (np.arange(k) < round($share * k)).astype(int), m)
"""
_PEOPLE = """
@cache
def people($at):
    \"\"\"Who holds what, what of it is marked, and how many items are sent.\"\"\"
$sample

def setting(x):
    sample = people($at)
    return SetSetting(x, $epsilon, sample, $dummies, $of_secret)
$table$visited"""
_TABLE = """

TABLE = "\\n".join($table)  # chances: rows are items, and padding; columns are reports


def own(here):
    \"\"\"The mechanism that sends one of a set's items, drawn at random, by this table.\"\"\"
    given = custom.read_sets(TABLE, here.baskets.labels, here.dummies > 0)
    return custom.CustomSets(given.matrix, m=here.m, sensitive=here.marked, dummies=here.dummies, labels=given.reports)
"""
_VISITED = """

of_own = own(setting(EPSILON)).epsilon  # it stands at one ε: all are compared there, too
POINTS = sorted({*POINTS, of_own}) if np.isfinite(of_own) else POINTS
"""
_BUILD = """
here = setting(x)
try:
    mechanism = catalog.ITEMS[name].protecting(here.epsilons, here.epsilon, here.m, here.dummies)
except ValueError:
    continue  # its subsets need more marked items, say
"""
_OF_OWN = """
here = setting(x)
try:
    if name == "Own":
        mechanism = own(here)
    else:
        mechanism = catalog.ITEMS[name].protecting(here.epsilons, here.epsilon, here.m, here.dummies)
except ValueError:
    continue  # its subsets need more marked items, say
$stands"""
_STANDS = """\
if name == "Own" and x != (mechanism.epsilon if np.isfinite(mechanism.epsilon) else EPSILON):
    continue  # it has one ε
"""
_THEORY = """
def theory(mechanism, here):
    sample = here.sample  # what of the sets is sent on average, and how that scatters: exact
    variance = $noise + sample.wobble
    error = variance + (sample.kept - sample.freq) ** 2  # what cutting long sets takes off is in it
    for scope, part in here.scopes:
        yield "mse", scope, error[part].mean()  # its root is the typical error, the line of the first figure
        yield "mse:kept", scope, variance[part].mean()
    yield "bits", "all", mechanism.report_bits($alike)
    if $detailed:  # what the table of items shows
        for v in here.shown:
            yield "squared error", here.baskets.labels[v], error[v]
            yield "estimate", here.baskets.labels[v], sample.kept[v]
"""
_ATTACK = """
def attack(mechanism, here, sent, key):
    some = {"all": here.marked} | ({"secret": here.secret} if here.secret.any() else {})
    for scope, items in some.items():  # does this person hold any of them?
        if crowds(np.r_[items, np.zeros(here.dummies, bool)][sent].any(axis=1)):
            rng = stream(*key, "presence", *([] if scope == "all" else [scope]))
            yield "success:presence", scope, presence.success(mechanism, items, sent, rng, ATTACKS).success
    for level, items in here.levels.items():  # which of two items of one level?
        if len(exchange.able(mechanism, items, sent)) >= $crowd:
            rng = stream(*key, "level", str(level))
            yield "success:level", level, exchange.success(mechanism, items, sent, rng, ATTACKS).success
    for scope, items in here.targets($targets).items():  # does this person hold this item?
        won = [
            membership.success(mechanism, item, sent, stream(*key, "membership", item), ATTACKS).success
            for item in map(int, items)
            if crowds((sent == item).any(axis=1))
        ]
        if won:
            yield "success:membership", scope, np.mean(won)


def crowds(holds):
    \"\"\"Are there enough people with and without?\"\"\"
    return $crowd <= np.count_nonzero(holds) <= len(holds) - $crowd
"""
_PADDED = """pad_and_sample(
        here.baskets, here.baskets.k, here.m, stream(SEED, "padding", here.n, here.baskets.k, here.m, repetition)
    )  # sets of m: short ones are filled with dummies, long ones cut"""
_WHOLE = "here.baskets.codes.reshape(here.n, here.m).astype(np.intp)"
_SURVEY = """
def survey(mechanism, here, name, repetition):
    key = SEED, name, here.x, repetition  # of this survey's random streams
    sent = $sent
    estimate = $estimate
    error = estimate - here.freq
    for scope, part in here.scopes:
        yield "mse", scope, np.mean(error[part] ** 2)  # a mark of the first figure
        yield "mse:kept", scope, np.mean((estimate - here.kept)[part] ** 2)
        yield "max error", scope, np.abs(error)[part].max()
$released    if $detailed:
        for v in here.shown:
            yield "squared error", here.baskets.labels[v], error[v] ** 2
            yield "estimate", here.baskets.labels[v], estimate[v]
        rng = stream(*key, "bits")
        measured = sent[rng.choice(len(sent), min(1000, len(sent)), replace=False)]
        yield "bits", "all", mechanism.measure_bits(mechanism.perturb(measured, rng))$attacked
"""
_RELEASED = """
    for form in $forms:  # what one would publish
        deviation = np.sqrt(here.variance(mechanism)) if form == "base-cut" else 0.0
        released = publishing.shaped(estimate, form, deviation, here.m)
        for scope, part in here.scopes:
            yield f"mse:{form}", scope, np.mean((released - here.freq)[part] ** 2)
"""
