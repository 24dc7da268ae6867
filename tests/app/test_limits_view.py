"""What Frequency says of its limit, and at the ends of ε."""

import numpy as np
import pytest

from ldpapp.parts import curve_words
from ldpapp.state import actions
from ldpcore import catalog, data, limit
from tests.app.opening import (
    do,
    html,
    opened,
    state,
    study,
)


@pytest.mark.parametrize(("typed", "taken"), [("40", 40.0), ("1e-300", 1.0)])
def test_a_link_with_an_extreme_epsilon_opens(typed: str, taken: float) -> None:
    at = opened("frequency", eps=typed, m=list(catalog.FREQUENCY))
    assert not at.exception
    assert study(at, "frequency").epsilon == taken
    refused = [problem.what for problem in state(at).problems]
    assert refused == (["The link's eps (1e-300) makes no sense and was left out."] if taken == 1.0 else [])


def test_shares_known_in_advance_are_said_beside_the_limit() -> None:
    """The limit is about what is fixed beforehand; the one for these very shares is lower, and called that."""
    at = opened("frequency")
    at.radio(key="focus").set_value("SS").run()
    assert not at.exception
    assert "nothing fixed in advance" in html(at)
    assert "averaged over which answers are common" in html(at)
    assert "knew these shares" not in html(at), "sixteen different shares: nobody waits for that bracket"
    do(at, actions.choose_column, "workclass")
    at.radio(key="focus").set_value("SS").run()
    assert study(at, "frequency").column == "workclass"
    counted = data.load("census").categorical("workclass")
    found = limit.best_for("LDP", counted.counts / counted.n, None, 1.0)
    known = curve_words.least("points", float(np.sqrt(found.least / counted.n)))
    fixed = limit.best("LDP", counted.domain.k, 0, 1.0).mse
    assert found.least < fixed
    assert float(known.removeprefix("±")) <= 196 * np.sqrt(found.least / counted.n), "never rounded up"
    assert f"gets below {curve_words.least('points', float(np.sqrt(fixed / counted.n)))} at" in html(at)
    assert f"none gets below {known}" in html(at)
