"""The sentences of the Clusters page, computed: what is won, what leaks, what repairs it."""

from collections.abc import Callable, Sequence

import pandas as pd

from ldpapp import words
from ldpapp.language import t
from ldpapp.tasks.clusters.data import CATALOG, means
from ldpcore.clusters import Message
from ldpcore.study.clusters.compare import Limits, guessed
from ldpcore.study.clusters.rounds import Exchange

Named = Callable[[str], str]


# the headline ----------------------------------------------------------------------------------------------------


def headline(
    mechanisms: Sequence[str],
    rows: pd.DataFrame,
    column: str,
    bounds: Limits,
    epsilon: float,
    named: Named,
    wanted: str,
) -> str:
    """Means over the starts in `rows`, of the chosen point; `wanted` is the attacked column as the page has it."""
    scores = means(rows, "ac").set_index("mechanism")["value"]
    eps = words.epsilon(epsilon)
    said = []
    leaking = next((key for key in mechanisms if not CATALOG[key].whole), None)
    if leaking is not None:
        right, leak = words.of_100(scores[leaking]), guessed(rows, leaking, column)
        share = None if leak is None else float(leak.mean())
        said.append(_leaking(eps, named(leaking), right, share, bounds, wanted))
    kept = [key for key in mechanisms if CATALOG[key].whole and not CATALOG[key].central]
    if kept:
        key = max(kept, key=lambda key: scores[key])
        right, leak = words.of_100(scores[key]), guessed(rows, key, column)
        share = None if leak is None else float(leak.mean())
        said.append(_whole(named(key), right, share, bounds) if said else _alone(eps, named(key), right, share, bounds))
    if not said:
        said.append(
            t(
                "At ε = {eps}, {method} puts {right} of 100 people into the right cluster; a curator who sees every "
                "record must be trusted.",
                eps=eps,
                method=named(mechanisms[0]),
                right=words.of_100(scores[mechanisms[0]]),
            )
        )
    starts = rows["repetition"].nunique()
    said.append(t("Means of {n} starts.", n=words.count(starts)) if starts > 1 else t("From one start."))
    return " ".join(said)


def _leaking(eps: str, method: str, right: str, leak: float | None, bounds: Limits, wanted: str) -> str:
    """A method whose messages ε does not cover."""
    holes = {"eps": eps, "method": method, "right": right}
    if leak is None:
        return t("At ε = {eps}, {method} puts {right} of 100 people into the right cluster.", **holes)
    holes |= {"wanted": wanted, "named": words.of_100(leak), "allowed": words.of_100(bounds.promised)}
    if leak > bounds.promised:
        return t(
            "At ε = {eps}, {method} puts {right} of 100 people into the right cluster, but the numbers sent openly "
            "name the “{wanted}” of {named}; ε allows {allowed}.",
            **holes,
        )
    return t(
        "At ε = {eps}, {method} puts {right} of 100 people into the right cluster, and the numbers sent openly "
        "name the “{wanted}” of {named}; ε allows {allowed}.",
        **holes,
    )


def _whole(method: str, right: str, leak: float | None, bounds: Limits) -> str:
    """A method all of whose messages ε covers, named second: of 100 people too."""
    if leak is None:
        return t("{method} keeps the whole promise: {right} right.", method=method, right=right)
    return t(
        "{method} keeps the whole promise: {right} right, {named} named; blind guessing names {blind}.",
        method=method,
        right=right,
        named=words.of_100(leak),
        blind=words.of_100(bounds.blind),
    )


def _alone(eps: str, method: str, right: str, leak: float | None, bounds: Limits) -> str:
    """The same, where none leaks."""
    holes = {"eps": eps, "method": method, "right": right}
    if leak is None:
        return t("At ε = {eps}, {method} keeps the whole promise: {right} of 100 people in the right cluster.", **holes)
    return t(
        "At ε = {eps}, {method} keeps the whole promise: {right} of 100 people in the right cluster, {named} named; "
        "blind guessing names {blind}.",
        **holes,
        named=words.of_100(leak),
        blind=words.of_100(bounds.blind),
    )


# what the messages give away -------------------------------------------------------------------------------------


def given_away(mechanisms: Sequence[str], rows: pd.DataFrame, column: str, bounds: Limits, named: Named) -> str:
    """What is claimed of a method that leaks and what is measured; the repair; and who is trusted."""
    attacked = [key for key in mechanisms if not CATALOG[key].central and guessed(rows, key, column) is not None]
    said = []
    leaking = next((key for key in attacked if not CATALOG[key].whole), None)
    if leaking is not None:
        said.append(t("<b>The paper claims</b> that the method is ε-LDP since the first report is."))
        said.append(_measured(rows, leaking, column, bounds, named))
    kept = next((key for key in attacked if CATALOG[key].whole), None)
    if kept is not None:
        said.append(
            t(
                "<b>The repair:</b> {method} asks everybody once, for mode and value together: {named} of 100, blind "
                "guessing {blind}.",
                method=named(kept),
                named=words.of_100(float(guessed(rows, kept, column).mean())),  # type: ignore[union-attr]
                blind=words.of_100(bounds.blind),
            )
        )
    curators = [key for key in mechanisms if CATALOG[key].central]
    if curators:
        covered = words.listing(curators)
        said.append(t("A curator sees every record; ε of {methods} covers only what is published.", methods=covered))
    return " ".join(said)


def _measured(rows: pd.DataFrame, method: str, column: str, bounds: Limits, named: Named) -> str:
    values = guessed(rows, method, column)
    assert values is not None
    holes = {"method": named(method), "mean": words.of_100(float(values.mean()))}
    over = values.mean() > bounds.promised
    if len(values) == 1 and over:
        return t(
            "<b>Measured</b> from {method}’s numbers alone, by an adversary who knows half of the people: {mean} of "
            "100 from one start, above what ε allows.",
            **holes,
        )
    if len(values) == 1:
        return t(
            "<b>Measured</b> from {method}’s numbers alone, by an adversary who knows half of the people: {mean} of "
            "100 from one start, here within what ε allows, uncovered still.",
            **holes,
        )
    holes |= {"low": words.of_100(values.min()), "high": words.of_100(values.max())}
    if over:
        return t(
            "<b>Measured</b> from {method}’s numbers alone, by an adversary who knows half of the people: {mean} of "
            "100 on average, {low} to {high} from start to start, above what ε allows.",
            **holes,
        )
    return t(
        "<b>Measured</b> from {method}’s numbers alone, by an adversary who knows half of the people: {mean} of 100 on "
        "average, {low} to {high} from start to start, here within what ε allows, uncovered still.",
        **holes,
    )


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
    person: int, heard: Exchange, columns: Sequence[str], cell: Callable[[int], str], escape: Callable[[object], str]
) -> str:
    """One user's answer in words. cell: what a number of the answer stands for."""
    (first, *rest), asked = heard.answers, heard.asked
    assert asked is not None
    who = t("User {n}", n=words.count(person + 1))
    if not heard.everybody:
        who = t("User {n}, if asked in this round,", n=words.count(person + 1))
    if asked.kind in ("index", "noisy index"):
        told, own = first.sent[0] + 1, first.own + 1
        if told == own:
            return t("{who} answers <b>{told}</b>.", who=who, told=told)
        return t("{who} answers <b>{told}</b>, though {own} is nearest.", who=who, told=told, own=own)
    if asked.kind == "record":
        return t("{who} hands over the whole record.", who=who)
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
