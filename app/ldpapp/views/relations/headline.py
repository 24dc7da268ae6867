"""What the page Relations says first: which groups differ, how surely, and what all answers together tell."""

import math

from ldpapp import words
from ldpapp.views.relations import cached, names, sentences
from ldpapp.views.relations.view import RelationsView
from ldpapp.words.language import t
from ldpcore.plan.answers import rounded_up
from ldpcore.relations import IndependenceTest
from ldpcore.study.relations.mechanism import RelationFacts

ALIVE = 8_000_000_000
"""People on earth, about: a number above is nobody's."""
SURE = 0.05
"""A relation is told below this chance of so clear a table without one."""


def headline(view: RelationsView) -> tuple[str, str]:
    """The difference of the two sides, or where nobody chose them first which groups differ from all others; then in
    small type whether all of both questions is related. And the same where it is published: without what the true
    answers alone tell.
    """
    one, test, so = view.best, cached.independence(view.best), view.known.open_p
    related, published_related = (f'<span class="quiet">{_related(view, test, truth)}</span>' for truth in (so, None))
    if view.known.is_unchosen:
        gap = f"{_groups(view)} {_pair(view)}"
        return f"{gap} {related}", f"{gap} {published_related}"
    gap = _gap(view)
    people, raw = ("", _raw(view)) if one.is_different else (_people(one), "")
    published = " ".join(filter(None, [gap, raw, published_related]))
    return " ".join(filter(None, [gap, people, raw, related])), published


def _related(view: RelationsView, test: IndependenceTest | None, so: float | None) -> str:
    """The test over all groups and all answers: it may say yes where two sides do not differ, and the other way. It is
    one survey's; so: the same of the true answers, None where it is not to be said.
    """
    kx, ky = view.compared.people.counts.shape
    of = t("{groups} × {answers} answers", groups=kx, answers=ky)
    if test is None:
        return t("Whether all {of} are related is being computed.", of=of)
    if not test.df:
        return t("Whether all {of} are related <b>cannot be told</b>: nothing varies in these reports.", of=of)
    ps = t("p {p}", p=_p(test.p)) if so is None else t("p {p}, true answers p {so}", p=_p(test.p), so=_p(so))
    is_told = view.best.is_different or (view.known.is_unchosen and bool(view.best.told_from_others))
    if test.p < SURE:
        if is_told:
            return t("All {of} together show a relation, too ({ps}).", of=of, ps=ps)
        return t("All {of} together show a relation ({ps}).", of=of, ps=ps)
    if is_told:
        return t("All {of} together: a relation <b>cannot be told</b> ({ps}).", of=of, ps=ps)
    return t("Nor do all {of} together show a relation ({ps}).", of=of, ps=ps)


def _groups(view: RelationsView) -> str:
    """Which groups this survey tells from all others, all intervals at once, and how the clearest differs."""
    one, groups = view.best, view.compared.people.labels[0]
    answers, eps = names.side(view.compared, 2), words.epsilon(view.study.epsilon)
    holes = {
        "eps": eps,
        "answers": answers,
        "all": len(groups),
        "column": names.question(view.compared.people.names[0]),
    }
    if not one.told_from_others:
        return t(
            "In one simulated survey (ε = {eps}) {answers} tells <b>none</b> of the {all} groups of {column} from all "
            "others.",
            **holes,
        )
    clearest = one.told_from_others[0]
    gap = one.against_others[clearest]
    scale = 50 * float(gap.high - gap.low)
    first = t(
        "In one simulated survey (ε = {eps}) {answers} is <b>{gap}</b> among {group} than among all others, "
        "<b>{margin}</b>",
        gap=sentences.way(100 * gap.value, scale), group=names.several([groups[clearest]]),
        margin=sentences.margin(scale), eps=eps, answers=answers,
    )  # fmt: skip
    holes = {"first": first, "all": len(groups), "column": holes["column"]}
    if len(one.told_from_others) == 1:
        return t("{first}: one of {all} groups of {column} differs.", **holes)
    return t("{first}: {many} of {all} groups of {column} differ.", many=len(one.told_from_others), **holes)


