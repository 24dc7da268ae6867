"""What a person should check about a file before its numbers are used: one row for each kind, decided in one click."""

from typing import Any

import streamlit as st

from ldpapp import words
from ldpapp.compute.memory import remember
from ldpapp.parts import widgets
from ldpapp.state import navigation, view_options
from ldpapp.views.data import change_words, drawings, kept_files, questions, rereading, uploads
from ldpapp.views.data.questions import ReadingChoice
from ldpapp.words.language import t
from ldpcore.data import Assumption, AssumptionKind, ReadOptions, Table, readings
from ldpcore.data.differences import people
from ldpcore.data.readings import ComparedReadings, ReadingQuestion, SourceFile

WIDTHS = (37, 20, 21, 22)
"""Of a row: the question, rows as they were read, before and after, the choices."""
UNFOLDED = 3
"""With more questions than that all but the first are folded."""
BESIDE = (AssumptionKind.COUNTS, AssumptionKind.PEOPLE, AssumptionKind.WEIGHTS)
"""Kinds whose column says something of the others."""
MOST_BYTES = 8_000_000
"""Of larger files nothing is read ahead: a page would wait for it."""
SENTENCES, LABEL = 3, 22
"""Columns whose evidence is told, and characters of a cell."""


def headline(source: Table) -> str:
    """What was read, and how much of it is to be checked; "" where nothing is."""
    open_ = readings.asked(source)
    count = len(open_)
    if not count:
        return ""
    wide = words.plural(len(source.frame.columns), t("column"), t("columns"))
    holes = {"data": widgets.escape(source.name), "columns": wide, "n": count,
             "people": f"{words.count(people(source))} {t('people')}"}  # fmt: skip
    changes = all(
        compared is not None and compared.change is not None for compared in (_compared(source, q) for q in open_)
    )
    if count == 1 and changes:
        return t("{data} is read: {people}, {columns}. <b>{n} thing to check</b>: it changes a number.", **holes)
    if count == 1:
        return t("{data} is read: {people}, {columns}. <b>{n} thing to check.</b>", **holes)
    if not changes:
        return t("{data} is read: {people}, {columns}. <b>{n} things to check.</b>", **holes)
    return t("{data} is read: {people}, {columns}. <b>{n} things to check</b>: each changes a number.", **holes)


def way(source: Table, is_here: bool) -> None:
    """In the sidebar of every page: the way to what is open, if anything is. is_here: on the page itself."""
    count = len(readings.asked(source))
    if not count:
        return
    label = words.plural(count, t("thing to check"), t("things to check"))
    with st.container(key="things_to_check"):
        if is_here:
            st.html(f'<div class="sub"><b>{label}</b></div>')
        else:
            navigation.link("data", f":small[**{label}**]")


def show(source: Table) -> None:
    """Everything open, what was decided, and what was read without asking."""
    if source.card is not None and source.options == ReadOptions():
        return  # whoever made bundled data has said what its values are
    open_ = readings.asked(source)
    for question in readings.decided(source) if open_ else ():
        _decided(source, question)
    for place, question in enumerate(open_):
        compared = _compared(source, question)
        if place and len(open_) > UNFOLDED:
            with st.container(key=f"fold_check_{question.kind}"), st.expander(_folded(question, compared)):
                _row(source, question, place, compared)
        else:
            _row(source, question, place, compared)
    _read(source)


def leave_all(source: Table) -> None:
    """The end of the list, where there is more than one thing to check."""
    open_ = readings.asked(source)
    if len(open_) > 1:
        every = [each for question in open_ for each in question.assumptions]
        label = t("leave all {n} as they are", n=len(open_))
        with st.container(horizontal=True, horizontal_alignment="right", key="check_all"):
            st.button(label, key="check_leave_all", type="tertiary", on_click=kept_files.leave, args=(every,))


def _compared(source: Table, question: ReadingQuestion) -> ComparedReadings | None:
    beside, upload = question.kind in BESIDE, kept_files.kept(source)
    wanted = view_options.look(_wanted(question), "") == source.digest
    return _read_twice(source, upload, question.other, question.columns, beside, wanted)


def _read_twice(
    source: Table, upload: SourceFile | None, options: ReadOptions, columns: tuple[str, ...], beside: bool = False,
    wanted: bool = False,
) -> ComparedReadings | None:  # fmt: skip
    """What these options would change; None where the bytes are gone, or too many to be read unless that is wanted."""
    if upload is None or (len(upload.content) > MOST_BYTES and not wanted):
        return None
    key = source.digest, source.options, options, columns, beside
    return remember("rereadings", 64, key, lambda: readings.compared(source, upload, options, columns, beside))


