"""The baskets of the paper on mining without propagation error, drawn as it describes them: 300 of them, 50 products,
3 products each on average. Nobody in them exists.
"""

import csv
import io

import numpy as np

from ldpcore.rng import stream

BASKETS, PRODUCTS, MORE = 300, 50, 2  # a basket holds one product and about two more
SEED = 44163  # the number of the paper's file at datatang


def draw() -> str:
    """300 baskets, one on each line."""
    rng = stream(SEED, "supermarket")
    sizes = np.minimum(1 + rng.poisson(MORE, BASKETS), PRODUCTS)
    taste = 1 / (np.arange(PRODUCTS) + 3)
    rows = ([f"product {i + 1}" for i in rng.choice(PRODUCTS, size, False, taste / taste.sum())] for size in sizes)
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()
