"""The first page: what it is about, what is promised and what is not, and the line to sign on."""

import math
from collections.abc import Iterator, Sequence

import ldpcore
from ldpapp import words
from ldpapp.charts import palette
from ldpapp.parts import weights, widgets
from ldpapp.views.task import Signed
from ldpapp.words import glossary
from ldpapp.words.language import t
from ldpcore.catalog import Catalog, Coverage, coverage
from ldpcore.catalog.entries import BY_LEVEL, Listed
from ldpcore.data import Table, differences
from ldpcore.study import Study, person, tasks
from ldpcore.study import weights as study_weights
from ldpcore.study.mark_kinds import RECORDS
from ldpcore.study.tasks import TASKS

NAMED = 24
"""Marked values that are named on the first page; the Study at the end has all."""


def data(table: Table, title: str, study: Study, signed: Signed | None = None, publishable: bool = False) -> str:
    """The data's card: what they are, never a row of them. What a task says that one signs names what is asked."""
    rows = [(t("name"), title), (t("people"), words.count(differences.people(table)))]
    if signed is None:
        rows.append((t("asked here"), study.column or t("all columns that can be counted")))
    if table.rows_of_one(study.column) > 1:
        rows.insert(1, (t("rows"), words.count(len(table.frame))))
    if (promise := person.promised(study, table)) is not None:
        most = t("at most {eps}, in up to {rows} rows", eps=words.epsilon(promise.epsilon),
                 rows=words.count(promise.rows))  # fmt: skip
        rows.append((t("ε of one person"), most))
    if (counts := _weights(study, table)) is not None:
        rows.append((t("weights"), counts))
    if table.card is not None:
        made = t("invented people") if table.card.synthetic else table.card.origin
        rows.append((t("origin"), t("{origin}; licence: {licence}", origin=made, licence=table.card.licence)))
    if decisions := _decisions(table):
        rows.append((t("read with these decisions"), decisions))
    if table.digest and not (publishable and table.card is None):  # by it a guess of one row could be tried
        rows.append((t("digest"), table.digest))
    return _list(rows)


def _weights(study: Study, table: Table) -> str | None:
    """What the task does with people's weights; None where nobody chose any."""
    try:
        used = study_weights.used(study, table)
    except ValueError:
        return None
    return None if used is None else weights.said(used)


def _decisions(table: Table) -> str:
    """How somebody decided that the file is read, and what they left as it is."""
    decided = []
    for each in table.assumptions:
        if not each.decided:
            continue
        taken = words.shorten(each.taken, 120)
        if each.key in table.options.settled:
            taken = t("{taken}, left as it is", taken=taken)
        decided.append(t("{column}: {taken}", column=each.column, taken=taken) if each.column else taken)
    return "; ".join(decided)


def exposed(signed: Signed | None) -> str:
    """What an attacker managed, question by question; "" where a task says nothing of it here."""
    if signed is None or not signed.exposed:
        return ""
    return f"<h2>{t('Told apart, of 100 pairs (guessing gets 50)')}</h2>{_list(signed.exposed)}"


def settings(study: Study, signed: Signed | None = None, seeded: bool = True) -> str:
    """What was chosen: marks, ε, mechanisms, surveys; or what the task says that one signs. seeded: with the seed."""
    if signed is not None:
        seed = [(t("seed of the simulation"), str(study.seed))] if seeded else []
        return _list([*_budgets(study, signed), *signed.rows, *seed])
    entries = TASKS[study.task].CATALOG
    rows = _budgets(study)
    rows += _marked(study) if TASKS[study.task].MARKS.applies else []
    rows.append(
        (t("compared"), words.listing(entries.name(key) if key in entries else key for key in study.mechanisms))
    )
    simulated = t("{n} behind every point, seed {seed}", n=words.count(study.repetitions), seed=study.seed)
    rows.append((t("simulated"), simulated))
    return _list(rows)


def _budgets(study: Study, signed: Signed | None = None) -> list[tuple[str, str]]:
    """The ε of every level; of several questions from which to which."""
    private, secret = (_written(ends) for ends in _spent(study, signed, signed.mechanisms if signed else ()))
    if not tasks.is_leveled(study):
        return [("ε", private)]
    return [(t("ε of private answers"), private), (t("ε of secret answers"), secret)]


def _spent(study: Study, signed: Signed | None, keys: Sequence[str]) -> Sequence[tuple[float, float]]:
    """The least and the largest ε of private and of secret answers: the Study's own, or those of its questions that
    these mechanisms hide.
    """
    least = study.secret_at(study.epsilon)
    of_study = (study.epsilon, study.epsilon), (least, least)
    return signed.spent(keys) if signed is not None and signed.spent else of_study


