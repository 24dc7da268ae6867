"""What another reading changes, in words: one number before and after, and of how many people."""

from ldpapp import words
from ldpapp.parts import widgets
from ldpapp.words.language import t
from ldpcore.data import AssumptionKind
from ldpcore.data.differences import Difference, MeasureKind
from ldpcore.data.readings import ComparedReadings, ReadingQuestion

LABEL = 22
"""Characters of a name or an answer."""


def change(question: ReadingQuestion, compared: ComparedReadings | None, is_kept: bool) -> str:
    """HTML: the number before and after; why there is none, where there is none. is_kept: the file could be read."""
    if compared is None:
        why = t("The file itself is not kept here, only its answers.")
        if is_kept:
            why = t("This file is large: to read it twice for a look takes some seconds.")
        return f'<div class="check-change"><div class="quiet">{why}</div></div>'
    if compared.refused:
        return f'<div class="check-change"><div class="quiet">{widgets.escape(compared.refused)}</div></div>'
    if compared.change is None:
        nothing = t("No number of these changes; what can be asked of it does.")
        return f'<div class="check-change"><div class="quiet">{nothing}</div></div>'
    unit, before, after, below = written(compared.change, question.is_as_read, question.kind)
    size = "" if compared.change.matters else " hardly"
    return (
        f'<div class="check-change"><div class="quiet">{widgets.escape(unit)}</div>'
        f'<div class="turned{size}">{before} → <b>{after}</b></div><div class="quiet">{below}</div></div>'
    )


def written(change: Difference, is_as_read: bool, kind: AssumptionKind | None = None) -> tuple[str, str, str, str]:
    """(what it is, before, after, of how many people), the last being what is proposed. kind: of the question."""
    one, other, n = change.before, change.after, change.people
    if is_as_read:
        one, other, n = other, one, (n[1], n[0])
    if change.measure is MeasureKind.PEOPLE:
        return t("people"), _number(one), _number(other), ""
    column = words.shorten(change.column or "", LABEL)
    below = [t("of {n} people", n=words.count(max(n) if one is None or other is None else n[1]))]
    if n[0] != n[1] and one is not None and other is not None:
        below = [t("of {before} → {after} people", before=words.count(n[0]), after=words.count(n[1]))]
    hardly = [] if change.matters else [t("hardly matters")]
    if change.measure is MeasureKind.MEAN:
        return t("mean of {column}", column=column), _number(one), _number(other), " · ".join((*below, *hardly))
    shares = one or 0.0, other or 0.0
    below.append(
        t("{before} → {after} %", before=words.decimals(100 * shares[0]), after=words.decimals(100 * shares[1]))
    )
    unit = t("people with {answer}", answer=words.shorten(change.answer or "", LABEL))
    if kind is AssumptionKind.CELLS and not shares[1]:
        unit = t(
            "people with the text {answer}, which becomes its parts", answer=words.shorten(change.answer or "", LABEL)
        )
    before, after = (words.count(round(share * m)) for share, m in zip(shares, n, strict=True))
    return unit, before, after, " · ".join((*below, *hardly))


def _number(value: float | None) -> str:
    if value is None:
        return t("none")
    return words.count(value) if float(value).is_integer() else words.decimals(value)
