"""A small drawing beside what is asked of a file: how numbers lie, and what a cell is taken apart into."""

from ldpapp import words
from ldpapp.parts import widgets
from ldpcore.data import AssumptionKind, Table
from ldpcore.data.cells import SeveralAnswers, parts
from ldpcore.data.number_picture import NumberPicture
from ldpcore.data.readings import ReadingQuestion

LABEL, PARTS, CELL = 18, 4, 40
"""Characters of an answer, answers of a cell and characters of it that are drawn."""
FIRST = 200
"""Rows in which a cell with several answers is looked for."""


def drawn(question: ReadingQuestion, source: Table, foremost: str) -> str:
    """HTML of the drawing; "" for a question without one. foremost: the column that it is of, if it has one."""
    if question.kind in (AssumptionKind.MISSING, AssumptionKind.RECODE):
        pictures = question.pictures(source)
        column = foremost if foremost in pictures else next(iter(pictures), "")
        return _bars(pictures[column]) if column else ""
    if question.kind is AssumptionKind.CELLS:
        return _parts(question, source)
    return ""


def _bars(lies: NumberPicture) -> str:
    """Bars of equal width; special numbers stand apart, with how often they stand."""
    sides = [_special(lies.below, lies.most), _middle(lies), _special(lies.above, lies.most)]
    return f'<div class="check-bars">{"".join(sides)}</div>'


def _special(numbers: tuple[tuple[str, int], ...], most: int) -> str:
    return "".join(
        f'<div class="special"><span>{words.count(people)} ×</span>{_bar(people, most)}'
        f"<b>{widgets.escape(words.shorten(text, 10))}</b></div>"
        for text, people in numbers
    )


def _middle(lies: NumberPicture) -> str:
    bars = "".join(_bar(people, lies.most) for people in lies.counts)
    low, high = (words.count(end) if end.is_integer() else words.decimals(end) for end in (lies.low, lies.high))
    return f'<div class="others"><div>{bars}</div><span><em>{low}</em><em>{high}</em></span></div>'


def _bar(people: int, most: int) -> str:
    height = max(100 * people / most, 3) if people else 0
    return f'<i style="height:{height:.0f}%"></i>'


def _parts(question: ReadingQuestion, source: Table) -> str:
    """The first cell with several answers, and these."""
    column = question.columns[0] if question.columns else ""
    sets = source.sets.get(column)
    if not isinstance(sets, SeveralAnswers):
        return ""
    cells = source.frame[column].dropna().head(FIRST)
    cell = next((cell for cell in map(str, cells) if len(parts(cell, sets.separator)) > 1), "")
    answers = parts(cell, sets.separator)[:PARTS]
    shown = "".join(f"<b>{widgets.escape(words.shorten(answer, LABEL))}</b>" for answer in answers)
    return f'<div class="check-parts"><span>{widgets.escape(words.shorten(cell, CELL))}</span> → {shown}</div>'
