"""The health survey: conditions at about their published prevalences, dependence assumed here. Nobody in it exists."""

import numpy as np
import pandas as pd
from drawing import affinities, exact, given, named
from numpy.typing import NDArray

SEED = 2024
PEOPLE = 20_000

# Per 10 000 adults, the condition a person names first. Rounded from US figures of CDC (NHIS, HIV and STI
# surveillance), NIMH and SAMHSA (NSDUH), scaled down where people have several conditions at once.
CONDITION = {
    "none": 4450, "hypertension": 1450, "arthritis": 780, "asthma": 620, "depression": 590, "diabetes": 580,
    "anxiety disorder": 420, "heart disease": 260, "cancer": 200, "COPD": 140, "alcohol dependence": 130,
    "drug dependence": 70, "bipolar disorder": 60, "epilepsy": 60, "chlamydia": 45, "HIV": 40, "hepatitis C": 35,
    "schizophrenia": 30, "hepatitis B": 25, "eating disorder": 15,
}  # fmt: skip
AGES = {18: 1150, 25: 1750, 35: 1700, 45: 1560, 55: 1640, 65: 1320, 75: 880}  # per 10 000 adults, US, about 2020
SEX = {"female": 5100, "male": 4900}
SMOKING = {"never": 6300, "former": 2300, "some days": 350, "every day": 1050}
ALCOHOL = {"never": 3000, "monthly or less": 2500, "weekly": 2900, "daily": 1600}
PARTNERS = {"0": 2700, "1": 5900, "2-4": 1050, "5 or more": 350}  # in the last year
ORIENTATION = {"heterosexual": 9250, "bisexual": 400, "gay or lesbian": 250, "other": 100}
INCOME = {"under 15 000": 950, "15 000-34 999": 1750, "35 000-49 999": 1200, "50 000-74 999": 1750,
          "75 000-99 999": 1300, "100 000-149 999": 1600, "150 000 or more": 1450}  # fmt: skip
PREGNANT_SHARE = 0.055  # of women under 45

_OLD = {"hypertension": 5.0, "arthritis": 6.0, "diabetes": 4.0, "heart disease": 9.0, "cancer": 8.0, "COPD": 8.0}
_YOUNG = {"chlamydia": 14.0, "eating disorder": 6.0, "drug dependence": 3.5, "anxiety disorder": 2.5, "depression": 2.0,
          "none": 4.0, "asthma": 1.6, "bipolar disorder": 1.6}  # fmt: skip


def draw() -> pd.DataFrame:
    """20 000 people, all of them invented."""
    rng = np.random.default_rng(SEED)
    sex = exact(rng, _people(SEX))
    group = exact(rng, _people(AGES))
    condition = given(rng, group * 2 + sex, _condition_by_age_and_sex(), CONDITION)
    names = list(CONDITION)
    smoking = given(rng, condition, affinities(len(names), list(SMOKING), {
        "every day": _at(**{"COPD": 4, "schizophrenia": 5, "drug dependence": 5, "alcohol dependence": 3}),
        "former": _at(**{"COPD": 6, "cancer": 2, "heart disease": 2})}), SMOKING)  # fmt: skip
    alcohol = given(rng, condition, affinities(len(names), list(ALCOHOL), {
        "daily": _at(**{"alcohol dependence": 30, "hepatitis C": 2}), "weekly": _at(**{"alcohol dependence": 3}),
        "never": _at(**{"hepatitis B": 2})}), ALCOHOL)  # fmt: skip
    orientation = given(rng, condition, affinities(len(names), list(ORIENTATION), {
        "gay or lesbian": _at(**{"HIV": 40, "hepatitis B": 3}), "bisexual": _at(**{"HIV": 6, "depression": 2}),
    }), ORIENTATION)  # fmt: skip
    partners = given(rng, _company(group, condition), _partners(), PARTNERS)
    income = given(rng, _purse(group, condition), _incomes(), INCOME)
    female = sex == 0
    fertile = female & (group < 3)
    pregnancy = np.select([~fertile, rng.random(PEOPLE) < PREGNANT_SHARE], ["not asked", "yes"], "no")
    frame = pd.DataFrame({
        "age": _ages(rng, group),
        "sex": named(list(SEX), sex),
        "condition": named(names, condition),
        "weight": _weights(rng, female, group, named(names, condition)),
        "smoking": named(list(SMOKING), smoking),
        "alcohol": named(list(ALCOHOL), alcohol),
        "partners": named(list(PARTNERS), partners),
        "orientation": named(list(ORIENTATION), orientation),
        "pregnancy": pregnancy,
        "income": named(list(INCOME), income),
    })  # fmt: skip
    for column, share in (("income", 0.06), ("partners", 0.03), ("orientation", 0.02), ("weight", 0.015)):
        frame[column] = frame[column].astype(object).mask(rng.random(PEOPLE) < share, "")
    return frame