def _wanted(question: ReadingQuestion) -> str:
    """The key under which the data stand whose file is read twice for a look, though it is large."""
    return f"check_wanted_{question.kind}"


def _foremost(compared: ComparedReadings | None) -> str:
    """The column of the number that is shown."""
    change = compared.change if compared is not None else None
    return (change.column if change is not None else None) or ""


def _folded(question: ReadingQuestion, compared: ComparedReadings | None) -> str:
    """A question in one line."""
    asked = words.literal(questions.title(question))
    change = compared.change if compared else None
    if change is None:
        return t("**{asked}**", asked=asked)
    unit, before, after = map(words.literal, change_words.written(change, question.is_as_read, question.kind)[:3])
    return t("**{asked}** {unit} {before} → **{after}**", asked=asked, unit=unit, before=before, after=after)


# a row ---------------------------------------------------------------------------------------------------------------


def _row(source: Table, question: ReadingQuestion, place: int, compared: ComparedReadings | None) -> None:
    with st.container(key=f"checkrow_{place}_{question.kind}"):
        asked, shown, change, choices = st.columns(WIDTHS, gap="small")
        with asked:
            st.html(_question(question, place + 1, drawings.drawn(question, source, _foremost(compared))))
        if compared is not None and compared.shown:
            shown.html(_rows(compared))
        with change:
            st.html(change_words.change(question, compared, kept_files.kept(source) is not None))
            if compared is None and kept_files.kept(source) is not None:
                st.button(t("Show what it changes"), key=f"check_show_{question.kind}", on_click=view_options.choose,
                          args=(_wanted(question), source.digest))  # fmt: skip
        with choices.container(key=f"check_choices_{place}", gap="xsmall"):
            if kept_files.kept(source) is None:
                st.button(t("Choose the file again"), key=f"check_file_{question.kind}", width="stretch",
                          on_click=uploads.choose_another)  # fmt: skip
            else:
                _choices(question, first=not place)
            st.button(t("Leave as it is"), key=f"check_leave_{question.kind}", type="tertiary", width="stretch",
                      on_click=kept_files.leave, args=(question.assumptions,))  # fmt: skip


def _question(question: ReadingQuestion, number: int, drawing: str) -> str:
    sentences = _once([widgets.escape(each.sentence) for each in question.assumptions[:SENTENCES]])
    if len(question.assumptions) > SENTENCES:
        more = len(question.assumptions) - SENTENCES
        sentences.append(t("The same in {columns}.", columns=words.plural(more, t("more column"), t("more columns"))))
    evidence = "".join(f"<p>{each}</p>" for each in sentences)
    title = widgets.escape(questions.title(question))
    return f'<div class="check"><i>{number}</i><div><h3>{title}</h3>{evidence}{drawing}</div></div>'


def _once(sentences: list[str]) -> list[str]:
    """What several end with stands behind the last of them."""
    begun = [each.partition(". ") for each in sentences]
    return [
        head + "." if dot and any(tail == other for _, _, other in begun[place + 1 :]) else sentences[place]
        for place, (head, dot, tail) in enumerate(begun)
    ]


def _rows(compared: ComparedReadings) -> str:
    """The rows; what the other reading changes is tinted."""
    heads = "".join(f"<th>{widgets.escape(words.shorten(name, LABEL))}</th>" for name in compared.columns)
    lines = []
    for row in compared.shown:
        cells = "".join(
            f"<td{' class=changed' * is_changed}>{widgets.escape(words.shorten(cell, LABEL))}</td>"
            for cell, is_changed in zip(row.cells, row.changed, strict=True)
        )
        lines.append(f'<tr><td class="no">{row.number}</td>{cells}</tr>')
    return (
        f'<div class="check-rows"><div class="quiet">{t("rows, as read")}</div>'
        f"<table><tr><th></th>{heads}</tr>{''.join(lines)}</table></div>"
    )


def _choices(question: ReadingQuestion, first: bool) -> None:
    """The proposal, black where it is the next step; the others; and the way to leave it."""
    proposal = questions.proposal(question)
    args: dict[str, Any] = {"on_click": kept_files.leave, "args": (question.assumptions,)}
    if not question.is_as_read:
        args = {"on_click": kept_files.decide, "args": (proposal.options,)}
    kind = "primary" if first else "secondary"
    st.button(words.literal(proposal.label), key=f"check_take_{question.kind}", type=kind, width="stretch", **args)
    others = questions.others(question)
    plain = (
        1 if len(others) == 1 or question.is_as_read else 0
    )  # where what was read is proposed, the other is one click
    for place, other in enumerate(others[:plain]):
        _other(question, other, place)
    if len(others) > plain:
        with st.popover(t("otherwise"), key=f"check_other_{question.kind}", width="stretch"):
            for place, other in enumerate(others[plain:], plain):
                _other(question, other, place)


