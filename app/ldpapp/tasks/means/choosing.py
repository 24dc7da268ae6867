"""Means, in words: people who each mark as much of the range as they like."""

import pandas as pd

from ldpapp import words
from ldpcore.study.means.personal import COMBINED, MIXES, Choice

PLACES = {"both": "at both ends, as in the paper", "upper": "at the upper end", "lower": "at the lower end"}
WHO = {
    "any": "whatever their answer is",
    "own": "so that it covers their own answer, where one of the three does",
}


def written(choice: Choice) -> str:
    """How many of 100 mark little, half and much."""
    return " / ".join(f"{share * 100:.0f}" for share in MIXES[choice.mix])


def finding(table: pd.DataFrame, epsilon: float, choice: Choice) -> str:
    """What choosing costs, and what the combination by variance gains or loses by its assumption."""
    here = table[table["x"] == epsilon]
    square = dict(zip(here["line"], here["value"].to_numpy(float).tolist(), strict=True))
    bias = dict(zip(here["line"], here["bias"].to_numpy(float).tolist(), strict=True))
    (share, least), off = (square[line] for line in COMBINED), bias["min. variance"]
    gain = share / least
    part = off**2 / least
    if gain > 1.01:
        said = f"makes the squared error {words.share(1 - 1 / gain)} smaller"
    elif gain < 0.99:
        said = f"makes the squared error {words.times(1 / gain)} as large"
    else:
        said = "changes next to nothing"
    return (
        f"At ε = {words.epsilon(epsilon)}, where {written(choice)} % of people mark 25 / 50 / 75 % of the range, "
        f"weighing by variance {said}. It takes all groups for alike; {words.share(part)} of its squared error is the "
        "bias where they are not."
    )
