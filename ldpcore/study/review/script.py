"""The run of a review, as one would write it by hand."""

from ldpcore.levels import Levels
from ldpcore.study.definition import Study
from ldpcore.study.review.asking import CATALOG, options
from ldpcore.study.review.people import BETWEEN
from ldpcore.study.scripts import COLUMNS, Cell, chart, chosen, fill, least, literal, reading


def cells(study: Study) -> list[Cell]:
    """Cells that make the study's rows."""
    of = _words(study)
    every = options(study).attacker == "every"
    return [
        reading(study),
        Cell("The questions, which answers are marked, and what is asked", fill(_ASKED, **of)),
        Cell(
            "How the survey is asked at ε = x: each question by what errs least on its marked answers, were these rare",
            fill(_SURVEY, **of),
        ),
        Cell("Exact errors of every hidden question", fill(_THEORY, **of)),
        Cell("One simulated survey of a question", fill(_ERRORS, **of)),
        Cell("What the report to a question tells, and what the other answers tell beside it", fill(_QUICK, **of)),
        *([Cell("What everything that a person sends tells, to the strongest attacker", _WHOLE)] if every else []),
        Cell("The table behind the page", fill(_TABLE, **of)),
        chart(study, "mse:marked", "typical error of a marked share, points", "100 * $m ** 0.5", by="scope"),
    ]


def _words(study: Study) -> dict[str, str]:
    """What stands where in the cells of this study."""
    given, secret = options(study), bool(study.marks.secret)
    one_each, every = given.scheme == "one", given.attacker == "every"
    columns = f"[name for name in questions(table) if name in {literal(given.columns)}]"
    parts = {name: float(part) for name, _, part in (text.rpartition(BETWEEN) for text in given.parts)}
    known = tuple(name for name in given.known if given.columns and name not in given.columns)
    counts = "histogram.counts" if study.n is None else f"scaled(histogram.counts, {study.n})"
    return {
        "columns": columns if given.columns else "[*questions(table)]",
        "ranges": literal(given.ranges),
        "missing": literal(study.missing) + (", KNOWN" if known else ""),
        "known": f"KNOWN = {literal(known)}  # not asked, and known to an attacker\n" if known else "",
        "of_known": ", people.known" if known else "",
        "joined": f"people = together(people, {literal(given.as_one)})  # two of them with one report\n"
        if given.as_one else "",
        "marks": literal(study.marks.values),
        "secret": f"SECRET_MARKS = {literal(study.marks.secret)}  # of them\n" if secret else "",
        "parts": f"PARTS = {literal(parts)}  # of questions with less than the ε of the others\n" if parts else "",
        "whole": literal(tuple(name for name in given.hidden if not given.columns or name in given.columns)),
        "chosen": chosen(study, "EPSILON") + least(study),
        "pairs": _PAIRS if given.as_one else "",
        "of_pairs": _OF_PAIRS if given.as_one else "",
        "masks_of_secret": "secret = masks(SECRET_MARKS)\n" if secret else "",
        "n": "people.n" if study.n is None else repr(study.n),
        "scheme": f"questionnaire.Allocation.{'one_each' if one_each else 'everything'}(names)",
        "each": "x" if given.budget == "question" or one_each else "x / len(names)",
        "part": "each * PARTS.get(name, 1.0)" if parts else "each",
        "levels_here": fill(_LOWER, part=" * PARTS.get(name, 1.0)" if parts else "") if secret else "",
        **_levels(study),
        "counts": counts,
        "total": "each" if one_each else "each * len(names)",
        "of_level": _OF_LEVEL if secret else "",
        "error_of_level": _ERROR_OF_LEVEL if secret else "",
        "others": "survey.others(q.name)" if every else "{}",
        "rest": _REST if every else "",
        "strongest": _STRONGEST + (_STRONGEST_APART if secret else "") if every else "",
        "parts_asked": _ASIDE if secret else "",
        "columns_of_rows": literal(COLUMNS).replace("[\n    ", "[").replace(",\n]", "]").replace("\n    ", " "),
    }  # fmt: skip


def _levels(study: Study) -> dict[str, str]:
    """Where some answers are secret: the ε of each, and what can keep several."""
    plain = tuple(key for key in study.mechanisms if CATALOG[key].promise != Levels.name) or study.mechanisms
    every = "MECHANISMS" if plain == study.mechanisms else literal(plain)
    if not study.marks.secret:
        return {"above": "np.zeros(len(freq), bool)", "lower": "epsilon", "tried": every, "epsilons": _ONE_EPSILON}
    return {
        "above": "above",
        "lower": "lower",
        "tried": "MECHANISMS"
        if every == "MECHANISMS"
        else f"(MECHANISMS if len({{*epsilons[np.isfinite(epsilons)]}}) > 1 else {every})",
        "epsilons": _EPSILONS,
    }


