"""The children of the paper on graded sensitivity: heights and weights with the published mean, deviation and range of
the SOCR file, and two questions whose answers are all alike. Nobody in them exists.
"""

import numpy as np
import pandas as pd
from drawing import exact

from ldpcore.rng import stream

PEOPLE, SEED = 25_000, 25_000
# Mean, deviation, least and largest of the 25 000 heights (inches) and weights (pounds): SOCR, data of 18-year-olds.
NUMBERS = {"height": ("Height(Inches)", 67.993, 1.902, 60.278, 75.153),
           "weight": ("Weight", 127.079, 11.661, 78.015, 170.924)}  # fmt: skip
ANSWERS = {"one-of-18": 18, "one-of-7": 7}  # as many as the paper's two questions have: education, marital status


def draw() -> pd.DataFrame:
    """25 000 people. The two questions are answered at random, each answer by as many people as another, give or take
    one."""
    made = {
        name: np.clip(mean + sd * stream(SEED, key).standard_normal(PEOPLE), low, high).round(2)
        for name, (key, mean, sd, low, high) in NUMBERS.items()
    }
    for name, k in ANSWERS.items():
        counts = np.full(k, PEOPLE // k)
        counts[: PEOPLE % k] += 1
        labels = np.array([f"answer {i + 1}" for i in range(k)], object)
        made[name] = labels[exact(np.random.default_rng(SEED + k), counts)]
    return pd.DataFrame(made)
