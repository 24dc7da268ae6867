"""Which titles of the rating data are marked."""

import numpy as np
import pandas as pd

from ldpcore.papers import sources


def test_ratings_mark_the_titles_of_the_paper_s_genres():
    """Whatever else a title is, in either case of letters; ratings of titles nobody described are of no genre."""
    ratings = pd.DataFrame({"who": [1, 1, 2, 2, np.nan, 3], "film": [10, 20, 30, 40, 10, 50]})
    kinds = ["Comedy|HORROR", "Drama", "thriller", "Childrens", "Adult"]
    titles = pd.DataFrame({"id": [10, 20, 30, 40, 60], "kind": kinds})
    found = sources._rated("movie ratings", ratings, "who", "film", titles, "id", "kind", "said")
    marked = {label for label, mark in zip(found.baskets.labels, found.sensitive, strict=True) if mark}
    assert marked == {"10", "30"}
    assert {*found.baskets.labels} == {"10", "20", "30", "40", "50"}
    assert found.baskets.n == 3
