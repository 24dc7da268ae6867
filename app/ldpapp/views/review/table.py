"""What each question promises and costs: a row per hidden question, one line for all that are open."""

from collections.abc import Mapping

from ldpapp import charts, words
from ldpapp.parts import levels, widgets
from ldpapp.parts.panels import Filling, Html, Line, Menu, Panel, Reach, Sheet
from ldpapp.state.model import study_of
from ldpapp.views.review import marking, planner, proposal, sentences
from ldpapp.views.review import sidebar as own
from ldpapp.words.language import t
from ldpcore.study import Study, review
from ldpcore.study.review import tables
from ldpcore.study.review.facts import QuestionFacts, ReviewFacts


def panel(study: Study, people: review.SurveyTable, known: ReviewFacts, main: QuestionFacts) -> Panel:
    survey, facts = known.asked, known.every
    rows = "".join(_row(study, people, known, fact) for fact in facts.values())
    head = "".join(f'<span role="columnheader">{text}</span>' for text in (t("question, marks"), *_heads(known)))
    axis = charts.apart_axis(t("The axis: from 50 of 100, guessing, to 100"), widgets.is_dark())
    open_ = _open(survey, people)
    seen = [fact for fact in facts.values() if fact.own is not None]
    exact = t(", exact") if seen and all(fact.exact for fact in seen) else ""
    key = t("Stroke: own report{exact}; dot: everything, simulated.", exact=exact)
    if study.option("attacker") == "own":
        key = t("Dot: told apart by the own report{exact}.", exact=exact)
    text = sentences.by_whom(main, widgets.escape(main.asked.name))
    gained = ""
    if facts[main.asked.name].secret is not None:
        price = review.as_secret(study, people, main.asked.name)
        gained = sentences.gained(facts[main.asked.name], price, widgets.escape(main.asked.name))
    open_still = _left_open(study, people, survey)
    copied = sentences.copied(known.copies, widgets.escape)
    return Panel(
        "review",
        t("Question by question"),
        [
            *([Html(f'<div class="card" role="alert">{copied}</div>', Reach.INTERNAL)] if copied else []),
            Html(
                f'<div class="review" role="table"><div class="row head" role="row">{head}</div>{rows}'
                f'<div class="row foot" role="row">{"".join(map(_cell, ("", "", "", axis, "")))}</div>{open_}</div>',
                Reach.INTERNAL,
                f"{_signed(known.published.every)}{open_}",
            ),
            *([Line(gained)] if gained else []),
            *([Line(open_still, Reach.SCREEN)] if open_still else []),
            *(
                Line(each, Reach.INTERNAL)
                for each in (sentences.proof(known), *_advice(known), text, sentences.beaten_by_none(main))
                if each
            ),
        ],
        Filling(people, [study], t("looks at the questions"), key, t("± whatever people answer."), pieces=True),
        [
            Menu(t("edit"), lambda: _edit(people), "review_edit", does=True),
            Sheet(tables.questions(facts), "review", internal=tables.INTERNAL),
        ],
    )


def _left_open(study: Study, people: review.SurveyTable, survey: review.HiddenSurvey) -> str:
    """Questions that are sent openly though words of theirs are delicate; "" where there are none."""
    rest = proposal.unmarked(proposal.proposed(study, people))
    names = [name for name in rest.marks if rest.delicate and name in survey.open]
    if not names:
        return ""
    listed = widgets.escape(words.listing(words.shorten(name, 28) for name in names))
    return t("<b>Sent openly, with delicate words: {names}.</b> “delicate” above marks them.", names=listed)


def _advice(known: ReviewFacts) -> tuple[str, ...]:
    """What a board would ask before it signs: what is safer, what is paid for nothing, who does not count."""
    left = sentences.left_out(known) if known.data.dropped and known.study.n is None else ""
    return sentences.together(known), sentences.unlearned(known), left


def _heads(known: ReviewFacts) -> tuple[str, str, str, str]:
    """Of the columns beside the question: above them, and on a phone in every cell."""
    spent = t("ε for {within}", within=planner.wanted(known)) if not known.asked.leveled else "ε"
    return spent, t("we learn, ± 95 %"), t("told apart, of 100 pairs"), t("helped by")


def _edit(people: review.SurveyTable) -> None:
    own.focus(study_of("review"), list(people.questions), t("Question"), "review_focus")
    marking.edit(people)


