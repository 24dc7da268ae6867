"""The sentences of the Clusters page, computed: what is won, what leaks, what repairs it."""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ldpapp import words
from ldpapp.words.language import t
from ldpcore.clusters import Message
from ldpcore.study.clusters import CATALOG
from ldpcore.study.clusters.compare import Limits
from ldpcore.study.clusters.facts import ClustersFacts, MethodFacts
from ldpcore.study.clusters.rounds import Exchange

Named = Callable[[str], str]


# the headline ----------------------------------------------------------------------------------------------------


def headline(known: ClustersFacts, named: Named, wanted: str, filling: bool = False) -> str:
    """How many people are in the right cluster by what is protected, then what the messages give away: means over the
    starts so far; in small type by which methods.

    `wanted` is the attacked column as the page has it. filling: more starts are to come.
    """
    leaking, best, graded = known.leaking, known.best, known.graded
    first = leaking or best or graded or next(iter(known.parts.values()))
    eps = words.epsilon(known.study.epsilon)
    holes = {"eps": t("{eps}, so far", eps=eps) if filling else eps, "right": words.of_100(first.right)}
    beside = None
    if leaking is not None:
        beside = known.beside
        lands = _lands(leaking, beside, holes)
        if beside is not None and not known.shows_gain:
            lands = t("{lands}: no difference shown.", lands=lands.removesuffix("."))
        text = (
            f"{lands} {_open(leaking, named(leaking.key), None if beside is graded else beside, known.bounds, wanted)}"
        )
    elif best is not None:
        text = _covered(best.leak, known.bounds, {"wanted": wanted, **holes})
    elif graded is not None:
        text = _graded_alone(known, graded, holes, wanted)
    else:
        text = t(
            "At ε = {eps}, {right} of 100 people land in the right cluster, but a curator who sees every record must "
            "be trusted.",
            **holes,
        )
    text = f"{text}{_worse(known, [one for one in (beside, first) if one is not None])}"
    by = words.listing(named(one.key) for one in (beside, first) if one is not None)
    return f'{text} <span class="quiet">{t("By {methods}.", methods=by)}</span>'


def _worse(known: ClustersFacts, shown: Sequence[MethodFacts]) -> str:
    """That methods do harm: the starts, before anybody reports, have more people right."""
    start = words.of_100(known.untouched)
    worse = [one for one in shown if one.right < known.untouched and words.of_100(one.right) != start]
    return f" {t('The starts alone: {start}.', start=start)}" if worse else ""


def _lands(leaking: MethodFacts, beside: MethodFacts | None, holes: dict[str, str]) -> str:
    """How many people are in the right cluster with the first report protected, beside one that protects more."""
    only = t("only the first report")
    if CATALOG[leaking.key].uses_marks:
        only = t("only the first report of the marked columns")
    if beside is None:
        return t("At ε = {eps}, {right} of 100 people land in the right cluster if {only} is protected.",
                 only=only, **holes)  # fmt: skip
    if CATALOG[beside.key].uses_marks:
        return t(
            "At ε = {eps}, {own} of 100 people land in the right cluster if the marked columns are protected, {right} "
            "if {only} is.",
            own=words.of_100(beside.right), only=only, **holes,
        )  # fmt: skip
    return t(
        "At ε = {eps}, {own} of 100 land in the right cluster if all is protected, {right} if {only} is.",
        own=words.of_100(beside.right), only=only, **holes,
    )  # fmt: skip


def _open(leaking: MethodFacts, method: str, beside: MethodFacts | None, bounds: Limits, wanted: str) -> str:
    """What is guessed where ε does not cover all messages; beside: a method of which it covers all."""
    if (leak := leaking.leak) is None:
        return t("What follows it is covered by no ε.")
    guessed = float(leak.mean())
    holes = {"method": method, "wanted": wanted, "named": words.of_100(guessed)}
    if guessed <= bounds.promised:
        return t(
            "{method}’s messages, covered by no ε, tell the “{wanted}” of {named} (a blind guess: {blind}).",
            blind=words.of_100(bounds.blind),
            **holes,
        )
    holes["allowed"] = words.of_100(bounds.promised, most=True)
    if beside is None or beside.leak is None:
        return t("{method}’s messages tell the “{wanted}” of {named} (ε allows {allowed}).", **holes)
    return t(
        "{method}’s messages tell the “{wanted}” of {named}, not of {covered} (ε allows {allowed}).",
        covered=words.of_100(beside.named), **holes,
    )  # fmt: skip