def _pair(view: RelationsView) -> str:
    """The two sides that nobody chose, in short."""
    one, sides = view.best, [names.side(view.compared, side) for side in (0, 1)]
    holes = {"one": sides[0], "other": sides[1], "margin": sentences.margin(one.margin)}
    if one.is_different:
        seen = min(abs(one.difference), sentences.WIDEST)
        by = t("by {gap} {margin} points", gap=sentences.points(seen, one.margin), margin=sentences.margin(one.margin))
        if seen < one.margin:  # where this survey's own interval decides otherwise than the ± of any such
            by = t("by {ends} points", ends=sentences.interval(one.low, one.high, one.margin))
        if one.told_from_others:
            return t("{one} and {other} differ, too, {by}.", one=sides[0], other=sides[1], by=by)
        return t("{one} and {other} differ {by}.", one=sides[0], other=sides[1], by=by)
    if not one.estimate.told:
        return t("Too few people tell {one} from {other}: {margin}.", **holes)
    return t("{one} and {other} <b>cannot be told apart</b>: {margin}.", **holes)


def _gap(view: RelationsView) -> str:
    """The difference that a survey would say. The ± is that of any such survey; where its own interval decides
    otherwise, that interval is named.
    """
    one, compared = view.best, view.compared
    answers, first, other = (names.side(compared, side) for side in (2, 0, 1))
    sides = {"answers": answers, "one": first, "other": other, "eps": words.epsilon(view.study.epsilon)}
    holes = sides | {"margin": sentences.margin(one.margin)}
    if not one.estimate.told:
        return t(
            "At ε = {eps} there are <b>too few people to tell</b> whether {answers} is commoner among {one} than "
            "among {other}: a survey is off by {margin} points.",
            **holes,
        )
    seen = max(-sentences.WIDEST, min(sentences.WIDEST, one.difference))  # a raw estimate may lie beyond
    ends = sentences.interval(one.low, one.high, one.margin)
    is_wider = abs(seen) < min(one.margin, sentences.WIDEST + 1)
    if one.is_different:
        gap = sentences.way(seen, one.margin)
        finding = t("In one simulated survey (ε = {eps}) {answers} is <b>{gap}</b> among {one} than among {other}, "
                    "<b>{margin}</b>.",
                    gap=gap, **holes)  # fmt: skip
        return t("{finding} This survey’s own interval: {ends}.", finding=finding, ends=ends) if is_wider else finding
    if is_wider:
        return t(
            "In one simulated survey (ε = {eps}) the shares of {answers} among {one} and among {other} "
            "<b>cannot be told apart</b>: {seen} points seen, {margin}.",
            seen=sentences.points(seen, one.margin),
            **holes,
        )
    return t(
        "In one simulated survey (ε = {eps}) the shares of {answers} among {one} and among {other} "
        "<b>cannot be told apart</b>: its own interval, {ends}, holds 0.",
        ends=ends,
        **sides,
    )


def _people(one: RelationFacts) -> str:
    """Who would tell the true difference: internal, as that is."""
    gap = abs(one.compared.truth)
    if gap < 1e-12:
        return t("Among these people there is none.")
    truth = words.decimals(100 * gap)
    if one.people is None or one.people > ALIVE:
        return t("The true {truth} points would take more people than exist.", truth=truth)
    n = words.count(rounded_up(one.people))
    if one.estimate.told and one.difference * one.compared.truth < 0:
        return t("The true {truth} points the other way take about {n} people.", truth=truth, n=n)
    return t("The true {truth} points take about {n} people.", truth=truth, n=n)


def _raw(view: RelationsView) -> str:
    one = view.best
    if not math.isfinite(one.raw):
        return ""
    return t("The raw reports show {gap}.", gap=raw_way(one.raw, one.margin))


def raw_way(raw: float, scale: float) -> str:
    written = sentences.points(raw, scale)
    if float(written.replace(words.THIN, "")) == 0:
        return t("none")
    return t("{n} rarer", n=written) if raw < 0 else t("{n} commoner", n=written)


def _p(p: float) -> str:
    return t("&lt; {least}", least="0.001") if p < 0.001 else t("= {p}", p=f"{p:.3f}" if p < 0.1 else f"{p:.2f}")
