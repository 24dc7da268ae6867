"""What the report has besides the page: what was collected and by what law, what is not promised, who signs."""

from ldpapp import words
from ldpapp.parts import widgets
from ldpapp.runtime import capture
from ldpapp.views.results import findings, read
from ldpapp.views.results.read import CLIENT, REPORTS
from ldpapp.words.language import t
from ldpcore.collection.result_facts import ResultFacts


def record(known: ResultFacts) -> None:
    """For the first page of the report, where one is wanted."""
    if capture.wanted():
        rows = "".join(f"<div><dt>{widgets.escape(name)}</dt><dd>{text}</dd></div>" for name, text in _rows(known))
        caveats = "".join(f"<li>{text}</li>" for text in _caveats(known))
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
        (t("refused"), "; ".join(findings.reasons(known.read.why)) or t("none")),
        (t("intervals"), findings.kind(known)),
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
        findings.unseen(known),
        *findings.people_lie(known),
        t("Who answered is not hidden, nor what stands beside a report: weights, strata, groups."),
        t("Whoever sent several reports counts several times, and told more than ε says."),
    ]
    if known.read.columns.weights:
        texts.append(t("A weight that was made from the answer tells the answer."))
    if known.asked.cut:
        texts.append(widgets.escape(f"{known.asked.cut[0].upper()}{known.asked.cut[1:]}."))
    return texts
