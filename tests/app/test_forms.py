"""What one would publish: the sentence and the table say what the simulated surveys say, whatever their language."""

import numpy as np
import pytest

from ldpapp.parts import released_forms
from ldpapp.words import margin
from ldpcore.catalog import FREQUENCY
from ldpcore.study.frequency.cell import ChoiceGroup, FrequencyDesignPoint
from ldpcore.study.published import Form, of_cell, of_estimates

LABELS = ("a", "b", "c", "d")
MARKED = np.array([True, False, False, False])


def released(key="OUE", one=True):
    built = FREQUENCY[key].build(0.5, 4, MARKED)
    budgets = np.where(MARKED, 0.5, np.inf)
    here = FrequencyDesignPoint(
        key, 0.5, (ChoiceGroup(built, np.array([10, 20, 480, 490])),), budgets, np.zeros(len(MARKED), bool)
    )
    return released_forms.Released(key, LABELS, MARKED, of_cell(here, 1, surveys=60, fits=4), one)


@pytest.fixture(scope="module")
def shown():
    return released()


def test_the_sentence_has_both_errors_and_the_bias(shown):
    for chosen, form in shown.forms.items():
        said = released_forms.sentence(shown, chosen)
        assert margin(form.mse.value**0.5) in said
    assert margin(shown.forms["unbiased"].mse.value ** 0.5) in released_forms.sentence(shown, "norm-sub")
    rarer = shown.forms["norm-sub"].rarer
    assert rarer.low > 0
    assert f"{100 * rarer.value:.2f}" in released_forms.sentence(shown, "norm-sub")


def test_the_table_adds_up(shown):
    table = released_forms.table(shown)
    assert len(table) == len(shown.forms)
    assert (table["systematic"] + table["random"]).to_numpy() == pytest.approx(table["squared error"].to_numpy())


def test_of_too_few_surveys_no_bias_is_told():
    panel = released_forms.panel("sets", released_forms.Released("PrivSet", LABELS, MARKED, {}, one=False))
    assert len(panel.parts) == 1


@pytest.mark.parametrize(("bias", "worse"), [(0.5, True), (0.0, False)])
def test_a_form_that_is_worse_is_called_so(bias, worse):
    truth, noise = np.full(4, 0.25), np.random.default_rng(1).normal(0, 0.01, (30, 4))
    found = {**of_estimates(truth + noise, truth, ["unbiased"]), "clip": Form("clip", truth + noise + bias, truth)}
    said = released_forms.sentence(released_forms.Released("PrivSet", LABELS, MARKED, found, one=False), "clip")
    assert ("<b>" in said) == worse
    assert ("points as before." in said) == (not worse), "an error that is the same is set against none"
