"""The report as a file: the first page, the page's own pieces, the mechanisms, all tables, the Study."""

import base64
import datetime
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from ldpapp import words
from ldpapp.export.report import deployed, front, variant
from ldpapp.export.report.pieces import Pieces, markup
from ldpapp.parts import widgets
from ldpapp.parts.widgets import STATIC
from ldpapp.runtime.capture import Record
from ldpapp.views.task import Signed
from ldpapp.words.language import t
from ldpcore.data import Table
from ldpcore.study import Comparison, Study, to_toml

FACES = {"Regular": "400 500", "SemiBold": "600 700"}
"""Cut of Inter → the weights it is used for."""
_OF_STREAMLIT = re.compile(r"\.st[A-Z-]|data-|@keyframes|animation")


@dataclass(frozen=True)
class ReportContent:
    """All that a report is made of; no row of anybody's answers is among what it writes.

    task: what the page is called. data: what the data are called. dark: whether the page was drawn in the dark theme.
    """

    shown: Record
    task: str
    study: Study
    table: Table
    data: str
    dark: bool
    setting: Study | Comparison
    """The Study, and what it is compared with, as the file has them."""
    signed: Signed | None = None
    """What is signed besides the Study's own fields."""
    alone: bool = False
    """The page is about no data and no Study: nothing is said of any."""
    checked: str = ""
    """What `ldpcore check` found here, in a line, where somebody asked for it."""

    def html(self, publishable: bool = False) -> str:
        """publishable: without what compares with the truth."""
        return self.public._html(True) if publishable and not self.alone else self._html(publishable)

    @property
    def public(self) -> "ReportContent":
        """With settings that tell nothing of anybody's answers."""
        known = self.table.card is not None
        return replace(self, study=self.study.published(known), setting=self.setting.published(known))

    def _html(self, publishable: bool) -> str:
        pieces = Pieces(self.dark)
        body = pieces.body(variant.sections(self.shown, publishable))
        if self.alone:
            return self._whole([self._top(), body, *self._end(self._lead(publishable) + body, pieces)])
        promised = front.promised(self.used, self.signed)
        text = "".join([self._lead(publishable), body, promised, front.not_promised(self.used)])
        parts = [
            self._first(publishable),
            self._front(publishable),
            body,
            self._left_out(publishable),
            _section(t("The mechanisms, and what to know of them"), front.mechanisms(self.used)),
            _section(t("The label of a deployment"), deployed.label(self.used, self.table)),
            *self._end(text, pieces),
            _section(t("This installation"), f"<p>{widgets.escape(self.checked)}.</p>") if self.checked else "",
            _section(t("The Study"), f"<p>{self._loads()}</p><pre>{widgets.escape(to_toml(self.setting))}</pre>"),
        ]
        return self._whole(parts)

    def _end(self, said: str, pieces: Pieces) -> list[str]:
        """The words of all that is said, and the tables."""
        words = _section(t("Words of this report"), f'<dl class="terms">{front.terms(said, self.table)}</dl>')
        return [words, _section(t("The numbers"), "".join(pieces.tables)) if pieces.tables else ""]

    def _whole(self, parts: Sequence[str]) -> str:
        title = widgets.escape(self.title)
        head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>'
        style = f"<style>{_style()}</style>"
        whole = f"<head>{head}{style}</head><body><main>{''.join(parts)}</main></body>"
        return f'<!doctype html>\n<html lang="en">{whole}</html>\n'

    @property
    def used(self) -> Study:
        """With those mechanisms alone that are really used."""
        return self.study if self.signed is None else replace(self.study, mechanisms=tuple(self.signed.mechanisms))

    @property
    def title(self) -> str:
        if self.alone:
            return self.task
        if self.signed and self.signed.title:
            return self.signed.title
        if not self.study.column or (self.signed and self.signed.page):
            return t("{data}: {task}", data=self.data, task=self.task)
        return t("{data}, {column}: {task}", data=self.data, column=self.study.column, task=self.task)

    def _lead(self, publishable: bool) -> str:
        leads = [variant.words(each, publishable) for each in self.shown.headlines]
        return "".join(f'<p class="lead">{markup(words.unbroken(each))}</p>' for each in leads if each)

    def _top(self) -> str:
        """The first page of what is about no data."""
        boxes = "".join(f'<div class="quarter"><h2>{name}</h2>{markup(text)}</div>' for name, text in self.shown.front)
        lines = "".join(f"<div>{line}</div>" for line in self.shown.sign)
        signed = f'<div class="grid">{boxes}</div><div class="sign">{lines}</div>' if boxes else ""
        title = widgets.escape(self.title)
        return f'<section class="front">{self._dated()}<h1>{title}</h1>{self._lead(True)}{signed}</section>'

    def _dated(self, seeded: bool = True) -> str:
        day = t("Report · {day}", day=datetime.date.today().isoformat())
        texts = (day, front.version(self.study, seeded))
        return f'<div class="top">{"".join(f"<span>{widgets.escape(each)}</span>" for each in texts)}</div>'

    def _first(self, publishable: bool) -> str:
        if self.signed is None or self.signed.page is None:
            return ""
        today = datetime.date.today().isoformat()
        day = t("Report · {day}", day=today) if publishable else t("Report to sign · {day}", day=today)
        whose = t("For publication") if publishable else t("Not for publication")
        top = f'<div class="top"><span>{day}</span><span>{whose}</span></div>'
        page = markup(self.signed.page(self.data, publishable))
        return (
            f'<section class="front signed">{top}{page}{front.signature(whole=True, publishable=publishable)}</section>'
        )

    def _front(self, publishable: bool) -> str:
        """Data, settings and promises in full; with the line to sign on, where no page of the task's own has it."""
        second = bool(self.signed and self.signed.page)
        # Of a page of a task's own to sign the public hears nothing simulated, and phones draw by no seed.
        seeded = not (publishable and second)
        boxes = [
            (
                t("The data"),
                front.data(self.table, self.data, self.study, self.signed, publishable)
                + ("" if publishable else front.exposed(self.signed)),
            ),
            (t("The settings"), front.settings(self.study, self.signed, seeded)),
            (t("What is promised"), front.promised(self.used, self.signed)),
            (t("What is not promised"), front.not_promised(self.used)),
        ]
        grid = "".join(f'<div class="quarter"><h2>{name}</h2>{text}</div>' for name, text in boxes)
        title = t("Data, settings and promises in full") if second else self.title
        heading = "h2" if second else "h1"
        sign = "" if second else front.signature(whole=False, publishable=publishable)
        return (
            f'<section class="front">{self._dated(seeded)}'
            f"<{heading}>{widgets.escape(title)}</{heading}>{self._lead(publishable)}"
            f'<div class="grid">{grid}</div>{sign}<p class="sub foot">{_whose(publishable, second)}</p></section>'
        )

    def _left_out(self, publishable: bool) -> str:
        """A report says what is not in it."""
        titles = [markup(title) for title in variant.left_out(self.shown, publishable)]
        if not titles:
            return ""
        why = t("Left out, because they show somebody’s answers: {panels}.", panels=words.listing(titles))
        if publishable:  # which panels there are may hang on the answers
            why = t("Left out: all that compares with the truth or shows somebody’s answers.")
        return f'<p class="sub">{why}</p>'

    def _loads(self) -> str:
        return t(
            "Copy this into a file, study.toml. “Load a Study file” in the dashboard opens it; “ldpcore run "
            "study.toml” computes its table in the terminal."
        )


