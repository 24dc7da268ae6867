"""What the paper on Privelet says beside its formulas: neighbours, the index as a measure, no post-processing."""

import numpy as np

from ldpcore.papers.check import Check, ClaimReading, Number, shown
from ldpcore.papers.claim import Ask, Finding, PaperStatement, claim
from ldpcore.papers.measures import over
from ldpcore.papers.privelet import INDICES, H
from ldpcore.papers.words import CLOSE, NEAR
from ldpcore.ranges import Privelet, Tree, best_tree

SMALL_H = 6
"""Where matrices are written out: N = 64."""
HEIGHTS = (4, 7, 10, 20, 40)


@claim(
    "5",
    "The sensitivity of Privelet is h + 1.",
    PaperStatement(
        "The sensitivity is Δ = h + 1, where brothers are data sets of which only one record differs",
        "§3.1, algorithm 1; Definition 1",
        "敏感度Δ=h+1",
    ),
    setting="the strategy matrix at N = 64 (h = 6): the most that one record moves all coefficients together; exact",
    exact=True,
)
def neighbours(ask: Ask) -> Finding:
    matrix, h = Privelet(SMALL_H).matrix(), SMALL_H
    one = float(np.abs(matrix).sum(axis=0).max())
    other = float(np.abs(matrix[:, :, None] - matrix[:, None, :]).sum(axis=0).max())
    cost = (2 * H / (H + 1)) ** 2
    readings = [
        ClaimReading(says, ((Check(Number.of(f"N = 64: largest change, {says}", moved), h + 1, h + 1),),))
        for says, moved in (("one record more or less", one), ("one record replaced by another", other))
    ]
    return Finding.of(
        readings,
        f"Definition 1 says that one record differs. One record more or less moves {shown(one)} = h + 1; one record "
        f"replaced by another moves {shown(other)} = 2h, and its protection takes {shown(cost)} times the variance at "
        "N = 1024. The page Ranges means one person more or less.",
        caveats=(Number.of("N = 1024: variance for one record replaced, over that for one more or less", cost),),
    )


@claim(
    "6",
    "Algorithms of equal accuracy index err alike; of a lower one, more.",
    PaperStatement(
        "Algorithms with the same accuracy index perform nearly alike",
        "§4",
        "精确度指标相同的算法,精确度方面性能相近",
        f"{NEAR.means}: the average variance of Boost over Privelet's",
    ),
    PaperStatement(
        "Of algorithms with different indices, as the data grow, the one with the lower index errs more",
        "§4",
        "随着数据规模的增大,精确度指标越低的算法,误差越大",
        "at every size, and by more times at every larger one",
    ),
    setting="average variance over all ranges, N = 2^4 … 2^40, ε = 1, exact",
    exact=True,
)
def index_says(ask: Ask) -> Finding:
    error = {name: [build(h).average_variance(1.0) for h in HEIGHTS] for name, (build, _) in INDICES.items()}
    alike = over("average variance, Boost over Privelet", np.divide(error["Boost"], error["Privelet"]))
    worse = np.divide(error["binary tree"], error["Privelet"])
    growth = over("average variance, binary tree over Privelet, from one N to the next larger", worse[1:] / worse[:-1])
    above = over("average variance, binary tree over Privelet", worse)
    return Finding(
        ((Check(alike, *CLOSE),), (Check(above, least=1, strict=True), Check(growth, least=1, strict=True))),
        f"Boost has {alike.shown} times Privelet's error; the binary tree {shown(worse[0])} times at N = 16, "
        f"{shown(worse[HEIGHTS.index(H)])} at 1024 and {shown(worse[-1])} at 2^40.",
    )


@claim(
    "7",
    "Privelet is consistent and needs no post-processing to be more accurate.",
    PaperStatement(
        "Compared with other methods of binary trees, data compressed by the wavelet transform have no inconsistency",
        "§3.1",
        "使用小波变换方法压缩的数据,不存在不一致性问题",
    ),
    PaperStatement(
        "No post-processing is needed to make the algorithm more accurate",
        "§3.1",
        "无需采用任何后置处理方法来提高算法的精确性",
        "post-processing: the least squares that Boost uses",
    ),
    setting="N = 64: the strategy matrix, and the covariance of the cells after least squares; exact",
    exact=True,
)
def no_post_processing(ask: Ask) -> Finding:
    strategy = Privelet(SMALL_H)
    matrix = strategy.matrix()
    rank = int(np.linalg.matrix_rank(matrix))
    covariance = np.linalg.inv(matrix.T @ matrix)
    own = strategy.covariance_matrix()
    gain = float(np.abs(covariance - own).max())
    return Finding(
        (
            (Check(Number.of("N = 64: measured coefficients less unknown cells", len(matrix) - rank), 0, 0),),
            (Check(Number.of("N = 64: covariance after least squares against before, largest gap", gain), most=1e-9),),
        ),
        f"{len(matrix)} coefficients determine {rank} cells, so nothing can contradict itself, and least squares "
        f"change the covariance by nothing but rounding; a binary tree measures {len(Tree(SMALL_H).matrix())} sums of "
        "64 cells. It is not the best release for all that: a consistent tree of another shape errs less.",
        caveats=(
            Number.of(
                "N = 1024: average variance, Privelet over the best consistent tree",
                Privelet(H).average_variance(1.0) / best_tree(H).average_variance(1.0),
            ),
        ),
    )
