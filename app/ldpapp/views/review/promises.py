"""What a survey promises, and what not, in odds: the quarters below the questions of the page that is signed."""

from ldpapp import words
from ldpapp.views.review import lies, planner, sentences
from ldpapp.words.language import t
from ldpcore.catalog import Coverage, coverage
from ldpcore.study import review
from ldpcore.study.review.facts import ReviewFacts


def _raised(known: ReviewFacts, who: str, publishable: bool) -> str:
    """Odds as chances: from that of the commonest protected answer, by name, or from 1 in 100."""
    if publishable or not known.common:
        return t("if 1 in 100 has it, to {part} in 100", part=words.bound_of_100(known.believed[who]))
    part, (fact, answer) = words.bound_of_100(known.surer[who]), known.commonest
    if who == "person":
        if known.commonest_of_all == known.commonest:
            return t("to {part} in 100", part=part)
        fact, answer = known.commonest_of_all
    share, named = words.share(fact.share_of(answer)).removesuffix("\u00a0%"), lies.named(fact, answer)
    return t("{answer} from {share} to {part} in 100", answer=named, share=share, part=part)


def promised(known: ReviewFacts, publishable: bool = False) -> list[str]:
    """What nobody can do, in odds, and what these make of the commonest such answer."""
    holes = {"times": words.times(known.odds["report"], most=True), "raised": _raised(known, "report", publishable)}
    odds = t("A report raises odds at most <b>{times}</b> ({raised}).", **holes)
    if known.asked.leveled:
        secret = words.ratio(known.odds["secret"], most=True)
        odds = t(
            "A report raises odds at most <b>{times}</b> ({raised}), a <b>secret</b> one’s {secret}.",
            secret=secret,
            **holes,
        )
    lines = [t("No report <b>proves</b> its own protected answer."), odds]
    if len(known.asked.scheme.blocks) > 1:
        lines.append(t("Each person answers one of the protected questions, drawn by lot."))
    return lines


def open_(known: ReviewFacts, publishable: bool) -> list[str]:
    """What is not promised: all reports of a person, ruling out, what is shown, what is out of reach, and lies."""
    sent = known.asked.rows * max(map(len, known.asked.scheme.blocks))
    lines: list[str] = []
    if sent > 1:
        lines.append(
            t(
                "One person’s {n} reports, if related: odds up to <b>{times}</b> (ε\u00a0{eps}), "
                "{raised}; asked again, more.",
                n=words.count(sent),
                times=words.times(known.odds["person"], most=True),
                eps=words.epsilon(known.asked.promised()),
                raised=_raised(known, "person", publishable),
            )
        )
        lines += sentences.safer(known)
    else:
        lines.append(t("Asked again, odds multiply."))
    if known.asked.open:
        may = t("<b>Open answers</b> may tell protected ones, together also whose they are.")
        lines.append(may if publishable else sentences.proof(known))
    covered = {coverage(review.CATALOG[one.key].promise) for one in known.asked.hidden.values()}
    if Coverage.MARKED in covered:
        lines += _shown(known)
    if (nearest := known.nearest) is not None:
        rare = sum(len(each.rare) for each in known.every.values())
        lines.append(planner.beyond(*nearest, count=rare))
    if publishable and known.in_use:
        lines.append(t("<b>ε was calculated</b> from the shares of these data, which it may tell."))
    return [line for line in (*lines, *_lies(known, publishable)) if line]


def _shown(known: ReviewFacts) -> list[str]:
    """That a report may rule answers out, and of the answers that are not protected how many it shows for sure."""
    shown = [fact.shown for fact in known.every.values() if fact.shown is not None]
    low, high = words.of_100(min(shown, default=0.0)), words.of_100(max(shown, default=0.0))
    part = low if low == high else t("{low}–{high}", low=low, high=high)
    return [t("Of 100 unmarked answers <b>{part}</b> are <b>proven</b> by their reports.", part=part)]


def _lies(known: ReviewFacts, publishable: bool) -> list[str]:
    """Who denies an answer, and who sends a report that nobody drew."""
    if publishable:
        denied = [lies.denied_published(known)] if known.denied is not None else []
        return [*denied, t("<b>False reports</b> can move a share past its margin.")]
    lines = []
    if (fact := known.denied) is not None:
        lines.append(
            t(
                "If 1 in {n} <b>deny</b> {answer}, it reads {bias} points low.",
                n=words.count(known.study.option("denying")),
                answer=lies.named(fact, fact.deniable),
                bias=words.decimals(100 * (fact.denied or 0.0)),
            )
        )
    if (first := known.easiest) is not None:
        lines.append(
            t(
                "<b>{n} false reports</b> move {answer} past its margin.",
                n=words.count(first.false_reports or 0),
                answer=lies.named(first, first.spoken),
            )
        )
    return lines
