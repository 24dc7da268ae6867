"""What the attacks on one question tell, as the metrics of its rows: the quick ones first, then all."""

from collections.abc import Iterator

from ldpcore.questionnaire import measured, predictors
from ldpcore.study.definition import Study
from ldpcore.study.review.asking import options
from ldpcore.study.review.attack import FIRST, alone, answer_by_answer, refusal, scene, strongest
from ldpcore.study.review.compare import strongest_of
from ldpcore.study.review.hidden import Hidden, HiddenSurvey
from ldpcore.study.review.people import SurveyTable


def quick(
    study: Study, data: SurveyTable, here: HiddenSurvey, one: Hidden, secret: bool
) -> Iterator[tuple[str, float]]:
    """What the own report tells, exactly where that has a closed form, and what each other column tells beside it.

    Whoever sees more can look at the own report alone: no attack is said to manage less than that is known to.
    """
    exact = alone(one)
    if refusal(study, data, here, one.name, secret):  # what needs nobody to attack is known all the same
        yield from () if exact is None else zip(("own", "own:low", "own:high"), (exact,) * 3, strict=True)
        return
    others = {} if options(study).attacker == "own" else here.others(one.name)
    tried = measured((seen := scene(study, data, one, others)).only(()), FIRST)
    ends = (tried.pairs, tried.low, tried.high) if exact is None else (exact,) * 3
    yield from zip(("own", "own:low", "own:high"), ends, strict=True)
    yield from (("own:named", tried.named), ("own:surest", tried.surest))
    yield from (("blind", tried.blind), ("marked", tried.marked))
    if not others:
        return
    tellers = predictors(seen)
    known = exact or 0.0
    yield "first", max([known, measured(seen, FIRST).pairs, *(giver.pairs for giver in tellers if giver.low > 0)])
    for giver in tellers:
        yield f"with:{giver.column}", max(known, giver.pairs)
        yield f"gain:{giver.column}", giver.gain
        yield f"least:{giver.column}", giver.low


def whole(
    study: Study, data: SurveyTable, here: HiddenSurvey, one: Hidden, secret: bool
) -> Iterator[tuple[str, float]]:
    """What all that a person sends tells, to the strongest attacker; of secret answers also what all but their own
    report tells; and of each marked answer by itself, also where all are marked.
    """
    others = here.others(one.name)
    if not others:
        return
    if not refusal(study, data, here, one.name, secret):
        yield from _together(study, data, here, one, secret)
    for answer, pairs, low, high in answer_by_answer(data, one, others, study.seed):
        yield from ((f"answer:{answer}", pairs), (f"answer-low:{answer}", low), (f"answer-high:{answer}", high))


def _together(
    study: Study, data: SurveyTable, here: HiddenSurvey, one: Hidden, secret: bool
) -> Iterator[tuple[str, float]]:
    """All marked answers to a question, taken as one."""
    others = here.others(one.name)
    exposure, *_ = strongest_of(study, data, one.name, secret)
    ends, known = (exposure.pairs, exposure.low, exposure.high), alone(one) or 0.0
    if one.is_secret:
        rest = strongest(scene(study, data, one, others, sent=False))
        without = rest.pairs, rest.low, rest.high
        yield from zip(("others", "others:low", "others:high"), without, strict=True)
        ends = max(ends, without)  # whoever sees the own report need not look at it
    yield from zip(("pairs", "pairs:low", "pairs:high"), (max(known, each) for each in ends), strict=True)
    yield from (("named", exposure.named), ("surest", exposure.surest))