def _graded_alone(known: ClustersFacts, graded: MethodFacts, holes: dict[str, str], wanted: str) -> str:
    """Where nothing else is compared: what is hidden, and what the open columns say of it."""
    if not known.marked:
        return t("Nothing is marked: every record is sent as it is.")
    lands = t("At ε = {eps}, {right} of 100 people land in the right cluster if the marked columns are protected.",
              **holes)  # fmt: skip
    if known.study.column not in known.marked:
        return t("{lands} “{wanted}” is sent as it is.", lands=lands, wanted=wanted)
    seen = {"lands": lands, "wanted": wanted, "seen": words.of_100(known.seen)}
    if graded.leak is None:
        return t("{lands} The open columns alone tell the “{wanted}” of {seen}.", **seen)
    return t(
        "{lands} The “{wanted}” of {named} is guessed, from the open columns alone of {seen}.",
        named=words.of_100(graded.named), **seen,
    )  # fmt: skip


def _covered(leak: NDArray[np.float64] | None, bounds: Limits, holes: dict[str, str]) -> str:
    """A method all of whose messages ε covers, where none leaks."""
    holes = holes | {"allowed": words.of_100(bounds.promised, most=True), "blind": words.of_100(bounds.blind)}
    if leak is None:
        return t(
            "At ε = {eps}, {right} of 100 people land in the right cluster, and all they send is protected: the "
            "“{wanted}” of at most {allowed} is guessed, blindly of {blind}.",
            **holes,
        )
    return t(
        "At ε = {eps}, {right} of 100 people land in the right cluster, and all they send is protected: the "
        "“{wanted}” of {named} is guessed, blindly of {blind}; ε allows {allowed}.",
        named=words.of_100(leak.mean()),
        **holes,
    )


def drawn(rows: pd.DataFrame, column: str) -> str:
    """What the figure of the leak shows, and over how many starts its means are. column: escaped."""
    n = rows["repetition"].nunique()
    if n == 1:
        return t("<b>{column}</b> guessed right, of 100 people, from one start.", column=column)
    return t(
        "<b>{column}</b> guessed right, of 100 people. Dot: one of {n} starts.",
        column=column,
        n=words.count(n),
    )


# what the messages give away -------------------------------------------------------------------------------------


def given_away(known: ClustersFacts, named: Named) -> str:
    """What is claimed of a method that leaks and what is measured; the repair; and who is trusted."""
    bounds, leak = known.bounds, {key: one.leak for key, one in known.parts.items() if not CATALOG[key].central}
    attacked = {key: values for key, values in leak.items() if values is not None}
    texts = []
    for key in [key for key in attacked if not (CATALOG[key].whole or CATALOG[key].uses_marks)][:1]:
        texts.append(t("<b>The paper claims</b> ε-LDP of all that {method} sends.", method=named(key)))
        texts.append(_measured(attacked[key], bounds))
    for key in [key for key in attacked if CATALOG[key].whole and not CATALOG[key].uses_marks][:1]:
        repair = t("<b>The repair:</b> {method} asks everybody once.", method=named(key))
        texts.append(repair)
    texts += [_of_marks(known, key, attacked[key], named) for key in attacked if CATALOG[key].uses_marks]
    curators = [key for key in known.parts if CATALOG[key].central]
    if curators:
        covered = words.listing(curators)
        texts.append(t("{methods}: a curator sees every record.", methods=covered))
    return " ".join(texts)


def size(bits: float, central: bool) -> str:
    """What one person sends in all rounds; to a curator who is trusted it is no report."""
    if central:
        return t("One person sends the record itself, {bits} bits.", bits=words.count(bits))
    return t("In this run one person sends {bits} bits in all, on average.", bits=words.count(bits))


def _of_marks(known: ClustersFacts, key: str, values: NDArray[np.float64], named: Named) -> str:
    """A method that sends the columns without a mark as they are: what these alone say, and what its messages add."""
    method = named(key)
    if not known.marked:
        return t("<b>{method}:</b> nothing is marked, and every record is sent as it is.", method=method)
    if known.study.column not in known.marked:
        return t("<b>{method}:</b> this column is not marked and is sent as it is.", method=method)
    holes = {"method": method, "named": words.of_100(values.mean()), "seen": words.of_100(known.seen)}
    if not CATALOG[key].whole:
        return t("<b>{method}:</b> {named} of 100 from the open columns and its numbers, {seen} from columns alone.",
                 **holes)  # fmt: skip
    if len(known.marked) == len(known.data.columns):
        return t("<b>{method}:</b> every column is marked; {named} of 100.", method=method, named=holes["named"])
    return t(
        "<b>{method}:</b> the open columns alone name {seen} of 100, which no ε covers; with its report {named}, and ε "
        "allows {allowed}.",
        allowed=words.of_100(known.seen_promised, most=True), **holes,
    )  # fmt: skip