def _people(shares: dict) -> list[int]:
    return [share * PEOPLE // 10_000 for share in shares.values()]


def _at(**factors: float) -> dict[int, float]:
    """Factors by condition → by its position."""
    return {list(CONDITION).index(name): factor for name, factor in factors.items()}


def _condition_by_age_and_sex() -> NDArray[np.float64]:
    """Rows 2·age group + sex (0 female); a factor is reached at one end of life and is 1 at the other."""
    names = list(CONDITION)
    table = np.ones((2 * len(AGES), len(names)))
    for group in range(len(AGES)):
        age = group / (len(AGES) - 1)
        for sex in (0, 1):
            row = table[2 * group + sex]
            for name, factor in _OLD.items():
                row[names.index(name)] *= factor**age * 0.3 ** (1 - age)
            for name, factor in _YOUNG.items():
                row[names.index(name)] *= factor ** (1 - age)
            male = {"HIV": 3.5, "hepatitis C": 1.8, "alcohol dependence": 2.0, "drug dependence": 1.8,
                    "schizophrenia": 1.3, "heart disease": 1.6, "depression": 0.55, "anxiety disorder": 0.55,
                    "eating disorder": 0.25, "chlamydia": 0.6, "arthritis": 0.7}  # fmt: skip
            for name, factor in male.items():
                row[names.index(name)] *= factor if sex == 1 else 1.0
    return table


def _company(group: NDArray[np.intp], condition: NDArray[np.intp]) -> NDArray[np.intp]:
    """0 over 65, 1 middle, 2 under 35, 3 with a sexually transmitted infection."""
    infected = np.isin(named(list(CONDITION), condition), ["HIV", "chlamydia", "hepatitis B"])
    return np.select([infected, group >= 5, group >= 2], [3, 0, 1], 2)


def _partners() -> NDArray[np.float64]:
    return np.array([[3, 1, 0.1, 0.03], [1, 2, 0.5, 0.3], [1, 1, 1.8, 1.5], [0.5, 1, 4, 8]], float)


def _purse(group: NDArray[np.intp], condition: NDArray[np.intp]) -> NDArray[np.intp]:
    """0 under 25 or over 75, 1 with an illness that keeps from work, 2 otherwise."""
    ill = np.isin(named(list(CONDITION), condition), ["schizophrenia", "drug dependence", "COPD", "alcohol dependence"])
    return np.select([ill, (group == 0) | (group == len(AGES) - 1)], [1, 0], 2)


def _incomes() -> NDArray[np.float64]:
    rank = np.arange(len(INCOME))
    return np.array([0.75**rank, 0.6**rank, 1.05**rank])


def _ages(rng: np.random.Generator, group: NDArray[np.intp]) -> NDArray[np.intp]:
    first = np.array([*AGES, 91])
    return first[group] + np.floor(rng.random(PEOPLE) * np.diff(first)[group]).astype(np.intp)


def _weights(
    rng: np.random.Generator, female: NDArray[np.bool_], group: NDArray[np.intp], condition: NDArray[np.object_]
) -> NDArray[np.intp]:
    """Kilograms, whole: a bell (the sum of uniforms) around 77 for women and 90 for men, with a tail upwards."""
    bell = rng.random((PEOPLE, 6)).sum(axis=1) - 3  # sd 0.707
    centre = np.where(female, 75, 88) + np.array([-6, -1, 2, 3, 2, 0, -6])[group]
    centre = centre + np.select([condition == "diabetes", condition == "eating disorder"], [9, -18], 0)
    return np.maximum(35, np.floor(centre + 20 * bell + 8 * np.maximum(bell, 0) ** 2)).astype(np.intp)
