"""The Adult-like census: published one-way counts of UCI Adult, dependence assumed here. No row comes from the file."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from drawing import affinities, exact, given, named, pick
from numpy.typing import NDArray

SEED = 1994
MISSING = "?"

EDUCATION = {
    "Preschool": 51, "1st-4th": 168, "5th-6th": 333, "7th-8th": 646, "9th": 514, "10th": 933, "11th": 1175, "12th": 433,
    "HS-grad": 10501, "Some-college": 7291, "Assoc-voc": 1382, "Assoc-acdm": 1067, "Bachelors": 5355, "Masters": 1723,
    "Prof-school": 576, "Doctorate": 413,
}  # fmt: skip
SEX = {"Male": 21790, "Female": 10771}
AGES = {  # first age of each group: people
    17: 1657, 20: 3913, 25: 4141, 30: 4338, 35: 4275, 40: 3876, 45: 3299, 50: 2554, 55: 1864, 60: 1308, 65: 707,
    70: 343, 75: 165, 80: 121,
}  # fmt: skip
MARITAL = {
    "Married-civ-spouse": 14976, "Never-married": 10683, "Divorced": 4443, "Separated": 1025, "Widowed": 993,
    "Married-spouse-absent": 418, "Married-AF-spouse": 23,
}  # fmt: skip
OCCUPATION = {
    "Prof-specialty": 4140, "Craft-repair": 4099, "Exec-managerial": 4066, "Adm-clerical": 3770, "Sales": 3650,
    "Other-service": 3295, "Machine-op-inspct": 2002, "Transport-moving": 1597, "Handlers-cleaners": 1370,
    "Farming-fishing": 994, "Tech-support": 928, "Protective-serv": 649, "Priv-house-serv": 149, "Armed-Forces": 9,
}  # fmt: skip
WORKCLASS = {
    "Private": 22696, "Self-emp-not-inc": 2541, "Local-gov": 2093, "State-gov": 1298, "Self-emp-inc": 1116,
    "Federal-gov": 960, "Without-pay": 14, "Never-worked": 7,
}  # fmt: skip
RACE = {"White": 27816, "Black": 3124, "Asian-Pac-Islander": 1039, "Amer-Indian-Eskimo": 311, "Other": 271}
RELATIONSHIP = ("Husband", "Not-in-family", "Own-child", "Unmarried", "Wife", "Other-relative")
HOURS = {
    40: 15217, 50: 2819, 45: 1824, 60: 1475, 35: 1297, 20: 1224, 30: 1149, 55: 694, 25: 674, 48: 517, 38: 476, 15: 404,
    70: 291, 10: 278, 32: 266, 24: 252, 65: 244, 36: 220, 42: 219, 44: 212, 80: 133, 37: 149, 43: 151, 16: 205, 12: 173,
    8: 145, 5: 60, 99: 85, 72: 71, 28: 86, 4: 54, 22: 44, 46: 82, 52: 138, 56: 97, 75: 66,
}  # fmt: skip
GAINS = (594, 1055, 2174, 2407, 2829, 3103, 3325, 3464, 4064, 4386, 4650, 5013, 5178, 6849, 7298, 7688, 8614, 10520,
         14084, 15024, 27828, 99999)  # fmt: skip
RICH = 7841  # people above 50K

_LEVEL = np.array([0] * 4 + [1] * 4 + [2] + [3] * 3 + [4] + [5] * 3)  # little, no diploma, HS, college, BA, above
_LEVELS = 6


def draw() -> pd.DataFrame:
    """32 561 people, all of them invented."""
    rng = np.random.default_rng(SEED)
    education, sex = exact(rng, list(EDUCATION.values())), exact(rng, list(SEX.values()))
    level = _LEVEL[education]
    group = given(rng, education, _age_by_education(), list(AGES.values()))
    marital = given(rng, group * 2 + sex, _marital_by_age_and_sex(), MARITAL)
    relationship = pick(rng, _relationship()[(marital * 2 + sex) * 2 + (group < 2)])
    occupation = given(rng, level * 2 + sex, _occupation_by_level_and_sex(), OCCUPATION)
    workclass = given(rng, occupation, _workclass_by_occupation(), WORKCLASS)
    race = given(rng, level, affinities(_LEVELS, list(RACE), {
        "Black": {4: 0.6, 5: 0.5}, "Asian-Pac-Islander": {4: 1.8, 5: 2.2}, "Other": {0: 4}}), RACE)  # fmt: skip
    hours = given(rng, _working_life(group, occupation, sex), _hours(), list(HOURS.values()))
    rich = _income(rng, level, group, marital, occupation, sex)
    frame = pd.DataFrame({
        "age": _ages(rng, group),
        "workclass": named(list(WORKCLASS), workclass),
        "education": named(list(EDUCATION), education),
        "marital-status": named(list(MARITAL), marital),
        "occupation": named(list(OCCUPATION), occupation),
        "relationship": named(RELATIONSHIP, relationship),
        "race": named(list(RACE), race),
        "sex": named(list(SEX), sex),
        "capital-gain": _gains(rng, rich),
        "hours-per-week": np.array(list(HOURS))[hours],
        "income": np.where(rich, ">50K", "<=50K"),
    })  # fmt: skip
    return _with_missing(rng, frame)


def _age_by_education() -> NDArray[np.float64]:
    """People with little schooling are older; pupils are under 20, students under 25; degrees take until 25."""
    table = np.ones((len(EDUCATION), len(AGES)))
    old = np.linspace(0.5, 4, len(AGES))
    table[:4] *= old
    table[4:8, 0] = [2, 6, 12, 8]
    table[9, :2] = [3, 3]
    table[8, 0] = 0.8
    table[10:13, 0] = 0.05
    table[12:, 0] = 0.001
    table[13:, 1] = 0.12
    table[14:, 1:3] = [0.02, 0.4]
    table[13:] *= np.linspace(0.6, 1.8, len(AGES))
    return table


def _marital_by_age_and_sex() -> NDArray[np.float64]:
    """Rows 2·age group + sex (0 male). Affinities, brought to the published counts by raking."""
    table = np.ones((2 * len(AGES), len(MARITAL)))
    for group, first in enumerate(AGES):
        for sex in (0, 1):
            years = first - 15
            never = 40 * np.exp(-years / 8) + 0.25
            widowed = 0.002 * np.exp(years / 11) * (1 if sex == 0 else 5)
            divorced = 0.25 * min(1.0, years / 25) * (1 if sex == 0 else 2.4)
            wed = (1 - np.exp(-years / 12)) * (2.2 if sex == 0 else 0.55)
            table[2 * group + sex] = [wed, never, divorced, 0.08 * (1 + sex), widowed, 0.04, 0.002]
    return table


def _relationship() -> NDArray[np.float64]:
    """Rows (2·marital status + sex)·2 + (under 25); columns follow RELATIONSHIP."""
    table = np.zeros((len(MARITAL) * 4, len(RELATIONSHIP)))
    for marital, status in enumerate(MARITAL):
        for sex in (0, 1):
            for young in (0, 1):
                row = [0.0, 0.52, 0.2, 0.2, 0.0, 0.08]
                if status in ("Married-civ-spouse", "Married-AF-spouse"):
                    row = [0.98 * (sex == 0), 0.002, 0.01 + 0.03 * young, 0.0, 0.95 * (sex == 1), 0.01]
                elif status == "Never-married":
                    row = [0.0, 0.25, 0.65, 0.04, 0.0, 0.06] if young else [0.0, 0.62, 0.2, 0.11, 0.0, 0.07]
                elif sex == 1:
                    row = [0.0, 0.43, 0.07, 0.46, 0.0, 0.04]
                table[(2 * marital + sex) * 2 + young] = row
    return table


def _occupation_by_level_and_sex() -> NDArray[np.float64]:
    """Rows 2·level + sex: professions need degrees; crafts and transport are mostly men's, offices women's."""
    by_level = affinities(_LEVELS, list(OCCUPATION), {
        "Prof-specialty": {0: 0.1, 1: 0.12, 2: 0.25, 3: 0.9, 4: 4, 5: 14},
        "Exec-managerial": {0: 0.2, 1: 0.3, 2: 0.8, 4: 3, 5: 2.5},
        "Tech-support": {0: 0.1, 1: 0.2, 2: 0.6, 3: 2, 4: 1.4, 5: 0.5},
        "Craft-repair": {0: 1.2, 1: 1.4, 2: 1.5, 4: 0.3, 5: 0.1},
        "Machine-op-inspct": {0: 3, 1: 1.8, 2: 1.4, 3: 0.6, 4: 0.15, 5: 0.05},
        "Handlers-cleaners": {0: 1.8, 1: 2, 2: 1.3, 3: 0.6, 4: 0.15, 5: 0.05},
        "Transport-moving": {0: 1.4, 1: 1.5, 2: 1.5, 3: 0.6, 4: 0.2, 5: 0.08},
        "Other-service": {0: 2.5, 1: 2.2, 2: 1.2, 4: 0.3, 5: 0.1},
        "Farming-fishing": {0: 4, 1: 1.5, 4: 0.5, 5: 0.3}, "Priv-house-serv": {0: 8, 1: 3, 4: 0.2, 5: 0.1},
    })  # fmt: skip
    women = dict.fromkeys(OCCUPATION, 1.0) | {
        "Adm-clerical": 4.0, "Other-service": 2.5, "Priv-house-serv": 30.0, "Craft-repair": 0.11, "Armed-Forces": 0.0,
        "Transport-moving": 0.12, "Farming-fishing": 0.15, "Handlers-cleaners": 0.3, "Protective-serv": 0.3,
    }  # fmt: skip
    factors = np.array([[1.0] * len(OCCUPATION), list(women.values())])
    return (by_level[:, None, :] * factors[None, :, :]).reshape(-1, len(OCCUPATION))


def _workclass_by_occupation() -> NDArray[np.float64]:
    """Rows follow OCCUPATION; soldiers and most police are paid by the state, farmers and dealers by themselves."""
    place = {name: row for row, name in enumerate(OCCUPATION)}

    def at(**factors: float) -> Mapping[int, float]:
        return {place[name.replace("_", "-")]: factor for name, factor in factors.items()}

    table = affinities(len(OCCUPATION), list(WORKCLASS), {
        "Local-gov": at(Prof_specialty=4, Protective_serv=20, Adm_clerical=1.6, Sales=0.05),
        "State-gov": at(Prof_specialty=4, Protective_serv=6, Adm_clerical=2, Sales=0.1),
        "Federal-gov": at(Adm_clerical=3, Prof_specialty=1.5, Exec_managerial=1.5, Sales=0.1),
        "Self-emp-not-inc": at(Farming_fishing=9, Craft_repair=2.5, Sales=2, Exec_managerial=1.8, Adm_clerical=0.2),
        "Self-emp-inc": at(Exec_managerial=6, Sales=4, Farming_fishing=2, Adm_clerical=0.4, Other_service=0.2),
        "Without-pay": at(Farming_fishing=20),
    })  # fmt: skip
    soldiers = np.zeros(len(WORKCLASS))
    soldiers[list(WORKCLASS).index("Federal-gov")] = 1
    table[place["Armed-Forces"]] = soldiers + 1e-9
    return table


def _working_life(group: NDArray[np.intp], occupation: NDArray[np.intp], sex: NDArray[np.intp]) -> NDArray[np.intp]:
    """0 at either end of working life, 1 with long days, 2 women, 3 men otherwise."""
    long = np.isin(named(list(OCCUPATION), occupation), ["Exec-managerial", "Farming-fishing", "Transport-moving"])
    return np.select([(group < 1) | (group >= 10), long, sex == 1], [0, 1, 2], 3)


def _hours() -> NDArray[np.float64]:
    hours = np.array(list(HOURS), float)
    return np.array([np.exp(-hours / 12), np.exp(hours / 40), np.exp(-hours / 30), np.exp(hours / 90)])


def _ages(rng: np.random.Generator, group: NDArray[np.intp]) -> NDArray[np.intp]:
    first = np.array([*AGES, 91])
    return first[group] + np.floor(rng.random(len(group)) * np.diff(first)[group]).astype(np.intp)


def _income(
    rng: np.random.Generator,
    level: NDArray[np.intp],
    group: NDArray[np.intp],
    marital: NDArray[np.intp],
    occupation: NDArray[np.intp],
    sex: NDArray[np.intp],
) -> NDArray[np.bool_]:
    """Exactly RICH people, by a logistic score of schooling, age, marriage, occupation and sex."""
    job = {
        "Exec-managerial": 0.9,
        "Prof-specialty": 0.6,
        "Tech-support": 0.5,
        "Sales": 0.3,
        "Protective-serv": 0.5,
        "Other-service": -0.9,
        "Handlers-cleaners": -0.7,
        "Farming-fishing": -1.0,
        "Priv-house-serv": -2.5,
    }
    score = np.array([-2.2, -1.3, 0, 0.4, 1.2, 1.9])[level] - ((group - 6) / 3.2) ** 2 * 0.6
    score += np.where(np.isin(marital, [0, 6]), 2.1, 0.0) + np.where(sex == 0, 0.3, 0.0)
    score += np.array([job.get(name, 0.0) for name in OCCUPATION])[occupation]
    uniform = rng.random(len(score))
    latent = score + np.log(uniform / (1 - uniform))
    rich = np.zeros(len(score), bool)
    rich[np.argsort(-latent, kind="stable")[:RICH]] = True
    return rich


def _gains(rng: np.random.Generator, rich: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Nothing for 92 of 100; above 50K more often, and more."""
    gains = np.array(GAINS)
    weights = np.where(rich[:, None], gains[None, :] > 5000, gains[None, :] <= 7000) * 1.0
    amount = gains[pick(rng, weights)]
    return np.where(rng.random(len(rich)) < np.where(rich, 0.214, 0.042), amount, 0)


def _with_missing(rng: np.random.Generator, frame: pd.DataFrame) -> pd.DataFrame:
    """A few hundred people without work answers; who never worked has no occupation either."""
    silent = rng.random(len(frame)) < 0.014
    frame.loc[silent & (frame["workclass"] != "Never-worked"), "workclass"] = MISSING
    frame.loc[silent | (frame["workclass"] == "Never-worked"), "occupation"] = MISSING
    return frame
