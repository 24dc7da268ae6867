"""Two of people, ε and error are given: the third is the least that is enough, and the table says the same."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from ldpcore import catalog, questionnaire
from ldpcore.plan import answers
from ldpcore.plan.answers import Given
from ldpcore.study.frequency.plans import SharePlans

PLANS = SharePlans.of_levels("ULDP", np.where(np.arange(6) < 2, 1.0, np.inf), np.full(6, 1 / 6))
GIVEN = Given("people", "epsilon", people=70_000, epsilon=0.8, success=0.6, within=0.012)


def test_people_are_the_fewest_that_are_enough():
    for key in ("uSS", "GRR", ""):
        made = PLANS.of(key) if key else PLANS.limit()
        answer = answers.answered(PLANS, key, GIVEN)
        assert made is not None
        assert answer.people is not None
        assert made.within(0.8, answer.people) <= 0.012 * (1 + 1e-9) < made.within(0.8, answer.people - 1) * (1 + 1e-6)
        assert (answer.epsilon, answer.within) == (0.8, 0.012)


def test_epsilon_is_rounded_up_to_three_digits_and_enough():
    for key in ("uSS", "GRR"):
        made, answer = PLANS.of(key), answers.answered(PLANS, key, replace(GIVEN, what="epsilon"))
        assert answer.epsilon is not None
        assert made.within(answer.epsilon, 70_000) <= 0.012
        least = made.epsilon(70_000, 0.012)
        assert least is not None
        assert least * (1 - 1e-9) <= answer.epsilon < least * 1.011
        assert answer.epsilon == float(f"{answer.epsilon:.3g}")


def test_the_epsilon_that_none_undercuts_is_never_rounded_up():
    """Search below what is said: no ε there is enough for the limit; and no more than three digits are lost."""
    made = PLANS.limit()
    assert made is not None
    for people in (9_000, 25_000, 70_000, 151_000, 400_000):
        for within in (0.0101, 0.012, 0.0173, 0.025):
            shown = answers.answered(PLANS, "", replace(GIVEN, what="epsilon", people=people, within=within)).epsilon
            assert shown is not None
            assert shown == float(f"{shown:.3g}")
            for below in (0.5, 0.99, 1 - 1e-6):
                assert made.within(shown * below, people) > within, (people, within)
            assert made.within(shown * 1.0101, people) <= within, (people, within)


def test_an_attacker_who_may_manage_so_much_gives_epsilon():
    given = replace(GIVEN, by="success", what="within")
    answer, made = answers.answered(PLANS, "uSS", given), PLANS.of("uSS")
    assert answer.epsilon == made.most_epsilon(0.6)
    assert answer.epsilon is not None
    assert answer.within == pytest.approx(made.within(answer.epsilon, 70_000))
    none = answers.answered(PLANS, "uSS", replace(given, success=0.3))  # a blind guess among two is right half the time
    assert (none.epsilon, none.within) == (None, None)
    assert answers.blind(PLANS, "uSS") == 0.5


def test_the_table_says_what_each_answer_says():
    rows = answers.table(PLANS, ["uSS", "GRR"], GIVEN)
    assert rows["mechanism"].tolist() == ["uSS", "GRR", ""]
    for _, row in rows.iterrows():
        answer = answers.answered(PLANS, row["mechanism"], GIVEN)
        assert (row["people"], row["epsilon"], row["within"]) == (answer.people, answer.epsilon, answer.within)
    assert rows["guessed"].iloc[0] == PLANS.of("uSS").success(0.8)
    assert np.isnan(rows["guessed"].iloc[2]), "of the limit nothing is known"
    by_success = answers.table(PLANS, ["uSS"], replace(GIVEN, by="success"))
    assert by_success["mechanism"].tolist() == ["uSS"]
    curve = answers.needed(PLANS, "uSS", 0.012, (0.5, 0.8))
    assert curve["value"].tolist() == [PLANS.of("uSS").people(x, 0.012) for x in (0.5, 0.8)]
    assert answers.needed(PLANS, "", 0.012, (0.5,))["mechanism"].tolist() == ["limit"]


@pytest.mark.parametrize(("times", "shown"), [(1.02, 0.7), (1.012, 0.7), (1.004, None)])
def test_a_smaller_epsilon_is_better_only_where_it_shows(times, shown):
    """Half a percent changes the digits that are written."""
    made = replace(PLANS.of("uSS"), whole=lambda epsilon: 1 if epsilon <= 0.7 else 2,
                   alone=lambda epsilon: 0.7 / epsilon if epsilon <= 0.7 else times)  # fmt: skip
    plans = SimpleNamespace(of=lambda key: made)
    assert answers.smaller(plans, "", 0.9) == (shown and pytest.approx(shown, rel=0.02))  # type: ignore[arg-type]
    assert answers.smaller(plans, "", 0.6) is None  # type: ignore[arg-type]


def test_levels_are_told_apart_by_the_report():
    even = np.array([0.1, 0.2, 0.3, 0.4])
    graded = SharePlans.of_levels("levels", np.array([0.5, 1.0, np.inf, np.inf]), even)
    assert graded.levels == (1.0, 2.0, np.inf, np.inf)
    assert graded.secret == (True, False, False, False)
    flat = SharePlans.of_levels("ULDP", np.array([0.5, 0.5, np.inf, np.inf]), even)
    for plans in (graded, flat):
        apart = [plans.told_apart("uSS", epsilon) for epsilon in (0.1, 1.0, 4.0)]
        assert None not in apart
        assert 0.5 < apart[0] < apart[1] < apart[2] < 1  # type: ignore[operator]
    built = catalog.ANSWERS["gSub"].protecting(np.array([1.0, 2.0, np.inf, np.inf]), 1.0, None)
    secret = questionnaire.exactly(built, np.array([True, False, False, False]), even)
    assert graded.told_apart("gSub", 1.0) == pytest.approx(secret)
    assert replace(flat, freq=None).told_apart("uSS", 1.0) is None


@pytest.mark.parametrize("key", ["uSS", "HR", "gSub"])
@pytest.mark.parametrize("every", [False, True])
@pytest.mark.parametrize("freq", [(0.05, 0.15, 0.5, 0.3), None])
def test_who_is_least_exact_errs_as_much_as_all_and_no_answer_by_itself_errs_more(key, every, freq):
    levels = (1.0, 3.0, np.inf, np.inf) if key in catalog.LEVELS else ()
    plans = SharePlans("ULDP", (True, True, False, False), freq, every, levels, asked=0.5, design_effect=1.5)
    each = plans.of(key).each
    assert each is not None
    for epsilon in (0.5, 2.0, 6.0):
        alone = [replace(plans, answer=code).of(key).within(epsilon, 1) for code in range(4)]
        assert each(epsilon).tolist() == alone
        assert answers.least_exact(plans, key, epsilon, 4) == alone.index(max(alone))
        assert every or max(alone) == plans.of(key).within(epsilon, 1)
