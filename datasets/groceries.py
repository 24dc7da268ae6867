"""The grocery baskets: sizes and popularity as published, what goes together assumed here. Nobody in them exists."""

import csv
import io
import tomllib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

SEED = 2006

# Baskets of each size in the Groceries data: R package arules, summary(Groceries); in all 9 835 baskets, 43 367 items.
SIZES = {1: 2159, 2: 1643, 3: 1299, 4: 1005, 5: 855, 6: 645, 7: 545, 8: 438, 9: 350, 10: 246, 11: 182, 12: 117, 13: 78,
         14: 77, 15: 55, 16: 46, 17: 29, 18: 14, 19: 14, 20: 9, 21: 11, 22: 4, 23: 6, 24: 1, 26: 1, 27: 1, 28: 1, 29: 3,
         32: 1}  # fmt: skip
FIRST = 2513  # baskets with the most popular article: same summary
BEND = 0.26  # popularity falls as rank^-BEND · exp(-c · rank), c such that the items add up
COMMON = (
    "milk", "tomatoes", "rolls", "cola", "yogurt", "mineral water", "carrots", "shopping bags", "sausages",
    "citrus fruit", "bananas", "newspapers", "bottled beer", "apples", "cream", "butter", "minced meat",
    "wholemeal bread", "canned beer", "eggs", "margarine", "chicken", "coffee", "onions", "sour cream", "orange juice",
    "frankfurters", "chocolate", "potatoes", "toast", "crisps", "cottage cheese", "napkins", "pork", "cake", "sugar",
    "ham", "pasta",
)  # fmt: skip
RARE = ("lice shampoo", "pregnancy test", "incontinence pads", "brandy", "gin", "hair dye", "infant formula",
        "flower seeds", "baby cereal", "pâté")  # fmt: skip

# On what occasion people shop, how often, and what is then so many times likelier: a category or an article.
OCCASIONS: dict[str, tuple[float, dict[str, float]]] = {
    "a few things": (0.36, {}),
    "breakfast": (0.16, {"breakfast and spreads": 6, "bakery": 4, "dairy and eggs": 2.5, "orange juice": 4,
                         "newspapers": 3}),
    "cooking": (0.19, {"fruit and vegetables": 3, "meat and fish": 3, "store cupboard": 5, "herbs": 3, "garlic": 3}),
    "pasta": (0.04, {"pasta": 40, "tinned tomatoes": 40, "grated cheese": 25, "minced meat": 8, "garlic": 8,
                     "red wine": 8}),
    "a party": (0.07, {"alcoholic drinks": 9, "snacks and sweets": 6, "ice cubes": 20, "paper cups": 20,
                       "tonic water": 12, "gin": 4, "drinks": 2}),
    "a snack": (0.07, {"snacks and sweets": 6, "cola": 3, "energy drink": 6, "newspapers": 3, "doughnuts": 5}),
    "the household": (0.06, {"home": 8, "hygiene": 6, "pets": 3}),
    "a baby": (0.02, {"baby": 60, "hygiene": 3, "bananas": 2}),
    "a pet": (0.03, {"pets": 45}),
}  # fmt: skip


def draw() -> str:
    """9 835 baskets, one on each line."""
    groups = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))["groups"]
    category = {item: name for name, items in groups.items() for item in items}
    rng = np.random.default_rng(SEED)
    sizes = np.repeat(list(SIZES), list(SIZES.values()))
    sizes = sizes[np.argsort(rng.random(len(sizes)), kind="stable")]
    names = _by_popularity(rng, sorted(category))
    lift = _lifts(rng, names, category, len(sizes))
    baskets = _fill(sizes, lift, _popularity(len(names), int(sizes.sum())), rng.random((len(sizes), len(names))))
    text = io.StringIO()
    rows = ([names[i] for i in sorted(row, key=lambda i: names[i])] for row in baskets)
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _by_popularity(rng: np.random.Generator, names: list[str]) -> list[str]:
    """The common ones first, the rare ones last, the others in random order between."""
    rest = [name for name in names if name not in COMMON and name not in RARE]
    order = np.argsort(rng.random(len(rest)), kind="stable")
    return [*COMMON, *(rest[i] for i in order), *RARE]


def _popularity(k: int, total: int) -> NDArray[np.float64]:
    """Baskets that hold each article (k,), the most popular first, by bisection for c."""
    rank = np.arange(k)
    low, high = 0.0, 1.0
    wanted = np.full(k, float(FIRST))
    for _ in range(100):
        c = (low + high) / 2
        wanted = FIRST * (1.0 + rank) ** -BEND * np.exp(-c * rank)
        low, high = (c, high) if wanted.sum() > total else (low, c)
    return wanted


def _lifts(rng: np.random.Generator, names: list[str], category: dict[str, str], people: int) -> NDArray[np.float64]:
    """How many times likelier each article is in each basket (people, k), by its occasion."""
    table = np.array([[factors.get(category[name], 1.0) * factors.get(name, 1.0) for name in names]
                      for _, factors in OCCASIONS.values()])  # fmt: skip
    often = np.cumsum([share for share, _ in OCCASIONS.values()])
    occasion = np.minimum((rng.random(people)[:, None] * often[-1] >= often).sum(axis=1), len(often) - 1)
    return table[occasion]


def _fill(
    sizes: NDArray[np.intp], lift: NDArray[np.float64], wanted: NDArray[np.float64], luck: NDArray[np.float64]
) -> list[list[int]]:
    """Weighted draws without replacement: the smallest -ln(luck)/weight; weights tuned to the popularity wanted."""
    weight, wait = wanted / wanted.sum(), -np.log(luck) / lift
    taken: list[list[int]] = []
    for _ in range(20):
        order = np.argsort(wait / weight, axis=1, kind="stable")
        taken = [row[:size].tolist() for row, size in zip(order, sizes, strict=True)]
        seen = np.bincount(np.concatenate(taken), minlength=len(wanted))
        weight *= (wanted / np.maximum(seen, 0.5)) ** 0.7
        weight = weight.astype(np.float32).astype(float)  # the last bit of a power differs between machines
    return taken
