"""`ldpcore estimate` with what stands beside reports, and from another tool's counts: numbers, and words."""

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from ldpcore.catalog import FREQUENCY
from ldpcore.cli import main
from ldpcore.client import Client
from ldpcore.collection import AnswerBatch, ItemBatch, NumberBatch, Phones, results, weighing
from ldpcore.collection.phones import mechanism_reports
from ldpcore.estimators import weighted
from ldpcore.rng import stream

PEOPLE = 600
ASKED = AnswerBatch("OLH", 3.0, "city", answers=("Oslo", "Rome", "Lima"), sensitive=(False,) * 3)
PHONE = Phones(Client.of("uSS", 3.0, ["never", "once", "often"], [False, True, True], "copied"))


def ldpcore(*arguments):
    return CliRunner().invoke(main, ["estimate", *map(str, arguments)])


@pytest.fixture
def survey(tmp_path):
    """Reports of phones with columns beside them; two rows that nobody can have sent."""
    rng = stream(1, "survey")
    group = np.arange(PEOPLE) % 2
    values = np.where(group == 0, rng.choice(3, PEOPLE, p=[0.8, 0.1, 0.1]), rng.choice(3, PEOPLE, p=[0.2, 0.4, 0.4]))
    rows = pd.DataFrame({
        "report": PHONE.perturb(values, rng).astype(str), "W": np.where(group == 0, 0.5, 2.0),
        "sex": np.where(group == 0, "m", "f"), "school": np.arange(PEOPLE) // 20, "region": np.arange(PEOPLE) // 300,
    })  # fmt: skip
    bad = pd.DataFrame({"report": ["7", "x"], "W": [9.0, 9.0], "sex": ["m", "m"], "school": [1, 1], "region": [0, 0]})
    pd.concat([rows[:100], bad, rows[100:]]).to_csv(tmp_path / "reports.csv", index=False)
    (tmp_path / "client.json").write_text(PHONE.to_json(), encoding="utf-8")
    return tmp_path, rows


def table(tmp_path, *options):
    run = ldpcore(tmp_path / "reports.csv", "--client", tmp_path / "client.json", "-o", tmp_path / "out.csv", *options)
    assert run.exit_code == 0, run.output
    return pd.read_csv(tmp_path / "out.csv"), run.output


def test_weights_beside_reports(survey):
    """The shares are those of the scores, weighted; what counts is Kish's n; rows that are none are left out."""
    tmp_path, rows = survey
    found, said = table(tmp_path, "--weights", "w")
    scores = PHONE.client.mechanism.scores(mechanism_reports(PHONE.client, rows["report"].astype(int).to_numpy()))
    assert found["share"].to_numpy() == pytest.approx(rows["W"].to_numpy() @ scores / rows["W"].sum())
    assert found["effective"].to_numpy() == pytest.approx(np.full(3, 1.25**2 / 2.125 * PEOPLE))
    assert (found["low"] < found["share"]).all()
    assert f"left out: 2 of {PEOPLE + 2} rows" in said
    assert f"which count as {1.25**2 / 2.125 * PEOPLE:.0f} with equal weights" in said
    assert "Korn, Graubard" in said


def test_equal_weights_are_the_plain_estimate(survey):
    """To every digit of the table; intervals too, which are exact then."""
    tmp_path, _ = survey
    full = pd.read_csv(tmp_path / "reports.csv").assign(W=1)
    full.to_csv(tmp_path / "reports.csv", index=False)
    plain, _ = table(tmp_path)
    found, _ = table(tmp_path, "--weights", "W")
    assert plain.columns.tolist() == ["answer", "sensitive", "share", "low", "high"]
    assert (found[plain.columns] == plain).all().all()


