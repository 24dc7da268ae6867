"""What the report has besides the page: what was collected and by what law, what is not promised, who signs."""

from collections.abc import Sequence

import streamlit as st

from ldpapp import words
from ldpapp.parts import widgets
from ldpapp.runtime import capture, display
from ldpapp.views.results import read, sentences
from ldpapp.views.results.read import CLIENT, COUNTS, MATRIX, REPORTS
from ldpapp.words.language import t
from ldpcore.collection.result_facts import ResultFacts
from ldpcore.collection.results import ToolResult


def save(what: str) -> None:
    """Where the report is saved."""
    if not display.projector():
        capture.save_here(st.container(key="report_here"), t("Results: {question}", question=what))


def record_tool(found: ToolResult) -> None:
    """The same of another tool's counts."""
    if capture.wanted():
        _sign(_rows_of_tool(found), _caveats_of_tool(found))


def _rows_of_tool(found: ToolResult) -> list[tuple[str, str]]:
    files = {role: given for role in (COUNTS, MATRIX) if (given := read.file(role))}
    if MATRIX in files:
        law = t("a matrix of chances, SHA-256 {digest}", digest=files[MATRIX].digest)
    else:
        chosen = ", ".join(f"{name} = {value:g}" for name, value in read.parameters().items())
        law = t("{tool}: {parameters}", tool=read.draft().tool, parameters=chosen)
    return [
        (t("files"), widgets.escape(words.listing(given.name for given in files.values()))),
        (t("counts, SHA-256"), files[COUNTS].digest),
        (t("drawn by"), widgets.escape(law)),
        (t("ε of one report, from these chances"), sentences.promise_of_tool(found)),
        (t("reports that count"), words.count(found.n)),
        (
            t("intervals"),
            t("Clopper and Pearson, of who answered")
            if MATRIX not in files
            else t("Wilson, by the exact error, of who answered"),
        ),
    ]


def _caveats_of_tool(found: ToolResult) -> list[str]:
    return [
        *(widgets.escape(f"{doubt[0].upper()}{doubt[1:]}.") for doubt in found.doubts),
        t("That reports were drawn by these chances: the counts do not show it, and ε hangs on it."),
        t("Nothing is known of single reports here: none was refused, and false ones are not looked for."),
        t("Whoever sent several reports counts several times, and told more than ε says."),
    ]


def record(known: ResultFacts) -> None:
    """For the first page of the report, where one is wanted."""
    if capture.wanted():
        _sign(_rows(known), _caveats(known))


def _sign(collected: Sequence[tuple[str, str]], unpromised: Sequence[str]) -> None:
    """Above a line to sign: what was collected, each text as HTML, and what is not promised."""
    rows = "".join(f"<div><dt>{widgets.escape(name)}</dt><dd>{text}</dd></div>" for name, text in collected)
    caveats = "".join(f"<li>{text}</li>" for text in unpromised)
    boxes = (t("What was collected"), f"<dl>{rows}</dl>"), (t("What is not promised"), f"<ul>{caveats}</ul>")
    capture.signed(boxes, (t("Results signed"), t("Name"), t("Date")))


def _rows(known: ResultFacts) -> list[tuple[str, str]]:
    client, columns = read.client(), known.read.columns
    names = {role: given.name for role in (REPORTS, CLIENT) if (given := read.file(role))}
    rows = [
        (t("question"), widgets.escape(known.question)),
        (t("files"), widgets.escape(words.listing(names.values()))),
        (t("drawn by"), t("{mechanism} at ε = {epsilon}", mechanism=known.asked.key,
                          epsilon=words.epsilon(known.asked.epsilon))),
        (t("law, SHA-256 of its client"), client.digest),
        (t("ε of one person"), words.epsilon(client.epsilon)),
        (t("reports that count"), words.count(known.n)),
        (t("refused"), "; ".join(sentences.reasons(known.read.why)) or t("none")),
        (t("intervals"), sentences.kind(known)),
    ]  # fmt: skip
    if columns.weights:
        text = t("{column}; n {n} counts as {effective}", column=widgets.escape(columns.weights),
                 n=words.count(known.n), effective=words.count(known.effective))  # fmt: skip
        rows.append((t("weighted by"), text))
    if named := [each for each in (columns.strata, columns.clusters) if each]:
        rows.append((t("drawn within"), widgets.escape(words.listing(named))))
    return rows


def _caveats(known: ResultFacts) -> list[str]:
    texts = [
        sentences.unseen(known),
        *sentences.people_lie(known),
        t("Who answered is not hidden, nor what stands beside a report: weights, strata, groups."),
        t("Whoever sent several reports counts several times, and told more than ε says."),
    ]
    if known.read.columns.weights:
        texts.append(t("A weight that was made from the answer tells the answer."))
    if known.asked.cut:
        texts.append(widgets.escape(f"{known.asked.cut[0].upper()}{known.asked.cut[1:]}."))
    return texts
