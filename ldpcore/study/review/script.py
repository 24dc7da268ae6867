"""The run of a review, as one would write it by hand."""

from ldpcore.levels import Levels
from ldpcore.study.definition import Study
from ldpcore.study.review.asking import CATALOG, options
from ldpcore.study.scripts import COLUMNS, Cell, chart, chosen, fill, literal, reading, weighed


def cells(study: Study) -> list[Cell]:
    """Cells that make the study's rows. ValueError, in a sentence, for what has no script yet."""
    for there, what in (
        (weighed(study), "people with weights: read their column as something else"),
        (study.marks.secret, "a survey with secret answers: mark them as sensitive"),
        (options(study).as_one, "questions that are asked as one: leave as_one out"),
    ):
        if there:
            raise ValueError(f"there is no script yet of {what}")
    of = _words(study)
    every = options(study).attacker == "every"
    return [
        reading(study),
        Cell("The questions, which answers are marked, and what is asked", fill(_ASKED, **of)),
        Cell(
            "How the survey is asked at ε = x: each question by what errs least on its marked answers",
            fill(_SURVEY, **of),
        ),
        Cell("Exact errors of every hidden question", _THEORY),
        Cell("One simulated survey of a question", _ERRORS),
        Cell("What the report to a question tells, and what the other answers tell beside it", fill(_QUICK, **of)),
        *([Cell("What everything that a person sends tells, to the strongest attacker", _WHOLE)] if every else []),
        Cell("The table behind the page", fill(_TABLE, **of)),
        chart(study, "mse:marked", "typical error of a marked share, points", "100 * $m ** 0.5", by="scope"),
    ]


def _words(study: Study) -> dict[str, str]:
    """What stands where in the cells of this study."""
    given, every = options(study), options(study).attacker == "every"
    one_each = given.scheme == "one"
    plain = [key for key in study.mechanisms if CATALOG[key].promise != Levels.name] or study.mechanisms
    columns = f"[name for name in questions(table) if name in {literal(given.columns)}]"
    return {
        "columns": columns if given.columns else "[*questions(table)]",
        "ranges": literal(given.ranges),
        "missing": literal(study.missing),
        "marks": literal(study.marks.values),
        "whole": literal(given.hidden),
        "chosen": chosen(study, "EPSILON"),
        "plain": literal(plain),
        "n": "people.n" if study.n is None else repr(study.n),
        "counts": "histogram.counts" if study.n is None else f"scaled(histogram.counts, {study.n})",
        "scheme": f"questionnaire.Allocation.{'one_each' if one_each else 'everything'}(names)",
        "each": "x" if given.budget == "question" or one_each else "x / len(names)",
        "total": "each" if one_each else "each * len(names)",
        "reports": "" if one_each else " | {name: q.mechanism for name, q in survey.items() if name != question.name}",
        "others": "" if every else "    return {}  # the attacker sees the report to the question alone\n",
        "strongest": _STRONGEST if every else "",
        "columns_of_rows": literal(COLUMNS).replace("[\n    ", "[").replace(",\n]", "]").replace("\n    ", " "),
    }