def test_groups_are_estimated_each(survey):
    tmp_path, rows = survey
    found, _ = table(tmp_path, "--weights", "w", "--by", "sex")
    assert found["sex"].tolist() == ["f"] * 3 + ["m"] * 3
    scores = PHONE.client.mechanism.scores(mechanism_reports(PHONE.client, rows["report"].astype(int).to_numpy()))
    for name, part in found.groupby("sex"):
        assert part["share"].to_numpy() == pytest.approx(scores[rows["sex"] == name].mean(axis=0))
        assert (part["n"] == PEOPLE // 2).all()


def test_a_design_has_both_errors(survey):
    """Whole errors are `weighted.design`'s, noise is what the reports alone err; the drawing comes on top of it."""
    tmp_path, rows = survey
    found, said = table(tmp_path, "--weights", "w", "--strata", "region", "--clusters", "school")
    scores = PHONE.client.mechanism.scores(mechanism_reports(PHONE.client, rows["report"].astype(int).to_numpy()))
    exact = weighted.design(scores, rows["W"], rows["region"], rows["school"])
    assert found["error"].to_numpy() == pytest.approx(np.sqrt(exact.variance))
    assert found["low"].to_numpy() == pytest.approx(np.clip(exact.interval()[0], 0, 1))
    assert (found["noise"] < found["error"]).any()
    assert "error holds the drawing of people and of reports" in said
    group, _ = table(tmp_path, "--weights", "w", "--clusters", "school", "--by", "sex")
    within = weighted.design(scores, rows["W"] * (rows["sex"] == "f"), clusters=rows["school"])
    assert group["error"][:3].to_numpy() == pytest.approx(np.sqrt(within.variance))
    _, said = table(tmp_path, "--strata", "school", "--clusters", "school")
    assert "stratum 0 has one cluster; its error is taken from the whole" in said


@pytest.mark.parametrize(
    "asked",
    [
        ASKED,
        ItemBatch("PrivSet", 3.0, "items", items=tuple("abcdef"), sensitive=(False,) * 6, m=2),
        NumberBatch("PM", 3.0, "age", low=18, high=98),
        NumberBatch("SW", 3.0, "age", low=18, high=98),
    ],
    ids=lambda asked: asked.key,
)
def test_every_kind_of_question_has_weights(asked):
    """Of 30 000 with two weights: shares of values, items and means; equal ones are the plain ones."""
    n, rng = 30_000, stream(2, asked.key)
    w = np.where(np.arange(n) % 3 == 0, 0.25, 1.5)
    if asked.task == "sets":
        codes, starts = np.tile([0, 3, 1, 2], n // 2), np.arange(n + 1) * 2
        values, truth = (codes, starts), np.zeros(6)
        np.add.at(truth, codes.reshape(-1, 2), (w / w.sum())[:, None])
    else:
        codes = np.where(np.arange(n) % 3 == 0, 2, np.arange(n) % 2)
        values = codes if asked.task == "frequency" else 20.0 + 30 * codes
        truth = np.bincount(codes, w, 3) / w.sum() if asked.task == "frequency" else [w @ values / w.sum()]
    sent = asked.perturb(values, rng)
    columns = weighing.DesignColumns("w", strata="s")
    beside = pd.DataFrame({"w": w, "s": "one"})
    found = weighing.WeighedReports(asked, columns, sent, beside, 0).table()
    share = found["mean" if asked.task == "means" else "share"].to_numpy()
    assert np.all(np.abs(share - truth) < 5 * found["error"]), (share, truth)
    assert (found["error"] > 0).all()
    even = weighing.WeighedReports(asked, weighing.DesignColumns("w"), sent, beside.assign(w=3.0), 0).table()
    plain = asked.table(asked.tally(sent))
    for name in plain.columns:
        numbers = plain[name].dtype == float
        assert even[name].tolist() == (pytest.approx(plain[name].tolist()) if numbers else plain[name].tolist())


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--weights", "age"], "has no column “age”"),
        (["--weights", "sex"], "“sex” holds 'm' as a weight; weights are numbers"),
        (["--weights", "w", "--publish", "clip"], "stand without --relation and --publish"),
    ],
)
def test_what_stands_beside_wrongly_is_told(survey, options, sentence):
    tmp_path, _ = survey
    run = ldpcore(tmp_path / "reports.csv", "--client", tmp_path / "client.json", *options)
    assert run.exit_code == 1
    assert sentence in run.output


