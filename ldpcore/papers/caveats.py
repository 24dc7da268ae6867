"""Where the papers' text does not hold, in plain words, each with its numbers and its repair (theory/papers#errata)."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ldpcore.attacks import exact_repeat, labels
from ldpcore.catalog import FREQUENCY, MEANS, SETS
from ldpcore.limit import best
from ldpcore.mechanisms.direct import SDGRR
from ldpcore.papers import dfdp_privacy, sdldp_theory, suldp, suldp_trends
from ldpcore.papers.check import shown
from ldpcore.papers.claim import Ask
from ldpcore.papers.measures import slope
from ldpcore.papers.privelet import INDICES, H
from ldpcore.papers.sdldp_means import LOW
from ldpcore.policy import SDLDP, GuardedSDLDP, counterexample
from ldpcore.rng import stream

HIGH = np.arange(18) < 4
"""The papers' education: 18 values, the first 4 of them high."""


@dataclass(frozen=True)
class Caveat:
    """One of them: paper, title, and what computes the sentence and its repair; `claim`: where it is measured."""

    number: int
    paper: str
    title: str
    measure: Callable[[], tuple[str, str]] = field(repr=False)
    claim: str = ""

    def __call__(self) -> tuple[str, str]:
        """What is wrong, and what repairs it: two sentences with their numbers. Closed forms and short draws."""
        return self.measure()


def caveat(number: int, paper: str, title: str, claim: str = "") -> Callable[..., Caveat]:
    """The decorator that makes a caveat of a function without arguments."""
    return lambda measure: Caveat(number, paper, title, measure, claim)


@caveat(1, "suldp", "A set forgets how often", "1")
def multiset() -> tuple[str, str]:
    k, m, E = 64, 4, np.exp(1 / 4)
    mechanism = SETS["suGRR"].build(1.0, k, suldp.mask(k, 0.25), m)
    q = 1 / (mechanism.sigma + E - 1)
    expected = suldp.as_a_set(mechanism, np.full(k, m / k), E * q, q).mean()
    return (
        f"suGRR perturbs every item by itself, so two items may become the same answer. Sent as a set, one of them is "
        f"lost: shares of {shown(m / k)} are estimated at {shown(expected)} on average (d = 64, m = 4, ε = 1).",
        "Reports here are multisets: each answer counts as often as it was drawn, and the estimate is unbiased.",
    )


@caveat(2, "suldp", "A missing disclosure points to a sensitive item", "9")
def missing_disclosure() -> tuple[str, str]:
    m, epsilon, k, n = 8, 0.1, 1024, 6000
    rng, sensitive = stream(7, "papers", "missing disclosure"), suldp.mask(k, 0.25)
    others, marked = np.flatnonzero(~sensitive), np.flatnonzero(sensitive)
    none = np.sort(others[suldp.drawn_sets(n, len(others), m, rng)], axis=1)
    one = none.copy()
    one[:, 0] = rng.choice(marked, n)
    seven = []
    for people in (one, none):
        reports = SETS["suWheel"].build(epsilon, k, sensitive, m).perturb(people, rng)
        seven.append(float(np.mean(np.count_nonzero(reports["disclosed"] >= 0, axis=1) == m - 1)))
    joint = SETS["suWheel-J"].build(epsilon, k, sensitive, m)
    wheel = SETS["suWheel"].build(epsilon, k, sensitive, m)
    freq = np.full(k, m / k)
    gain = joint.variance(freq, 1).mean() / wheel.variance(freq, 1).mean()
    return (
        f"suWheel protects the place on the ring, not the list of disclosed items beside it. Exactly {m - 1} of {m} "
        f"items are disclosed by {shown(100 * seven[0])} % of those with one sensitive item and "
        f"{shown(100 * seven[1])} % of those with none: {shown(seven[0] / seven[1])} times, where ε = {epsilon:g} "
        f"allows {shown(np.exp(epsilon))}.",
        f"suWheel-J bounds the whole report by ε, and its error is {shown(gain)} times suWheel's.",
    )


