"""The learned attacker adds what reports tell to what open answers do."""

import numpy as np
import pandas as pd
import pytest

from ldpcore import catalog, data
from ldpcore.questionnaire import ATTACKERS, Scene
from ldpcore.rng import stream


def test_beside_an_open_answer_that_tells_nothing_it_believes_the_reports():
    """Then its log-odds are the exact ones of the reports: naive Bayes', but for what the trees take noise for."""
    rng = stream(1, "learned")
    answer, idle = rng.choice(list("abc"), 4000, p=[0.5, 0.3, 0.2]), rng.choice(list("xy"), 4000)
    text = pd.DataFrame({"answer": answer, "same": answer, "idle": idle}).to_csv(index=False).encode()
    sent = catalog.FREQUENCY["GRR"].build(2.0, 3)
    asked = {"target": "answer", "marks": ["a"], "own": sent, "others": {"same": sent, "idle": "open"}}
    scene = Scene.of(data.read(text, "x.csv"), **asked)
    learned = ATTACKERS["learned"](scene)
    exact = scene.odds(ATTACKERS["naive Bayes"](scene))
    assert np.corrcoef(learned, exact)[0, 1] > 0.999
    assert learned - exact == pytest.approx(np.zeros(len(exact)), abs=0.2)