def test_without_reports_or_client_it_says_what_it_needs(survey):
    tmp_path, _ = survey
    for arguments in ([], [tmp_path / "reports.csv"], ["--counts", tmp_path / "reports.csv"]):
        run = ldpcore(*arguments)
        assert run.exit_code == 1
        assert "--matrix or --tool" in run.output


# another tool ------------------------------------------------------------------------------------------------------


def test_counts_of_rappor(tmp_path):
    """f = ¼, p = ½, q = ¾: a, b, ε, shares and ends, computed before by another program."""
    (tmp_path / "c.csv").write_text("answer,count\na,640\nb,580\nc,570\nd,565\n", encoding="utf-8")
    out = tmp_path / "out.csv"
    run = ldpcore("--counts", tmp_path / "c.csv", "--tool", "rappor:f=.25,p=.5,q=.75", "--people", 1000, "-o", out)
    assert run.exit_code == 0, run.output
    found = pd.read_csv(out)
    assert found["share"].tolist() == pytest.approx([0.58, 0.26, 0.2066666667, 0.18])
    assert found["low"].tolist() == pytest.approx([0.4166510273, 0.093126562, 0.0394504794, 0.0126379396])
    assert found["high"].tolist() == pytest.approx([0.7389376904, 0.4243541855, 0.3716786486, 0.3453153566])
    assert "not believed: ε = 0.813" in run.output


def test_the_epsilon_that_rappors_paper_prints():
    """Erlingsson, Pihur, Korolova 2014, §3: one-time basic RAPPOR, f = ½, p = ½, q = ¾ and one bit: ε = 0.5371 for one
    of the two bits that differ, log q*(1 − p*)/(p*(1 − q*)) with q* = .6875 and p* = .5625."""
    pair = results.pair_of("rappor", 4, f=0.5, p=0.5, q=0.75)
    assert (pair.a, pair.b) == (0.6875, 0.5625)
    assert pair.epsilon == pytest.approx(0.5371, abs=5e-5)


def test_counts_by_a_matrix(tmp_path):
    (tmp_path / "c.csv").write_text("113\n329\n", encoding="utf-8")
    (tmp_path / "P.csv").write_text("answer,1,2\nyes,.8,.2\nno,.2,.8\n", encoding="utf-8")
    run = ldpcore("--counts", tmp_path / "c.csv", "--matrix", tmp_path / "P.csv", "-o", tmp_path / "out.csv")
    assert run.exit_code == 0, run.output
    found = pd.read_csv(tmp_path / "out.csv")
    assert found["answer"].tolist() == ["yes", "no"]
    assert found["share"].tolist() == pytest.approx([0.092760181, 0.907239819])
    assert found["error"].tolist() == pytest.approx([0.0317100996] * 2, rel=1e-3)
    assert "ε = 1.386" in run.output


@pytest.mark.parametrize(
    ("tool", "key"), [("grr:epsilon=1", "GRR"), ("oue:epsilon=1", "OUE"), ("sue:epsilon=1", "RAPPOR")]
)
def test_tools_are_the_catalogues_own(tool, key):
    m, pair = FREQUENCY[key].build(1.0, 5), results.parsed(tool, 5)
    total = m.tally(m.perturb(np.arange(5).repeat(100), stream(3, key))).total
    assert results.of_pair(total, 500, pair)["share"].to_numpy() == pytest.approx(m.invert(total / 500))
    assert pair.epsilon == pytest.approx(1.0)