@caveat(3, "suldp", "Disclosed items are proved", "9")
def disclosed() -> tuple[str, str]:
    built = SETS["suGRR"].build(1.0, 6, np.arange(6) < 3, 2)
    channel = built.channel()
    named = sum(bool(getattr(column, "disclosed", ())) for column in channel.columns)
    return (
        f"Of suGRR's {len(channel.columns)} reports over 6 items, 3 of them sensitive, {named} name an item that is "
        "not sensitive, and whoever has only sensitive items never sends one. The definition therefore compares only "
        "sets that contain the items named.",
        "Mark an item as not sensitive only if its disclosure harms nobody; the promise for sensitive items is "
        "unchanged.",
    )


@caveat(4, "sdldp", "Low labels speak against high values")
def low_labels() -> tuple[str, str]:
    loss = FREQUENCY["SDGRR"].build(1.0, 18, HIGH).privacy_loss()
    worst, high = float(loss[~HIGH][:, HIGH].max()), float(loss[HIGH][:, HIGH].max())
    return (
        f"SDGRR promises ε = 1 among high values (measured {shown(high)}). A low label speaks for its own value "
        f"against a high one by {shown(worst)}: odds of {shown(np.exp(worst))} where e^ε is {shown(np.e)}.",
        "The heat map of pairwise loss on Frequency shows it for your marks; GRR bounds every pair, at a larger error.",
    )


@caveat(5, "sdldp", "Two variances leave something out", "6")
def variances() -> tuple[str, str]:
    freq = np.full(18, 1 / 18)
    built = SDGRR(0.1, 18, HIGH)
    exact, paper = built.variance(freq, 1)[-1], built.paper_variance(freq, 1)[-1]
    exact_spread, theorem, _ = sdldp_theory.spread(4.0)
    return (
        f"Formula (12) takes the estimated share of high answers as known: it gives {shown(paper)} where the exact "
        f"n·Var is {shown(exact)} (18 values, 4 high, ε = 0.1). Theorem 4 leaves out the point mass and the mean of "
        f"low reports, which are biased: {shown(theorem)} for {shown(exact_spread)} at ε = 4.",
        "Both are shown, named “paper” and “exact”; all curves here are exact. SDPM has an unbiased score.",
    )


@caveat(6, "sdldp", "A number repeated exactly is recognised")
def repeats() -> tuple[str, str]:
    built = MEANS["SDPM"].build(1.0, LOW["50"])
    x = np.linspace(-0.5, 0.5, 11)
    sent, step = float(built.disclosure(x).mean()), 0.1
    added = float(np.mean(exact_repeat.cost(built, x, step)) / built.report_moments(x)[1].mean())
    return (
        f"SDPM sends a low value as it is with probability {shown(sent)} (ε = 1, half of the range low). Noise has "
        "many decimals and recorded data few, so such a report is recognised as the truth.",
        f"Reports rounded at random to a public grid of {step:g} hide it, and cost {shown(100 * added)} % more "
        "variance.",
    )


@caveat(7, "sdldp", "Misprints in PM")
def misprints() -> tuple[str, str]:
    half, E = np.exp(0.25), np.exp(0.5)
    total = (np.e - half) / (E - half)
    built = MEANS["PM"].build(0.5)
    mass = float(built.mass(np.array([0.3]), built.edges).sum())
    return (
        f"With “e − e^(ε/2)” as printed, PM's probabilities would add up to {shown(total)} at ε = 0.5; it is e^ε − "
        "e^(ε/2). The left end of the window is ((C+1)/2)x − (C−1)/2.",
        f"The engine uses these; its probabilities add up to {shown(mass)}.",
    )


@caveat(8, "dfdp", "What is looked at is published too", "6")
def candidates() -> tuple[str, str]:
    finding = dfdp_privacy.is_private(Ask())
    kept = finding.repair.shown if finding.repair else "nothing"
    return (
        "DFDP chooses its candidates, and when to stop, by the true counts, and both show in what is published. "
        + finding.why,
        f"The private miner takes its candidates from noisy counts and caps what a basket adds: told to spend 1, "
        f"{kept} can be defended for all it publishes.",
    )


@caveat(9, "ldpk", "The number of the cluster is sent as it is", "5")
def indices() -> tuple[str, str]:
    return (
        "In every round each person sends the number of the nearest centre, computed from the true record without "
        "any noise. The proof covers the first report only, and the numbers alone give attributes away: claim 5 "
        "measures it.",
        "Fresh users in every round: one report of cluster number and value together, with the whole ε, once per "
        "person.",
    )


