"""Every bug planted in a mechanism for sets, and the laws that kill it: exactly these fail, all others hold."""

import pytest

from tests.laws import cases, set_laws
from tests.power import set_bugs as bugs

EVERY = (*set_laws.ALL, *set_laws.SAMPLED)
SHAPE = (5, 3, 2, 0)
PADDED = (4, 1, 2, 2)
"""k, marked, m, dummies."""
ESTIMATED = {"estimate_and_variance_are_the_channels", "simulate_has_the_law", "surveys_have_the_law"}
LIKELIHOOD = {
    "keeps_its_policy",
    "likelihood_is_a_distribution",
    "nothing_marked_shows",
    "others_count_alike",
    "perturb_follows_the_likelihood",
}
TABLE = {
    "dummies not sensitive": (bugs.DummiesNotSensitive, PADDED, {"nothing_marked_shows"}),
    "y₀ as a set": (
        bugs.ReportAsASet,
        SHAPE,
        ESTIMATED - {"simulate_has_the_law"} | {"simulate_and_perturb_share_their_covariance"},
    ),
    "ε for every item, not ε/m": (bugs.WholeBudgetEach, SHAPE, {"keeps_its_policy"}),
    "the factor m forgotten": (bugs.SampleForgotten, SHAPE, ESTIMATED),
    "the holders' noise forgotten": (bugs.VarianceOfNobody, SHAPE, ESTIMATED),
    "ρ 5 % too large: the sampler's": (bugs.DisclosesTooOften, SHAPE, {"perturb_follows_the_likelihood"}),
    "what disclosing used up forgotten": (bugs.ForgetsWhatIsSpent, SHAPE, LIKELIHOOD),
    "random hits not subtracted": (
        bugs.ArcCountsUnmarked,
        SHAPE,
        ESTIMATED - {"estimate_and_variance_are_the_channels"},
    ),
    "subsets of w + 1 items": (
        bugs.SubsetsOneTooLarge,
        SHAPE,
        {
            "perturb_follows_the_likelihood",
            "simulate_has_the_law",
            "surveys_have_the_law",
        },
    ),
    "PrivSet's ρ for uPrivSet": (
        bugs.DisclosesAsIfAlone,
        SHAPE,
        LIKELIHOOD | {"estimate_and_variance_are_the_channels"},
    ),
    "one hash for all": (
        bugs.OneHashForAll,
        SHAPE,
        {"surveys_have_the_law", "simulate_and_perturb_share_their_covariance"},
    ),
    "who holds what together ignored": (bugs.CompanyIgnored, SHAPE, {"estimate_and_variance_are_the_channels"}),
    "counts drawn one by one": (bugs.SimulatesAlone, SHAPE, {"simulate_and_perturb_share_their_covariance"}),
    "the order of the set shows": (
        bugs.AsWrittenDown,
        SHAPE,
        {"perturb_follows_the_likelihood", "reports_are_canonical"},
    ),
    "another report's sets": (bugs.SetsOfTheFirst, SHAPE, {"likelihood_is_each_reports_own"}),
    "which others are not disclosed forgotten": (bugs.SaysOthersCountAlike, SHAPE, {"others_count_alike"}),
    "a report's size 10 % too small": (bugs.ShortReport, SHAPE, {"report_size_is_as_computed"}),
}


def killers(bug, shape):
    """The names of the laws that fail; a channel that is none, or a report that it does not know, fails them too."""
    k, marked, m, dummies = shape
    mechanism = bug(1.0, k, cases.marks(k, marked), m, dummies)
    out = set()
    for law in EVERY:
        try:
            law(mechanism)
        except (AssertionError, ValueError):
            out.add(law.__name__)
    return out


@pytest.mark.parametrize(("bug", "shape", "expected"), TABLE.values(), ids=TABLE)
def test_bug_is_killed(bug, shape, expected):
    assert killers(bug, shape) == expected


def test_every_law_kills_something():
    killed = set().union(*(entry[-1] for entry in TABLE.values()))
    assert {law.__name__ for law in EVERY} <= killed
