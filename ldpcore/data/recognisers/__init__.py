"""One recogniser for each kind of assumption, in one registry."""

from dataclasses import replace

from ldpcore.data.assumptions import Assumption, AssumptionKind
from ldpcore.data.recognisers import answers, codes, decided, numeric, people, sets, special
from ldpcore.data.recognisers.evidence import Evidence, Recogniser, while_reading

RECOGNISERS: dict[AssumptionKind, Recogniser] = {
    AssumptionKind.COUNTS: people.counts,
    AssumptionKind.PEOPLE: people.people,
    AssumptionKind.LAYOUT: sets.layouts,
    AssumptionKind.LINES: while_reading(AssumptionKind.LINES),
    AssumptionKind.HEADER: while_reading(AssumptionKind.HEADER),
    AssumptionKind.FORMAT: while_reading(AssumptionKind.FORMAT),
    AssumptionKind.SHEET: while_reading(AssumptionKind.SHEET),
    AssumptionKind.ENCODING: while_reading(AssumptionKind.ENCODING),
    AssumptionKind.MISSING: special.missing,
    AssumptionKind.RECODE: special.recoded,
    AssumptionKind.NUMBERS: numeric.numbers,
    AssumptionKind.DECIMAL: numeric.decimals,
    AssumptionKind.PERCENT: numeric.percentages,
    AssumptionKind.CELLS: sets.cells,
    AssumptionKind.YES: sets.yes,
    AssumptionKind.BLANK: sets.blank,
    AssumptionKind.NONE: answers.none,
    AssumptionKind.SPELLING: answers.spelling,
    AssumptionKind.WEIGHTS: people.weights,
    AssumptionKind.CODES: codes.codes,
    AssumptionKind.DATES: codes.dated,
    AssumptionKind.ORDER: answers.orders,
}
"""What finds the assumptions of each kind, in the order in which they are listed."""


def recognised(evidence: Evidence) -> tuple[Assumption, ...]:
    """All assumptions between a file and its table, the most harmful first; what somebody decided is marked so."""
    decisions = decided.decisions(evidence.options)
    known, left = decided.keys(evidence.options), evidence.options.settled
    of_file = {each.kind for each in decisions if each.column is None}  # as the decimal mark settles every column's
    others = [
        replace(each, decided=each.key in left, asks=each.asks and each.kind not in of_file)
        for kind in AssumptionKind
        for each in RECOGNISERS[kind](evidence)
        if each.key not in known
    ]
    return tuple(sorted((*others, *decisions), key=lambda each: list(AssumptionKind).index(each.kind)))
