"""What the report has besides the page: what was collected and by what law, what is not promised, who signs."""

from ldpapp import words
from ldpapp.parts import widgets
from ldpapp.runtime import capture
from ldpapp.views.results import findings, read
from ldpapp.views.results.read import CLIENT, REPORTS
from ldpapp.words.language import t
from ldpcore.collection.result_facts import ResultFacts


def record(known: ResultFacts) -> None:
    """Kept for the report alone, where one is wanted."""
    if not capture.wanted():
        return
    capture.panel("results_signed", t("What was collected"))
    capture.piece(capture.Words(_list(_rows(known))))
    capture.panel("results_caveats", t("What these numbers do not promise"))
    capture.piece(capture.Words("".join(f"<p>{text}</p>" for text in _caveats(known))))
    capture.panel("results_sign", t("Signed"))
    lines = (t("Results signed"), t("Name"), t("Date"))
    capture.piece(capture.Words(f'<div class="sign">{"".join(f"<div>{each}</div>" for each in lines)}</div>'))


def _list(rows: list[tuple[str, str]]) -> str:
    return f"<dl>{''.join(f'<dt>{widgets.escape(name)}</dt><dd>{text}</dd>' for name, text in rows)}</dl>"


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