_ASKED = """
QUESTIONS = $columns
people = read(table, QUESTIONS, stated($ranges, questions(table)), $missing)  # one column of categories each
MARKS = $marks
WHOLE = $whole  # questions without marks all of whose answers are hidden
$chosen
marked = {name: np.ones(len(people.labels(name)), bool) for name in WHOLE}
for name, labels in split(MARKS, people.questions).items():
    labels = answers(people.ranges.get(name), people.labels(name), labels)  # of numbers: the bins of an interval
    marked[name] = Categorical(people.labels(name)).mask(labels)
names = [name for name in people.questions if name in marked]  # the hidden ones; the others are answered openly
scheme = $scheme
n = $n
"""
_SURVEY = """
def asked(x):
    each = $each
    survey = {}
    for name in names:
        histogram = people.histogram(name)
        epsilons = np.where(marked[name], each, np.inf)
        tried = []
        for key in $plain:
            if catalog.ANSWERS[key].exists(epsilons):
                mechanism = catalog.ANSWERS[key].protecting(epsilons, each)
                error = mechanism.variance(histogram.counts / histogram.n, 1)[marked[name]].mean()
                tried.append((error, len(tried), key, mechanism))
        _, _, key, mechanism = min(tried)
        counts = $counts
        survey[name] = SimpleNamespace(
            name=name, key=key, mechanism=mechanism, counts=counts, freq=histogram.counts / histogram.n,
            marked=marked[name], labels=np.array(people.labels(name))[marked[name]].tolist(), epsilon=each,
            levels=epsilons / each,
        )
    return survey, $total
"""
_THEORY = """
def theory(survey, total):
    listed = [
        questionnaire.SurveyQuestion(q.name, q.key, q.counts / q.counts.sum(), levels=q.levels) for q in survey.values()
    ]
    table = questionnaire.errors(listed, scheme, n=n, epsilon=total)
    for q, mse, of_marked in zip(survey.values(), table["mse"], table["marked"]):
        yield q.key, "mse", q.name, mse
        yield q.key, "mse:marked", q.name, of_marked  # its root is the page's error of a question
        yield q.key, "epsilon", q.name, q.epsilon
        yield q.key, "people", q.name, n / len(scheme.blocks)
"""
_ERRORS = """
def errors(q, repetition):
    rng, counts, asked = stream(SEED, "survey", q.name, float(q.epsilon), repetition), q.counts, n
    if len(scheme.blocks) > 1:  # who is asked this question is drawn
        asked = 0
        while not asked:
            asked = int(rng.binomial(n, 1 / len(scheme.blocks)))
        counts = rng.multivariate_hypergeometric(counts, asked, method="marginals")
    squared = (q.mechanism.simulate(counts, rng, 1)[0] - q.counts / q.counts.sum()) ** 2
    yield "mse", squared.mean()
    yield "mse:marked", squared[q.marked].mean()
    yield "epsilon", q.epsilon
    yield "people", float(asked)
"""
_QUICK = """
def others(survey, question):
    \"\"\"What a person sends beside the report to this question.\"\"\"
$others    return dict.fromkeys([name for name in people.questions if name not in names], "open")$reports


def attacked(survey, q):
    \"\"\"The attack on a question; None where there is nobody to tell marked people from.\"\"\"
    if not q.marked.any() or q.marked.all():
        return None
    scene = {"target": q.name, "marks": q.labels, "own": q.mechanism, "seed": SEED}
    try:
        questionnaire.attack_split(people.table, others={}, people=2, **scene)
    except data.DataError:
        return None
    return questionnaire.Scene.of(people.table, others=others(survey, q), **scene)


def quick(q, scene):
    own = questionnaire.measured(scene.only(()), ("naive Bayes",))
    exact = questionnaire.exactly(q.mechanism, q.marked, q.freq)  # of pairs, one marked and one not: told apart
    ends = (own.pairs, own.low, own.high) if exact is None else (exact,) * 3
    yield from zip(("own", "own:low", "own:high"), ends)
    yield from (("own:named", own.named), ("own:surest", own.surest), ("blind", own.blind), ("marked", own.marked))
    if scene.crowd.others:
        tellers, least = questionnaire.predictors(scene), exact or 0.0
        all_columns = questionnaire.measured(scene, ("naive Bayes",)).pairs
        yield "first", max([least, all_columns, *(teller.pairs for teller in tellers if teller.low > 0)])
        for teller in tellers:  # what each other column gives away
            yield f"with:{teller.column}", max(least, teller.pairs)
            yield f"gain:{teller.column}", teller.gain
            yield f"least:{teller.column}", teller.low
"""
_WHOLE = """
def whole(q, scene):
    if scene.crowd.others:
        exposure, least = strongest(scene), questionnaire.exactly(q.mechanism, q.marked, q.freq) or 0.0
        for metric, end in zip(("pairs", "pairs:low", "pairs:high"), (exposure.pairs, exposure.low, exposure.high)):
            yield metric, max(least, end)
        yield from (("named", exposure.named), ("surest", exposure.surest))
"""
_STRONGEST = """
    for name, scene in scenes.items():
        rows += [(survey[name].key, EPSILON, 0, metric, name, value) for metric, value in whole(survey[name], scene)]"""
_TABLE = """
rows, scenes = [], {}
with one_thread:  # so that the last digits do not depend on how many cores there are
    surveys = {x: asked(x) for x in POINTS}
    known = {(x, *row[:3]): row[3] for x in POINTS for row in theory(*surveys[x])}
    survey, _ = surveys[EPSILON]
    for name in names:
        for x in POINTS:
            q = surveys[x][0][name]
            for repetition in range(SURVEYS):
                rows += [(q.key, x, repetition, metric, name, value) for metric, value in errors(q, repetition)]
        if (scene := attacked(survey, survey[name])) is not None:
            scenes[name] = scene
            told = quick(survey[name], scene)
            rows += [(survey[name].key, EPSILON, 0, metric, name, value) for metric, value in told]$strongest
rows.sort(key=lambda row: (MECHANISMS.index(row[0]), *row[1:3]))
results = pd.DataFrame(
    [
        ("review", key, "epsilon", x, repetition, metric, name, value, known.get((x, key, metric, name), np.nan))
        for key, x, repetition, metric, name, value in rows
    ],
    columns=$columns_of_rows,
)
"""
