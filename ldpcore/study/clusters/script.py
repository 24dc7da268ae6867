"""The run of a study of clusters, as one would write it by hand."""

from ldpcore.study import clusters
from ldpcore.study.clusters.grading import levels
from ldpcore.study.definition import Study
from ldpcore.study.scripts import Cell, chart, chosen, fill, literal, reading, table


def cells(study: Study) -> list[Cell]:
    """Cells that make the study's rows."""
    of = _words(study)
    return [
        reading(study),
        Cell("The records, and what is asked", fill(_ASKED, **of)),
        Cell("At a point x of the axis: whom a survey asks, and what K-modes finds", fill(_START, **of)),
        Cell("One run of one method: how near it comes, and what its messages tell", fill(_SURVEY, **of)),
        table(study, f"epsilon = {'x' if study.axis == 'epsilon' else 'EPSILON'}\n", "",
              "survey(epsilon, name, x, repetition)"),
        chart(study, "ac", "people in the matching cluster, of 100", "100 * $m"),
    ]  # fmt: skip


def _words(study: Study) -> dict[str, str]:
    """What stands where in the cells of this study."""
    given, axis = clusters.options(study), study.axis
    people = "records.n" if study.n is None else repr(study.n)
    graded = any(clusters.CATALOG[key].uses_marks for key in study.mechanisms)
    grading = {"told": ", **method.grading(epsilons(epsilon))" if graded else ""}
    return {
        "columns": literal(tuple(dict.fromkeys(given.columns))) if given.columns else "[*clusters.categories(table)]",
        "missing": literal(study.missing),
        "k": repr(given.k),
        "chosen": chosen(study, {"epsilon": "EPSILON", "k": "float(K)", "n": f"float({people})"}[axis]),
        "clusters": "int(x)" if axis == "k" else "K",
        "people": "int(x)" if axis == "n" else people,
        "marks": fill(_MARKS, **_marked(study)) if graded else "",
        "at": "repetition" if axis == "epsilon" else "x, repetition",
        "attack": "\n" + fill(_ATTACK, **grading) if given.attack else "",
        **grading,
    }


def _marked(study: Study) -> dict[str, str]:
    """The columns with a marked answer, whose names a mark begins with, and the ε of secret ones."""
    names = clusters.options(study).columns
    secret = "epsilon" if study.secret_epsilon is None else f"min(epsilon, {study.secret_epsilon!r}, EPSILON)"
    marked = literal(levels(study, names)) if names else fill(_OF_MARKS, levels=literal(dict(study.marks.levels)))
    return {"marked": marked, "secret": secret}


_ASKED = """
COLUMNS = $columns  # the attributes of a record
records = clusters.read(table, tuple(COLUMNS), $missing).records
K = $k  # clusters
$chosen
$marks"""
_MARKS = """
MARKED = $marked  # columns with a marked answer


def epsilons(epsilon):
    \"\"\"Of each column, by its level; the others are sent as they are.\"\"\"
    of_level = {"sensitive": epsilon, "secret": $secret}
    return [of_level[MARKED[name]] if name in MARKED else float("inf") for name in COLUMNS]
"""
_OF_MARKS = """{
    name: max(($levels[f"{name} = {each}"] for each in answers), key=["sensitive", "secret"].index)
    for name, answers in split($levels, COLUMNS).items() if answers
}"""
_START = """
@cache
def start($at):
    \"\"\"The same for every method and at every ε.\"\"\"
    k = $clusters
    modes = starting_modes(records.levels, k, stream(SEED, "start", k, repetition))
    people = clusters.asked(records, $people, stream(SEED, "people", repetition))
    found = kmodes(people, k, stream(0, "unused"), start=modes)  # K-modes draws nothing once it has a start
    return people, modes, nearest(people, found.modes)
"""
_SURVEY = """
def survey(epsilon, name, x, repetition):
    people, modes, true = start($at)
    rng = stream(SEED, name, x, repetition)
    method = catalog.CLUSTERINGS[name]
    run = method.run(people, len(modes), epsilon, rng, start=modes$told)
    labels = nearest(people, run.modes)
    yield "ac", "all", accuracy(labels, true, people.counts)  # a mark of the first figure
    yield "entropy", "all", entropy(labels, true, people.counts)
    yield "rounds", "all", float(run.rounds)
    sent = [message for message in run.messages if message.sender == "user"]
    yield "bytes per person", "all", sum(message.count * message.bytes for message in sent) / people.n
    yield "bits", "all", run.report_bits(people.n)$attack
"""
_ATTACK = """
    if x == POINT and method.attack is not None:  # what the messages tell of each attribute
        guessed = method.attack(people, run, epsilon, stream(SEED, "attack", name, x, repetition)$told)
        yield from (("guessed", column, float(share)) for column, share in zip(COLUMNS, guessed))"""
