"""The Means view's last row: blind guesses, and people who choose their marks, held against the engine's own."""

import numpy as np
import pandas as pd
import pytest

from ldpapp import words
from ldpapp.views.means import personal
from ldpcore import data
from ldpcore.attacks import within
from ldpcore.study import Marks, Source, Study, means
from ldpcore.study.means import personal as means_personal
from ldpcore.study.means.personal import ALIKE, MIXES, SHARES, PersonalMarks

RNG = np.random.default_rng(3)
TABLE = data.read(pd.DataFrame({"x": np.round(RNG.beta(2, 4, 4000) * 100)}).to_csv(index=False).encode(), "x.csv")
STUDY = Study(
    Source("x.csv", TABLE.digest), "x", Marks.of(["60..100"]), ("SDPM",), task="means", bins=(0, 100, 32), grid=()
)
FOUND = means.prepare(STUDY, TABLE)


def errors(choice: PersonalMarks, epsilon: float = 1.0) -> pd.DataFrame:
    return means_personal.errors(means_personal.studies(STUDY, choice, FOUND.interval), FOUND, choice, (epsilon,))


@pytest.mark.parametrize("place", means_personal.PLACES)
def test_the_errors_are_the_engine_s(place):
    """At ε = 1 the engine draws the same groups."""
    choice = PersonalMarks(place=place)
    asked = means_personal.studies(STUDY, choice, FOUND.interval)
    mine = errors(choice).set_index("line")["value"]
    for line in ALIKE:
        assert mine[line] == pytest.approx(theory(asked.alike[line])["mse:unbiased"])
    assert mine["by share"] == pytest.approx(theory(asked.mixed)["mse:unbiased"])
    assert mine["min. variance"] == pytest.approx(theory(asked.mixed)["mse:unbiased:minimum-variance"])
    assert asked.every == (*asked.alike.values(), asked.mixed)


def theory(study: Study) -> pd.Series:
    return means.theory(study, FOUND).set_index("metric")["theory"]


def test_the_surveys_so_far_are_told_line_by_line():
    """Roots of the mean squared errors by EM: of each line from the surveys that are its own."""

    def rows(metric: str, *errors: float) -> pd.DataFrame:
        return pd.DataFrame({"metric": metric, "value": errors})

    alike = {line: rows("mse:em", 4.0 * at, 4.0 * at) for at, line in enumerate(ALIKE, 1)}
    mixed = pd.concat([rows("mse:em", 9.0), rows("mse:em:minimum-variance", 1.0, 7.0), rows("mse:unbiased", 99.0)])
    found = means_personal.simulated(alike, mixed)
    assert found == {
        **{line: (2.0 * at**0.5, 2) for at, line in enumerate(ALIKE, 1)},
        "by share": (3.0, 1),
        "min. variance": (2.0, 2),
    }
    assert means_personal.simulated({line: rows("mse:em") for line in ALIKE}, rows("mse:em")) == {}


def test_groups_that_differ_bias_the_minimum_variance_alone():
    found = errors(PersonalMarks("upper", "paper", "own"), 4.0).set_index("line")
    bias, square = (found.loc[["by share", "min. variance"], column].to_numpy(float) for column in ("bias", "value"))
    assert bias[0] == pytest.approx(0, abs=1e-9)
    assert abs(bias[1]) > 0.3
    assert square[1] > square[0]


def test_everybody_marks_one_of_the_three_shares():
    assert all(len(mix) == len(SHARES) and sum(mix) == pytest.approx(1) and min(mix) > 0 for mix in MIXES.values())


def test_the_blind_guess():
    guess, covered = means_personal.blind(STUDY, FOUND, 10)
    m = means.cell(STUDY, FOUND, "SDPM", 1.0).groups[0].mechanism
    held = np.histogram(FOUND.points, m.inputs, weights=FOUND.counts)[0]
    assert covered["all"] == pytest.approx(within.blind(m, 10 / FOUND.unit, held / held.sum()))
    assert 0 < guess < 50
    assert covered["sensitive"] == 0


@pytest.mark.parametrize(
    ("choice", "epsilon"), [(PersonalMarks("upper", "few"), 0.1), (PersonalMarks("upper", "paper", "own"), 4.0)]
)
def test_the_finding_tells_gain_from_loss(choice, epsilon):
    found = errors(choice, epsilon)
    square = found.set_index("line")["value"]
    gain = float(square["by share"] / square["min. variance"])
    said = personal.finding(found, epsilon, choice)
    assert (words.share(1 - 1 / gain) if gain > 1 else words.times(1 / gain)) in said
    assert personal.written(choice) in said


@pytest.mark.parametrize(("loss", "told"), [(1.02, "2.0\u00a0%"), (1.3, "30.0\u00a0%"), (3.0, "3.0 times")])
def test_a_small_loss_is_not_told_as_one_time(loss, told):
    found = pd.DataFrame({"x": 1.0, "line": ["by share", "min. variance"], "value": [1.0, loss], "bias": [0.0, 0.1]})
    assert told in personal.finding(found, 1.0, PersonalMarks())