def test_yes_and_no_of_the_old_devices():
    """Warner's and the forced response: yes and no are one share and its rest, for each other's ε."""
    for tool, share in (("warner:p=.8", (0.4 - 0.2) / 0.6), ("forced:p1=.3,p2=.1", (0.4 - 0.3) / 0.6)):
        found = results.of_pair([40, 60], None, results.parsed(tool, 2))
        assert found["share"].tolist() == pytest.approx([share, 1 - share])
        assert found["low"][0] == pytest.approx(1 - found["high"][1])
        assert (found["low"] < found["share"]).all()
    assert results.parsed("warner:p=.8", 2).epsilon == pytest.approx(np.log(4))
    assert results.parsed("warner:p=1", 2).epsilon == np.inf


@pytest.mark.parametrize(
    ("counts", "options", "sentence"),
    [
        ("1200\n100", ["--tool", "oue:epsilon=1", "--people", "1000"], "1200 of 1000 reports support one answer"),
        ("10\n20", ["--tool", "oue:epsilon=1"], "say how many people reported, with --people"),
        ("10\n20", ["--tool", "rappor:f=1,p=.5,q=.75", "--people", "50"], "the reports tell nothing of the answers"),
        ("10\n20", ["--tool", "rappor:f=.5,p=.5,q=.75,h=2", "--people", "50"], "RAPPOR with a Bloom filter needs"),
        ("10\n20", ["--tool", "oue:p=.5"], "oue takes oue:epsilon=…"),
        ("10\n20", ["--tool", "warner:p=.5"], "the reports tell nothing of the answers"),
        ("10\n20", ["--tool", "warner:p=2"], "p is a chance between 0 and 1, got 2"),
        ("1\n2\n3", ["--tool", "warner:p=.8"], "one question with yes and no"),
        ("10\n20", ["--tool", "grr:epsilon=1", "--people", "50"], "the counts add up to 30, not to 50"),
        ("10\n20", ["--tool", "guess:p=.8"], "no tool known here"),
        ("10\n20", ["--tool", "grr:p"], "is no parameter"),
        ("10\n2.5", ["--tool", "grr:epsilon=1"], "counts must be whole and not negative"),
        ("0\n0", ["--tool", "grr:epsilon=1"], "all counts are 0"),
        ("a,b\nc,d", ["--tool", "grr:epsilon=1"], "a whole number on every line"),
        ("1\n2\n3", ["--matrix", ".8,.2\n.2,.8"], "3 counts and 2 reports in the matrix do not fit together"),
        ("1\n2", ["--matrix", ".5,.5\n.5,.5"], "nothing tells the shares of"),
        ("1\n2", ["--matrix", ".5,.5\n.4999999,.5000001"], "its condition number is 1e+07"),
        ("1\n2\n3", ["--matrix", ".8,.2,0\n.2,.8,0"], "report 3 came, but no answer can send it"),
        ("1\n2", ["--matrix", ".8,.2\n.2,.9"], "row 2"),
    ],
)
def test_counts_that_make_no_sense_are_refused_in_words(tmp_path, counts, options, sentence):
    (tmp_path / "c.csv").write_text(counts + "\n", encoding="utf-8")
    if options[0] == "--matrix":
        (tmp_path / "P.csv").write_text(options[1] + "\n", encoding="utf-8")
        options = ["--matrix", str(tmp_path / "P.csv")]
    run = ldpcore("--counts", tmp_path / "c.csv", *options)
    assert run.exit_code == 1, run.output
    assert sentence in run.output


def test_a_matrix_that_hardly_fits_is_said_so(tmp_path):
    """Both with its condition number, and where shares lie far outside 0 to 1."""
    (tmp_path / "c.csv").write_text("113\n329\n", encoding="utf-8")
    (tmp_path / "P.csv").write_text(".5,.5\n.4999,.5001\n", encoding="utf-8")
    run = ldpcore("--counts", tmp_path / "c.csv", "--matrix", tmp_path / "P.csv")
    assert run.exit_code == 0
    assert "the condition number of this matrix is 1e+04" in run.output
    assert "these counts do not fit the matrix" in run.output
