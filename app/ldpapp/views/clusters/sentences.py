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
    """The worst first: what messages give away beyond ε, and what keeps to it; then how many people are in the right
    cluster by either, and in small type by the starts alone: means over the starts so far.

    `wanted` is the attacked column as the page has it. filling: more starts are to come.
    """
    leaking, best, graded = known.leaking, known.best, known.graded
    if leaking is not None:
        beside = known.beside
        keeper = beside if beside is best else None
        text = f"{_open(leaking, keeper, known, named, wanted, filling)} {_lands(leaking, beside, known, named)}"
        return f'{text} <span class="quiet">{_from_starts(known, beside, leaking, named=named)}</span>'
    first = best or graded or next(iter(known.parts.values()))
    eps = words.epsilon(known.study.epsilon)
    holes = {"eps": t("{eps}, so far", eps=eps) if filling else eps, "right": words.of_100(first.right)}
    if best is not None:
        text = _covered(best.leak, known.bounds, {"wanted": wanted, **holes})
    elif graded is not None:
        text = _graded_alone(known, graded, holes, wanted)
    else:
        text = t(
            "At ε = {eps}, {right} of 100 people land in the right cluster, but a curator who sees every record must "
            "be trusted.",
            **holes,
        )
    quiet = f"{_from_starts(known, first, named=named)} {t('By {methods}.', methods=named(first.key))}"
    return f'{text} <span class="quiet">{quiet}</span>'


def _from_starts(known: ClustersFacts, *shown: MethodFacts | None, named: Named) -> str:
    """How many the starts have right before anybody reports, and which methods show no more."""
    start, idle = words.of_100(known.untouched), [one for one in shown if one is not None and one.learned_least <= 0]
    if not idle:
        return t("The starts alone: {start}.", start=start)
    methods = words.listing(named(one.key) for one in idle)
    return t("The starts alone: {start}; no gain shown by {methods}.", start=start, methods=methods)


def _lands(leaking: MethodFacts, beside: MethodFacts | None, known: ClustersFacts, named: Named) -> str:
    """How many people are in the right cluster by either, and whether they differ."""
    right = words.of_100(leaking.right)
    if beside is None:
        return t("{right} of 100 land in the right cluster.", right=right)
    keeper = named(beside.key)
    if CATALOG[beside.key].uses_marks:
        keeper = t("{keeper} (only marked columns protected)", keeper=keeper)
    lands = t(
        "{own} of 100 land in the right cluster with {keeper}, {right} with {method}",
        own=words.of_100(beside.right), keeper=keeper, right=right, method=named(leaking.key),
    )  # fmt: skip
    return f"{lands}." if known.shows_gain else t("{lands}: no difference shown.", lands=lands)


def _open(
    leaking: MethodFacts, keeper: MethodFacts | None, known: ClustersFacts, named: Named, wanted: str, filling: bool
) -> str:
    """What is claimed of a method of whose messages ε covers the first alone, and what they tell; keeper: one of which
    it covers all.
    """
    bounds, claim = known.bounds, {"method": named(leaking.key), "eps": words.epsilon(known.study.epsilon)}
    claims = t("{method} claims ε = {eps}", **claim)
    if CATALOG[leaking.key].uses_marks:
        claims = t("{method} claims ε = {eps} for marked columns", **claim)
    if leaking.leak is None:
        claims = t("{claims}, so far", claims=claims) if filling else claims
        return t("{claims}, but no ε covers what follows the first report.", claims=claims)
    people = t("<b>{n} of 100</b> people", n=words.of_100(leaking.named))
    low, high = map(words.of_100, (leaking.named_least, leaking.named_most))
    if low != high:
        people = t("{people} ({low}–{high} by start)", people=people, low=low, high=high)
    people = t("{people}, so far", people=people) if filling else people
    holes = {"claims": claims, "wanted": wanted, "people": people}
    if leaking.named <= bounds.promised:
        return t(
            "{claims}, but no ε covers its messages, which tell the “{wanted}” of {people} (a blind guess: {blind}).",
            blind=words.of_100(bounds.blind), **holes,
        )  # fmt: skip
    text = t("{claims}, yet its messages tell the “{wanted}” of {people}, where ε allows {allowed}.",
             allowed=words.of_100(bounds.promised, most=True), **holes)  # fmt: skip
    if keeper is None or keeper.leak is None:
        return text
    kept = {"text": text, "keeper": named(keeper.key), "covered": words.of_100(keeper.named)}
    if keeper.named > bounds.promised:  # it is measured on some people, of whom more can be guessed than on average
        return t("{text} With {keeper} it is {covered}.", **kept)
    return t("{text} {keeper} keeps to it: <b>{covered}</b>.", **kept)


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
        return t("<b>{column}</b> guessed right, of 100 people, by one who knows half of them, from one start.",
                 column=column)  # fmt: skip
    return t(
        "<b>{column}</b> guessed right, of 100 people, by one who knows half of them. Dot: one of {n} starts.",
        column=column,
        n=words.count(n),
    )


# what the messages give away -------------------------------------------------------------------------------------


def given_away(known: ClustersFacts, named: Named) -> str:
    """Of a method that leaks no more than ε allows, that it covers none of it; the repair; and who is trusted."""
    bounds, leak = known.bounds, {key: one.leak for key, one in known.parts.items() if not CATALOG[key].central}
    attacked = {key: values for key, values in leak.items() if values is not None}
    texts = []
    for key in [key for key in attacked if not (CATALOG[key].whole or CATALOG[key].uses_marks)][:1]:
        if attacked[key].mean() <= bounds.promised:
            texts.append(t("<b>{method}:</b> here ε allows as much, and covers none of it.", method=named(key)))
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