def _written(ends: tuple[float, float]) -> str:
    """One ε, or of several questions from which to which."""
    span = words.span(ends)
    return span if span == words.epsilon(ends[0]) else t("{span}, by question", span=span)


def _times(ends: tuple[float, float], steps: int = 1) -> str:
    """The odds that belong to them."""
    return words.span((math.exp(steps * end) for end in ends), lambda odds: words.ratio(odds, most=True))


def _marked(study: Study) -> list[tuple[str, str]]:
    """What is marked: level by level, where there are several; all else is public."""
    marks = study.options.asked_marks(study.marks)
    if not (marks.secret and tasks.is_leveled(study)):
        what = t("marked sensitive") if TASKS[study.task].MARKS.protects else t("withheld")
        return [(what, _marks(study, marks.values))]
    private = [value for value in marks.values if value not in marks.secret]
    return [
        (t("secret"), _marks(study, marks.secret)),
        (t("private"), _marks(study, private)),
        (t("public"), t("all others")),
    ]


def _marks(study: Study, marked: Sequence[str]) -> str:
    kind = TASKS[study.task].MARKS
    values = [value if kind.every_column else kind.written(value, t(" to ")) for value in marked]
    if not values:
        return t("nothing")
    named = words.listing(words.shorten(value, 40) for value in values[:NAMED])
    more = len(values) - NAMED
    return t("{names} and {n} more", names=named, n=words.count(more)) if more > 0 else named


def _list(rows: Sequence[tuple[str, str]]) -> str:
    pairs = (f"<div><dt>{widgets.escape(name)}</dt><dd>{widgets.escape(text)}</dd></div>" for name, text in rows)
    return f"<dl>{''.join(pairs)}</dl>"


# promises -------------------------------------------------------------------------------------------------------------


def promised(study: Study, signed: Signed | None = None) -> str:
    """The promise of everything that is compared, with what ε means for it."""
    return "".join(f"<p>{promise}</p>" for promise in _promises(study, signed))


def _promises(study: Study, signed: Signed | None) -> Iterator[str]:
    entries = TASKS[study.task].CATALOG
    marked = bool(study.marks)
    groups: dict[tuple[Coverage, str], list[str]] = {}
    for key in tasks.entered(study):
        promise = entries[key].promise
        groups.setdefault((coverage(promise), promise), []).append(key)
    for (covered, promise), keys in sorted(groups.items(), key=lambda group: list(Coverage).index(group[0][0])):
        private, secret = _spent(study, signed, keys)
        # What knows one ε only gives it to all marked answers of a column.
        ends = secret if tasks.is_leveled(study) and not TASKS[study.task].MARKS.every_column else private
        holes = {
            "names": words.listing(_named(entries, key) for key in keys),
            "times": _times(ends),
            # Neighbours differ in somebody who is there or not: another answer is two steps away.
            "twice": _times(ends, 2),
            "eps": _written(ends),
            "promise": widgets.escape(promise),
        }
        if covered is Coverage.MARKED and marked and TASKS[study.task].MARKS is RECORDS:
            yield _of_columns(holes)
        elif promise in BY_LEVEL and marked:
            yield _per_level(tasks.is_leveled(study), private, secret, holes["names"])
        else:
            yield _promise(covered, promise, marked, holes)


def _of_columns(holes: dict[str, str]) -> str:
    return t(
        "<b>Marked columns (ε = {eps}).</b> {names}: between two people with the same open answers, no report changes "
        "the odds more than {times} times.", names=holes["names"], eps=holes["eps"], times=holes["times"],
    )  # fmt: skip


def _per_level(leveled: bool, private: tuple[float, float], secret: tuple[float, float], names: str) -> str:
    """The promise level by level, one-sided: what a report cannot prove."""
    if not leveled or secret == private:
        return t(
            "<b>Marked answers (ε = {eps}).</b> {names}: no report speaks for a marked answer, against any other, more "
            "than {times} times. Nobody can prove that you said it.",
            names=names, eps=_written(private), times=_times(private),
        )  # fmt: skip
    return t(
        "<b>Level by level.</b> {names}: no report speaks for a secret answer (ε = {secret}), against any other, more "
        "than {least} times, and for a private one (ε = {eps}) more than {times} times. Nobody can prove that you said "
        "it. Public answers are not protected.",
        names=names, secret=_written(secret), least=_times(secret), eps=_written(private), times=_times(private),
    )  # fmt: skip


