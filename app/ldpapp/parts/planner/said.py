"""What a planner answers, in sentences: one number large, what it means, and what would help where there is none."""

from ldpapp import words
from ldpapp.parts import widgets
from ldpapp.parts.planner.asked import PlannerSubject, answered, blind, success, table
from ldpapp.parts.planner.asked import smaller as smaller_epsilon
from ldpapp.parts.planner.given import worst
from ldpapp.words.language import t
from ldpcore import plan
from ldpcore.catalog import Coverage
from ldpcore.plan.answers import Given, PlannerAnswer, Plans
from ldpcore.study.tasks import TASKS


def answer(asked: PlannerSubject, plans: Plans, given: Given, found: PlannerAnswer) -> str:
    """The third quantity, large; or why there is none."""
    key, title, number = widgets.named(asked.name(asked.focus)), "", None
    if given.what == "epsilon":
        title, number = (
            t("With {key} ε must be", key=key),
            None if found.epsilon is None else words.epsilon(found.epsilon),
        )
        if given.by == "success" and found.epsilon is not None:
            won = success(plans, asked.focus, found.epsilon)
            title, number = (
                t("With {key} so many are guessed", key=key),
                None if won is None else words.chance_of_100(won),
            )
    elif given.what == "people":
        title = t("With {key} so many people must answer", key=key)
        number = None if found.people is None else words.count(found.people)
    else:
        title, number = asked.off(key), None if found.within is None else asked.unit.write(found.within)
    if number is None:
        return f'<div class="card"><b>{never(asked, plans, given, found)}</b></div>'
    return f'<div class="card plan"><span>{title}</span> <b class="big">{number}</b></div>'


def never(asked: PlannerSubject, plans: Plans, given: Given, found: PlannerAnswer) -> str:
    """Why it cannot be reached."""
    if given.what == "epsilon":
        return t("Cannot be reached: no ε up to {most} suffices.", most=words.epsilon(plan.HIGHEST))
    if found.epsilon is None:
        least = success(plans, asked.focus, plan.LOWEST)
        return t(
            "Cannot be reached: even at ε = {least} it is {won}.",
            least=words.epsilon(plan.LOWEST),
            won=words.chance_of_100(least or 0.0),
        )
    if given.what == "people":
        return t("Cannot be reached with any number of people.")
    return t("Cannot be reached: nothing is told.")


def helps(asked: PlannerSubject, plans: Plans, given: Given, found: PlannerAnswer) -> str:
    """What would reach it, where it is not; "" where it is."""
    made = plans.of(asked.focus)
    if given.what == "epsilon" and found.epsilon is None:
        most, n = plan.HIGHEST, made.people(plan.HIGHEST, given.within)
        if n is None:
            return t("Another mechanism can: the table has all of them.")
        return t(
            "More people, or a larger error, can: at ε = {most} it takes {n} people, or {within}.",
            most=words.epsilon(most),
            n=words.count(n),
            within=asked.unit.write(made.within(most, given.people)),
        )
    if given.what != "epsilon" and found.epsilon is None:
        guess = words.chance_of_100(blind(plans, asked.focus))
        return t("Without any report it is {blind}: tolerate more than that.", blind=guess)
    reached = found.people is not None and found.within is not None
    return "" if reached else t("Another mechanism can: the table has all of them.")


def meaning(asked: PlannerSubject, plans: Plans, found: PlannerAnswer) -> str:
    """What this ε lets an attacker do; "" where no ε is found."""
    if found.epsilon is None or asked.guessed is None:
        return ""
    won = success(plans, asked.focus, found.epsilon)
    if won is None:
        return ""
    holes = {"won": words.chance_of_100(won), "blind": words.of_100(blind(plans, asked.focus))}
    return asked.guessed(eps=words.epsilon(found.epsilon), **holes)


