"""What an open answer tells an attacker of the one that is asked: a law, between the crowd's and everybody's."""

import numpy as np
import pandas as pd
import pytest

from ldpcore import data
from ldpcore.questionnaire import Scene, attackers
from ldpcore.rng import stream


def test_what_an_open_answer_tells_is_a_law_given_each_answer():
    rng = stream(1, "told")
    answer = rng.choice(list("abc"), 900, p=[0.6, 0.3, 0.1])
    says = np.where(rng.random(900) < 0.5, answer, rng.choice(list("abcd"), 900))
    text = pd.DataFrame({"answer": answer, "says": says}).to_csv(index=False).encode()
    scene = Scene.of(data.read(text, "x.csv"), target="answer", marks=["a"], own=None, others={"says": "open"})
    crowd, column = scene.crowd, scene.crowd.others["says"]
    codes, first = np.unique(column.codes[crowd.attacked], return_index=True)
    assert len(codes) == 4
    given = np.exp(scene.told("says"))[first]
    np.testing.assert_allclose(given.sum(axis=0), 1)
    seen = column.codes[crowd.learn]
    everybody = (np.bincount(seen, minlength=4) + 0.25) / (len(seen) + 1)
    for one in range(3):
        group = seen[scene.known == one]
        own = np.bincount(group, minlength=4) / len(group)
        # So many people of everybody's kind are added to those with this answer.
        pull = len(group) / (len(group) + attackers.PRIOR)
        np.testing.assert_allclose(given[:, one], pull * own + (1 - pull) * everybody)
    assert np.exp(scene.before).sum() == pytest.approx(1)