def _whose(publishable: bool, bounded: bool) -> str:
    """bounded: errors that are published hold whatever people answer."""
    if publishable and bounded:
        return t(
            "For publication: numbers that compare with the truth are left out. Margins hold whatever people answer, "
            "and tell nothing of it."
        )
    if publishable:
        return t(
            "For publication: numbers that compare with the truth are left out. Exact errors still tell the shares of "
            "these data to whoever calculates."
        )
    return t("Not for publication: it has numbers that compare with the true answers.")


def _section(title: str, body: str) -> str:
    return f"<section><h2>{title}</h2>{body}</section>"


@cache
def _style() -> str:
    """The fonts, what the app's stylesheet says of the pieces of its pages, and what paper needs."""
    pieces, *paper = ((STATIC / sheet).read_text("utf-8") for sheet in ("style.css", "report.css", "signed.css"))
    return "".join((_faces(), _of_pieces(pieces), *paper))


def _faces() -> str:
    return "".join(
        f"@font-face{{font-family:Inter;font-weight:{weight};src:url(data:font/woff2;base64,"
        f"{base64.b64encode((STATIC / f'Inter-{cut}.woff2').read_bytes()).decode()}) format('woff2')}}"
        for cut, weight in FACES.items()
    )


def _of_pieces(css: str) -> str:
    """Without what is about Streamlit's own elements, and about screens."""
    flat = re.sub(r"/\*.*?\*/|@media[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}", "", css, flags=re.DOTALL)
    rules: Sequence[str] = re.findall(r"[^{}]+\{[^{}]*\}", flat)
    return "".join(rule.strip() for rule in rules if not _OF_STREAMLIT.search(rule))