def smaller(asked: PlannerSubject, plans: Plans, given: Given, found: PlannerAnswer) -> str:
    """Where a smaller ε needs fewer people, or errs less, as a mechanism's whole numbers step: that; "" elsewhere."""
    if found.epsilon is None or given.what == "epsilon":
        return ""
    better = smaller_epsilon(plans, asked.focus, found.epsilon)
    if better is None:
        return ""
    made, won = plans.of(asked.focus), success(plans, asked.focus, better)
    if given.what == "people":
        fewer = made.people(better, given.within)
        sentence = t("A smaller ε is better here: at ε = {eps} {n} people are enough.", eps=words.epsilon(better),
                     n=words.count(fewer or 0))  # fmt: skip
    else:
        less = asked.unit.write(made.within(better, given.people))
        sentence = t("A smaller ε is better here: at ε = {eps} it is {less}.", eps=words.epsilon(better), less=less)
    if asked.guessed is None or won is None:
        return sentence
    return t("{finding} Then {won} people are guessed.", finding=sentence, won=words.chance_of_100(won))


def covers(asked: PlannerSubject, plans: Plans, given: Given) -> str:
    """That the mechanism protects marked answers alone, and what the best of those that protect every answer takes; ""
    where it protects them all itself.
    """
    entries = TASKS[asked.task].CATALOG.by_coverage()
    if asked.focus not in entries[Coverage.MARKED]:
        return ""
    rows = table(plans, tuple(key for key in asked.keys if key in entries[Coverage.EVERY]), given)
    rows = rows[rows["mechanism"] != ""].dropna(subset=[given.what])
    # Two that are the same mechanism here (SS that sends one value is GRR) end a search at other last digits.
    rows = rows.sort_values(given.what, kind="stable", key=lambda column: column.map("{:.6g}".format).astype(float))
    key = widgets.named(asked.name(asked.focus))
    if rows.empty:
        return t("{key} protects the marked answers alone.", key=key)
    best, wrote = rows.iloc[0], {"people": words.count, "within": asked.unit.write}
    number = wrote.get(given.what, lambda epsilon: t("ε = {eps}", eps=words.epsilon(epsilon)))(best[given.what])
    other = widgets.named(asked.name(best["mechanism"]))
    return t("{key} protects the marked answers alone; {other}, for all answers: {number}.", key=key, other=other,
             number=number)  # fmt: skip


def few(asked: PlannerSubject, plans: Plans, found: PlannerAnswer) -> str:
    """That the normal law is not reached; "" where it is."""
    if found.people is None or not found.within or plans.of(asked.focus).normal(found.people, found.within):
        return ""
    return t("So few reports are not yet normal: the ± holds less often than it says.")


def both(asked: PlannerSubject, found: PlannerAnswer) -> str:
    """The ε of every level; "" where there is one."""
    return "" if asked.both is None or found.epsilon is None else asked.both(found.epsilon)


def exact(asked: PlannerSubject, plans: Plans, found: PlannerAnswer) -> str:
    """What else is known of the ε that was found."""
    return "" if asked.exact is None or found.epsilon is None else asked.exact(plans, found.epsilon)


def least(plans: Plans, asked: PlannerSubject, given: Given) -> str:
    """What no mechanism can do better, and of shares what that is averaged over; "" where it is not known."""
    text = _least(plans, asked, given)
    if text and asked.answers and not worst(asked):
        return t("{text} That is averaged over which answers are common.", text=text)
    return text


def _least(plans: Plans, asked: PlannerSubject, given: Given) -> str:
    if given.what != "epsilon" and given.by == "success":
        return ""
    reached = answered(plans, "", given)
    if given.what == "people" and reached.people is not None and reached.people > 1:
        return t(
            "No mechanism with this promise, estimated without bias, needs fewer than {n} people.",
            n=words.count(reached.people),
        )
    if given.what == "epsilon" and reached.epsilon is not None and reached.epsilon > plan.LOWEST:
        return t(
            "No mechanism with this promise, estimated without bias, needs less than ε = {eps}.",
            eps=words.epsilon(reached.epsilon),
        )
    if given.what == "within" and reached.within:
        return t(
            "No mechanism with this promise, estimated without bias, errs less than {within}.",
            within=asked.unit.floor(reached.within),
        )
    return ""


def inside() -> str:
    """What the fold holds."""
    return t("or which error")
