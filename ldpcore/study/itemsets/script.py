"""The run of a study of itemsets, as one would write it by hand."""

from ldpcore.study import itemsets
from ldpcore.study.definition import Study
from ldpcore.study.scripts import Cell, chart, chosen, fill, literal, reading, table


def cells(study: Study) -> list[Cell]:
    """Cells that make the study's rows."""
    of = _words(study)
    theory = "theory(name, truth, question)" if "DFDP" in study.mechanisms else ""
    expected = [Cell("What can be said of DFDP without running it", _THEORY)] if theory else []
    return [
        reading(study),
        Cell("The baskets, what is withheld, and what is asked", fill(_ASKED, **of)),
        Cell("At a point x of the axis: what is true, and what every miner is asked", fill(_QUESTION, **of)),
        *expected,
        Cell("One run of one miner: what it finds, and its bill", _SURVEY),
        table(study, "truth, question = asked(x)\n", theory, "survey(truth, question, name, x, repetition)"),
        chart(study, "f", "F: sets found and right, between 0 and 1", "$m"),
    ]


def _words(study: Study) -> dict[str, str]:
    """What stands where in the cells of this study."""
    entries = itemsets.options(study)
    x = {study.axis: "x"}
    same = {
        "length": entries.length,
        "levels": entries.levels,
        "clip": entries.clip,
        "candidate_count": entries.candidate_count,
        "max_length": entries.max_length,
    }
    given = [f"{name}={value!r}" for name, value in same.items() if value is not None]
    if itemsets.same(study) == "s":
        given = [f"s={x.get('s', 'S')}", *given]
    least = float(entries.least)
    return {
        "column": literal(study.column),
        "marks": literal(study.marks.values),
        "chosen": chosen(study, {"epsilon": "EPSILON", "s": "S", "min_count": "float(MIN_COUNT)"}[study.axis]),
        "min_count": repr(int(least) if least.is_integer() else least),
        "s": f"S = {entries.s!r}  # the budget of one count\n" if itemsets.same(study) == "s" else "",
        "at": "x" if study.axis == "min_count" else "MIN_COUNT",
        "max_length": "" if entries.max_length is None else f", {entries.max_length}",
        "epsilon": x.get("epsilon", "EPSILON"),
        "given": ", ".join(given),
    }


_ASKED = """
baskets = table.baskets($column)
WITHHELD = $marks  # marked items: no set with one of them is looked for
withheld = frozenset(np.flatnonzero(np.isin(baskets.labels, WITHHELD)).tolist())
MIN_COUNT = $min_count  # baskets that make a set frequent, or a share of them
$s$chosen
"""
_QUESTION = """
@cache
def ground(least):
    \"\"\"The exact counts; withheld items stay in the truth, so that scores show what withholding costs.\"\"\"
    return GroundTruth(baskets, threshold(least, baskets.n), withheld$max_length)


def asked(x):
    return ground($at), MiningQuestion($epsilon, $given)
"""
_THEORY = """
def theory(name, truth, question):
    if name == "DFDP":  # its candidates do not depend on chance
        yield from ((metric, "all", value) for metric, value in dfdp(truth, question).items())
"""
_SURVEY = """
SCORES = ["f", "precision", "recall", "found", "missed", "false", "mae_found", "mae_candidates"]
BILL = ["total", "by basket", "defended", "delta"]


def survey(truth, question, name, x, repetition):
    try:
        mined = catalog.MINERS[name].mine(truth, question, stream(SEED, name, x, repetition))
    except (NoTables, TooManyCandidates):  # it cannot work on these baskets, or noise makes too many sets look frequent
        yield from ((metric, "all", np.nan) for metric in [*SCORES, *BILL])
        return
    lengths = {str(length): score for length, score in by_length(mined, truth.truth).items()}
    for scope, score in {"all": scores(mined, truth.truth), **lengths}.items():
        yield from ((metric, scope, float(getattr(score, metric))) for metric in SCORES)  # f is the figure's number
    ledger, longest = mined.ledger, int(truth.data.lengths.max())
    bill = ledger.total, ledger.by_basket(longest), ledger.defended, ledger.delta(longest)  # booked, and defended
    yield from ((metric, "all", value) for metric, value in zip(BILL, bill))
    if not np.isnan(mined.bits):  # the others are trusted with the baskets themselves
        yield "bits", "all", mined.bits
"""
