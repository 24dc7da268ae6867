"""Means, in words: people who each mark as much of the range as they like."""

import pandas as pd

from ldpapp import words
from ldpapp.words.language import t
from ldpcore.study.means.lines import ENOUGH
from ldpcore.study.means.personal import COMBINED, MIXES, PersonalMarks


def places() -> dict[str, str]:
    return {
        "both": t("at both ends, as in the paper"),
        "upper": t("at the upper end"),
        "lower": t("at the lower end"),
    }


def who() -> dict[str, str]:
    return {
        "any": t("whatever their answer is"),
        "own": t("so that it covers their own answer, where one of the three does"),
    }


def written(choice: PersonalMarks) -> str:
    """How many of 100 mark little, half and much."""
    return " / ".join(f"{share * 100:.0f}" for share in MIXES[choice.mix])


def surveyed(surveys: int) -> str:
    """What EM's row of the table rests on."""
    many = words.plural(surveys, t("simulated survey"), t("simulated surveys"))
    return (
        t("* In {surveys}.", surveys=many) if surveys >= ENOUGH else t("* In {surveys}: a rough guide.", surveys=many)
    )


def finding(table: pd.DataFrame, epsilon: float, choice: PersonalMarks) -> str:
    """What choosing costs, and what the combination by variance gains or loses by its assumption."""
    chosen = table[table["x"] == epsilon].set_index("line")
    share, least = (float(chosen["value"][line]) for line in COMBINED)
    who = t("{mix} % of people mark 25 / 50 / 75 % of the range.", mix=written(choice))
    part = t(
        "It takes all groups for alike; {part} of its squared error is the bias where they are not.",
        part=words.share(float(chosen["bias"]["min. variance"]) ** 2 / least),
    )
    return f"{who} {_weighed(share / least, words.epsilon(epsilon))} {part}"


def _weighed(gain: float, eps: str) -> str:
    if gain > 1.01:
        less = words.share(1 - 1 / gain)
        return t("At ε = {eps} weighing by variance makes the squared error {share} smaller.", eps=eps, share=less)
    if gain > 0.99:
        return t("At ε = {eps} weighing by variance changes next to nothing.", eps=eps)
    if gain > 0.67:
        more = words.share(1 / gain - 1)
        return t("At ε = {eps} weighing by variance makes the squared error {share} larger.", eps=eps, share=more)
    times = words.times(1 / gain)
    return t("At ε = {eps} weighing by variance makes the squared error {times} as large.", eps=eps, times=times)