@caveat(10, "sdldp", "“An order of magnitude” is less", "1")
def orders() -> tuple[str, str]:
    def gain(k: int, sigma: int, key: str) -> float:
        mask, freq = np.arange(k) < sigma, np.full(k, 1 / k)
        marked_error = FREQUENCY[key].build(0.5, k, mask).variance(freq, 1).mean()
        return float(FREQUENCY["GRR"].build(0.5, k).variance(freq, 1).mean() / marked_error)

    return (
        f"With unbiased estimates GRR's error is {shown(gain(18, 4, 'SDGRR'))} times SDGRR's with 18 values and "
        f"{shown(gain(7, 2, 'SDGRR'))} times with 7 (ε = 0.5). SDPM's two orders are the pull of an EM that stops "
        "early, on data whose mean is near its start (claim 4).",
        f"uSS is {shown(gain(18, 4, 'uSS'))} and {shown(gain(7, 2, 'uSS'))} times better than GRR, under a stronger "
        "definition.",
    )


@caveat(11, "suldp", "The trend with the domain hangs on a lost equation", "6")
def trend() -> tuple[str, str]:
    sizes = suldp_trends.SIZES[2:]
    a, b = (slope(sizes, [suldp.uniform(k).mse(key, 1.0) for k in sizes]) for key in ("suGRR", "suWheel"))
    return (
        f"By the mean squared error over the d values suGRR's error grows like d^{shown(a)} and suWheel's stays level "
        f"(d^{shown(b)}); the paper draws level and falling curves.",
        "State what an error is averaged over. Divided by d once more, the paper's picture appears.",
    )


@caveat(12, "privelet", "The accuracy index is a limit", "4")
def index() -> tuple[str, str]:
    at_paper_size = {name: build(H).accuracy_index() for name, (build, _) in INDICES.items()}
    return (
        f"1, 6 and 6 are reached at no N: at N = 1024 they are {', '.join(shown(v) for v in at_paper_size.values())}.",
        "Compare the average errors at your own N (Ranges does), or quote the index with its N.",
    )


@caveat(13, "sdldp", "SDLDP is weaker than ULDP, not stronger")
def weaker() -> tuple[str, str]:
    epsilon = 1.0
    channel, mask = counterexample(epsilon), np.array([True, True, False, False])
    kept, guarded = (policy(epsilon, mask).check(channel).holds for policy in (SDLDP, GuardedSDLDP))
    ratio = float(channel.matrix[0, 2] / channel.matrix[2:, 2].mean())
    limit = best("guarded SDLDP", k=18, marked=4, epsilon=epsilon, share=4 / 18).mse
    return (
        f"There is a channel that {'keeps' if kept else 'breaks'} the definition at ε = 1, and yet a low label makes "
        f"“high” {shown(ratio)} times likelier: the definition never compares a high with a low value on low reports.",
        f"Guarded SDLDP bounds low labels too (that channel {'keeps' if guarded else 'breaks'} it); its best "
        f"mechanism has n × MSE {shown(limit)} with 18 values, 4 high, where SDGRR has "
        f"{shown(FREQUENCY['SDGRR'].build(epsilon, 18, HIGH).variance(np.full(18, 1 / 18), 1).mean())}.",
    )


@caveat(14, "sdldp", "A rare low label points to a high value")
def rare_labels() -> tuple[str, str]:
    freq = np.where(HIGH, 0.25 / 4, 0.75 * (1 - 0.001) / 13)
    freq[-1] = 0.75 * 0.001
    odds = {key: labels.odds(FREQUENCY[key].build(1.0, 18, HIGH), HIGH, freq)[-1] for key in ("SDGRR", "SDSS")}
    guess = freq * ~HIGH / freq[~HIGH].sum()
    guessed_odds = labels.odds(FREQUENCY["SDSS"].build(1.0, 18, HIGH, decoys=tuple(guess)), HIGH, freq)[-1]
    return (
        "High answers stray to every low label alike. One that a thousandth of the others hold therefore multiplies "
        f"the odds of “high” by {shown(odds['SDGRR'])} (18 values, 4 high, ε = 1).",
        f"SDSS draws its decoys from a public guess of how the others answer: the factor is then {shown(guessed_odds)} "
        f"({shown(odds['SDSS'])} with uniform decoys).",
    )


CAVEATS: tuple[Caveat, ...] = tuple(value for value in list(globals().values()) if isinstance(value, Caveat))