def _measured(values: NDArray[np.float64], bounds: Limits) -> str:
    who = t(
        "<b>Measured</b>, by an adversary who knows half of the people: {mean}, from one start.",
        mean=words.of_100(values.mean()),
    )
    if len(values) > 1:
        who = t(
            "<b>Measured</b>, by an adversary who knows half of the people: {low} to {high}.",
            low=words.of_100(values.min()),
            high=words.of_100(values.max()),
        )
    over = values.mean() > bounds.promised
    return who if over else f"{who} {t('Here ε allows as much, and covers none of it.')}"


# round by round --------------------------------------------------------------------------------------------------


def spent(message: Message) -> str:
    """What one message of a user spends of its budget."""
    return t("none covers it") if message.exact else words.epsilon(message.epsilon)


def sent(message: Message, escape: Callable[[object], str]) -> str:
    """Who sends what in a round, how large it is, and what it costs."""
    holes = {
        "what": escape(message.says),
        "count": words.count(message.count),
        "size": words.plural(message.bytes, t("byte"), t("bytes")),
    }
    if message.sender == "server":
        return t("<b>The server</b> sends {what} ({count} × {size}).", **holes)
    if message.exact:
        return t("<b>Every user</b> answers {what} ({count} × {size}); <b>not covered by any ε</b>.", **holes)
    holes["eps"] = spent(message)
    if message.kind == "cell":
        return t("<b>A user of this round</b> answers {what} ({count} × {size}); spends ε = {eps}.", **holes)
    return t("<b>Every user</b> answers {what} ({count} × {size}); spends ε = {eps}.", **holes)


def answered(
    person: int,
    heard: Exchange,
    asked: Message,
    columns: Sequence[str],
    cell: Callable[[int], str],
    escape: Callable[[object], str],
) -> str:
    """One user's answer to what was asked, in words. cell: what a number of the answer stands for."""
    first, *rest = heard.answers
    who = t("User {n}", n=words.count(person + 1))
    if not heard.everybody:
        who = t("User {n}, if asked in this round,", n=words.count(person + 1))
    if asked.kind in ("index", "noisy index"):
        number, nearest = first.sent[0] + 1, first.own + 1
        if number == nearest:
            return t("{who} answers <b>{told}</b>.", who=who, told=number)
        return t("{who} answers <b>{told}</b>, though {own} is nearest.", who=who, told=number, own=nearest)
    if asked.kind == "record":
        return t("{who} hands over the whole record.", who=who)
    if asked.kind == "open":
        shown = escape(words.listing(columns[j] for one in heard.answers for j in one.attributes))
        return t("{who} shows <b>{columns}</b>.", who=who, columns=shown)
    if rest:
        bits, ones = sum(one.cells for one in heard.answers), sum(len(one.sent) for one in heard.answers)
        return t("{who} sends {bits} bits, {ones} of them set.", who=who, bits=words.count(bits), ones=ones)
    drew = escape(words.listing(columns[j] for j in first.attributes))
    if not first.sent:
        return t("{who} draws <b>{columns}</b> and names no value at all.", who=who, columns=drew)
    more = f" … (+{len(first.sent) - 3})" if len(first.sent) > 3 else ""
    holes = {
        "who": who,
        "columns": drew,
        "n": len(first.sent),
        "of": first.cells,
        "values": escape(", ".join(map(cell, first.sent[:3]))) + more,
    }
    if first.own in first.sent:
        return t("{who} draws <b>{columns}</b> and names {n} of {of}: {values} (among them the truth).", **holes)
    return t("{who} draws <b>{columns}</b> and names {n} of {of}: {values} (without the truth).", **holes)


def published(methods: Sequence[str], epsilon: float, named: Named) -> str:
    """What a report says that is published: how near they come to the truth stays internal."""
    return t(
        "At ε = {eps}: what {methods} promise. How near they come to the true clusters is internal.",
        eps=words.epsilon(epsilon),
        methods=words.listing(map(named, methods)),
    )
