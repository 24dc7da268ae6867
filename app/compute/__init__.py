"""The only caches of the app: what every task shares here, the rest by task, as in compute.means.limit.

Keys are digests and studies, never data: Streamlit hashes large data by sample.
"""

from compute import clusters, frequency, itemsets, means, papers, ranges, sets
from compute.columns import bundled, histogram
from compute.surveys import kept, progress, surveys, theory

__all__ = [
    "bundled",
    "clusters",
    "frequency",
    "histogram",
    "itemsets",
    "kept",
    "means",
    "papers",
    "progress",
    "ranges",
    "sets",
    "surveys",
    "theory",
]