def _other(question: ReadingQuestion, other: ReadingChoice, place: int) -> None:
    st.button(words.literal(other.label), key=f"check_other_{question.kind}_{place}", width="stretch",
              on_click=kept_files.decide, args=(other.options,))  # fmt: skip


# what is not open ----------------------------------------------------------------------------------------------------


def _decided(source: Table, question: ReadingQuestion) -> None:
    """One line, with the number that is now, and the way back."""
    pieces = [_told(source, each) for each in question.assumptions[:SENTENCES]]
    if len(question.assumptions) > SENTENCES:
        pieces.append(t("{n} more", n=len(question.assumptions) - SENTENCES))
    upload, back = kept_files.kept(source), question.undone
    compared = _read_twice(source, upload, back, question.columns)
    if compared is not None and compared.change is not None:
        unit, _, now, _ = change_words.written(compared.change, is_as_read=True)
        pieces.append(t("{unit} {now}", unit=widgets.escape(unit), now=now))
    with st.container(key=f"check_decided_{question.kind}", horizontal=True, vertical_alignment="center"):
        st.html(f'<div class="check-decided">{" · ".join(pieces)}</div>')
        if upload is not None:
            st.button(t("undo"), key=f"check_undo_{question.kind}", type="tertiary", on_click=kept_files.decide,
                      args=(back,))  # fmt: skip


def _told(source: Table, assumption: Assumption) -> str:
    holes = {"taken": widgets.escape(words.shorten(assumption.taken, 80))}
    if assumption.column is not None:
        holes["column"] = widgets.escape(words.shorten(assumption.column, 30))
        if assumption.key in source.options.settled:
            return t("<b>{column}</b> is left as it is: {taken}", **holes)
        return t("<b>{column}</b>: {taken}", **holes)
    if assumption.key in source.options.settled:
        return t("Left as it is: {taken}", **holes)
    return t("Decided: {taken}", **holes)


def _read(source: Table) -> None:
    """What is read without asking, each with the other ways, and how to have the whole read otherwise."""
    upload = kept_files.kept(source)
    unasked = [each for each in source.assumptions if not each.is_open and not each.decided]
    known = {each.sentence for each in source.assumptions}
    sure = [note for note in uploads.notes(source) if note not in known]
    fold, menu = st.columns([82, 18], gap="small")
    decided = readings.decided(source) if not readings.asked(source) else []
    how_many = _many(len(decided), len(unasked) + len(sure))
    label = t("**Read without asking** :gray[{n}]", n=how_many)
    if not readings.asked(source):  # the headline says it elsewhere
        label = t("**{read}** :gray[{n}]", read=uploads.what_was_read(source), n=how_many)
    with fold.container(key="fold_read"), st.expander(label):
        for question in decided:
            _decided(source, question)
        for place, each in enumerate(unasked):
            _said(source, each, place, upload is not None)
        if sure:
            lines = "".join(f"<li>{widgets.escape(note)}</li>" for note in sure)
            st.html(f'<ul class="check-notes">{lines}</ul>')
    with menu.container(horizontal=True, horizontal_alignment="right", key="check_menu"):
        if upload is not None and st.session_state.upload_raw is None:
            columns = list(map(str, source.frame.columns))
            rereading.menu(upload.name, source.options, columns, kept_files.differently)


def _said(source: Table, assumption: Assumption, place: int, is_kept: bool) -> None:
    """One that is only said: its sentence, and its alternatives."""
    with st.container(key=f"check_said_{place}"):
        sentence, others = st.columns([70, 30], gap="small", vertical_alignment="center")
        sentence.html(f'<div class="check-notes">{widgets.escape(assumption.sentence)}</div>')
        for i, other in enumerate(assumption.alternatives if is_kept else ()):
            options = source.options.merged_with(other.options)
            others.button(words.literal(other.label), key=f"check_said_{place}_{i}", type="tertiary",
                          on_click=kept_files.decide, args=(options,))  # fmt: skip


def _many(decided: int, notes: int) -> str:
    if not decided and not notes:
        return t("nothing else was assumed")
    several = words.plural(notes, t("note"), t("notes"))
    if not decided:
        return several
    return t("{n} decided, {notes}", n=decided, notes=several)
