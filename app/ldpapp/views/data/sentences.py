"""The words of the Data view: what marks do to errors and to who is exposed, for values and for items."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from ldpapp import words
from ldpapp.parts import levels
from ldpapp.views.data import by_level
from ldpapp.views.data.by_level import SAME, ratio_of
from ldpapp.words.language import t, unmarked
from ldpcore.study.frequency.effects import AnswerEffect
from ldpcore.study.sets.effects import ItemEffect
from ldpcore.study.sets.facts import cuts

Escape = Callable[[object], str]
Row = tuple[str, str, str, str]
"""What, before, after, remark."""


def value_sentence(effect: AnswerEffect, column: str, sensitive: str, escape: Escape) -> str:
    """The finding of the Data view; column: as it is shown."""
    k, count = len(effect.labels), int(effect.mask.sum())
    if effect.secret.any():
        return " ".join([by_level.sentence(effect, sensitive, k, count), *_drowned(effect, escape)])
    if count == 0:
        return t(
            "{none}: its answers would be sent as they are, without error and without protection. Protecting all {k} "
            "would put the shares off by {error} points.",
            none=unmarked(column, sensitive=sensitive),
            k=words.count(k),
            error=words.margin(effect.every.error()),
        )
    if count == k:
        first = t(
            "All {k} values are marked {sensitive}, so the marks gain nothing: the shares are off by {error} points, "
            "as when every answer is protected.",
            k=words.count(k),
            sensitive=sensitive,
            error=words.margin(effect.marked.error()),
        )
        return " ".join([first, *_drowned(effect, escape)])
    holes = {"k": words.count(k), "count": words.count(count), "sensitive": sensitive}
    lead = t("Protecting {count} {sensitive} values, not all {k},", **holes)
    if count == 1:
        lead = t("Protecting {count} {sensitive} value, not all {k},", **holes)
    price = levels.price(effect.marked, effect.every)
    return " ".join([_gain(effect, lead, count, k), *_drowned(effect, escape), price])


def item_sentence(effect: ItemEffect, sensitive: str) -> str:
    """The finding of the Data view on baskets."""
    k, count = len(effect.labels), int(effect.mask.sum())
    if effect.secret.any():
        return by_level.sentence(effect, sensitive, k, count)
    if count == 0:
        first = t(
            "No item is marked {sensitive}. Protecting all {k} would put the shares of holders off by {error} points.",
            sensitive=sensitive,
            k=words.count(k),
            error=words.margin(effect.every.error()),
        )
        if not cuts(effect.every.here):
            return first
        return t(
            "{finding} That is above the ± of the table: it has what cutting sets to {items} takes off the shares.",
            finding=first,
            items=words.plural(effect.every.here.m, t("item"), t("items")),
        )
    holes = {
        "k": words.count(k),
        "sensitive": sensitive,
        "people": words.count(effect.people),
        "all": words.plural(effect.held.n, t("person"), t("people")),
        "share": words.share(effect.people / effect.held.n),
    }
    if count == 1:
        first = t("One of {k} items is marked {sensitive}: {people} of {all} hold it, {share}.", **holes)
    else:
        first = t(
            "{count} of {k} items are marked {sensitive}: {people} of {all} hold one, {share}.",
            count=words.cardinal(count, start=True),
            **holes,
        )
    if count == k:
        return t("{finding} With everything marked the marks gain nothing.", finding=first)
    return " ".join([first, _gain(effect, t("Protecting only these, not all,"), count, k)])


def _gain(effect: AnswerEffect | ItemEffect, lead: str, count: int, k: int) -> str:
    """What the marks make of the shares of the marked, and of all others, against protecting every value."""
    mine, other = (ratio_of(*effect.errors(scope)) for scope in ("sensitive", "other"))
    whose = t("its share") if count == 1 else t("their shares")
    others = t("the other") if k - count == 1 else t("others")
    if np.isfinite(mine) and np.isfinite(other) and min(mine, other) > SAME:
        if words.times(mine) == words.times(other):
            return t("{lead} makes all shares {times} more exact.", lead=lead, times=words.times(mine))
        return t(
            "{lead} makes {whose} {times} more exact, {others} {more}.",
            lead=lead,
            whose=whose,
            times=words.times(mine),
            others=others,
            more=words.times(other),
        )
    return t("{lead} {one} and {two}.", lead=lead, one=_change(mine, whose), two=_change(other, others))


def _change(ratio: float, what: str) -> str:
    if ratio == np.inf:
        return t("makes {what} exact", what=what)
    if ratio > SAME:
        return t("makes {what} {times} more exact", what=what, times=words.times(ratio))
    if ratio < 1 / SAME:
        return t("makes {what} {times} less exact", what=what, times=words.times(1 / ratio))
    return t("leaves {what} about as exact", what=what)


def _drowned(effect: AnswerEffect, escape: Escape) -> list[str]:
    """Which marked values are rarer than their own margin: one is named, more are counted. None: no sentence."""
    drowned = set(effect.marked.too_rare(effect.labels))
    places = sorted((i for i, label in enumerate(effect.labels) if label in drowned), key=lambda i: effect.shares[i])
    if not places:
        return []
    error = words.margin(float(np.sqrt(effect.marked.variance[places].max())))
    if len(places) == 1:
        name, share = escape(words.shorten(effect.labels[places[0]], 24)), words.share(effect.shares[places[0]])
        return [t("{name} ({share}) stays too rare ({error}).", name=name, share=share, error=error)]
    count = words.cardinal(len(places), start=True)
    return [t("{count} stay too rare ({error}).", count=count, error=error)]


# what marks do, as a table ---------------------------------------------------------------------------------------


def value_rows(effect: AnswerEffect, marked: Callable[[str], str]) -> list[Row]:
    """The 95 % margin and who is exposed, on marked and on other values."""
    if effect.secret.any():
        return _level_rows(effect, marked)
    rows = _errors(effect, t("± {marked} values", marked=marked(t("marked"))), t("± other values"))
    count = int(effect.mask.sum())
    guessed = t("{marked} answer guessed", marked=marked(t("Marked")))
    if count == 1:
        apart = (one.told(int(effect.mask.argmax())) for one in (effect.every, effect.marked))
        what = t("{marked} answer told apart", marked=marked(t("Marked")))
        rows.append((what, *_chances(*apart), t("blind {chance}", chance=50)))
    elif count > 1:
        before, after = _chances(effect.every.targeted, effect.marked.targeted)
        rows.append((guessed, before, after, t("blind {chance}", chance=_short(effect.marked.blind))))
    if not effect.mask.all():
        blind = t("blind {chance}", chance=_short(1 / len(effect.labels)))
        rows.append(_others(effect, t("Other answer guessed"), t("Other answer seen for sure"), blind))
    return rows


def _level_rows(effect: AnswerEffect, marked: Callable[[str], str]) -> list[Row]:
    """The same for every level."""
    named = {
        "secret": (
            effect.secret,
            t("{secret} values", secret=marked(t("secret"))),
            t("{secret} answer guessed", secret=marked(t("Secret"))),
        ),
        "private": (effect.mask & ~effect.secret, t("private values"), t("Private answer guessed")),
    }
    rows = _margins(effect, {scope: values for scope, (_, values, _) in named.items()} | {"other": t("public values")})
    for scope, (part, _, guessed) in named.items():
        if part.sum() > 1:
            chances = _chances(effect.every.guessed(scope), effect.marked.guessed(scope))
            rows.append((guessed, *chances, t("blind {chance}", chance=_short(1 / int(part.sum())))))
        elif part.any():
            rows.append((guessed, "–", "–", t("there is only one")))
    if not effect.mask.all():
        rows.append(_others(effect, t("Public answer guessed"), t("Public answer seen for sure"), ""))
    return rows


def item_rows(effect: ItemEffect, marked: Callable[[str], str]) -> list[Row]:
    """The 95 % margin on marked and on other items, or on every level, and the length of a report."""
    length = (t("Bits of a report"), words.count(effect.every.bits), words.count(effect.marked.bits), "")
    if effect.secret.any():
        secret, private = t("{secret} items", secret=marked(t("secret"))), t("private items")
        return [*_margins(effect, {"secret": secret, "private": private, "other": t("public items")}), length]
    rows = _errors(effect, t("± {marked} items", marked=marked(t("marked"))), t("± other items"))
    return [*rows, length]


def _margins(effect: AnswerEffect | ItemEffect, named: Mapping[str, str]) -> list[Row]:
    """The 95 % margins of every level: what its values are called."""
    private = effect.mask & ~effect.secret
    there = {"secret": effect.secret.any(), "private": private.any(), "other": not effect.mask.all()}
    rows = []
    for scope, values in named.items():
        if there[scope]:
            before, after = effect.errors(scope)
            sentence = t("± {values}", values=values)
            rows.append((sentence, words.margin(before), words.margin(after), better(ratio_of(before, after))))
    return rows


def _errors(effect: AnswerEffect | ItemEffect, marked: str, other: str) -> list[Row]:
    parts = (("sensitive", effect.mask, marked), ("other", ~effect.mask, other))
    errors = [(what, *effect.errors(scope)) for scope, part, what in parts if part.any()]
    return [(what, words.margin(a), words.margin(b), better(ratio_of(a, b))) for what, a, b in errors]


def _others(effect: AnswerEffect, guessed: str, certain: str, blind: str) -> Row:
    """Those that are not marked. Where a report shows some, how many: of them fewer may be guessed rightly than before,
    and whoever guesses knows that it is right.
    """
    guesses = [facts.named(~effect.mask) for facts in (effect.every, effect.marked)]
    if effect.marked.shown <= 0:
        return (guessed, *_chances(*guesses), blind)
    before, after = map(_short, guesses)
    shown = words.of_100(effect.marked.shown)
    remark = t("guessed {before} → {after}", before=before, after=after)
    if after == shown:
        remark = t("guessed before: {before}", before=before)
    return (certain, words.of_100(effect.every.shown), t("{n} of 100", n=shown), remark)


def _chances(before: float, after: float) -> tuple[str, str]:
    """ "39", "37 of 100"; where one is small "1 in 30", "1 in 12"."""
    return _short(before), words.one_in(after) if after < 0.01 else t("{n} of 100", n=words.of_100(after))


def _short(chance: float) -> str:
    return words.one_in(chance) if chance < 0.01 else words.of_100(chance)


def better(ratio: float) -> str:
    if ratio == np.inf:
        return t("exact")
    if ratio > SAME:
        return t("{times} × better", times=words.ratio(ratio))
    return t("{times} × worse", times=words.ratio(1 / ratio)) if ratio < 1 / SAME else t("about the same")


def rows_html(rows: Sequence[Row]) -> str:
    """The table as HTML; its heads are for those who hear the page."""
    body = "".join(
        f'<tr><td>{what}</td><td class="num">{before}</td><td class="to">→</td><td class="num"><b>{after}</b></td>'
        f'<td class="num quiet">{remark}</td></tr>'
        for what, before, after, remark in rows
    )
    heads = (t("What"), t("Everything protected"), t("to"), t("Only the marked protected"), t("Remark"))
    head = "".join(f"<th>{name}</th>" for name in heads)
    return f'<div class="effects"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def pairs_key(effect: AnswerEffect) -> list[tuple[int, str]]:
    """(tone, words) for the kinds of pairs that there are; the tones are those of charts.pairs."""
    odds, mask = words.times(effect.lift(effect.mask), most=True), effect.mask
    if effect.secret.any():
        return _level_key(effect)
    if mask.all():
        return [(0, t("<b>Every pair:</b> no report moves its odds more than {odds}.", odds=odds))]
    lines: list[tuple[int, str]] = []
    if mask.any():
        lines.append((0, t("<b>Towards a marked value:</b> odds rise at most {odds}.", odds=odds)))
        lines.append((1, t("<b>Away from it:</b> may be ruled out, never proved.")))
    if np.count_nonzero(~mask) > 1:
        lines.append((2, t("<b>Two unmarked:</b> a report may tell which.")))
    return lines


def _level_key(effect: AnswerEffect) -> list[tuple[int, str]]:
    """The same with levels: what is one-sided is said in words."""
    private = effect.mask & ~effect.secret
    odds = words.times(effect.lift(effect.secret), most=True)
    lines = [(0, t("<b>Towards a secret value</b> (the inner frame): its odds rise at most {odds}.", odds=odds))]
    if private.any():
        more = words.times(effect.lift(private), most=True)
        lines.append((0, t("<b>Towards a private value:</b> at most {odds}.", odds=more)))
    if not effect.mask.all():
        lines.append((1, t("<b>Away from either:</b> a report may rule it out, never prove it.")))
    if np.count_nonzero(~effect.mask) > 1:
        lines.append((2, t("<b>Two public values:</b> a report may tell which.")))
    return lines