def _promise(covered: Coverage, promise: str, marked: bool, holes: dict[str, str]) -> str:
    if covered is Coverage.NONE:
        return t("<b>No promise.</b> {names} publishes the truth.", names=holes["names"])
    if covered is Coverage.WEAKER:
        return t(
            "<b>A weaker promise (ε = {eps}).</b> {names}: {promise}. Its ε does not bound all that a report tells.",
            names=holes["names"], eps=holes["eps"], promise=holes["promise"],
        )  # fmt: skip
    if covered is Coverage.MARKED and not marked:
        return t("<b>Nothing.</b> {names} protects marked answers only, and none is marked.", names=holes["names"])
    if covered is Coverage.MARKED:
        return t(
            "<b>Marked answers (ε = {eps}).</b> {names}: no report raises the odds of a marked answer more than "
            "{times} times.",
            names=holes["names"], eps=holes["eps"], times=holes["times"],
        )  # fmt: skip
    if "central" in promise:
        return t(
            "<b>Everybody (ε = {eps}).</b> {names}: what is published raises the odds that somebody is among the "
            "people at most {times} times, the odds of one answer of theirs against another at most {twice} times.",
            names=holes["names"], eps=holes["eps"], times=holes["times"], twice=holes["twice"],
        )  # fmt: skip
    return t(
        "<b>Every answer (ε = {eps}).</b> {names}: no report raises the odds of one answer against another more than "
        "{times} times.",
        names=holes["names"], eps=holes["eps"], times=holes["times"],
    )  # fmt: skip


def not_promised(study: Study) -> str:
    """What the promises leave open, by whom they cover."""
    promises = [TASKS[study.task].CATALOG[key].promise for key in tasks.entered(study)]
    covered = {coverage(promise) for promise in promises}
    lines = [t("Asked again, or in another question, a person spends ε again: what is told adds up.")]
    if Coverage.MARKED in covered and TASKS[study.task].MARKS is RECORDS:
        lines.append(t("Columns without a mark are sent as they are; what they say of the marked ones no ε covers."))
    elif Coverage.MARKED in covered:
        lines.append(t("An answer that is not marked may be seen as it is; that it is none of the marked ones, too."))
    if {*BY_LEVEL} & {*promises}:
        lines.append(t("Nobody can prove a secret or private answer; somebody may be able to rule it out."))
    if any("central" in promise for promise in promises):
        lines.append(t("In the central model a curator sees the true answers, and must be trusted with them."))
    if Coverage.WEAKER in covered:
        lines.append(t("Under a weaker promise somebody may tell marked from other answers: read its caveats."))
    lines.append(t("Other answers of the same person, asked openly, may give a hidden one away."))
    return "".join(f"<p>{each}</p>" for each in lines)


def _named(entries: Catalog, key: str) -> str:
    mark = palette.mark(key)
    return f'<span style="color:{mark.light}">{mark.glyph}</span> {widgets.escape(entries.name(key))}'


def mechanisms(study: Study) -> str:
    """Everything that is compared: what it is, where it is from, and what to know before using it."""
    entries = TASKS[study.task].CATALOG
    return "".join(_mechanism(_named(entries, key), entries[key]) for key in tasks.entered(study))


def _mechanism(name: str, entry: Listed) -> str:
    about = t("{what} Source: {source}. Promise: {promise}.", what=_sentence(entry.label),
              source=widgets.escape(entry.source), promise=widgets.escape(entry.promise))  # fmt: skip
    caveats = "".join(f"<li>{widgets.escape(caveat)}</li>" for caveat in entry.caveats)
    return f'<div class="keep"><h3>{name}</h3><p>{about}</p>{f"<ul>{caveats}</ul>" if caveats else ""}</div>'


def _sentence(text: str) -> str:
    markup = widgets.escape(text)
    return f"{markup[:1].upper()}{markup[1:]}" + ("" if markup.endswith(".") else ".")


# beside them ----------------------------------------------------------------------------------------------------------


def terms(said: str, table: Table) -> str:
    """The terms of all that this report says, each in a sentence; a letter that is an answer of the table, an "m" among
    sexes, is no term.
    """
    answers = {label for name in table.frame for label in getattr(table.frame[name].dtype, "categories", ())}
    known = {term: says for term, says in glossary.listed([said]).items() if len(term) > 1 or term not in answers}
    return "".join(
        f"<div><dt>{widgets.escape(term)}</dt> <dd>{widgets.escape(says)}</dd></div>" for term, says in known.items()
    )


def signature(whole: bool, publishable: bool = False) -> str:
    """Who signs these settings; whole: a first page as it stands. A copy for publication is signed by nobody."""
    what = [f"☐ {t('signed')}  ☐ {t('not signed')}" if whole else t("Settings signed"), t("Name"), t("Date")]
    if publishable:
        what = [t("A copy. The signed report is kept by")]
    return f'<div class="sign">{"".join(f"<div>{each}</div>" for each in what)}</div>'


def version(study: Study, seeded: bool) -> str:
    made = t("ldpcore {version}", version=ldpcore.__version__)
    return t("{made} · seed {seed}", made=made, seed=study.seed) if seeded else made