_ONE_EPSILON = "epsilons = np.where(marked[name], epsilon, np.inf)"
_EPSILONS = "epsilons = np.where(above, lower, np.where(marked[name], epsilon, np.inf))"
_LOWER = """        above, lower = secret.get(name, np.zeros(len(freq), bool)), each * (min(SECRET, x) / x)$part
"""
_PAIRS = """    halves = [(name, pair) for name, pair in people.joined.items() if {*pair.names} & {*each}]
    each |= {name: pair.marks(each) for name, pair in halves}  # where either answer is marked
"""
_OF_PAIRS = """for name, pair in people.joined.items():
    if {*pair.names} & {*WHOLE}:
        marked[name] = np.ones(len(people.labels(name)), bool)
"""
_ASKED = """
QUESTIONS = $columns
${known}people = read(table, QUESTIONS, stated($ranges, questions(table)), $missing)  # one column of categories each
${joined}MARKS = $marks
${secret}WHOLE = $whole  # questions without marks all of whose answers are hidden
$parts$chosen

def masks(marks):
    \"\"\"Question → which of its answers are marked.\"\"\"
    each = {}
    for name, labels in people.marked(marks).items():
        labels = answers(people.ranges.get(name), people.labels(name), labels)  # of numbers: the bins of an interval
        each[name] = Categorical(people.labels(name)).mask(labels)
${pairs}    return each


marked = {name: np.ones(len(people.labels(name)), bool) for name in WHOLE} | masks(MARKS)
$of_pairs${masks_of_secret}names = [name for name in people.questions if name in marked]  # others are answered openly
scheme = $scheme
n = $n
"""
_SURVEY = """
def asked(x):
    each, hidden, chance = $each, {}, 1 / len(scheme.blocks)  # of one person to be asked a question
    for name in names:
        histogram, epsilon = people.histogram(name), $part
        freq = histogram.counts / histogram.n
$levels_here        $epsilons
        others = np.ones(len(freq), bool) if marked[name].all() else ~marked[name]
        rare = others / others.sum()  # as if few gave a marked answer: what people answer decides nothing
        tried = []
        for key in $tried:
            if catalog.ANSWERS[key].exists(epsilons):
                mechanism = catalog.ANSWERS[key].protecting(epsilons, epsilon)
                error = mechanism.variance(rare, 1)[marked[name]].mean()
                tried.append((float(f"{error:.12g}"), len(tried), key, mechanism))
        _, _, key, mechanism = min(tried)
        hidden[name] = Hidden(
            name, key, mechanism, marked[name], freq, $counts, epsilon, chance,
            people.labels(name), $above, $lower
        )
    openly = tuple(name for name in people.questions if name not in names)
    return HiddenSurvey(hidden, openly, scheme, $total, n, people.rows, people.weight, each$of_known)
"""
_THEORY = """
def theory(survey):
    for name, (whole, of_marked) in survey.errors().items():
        q = survey.hidden[name]
        yield q.key, "mse", name, whole
        yield q.key, "mse:marked", name, of_marked  # its root: the typical error of one of them
        yield q.key, "epsilon", name, q.epsilon
        yield q.key, "people", name, n * q.chance
        yield q.key, "bits", name, q.built.report_bits()  # of one report
$of_level"""
_OF_LEVEL = """    for name, errors in survey.by_level().items():  # of its private and of its secret answers
        q = survey.hidden[name]
        yield from ((q.key, f"mse:{level}", name, error) for level, error in errors.items())
        yield q.key, "epsilon:secret", name, q.secret_epsilon
"""
_ERRORS = """
def errors(q, repetition):
    rng, counts, asked = stream(SEED, "survey", q.name, float(q.epsilon), repetition), q.counts, n
    if q.chance < 1:  # who is asked this question is drawn
        asked = 0
        while not asked:
            asked = int(rng.binomial(n, q.chance))
        counts = rng.multivariate_hypergeometric(counts, asked, method="marginals")
    squared = (q.built.simulate(counts, rng, 1)[0] - q.counts / q.counts.sum()) ** 2
    yield "mse", squared.mean()
    yield "mse:marked", squared[q.marked].mean()
${error_of_level}    yield "epsilon", q.epsilon
    yield "people", float(asked)
    yield "bits", q.built.report_bits()
"""
_ERROR_OF_LEVEL = """    if q.secret.any():
        levels = {"private": q.private, "secret": q.secret}
        yield from ((f"mse:{level}", squared[part].mean()) for level, part in levels.items() if part.any())
        yield "epsilon:secret", q.secret_epsilon
"""
_QUICK = """
def possible(q):
    \"\"\"Whether there are people enough with a marked answer, and without.\"\"\"
    given = {"target": q.name, "marks": q.marks, "own": q.built, "seed": SEED}
    try:
        questionnaire.attack_split(people.table, others={}, people=2, **given)
    except data.DataError:
        return False
    return True


def attack(survey, q, others, sent=True):
    \"\"\"Those who see the report to this question, if it is sent, and what else a person sends.\"\"\"
    report = q.built if sent else None
    looks = survey.looks  # of so many pairs it is asked whether one gives the other away
    given = {"target": q.name, "marks": q.marks, "own": report, "others": others, "seed": SEED}
    return questionnaire.Scene.of(people.table, looks, **given)


def quick(survey, q):
    exact = questionnaire.exactly(q.built, q.marked, q.freq)  # of pairs, one marked and one not: told apart
    if not possible(q):
        yield from () if exact is None else zip(("own", "own:low", "own:high"), (exact,) * 3)
        return
    scene = attack(survey, q, $others)
    own = questionnaire.measured(scene.only(()), ("naive Bayes",))
    yield from zip(("own", "own:low", "own:high"), (own.pairs, own.low, own.high) if exact is None else (exact,) * 3)
    yield from (("own:named", own.named), ("own:surest", own.surest), ("blind", own.blind), ("marked", own.marked))
$rest"""
_REST = """    if scene.crowd.others:
        tellers, least = questionnaire.predictors(scene), exact or 0.0
        all_columns = questionnaire.measured(scene, ("naive Bayes",)).pairs
        yield "first", max([least, all_columns, *(teller.pairs for teller in tellers if teller.low > 0)])
        for teller in tellers:  # what each other column gives away
            yield f"with:{teller.column}", max(least, teller.pairs)
            yield f"gain:{teller.column}", teller.gain
            yield f"least:{teller.column}", teller.low
"""
_WHOLE = """
def whole(survey, q):
    others = survey.others(q.name)  # what a person sends beside the report to this question
    if others and possible(q):
        exposure, least = strongest(attack(survey, q, others)), questionnaire.exactly(q.built, q.marked, q.freq) or 0.0
        ends = exposure.pairs, exposure.low, exposure.high
        if q.is_secret:  # what is told of secret answers without their own report
            rest = strongest(attack(survey, q, others, sent=False))
            without = rest.pairs, rest.low, rest.high
            yield from zip(("others", "others:low", "others:high"), without)
            ends = max(ends, without)
        yield from ((metric, max(least, end)) for metric, end in zip(("pairs", "pairs:low", "pairs:high"), ends))
        yield from (("named", exposure.named), ("surest", exposure.surest))
    ends = "answer", "answer-low", "answer-high"  # each of several marked answers by itself
    for answer, *pairs in answer_by_answer(people, q, others, SEED) if others else ():
        yield from ((f"{metric}:{answer}", value) for metric, value in zip(ends, pairs))
"""
_ASIDE = """    # Where a question has both, the attack on its secret answers alone, told from all others.
    apart = [q.aimed(True) for q in survey.hidden.values() if q.secret.any() and q.private.any()]
    for q in apart:
        rows += [(q.key, EPSILON, 0, f"secret {metric}", q.name, value) for metric, value in quick(survey, q)]
"""
_STRONGEST = """    for q in survey.hidden.values():
        rows += [(q.key, EPSILON, 0, metric, q.name, value) for metric, value in whole(survey, q)]
"""
_STRONGEST_APART = """    for q in apart:
        rows += [(q.key, EPSILON, 0, f"secret {metric}", q.name, value) for metric, value in whole(survey, q)]
"""
_TABLE = """
rows = []
with one_thread:  # so that the last digits do not depend on how many cores there are
    surveys = {x: asked(x) for x in POINTS}
    known = {(x, *row[:3]): row[3] for x in POINTS for row in theory(surveys[x])}
    survey = surveys[EPSILON]
    for name in names:
        for x in POINTS:
            q = surveys[x].hidden[name]
            for repetition in range(SURVEYS):
                rows += [(q.key, x, repetition, metric, name, value) for metric, value in errors(q, repetition)]
        if (q := survey.hidden[name]).apart:
            rows += [(q.key, EPSILON, 0, metric, name, value) for metric, value in quick(survey, q)]
$parts_asked${strongest}rows.sort(key=lambda row: (MECHANISMS.index(row[0]), *row[1:3]))
results = pd.DataFrame(
    [
        ("review", key, "epsilon", x, repetition, metric, name, value, known.get((x, key, metric, name), np.nan))
        for key, x, repetition, metric, name, value in rows
    ],
    columns=$columns_of_rows,
)
"""