def _signed(found: Mapping[str, QuestionFacts]) -> str:
    """What each question promises, and costs at most, whatever people answer."""
    margin = t("± 95 %, points, at most")
    heads = (t("question"), t("sensitive"), t("mechanism"), t("bits"), "ε", margin)
    rows = [
        (fact.asked.name, marks, fact.asked.key, words.count(fact.bits), words.epsilon(epsilon), words.points(margin))
        for fact in found.values()
        for marks, epsilon, margin in _per_level(fact)
    ]
    head = "".join(f"<th>{each}</th>" for each in heads)
    body = "".join(f"<tr>{''.join(f'<td>{widgets.escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f'<div class="card"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _per_level(fact: QuestionFacts) -> list[tuple[str, float, float]]:
    """The marks of a question, their ε and margin: of all, or where some are secret level by level."""
    one = fact.asked
    if not fact.levels:
        return [(", ".join(one.marks), one.epsilon, fact.margin)]
    parts = {
        "secret": (t("secret: {answers}", answers=", ".join(one.named(one.secret))), one.secret_epsilon),
        "private": (t("private: {answers}", answers=", ".join(one.named(one.private))), one.epsilon),
    }
    margins = fact.margins_by_level
    return [(*parts[level], margins[level]) for level in parts if level in margins]


def _row(study: Study, people: review.SurveyTable, known: ReviewFacts, fact: QuestionFacts) -> str:
    """A question; where it has private and secret answers, these by themselves in a second row."""
    chips = _levels if known.asked.leveled else _chips  # the words of a survey are the same in all of its questions
    name = f"<b>{widgets.escape(words.shorten(fact.asked.name, 32))}</b><br>{chips(fact.asked)}"
    if fact.unanswered:
        absent = t("{n} gave no answer: counted as one", n=words.count(fact.unanswered))
        name = f'{name}<br><span class="quiet">{absent}</span>'
    if fact.secret is None:
        return _cells(study, people, known, fact, name, fact.margin)
    secret = words.listing(words.shorten(each, 28) for each in fact.asked.named(fact.asked.secret)[:SHOWN])
    more = int(fact.asked.secret.sum()) - SHOWN
    if more > 0:
        secret = t("{names} and {n} more", names=secret, n=more)
    only = t("{secret} alone: {answers}", secret=widgets.sensitive(t("secret")), answers=widgets.escape(secret))
    return _cells(study, people, known, fact, name, fact.margins_by_level["private"]) + _cells(
        study, people, known, fact.secret, only, fact.secret.margin, " level"
    )


def _cells(
    study: Study,
    people: review.SurveyTable,
    known: ReviewFacts,
    fact: QuestionFacts,
    what: str,
    margin: float,
    kind: str = "",
) -> str:
    texts = (
        _epsilon(known, fact), _learned(fact, margin), _drawn(study, people, known.asked, fact),
        giver(fact, brief=True),
    )  # fmt: skip
    cells = [f'<span role="cell" class="what">{what}</span>']
    cells += [
        f'<span role="cell" class="{name}" data-label="{head}">{text}</span>'
        for name, head, text in zip(("eps", "error", "told", "giver"), _heads(known), texts, strict=True)
    ]
    return f'<div class="row{kind}" role="row">{"".join(cells)}</div>'


def _epsilon(known: ReviewFacts, fact: QuestionFacts) -> str:
    """What the question needs for the error that is wanted; of levels the ε that each has."""
    if known.asked.leveled:
        return words.epsilon(fact.epsilon)
    needs = fact.needed_epsilon
    number = f"<b>{words.epsilon(needs)}</b>" if needs is not None else t("none")
    if known.study.option("parts") and needs is not None and words.epsilon(needs) != words.epsilon(fact.epsilon):
        return f'{number}<br><span class="quiet">{t("used: {eps}", eps=words.epsilon(fact.epsilon))}</span>'
    worst = len(known.every) > 1 and known.neediest == fact.asked.name
    return f'{number}<br><span class="quiet">{t("worst")}</span>' if worst else number


def _learned(fact: QuestionFacts, most: float) -> str:
    """± of the least exact of the answers that can be measured, and how common these are; or that none can."""
    margin, shares = words.points(most), fact.learned
    marked = int(fact.asked.aimed(fact.secretly).marked.sum())
    if not shares:
        some = t("too rare") if marked == 1 else t("all {n} too rare", n=marked)
        return f'<b>{some}</b><br><span class="quiet">{t("rarer than {margin}", margin=margin)}</span>'
    low, high = (words.share(end) for end in (min(shares.values()), max(shares.values())))
    on = t("on {share}", share=low)
    if len(shares) == 2:
        on = t("on {low} and {high}", low=low, high=high)
    elif len(shares) > 2:
        on = t("on {low} to {high}", low=low, high=high)
    if len(shares) < marked:
        on = t("{n} of {all} measurable", n=len(shares), all=marked)
    return f'<b>{margin}</b><br><span class="quiet">{on}</span>'


def _cell(text: str) -> str:
    return f'<span role="cell">{text}</span>'


def _chips(one: review.Hidden) -> str:
    colors = widgets.colors()
    if one.marked.all():
        hidden = t("all {n} hidden", n=len(one.marked))
        return f'<i class="chip" style="border:1px solid {colors.ink3}">{hidden}</i>'
    marked, rest = int(one.marked.sum()), int((~one.marked).sum())
    sensitive, other = t("{n} sensitive", n=marked), t("{n} other", n=rest)
    return (
        f'<i class="chip" style="background:{colors.sensitive};color:{colors.page}">{sensitive}</i> '
        f'<i class="chip" style="background:{colors.floor}">{other}</i>'
    )


def _levels(one: review.Hidden) -> str:
    secret, private, public = (int(part.sum()) for part in (one.secret, one.private, ~one.marked))
    chips = {
        levels.SECRET: (secret, t("{n} secret", n=secret)),
        levels.SENSITIVE: (private, t("{n} private", n=private)),
        levels.PUBLIC: (public, t("{n} public", n=public)),
    }
    return " ".join(levels.chip(level, chips[level][1], widgets.is_dark()) for level in levels.ORDER if chips[level][0])


def apart(fact: QuestionFacts, own: float, dark: bool = False, alone: bool = False) -> str:
    """Stroke and dot of a question whose own report tells so many pairs apart. alone: without the dot."""
    alt = t("{own} of 100 pairs by the own report", own=words.of_100(own))
    if fact.pairs is not None:
        alt = t(
            "{own} of 100 pairs by the own report, {every} with every other answer",
            own=words.of_100(own),
            every=words.of_100(fact.pairs),
        )
    half = None if fact.interval is None else (fact.interval[1] - fact.interval[0]) / 2
    return charts.apart(own, fact.pairs, alt, dark, half=half, alone=alone)


def _drawn(study: Study, people: review.SurveyTable, here: review.HiddenSurvey, fact: QuestionFacts) -> str:
    refused = "" if fact.attacked else review.refusal(study, people, here, fact.asked.name, fact.secretly)
    if drawn := whole(fact, widgets.is_dark(), "span", "quiet"):
        return drawn
    if fact.own is None:
        known = fact.secretly or fact.told.get("mse") is not None
        return widgets.escape(refused) if known and refused else t("not looked at yet")
    drawn = apart(fact, fact.own, widgets.is_dark(), alone=bool(refused))
    below = t("too few people for the rest") if refused else most_of(fact)
    return f'{drawn}<span class="quiet">{below}</span>' if below else drawn


def whole(fact: QuestionFacts, dark: bool, tag: str, look: str) -> str:
    """Of a question that is hidden as a whole the answer that is told apart most from all others; "" of any other."""
    if fact.own is not None or (worst := fact.worst_answer) is None:
        return ""
    alone = fact.own_of(worst.answer) or worst.pairs
    alt = t(
        "{own} of 100 pairs by the own report, {every} with every other answer",
        own=words.of_100(alone),
        every=words.of_100(worst.pairs),
    )
    drawn = charts.apart(alone, worst.pairs, alt, dark, half=(worst.high - worst.low) / 2)
    return f'{drawn}<{tag} class="{look}">{most_of(fact)}</{tag}>'


def most_of(fact: QuestionFacts) -> str:
    """The marked answer that is told apart most by itself, and in how many pairs; "" where none is more than all."""
    if (worst := fact.worst_answer) is None:
        return ""
    name = widgets.escape(sentences.answer(fact, worst.answer))
    holes = {"told": words.of_100(worst.pairs), "ends": words.span((worst.low, worst.high), words.of_100, to="–")}
    return t("{answer}: <b>{told}</b> ({ends})", answer=name, **holes)


def giver(fact: QuestionFacts, brief: bool = False) -> str:
    """By what: the strongest single giver, all others together, or the own report alone."""
    if fact.worst is not None:
        name = widgets.escape(words.shorten(fact.worst.column, 20))
        return f'<b>{name}</b><br><span class="quiet">{words.of_100(fact.worst.pairs)}</span>'
    if fact.worst_answer is not None and fact.worst_answer_giver is not None:
        name = widgets.escape(words.shorten(fact.worst_answer_giver.column, 20))
        answer = widgets.escape(sentences.answer(fact, fact.worst_answer.answer))
        pairs = words.of_100(fact.worst_answer_giver.pairs)
        return f'<b>{name}</b><br><span class="quiet">{t("{answer}: {pairs}", answer=answer, pairs=pairs)}</span>'
    if fact.interval is None:
        return "" if fact.pairs is not None or fact.own is None else f"<b>{t('own report')}</b>"
    if fact.together is not None:
        more = t("together {gain}", gain=words.signed(round(100 * fact.together)))
        return f'<b>{t("no single one")}</b><br><span class="quiet">{t("beyond chance; {more}", more=more)}</span>'
    nothing = t("nothing sure") if brief else t("nothing else adds beyond chance")
    return f'<b>{t("own report")}</b><br><span class="quiet">{nothing}</span>'


def _open(here: review.HiddenSurvey, people: review.SurveyTable) -> str:
    if not here.open:
        return ""
    openly = [sentences.in_classes(people, name) for name in here.open]
    names = widgets.escape(words.listing(openly[:8]))
    if len(openly) > 8:
        names = t("{names} and {n} more", names=widgets.escape(", ".join(openly[:7])), n=len(openly) - 7)
    text = t("<b>Open, exact</b>: {names}", names=names)
    if here.known:
        known = widgets.escape(words.listing(words.shorten(name, 30) for name in here.known))
        text = t("{open}. <b>Not asked, known anyway</b>: {known}", open=text, known=known)
    return f'<div class="open" role="row">{_cell(text)}</div>'


SHOWN = 3
"""Secret answers that are named in their row."""
