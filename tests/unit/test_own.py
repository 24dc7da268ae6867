"""A mechanism of one's own: what is read, what is refused with which remedy, in the terminal, in a Study."""

from dataclasses import fields, replace
from math import inf, nan

import numpy as np
import pytest
from click.testing import CliRunner

from ldpapp.views.frequency import own
from ldpcore import catalog, custom, data, study
from ldpcore.cli import main
from ldpcore.custom import apart, compared
from ldpcore.rng import stream
from ldpcore.study import Choice, Marks, Source, Study, invented, query, serial, tasks
from ldpcore.study.execute import prepare
from tests.each import for_each

LABELS = ("never", "once", "often")
GRR = "answer,A,B,C\nonce,1/4,1/2,1/4\nnever,0.5,0.25,0.25\noften,0.25,0.25,0.5\n"


@for_each(
    "text",
    [
        "0.5 0.25 0.25\n0.25 0.5 0.25\n0.25 0.25 0.5",
        "0.5,0.25,0.25\n0.25,0.5,0.25\n\n0.25,0.25,0.5,\n",
        "# mine\n0,5;0,25;0,25\n0,25;0,5;0,25\n0,25;0,25;0,5",
        "1/2\t1/4\t1/4\n1/4\t1/2\t1/4\n1/4\t1/4\t1/2",
        "A,B,C\n0.5,0.25,0.25\n0.25,0.5,0.25\n0.25,0.25,0.5",
        "often,0.25,0.25,0.5\nonce,0.25,0.5,0.25\nnever,0.5,0.25,0.25",
        GRR,
        "\ufeff" + GRR,
    ],
)
def test_a_table_is_read_as_people_write_it(text):
    given = custom.read(text, LABELS)
    assert np.array_equal(given.matrix, np.full((3, 3), 0.25) + np.eye(3) / 4)
    assert given.answers == LABELS
    assert given.rounded == 0


def test_numbers_as_names_of_answers_are_names_where_there_is_a_head():
    given = custom.read("answer,0,1\n1,0.9,0.1\n0,0.1,0.9", ("0", "1"))
    assert given.matrix[0].tolist() == [0.1, 0.9]
    assert given.reports == ("0", "1")


def test_rounded_rows_are_divided_by_their_sums():
    given = custom.read("0.333 0.333 0.333\n0.2 0.2 0.6")
    assert given.rounded == pytest.approx(0.001)
    assert np.allclose(given.matrix.sum(axis=1), 1, atol=1e-15)


REFUSED = {
    "": "nothing is given",
    "0.5 0.4\n0.5 0.5": "row 1 sums to 0.9",
    "0.5 0.2 0.3\n0.5 0.8 0.7": r"exchange them \(transpose",
    "50 50\n20 80": "divide them by 100",
    "1.5 -0.5\n0.5 0.5": "column 2 is -0.5: a chance is not negative",
    "0.5 nan\n0.5 0.5": "column 2 holds no finite number",
    "0.5,many\n0.5,0.5": "holds “many”, which is no number",
    "0.5 0.5\n0.2 0.3 0.5": "row 2 has 3 chances",
    "a,1,0\na,0,1": "a stands in several rows",
    "0.5 0.5": "at least two of both",
    "1\n1": "at least two of both",
    "answer,a,b": "add a row for each answer",
    "just words": "add a row for each answer",
    "\n".join(["0.001 " * 1000] * 300): "are computed exactly",
}


@pytest.mark.parametrize("text", REFUSED)
def test_a_bad_table_is_refused_with_a_remedy(text):
    with pytest.raises((ValueError, TypeError), match=REFUSED[text]):
        custom.read(text)


def test_a_table_of_a_million_cells_is_refused_at_once():
    with pytest.raises(ValueError, match="are computed exactly"):
        custom.CustomMechanism(np.full((1000, 1000), 0.001))
    with pytest.raises(ValueError, match="MB of text"):
        custom.read("0.5," * 3_000_000)


def test_rows_must_be_those_of_the_column():
    with pytest.raises(ValueError, match="2 rows, but this column has 3 values"):
        custom.read("0.5 0.5\n0.2 0.8", LABELS)
    with pytest.raises(ValueError, match="named always, which are no values of this column"):
        custom.read("never,1,0\nonce,0,1\nalways,0,1", LABELS)


def test_a_singular_table_names_what_cannot_be_told_apart():
    made = custom.CustomMechanism([[0.8, 0.2, 0], [0.4, 0.6, 0], [0.6, 0.4, 0]], answers=LABELS)
    assert made.promise.epsilon < inf  # what it promises is known nevertheless
    with pytest.raises(ValueError, match="shares of never, once, often apart"):
        made.variance(None, 1)
    twins = custom.CustomMechanism([[0.8, 0.2, 0], [0.1, 0.1, 0.8], [0.8, 0.2, 0]], answers=LABELS)
    with pytest.raises(ValueError, match="shares of never, often apart"):
        twins.variance(None, 1)


# promises --------------------------------------------------------------------------------------------------------


def test_the_pair_and_the_report_that_decide_are_named():
    found = custom.kept(np.array([[0.6, 0.2, 0.2], [0.1, 0.7, 0.2], [0.3, 0.3, 0.4]]))["LDP"]
    assert (found.value, found.against, found.report) == (0, 1, 0)
    assert found.epsilon == pytest.approx(np.log(6))


def test_levels_are_the_smallest_vector():
    table = catalog.LEVELS["gRR"].build([inf, 2.0, 0.5]).channel().matrix
    found = custom.kept(table, np.array([False, True, True]))
    assert found["levels"].epsilons == pytest.approx((inf, 2.0, 0.5))
    assert found["ULDP"].epsilon == pytest.approx(2.0)
    assert custom.strongest(found).definition == "ULDP"


def test_a_rare_low_label_is_what_decides_the_guarded_promise():
    # Both marked values send the label of value 2 three times as often as the average of the others does.
    table = np.array([[0.4, 0.3, 0.3, 0], [0.3, 0.4, 0.3, 0], [0.4, 0.4, 0.2, 0], [0.4, 0.4, 0, 0.2]])
    found = custom.kept(table, np.array([True, True, False, False]))["guarded SDLDP"]
    assert (found.against, found.report) == (custom.AVERAGE, 2)
    assert found.epsilon == pytest.approx(np.log(3))


def test_what_proves_a_value_promises_nothing():
    made = custom.CustomMechanism(np.eye(3))
    assert (made.promise.definition, made.epsilon) == (custom.NONE, inf)
    assert custom.distance(made) is None
    assert custom.at_its_epsilon(made) is None
    assert made.disclosure().tolist() == [1, 1, 1]


def test_the_best_at_the_same_exposure_exposes_no_more():
    weak = custom.CustomMechanism(catalog.FREQUENCY["GRR"].build(0.5, 8).channel().matrix)
    rival = custom.at_its_exposure(weak)
    assert rival is not None
    assert rival.exposure <= custom.exposure(weak) * (1 + 1e-8)
    assert rival.mse < weak.variance(None, 1).mean()


# a function ------------------------------------------------------------------------------------------------------


def answer(value, rng):
    return value if rng.random() < 0.5 else int(rng.integers(4))


def noisy(value, rng):
    return float(value + rng.laplace())


def bits(value, rng):
    return [int(rng.random() < (0.5 if v == value else 0.2)) for v in range(3)]


@pytest.mark.parametrize(("function", "k", "epsilon"), [(answer, 4, np.log(5)), (noisy, 2, 1.0), (bits, 3, np.log(4))])
def test_an_audit_is_below_the_truth_and_near_it(function, k, epsilon):
    found = custom.audit(function, k, stream(7), claimed=epsilon / 2, reports=3000)
    assert 0.7 * epsilon < found.epsilon < epsilon
    assert found.refuted
    assert found.error is not None
    assert not custom.audit(function, k, stream(7), claimed=epsilon, reports=300).refuted


def test_an_audits_error_is_that_of_the_mechanism():
    found = custom.audit(answer, 4, stream(7), reports=6000)
    exact = custom.CustomMechanism(np.full((4, 4), 0.125) + np.eye(4) / 2).variance(None, 1) ** 0.5
    assert found.error == pytest.approx(exact, rel=0.1)


def test_three_short_reports_are_three_kinds_and_no_numbers():
    """One of three answers, sent behind another number: no sum of such numbers tells three shares."""
    found = custom.audit(
        lambda v, rng: (7, v if rng.random() < 0.5 else int(rng.integers(3))), 3, stream(8), reports=6000
    )
    exact = custom.CustomMechanism(np.full((3, 3), 1 / 6) + np.eye(3) / 2).variance(None, 1) ** 0.5
    assert found.error == pytest.approx(exact, rel=0.1)


def test_an_audit_refutes_a_true_claim_no_more_often_than_it_says():
    """At 90 % confidence, forty audits of a coin with its own ε."""
    wrong = sum(
        custom.audit(
            lambda v, rng: int(rng.random() < (0.6 if v else 0.4)), 2, stream(i), np.log(1.5), 200, 0.9
        ).refuted
        for i in range(40)
    )
    assert wrong <= 8


def test_an_audit_of_what_is_no_report_says_so():
    with pytest.raises(TypeError, match="a report is a number, text, or a sequence"):
        custom.audit(lambda v, rng: object(), 2, stream(1), reports=100)


# the terminal and the Study --------------------------------------------------------------------------------------


def test_export_is_read_back():
    said = CliRunner().invoke(main, ["export", "uSS", "--epsilon", "1", "--values", "4", "--marks", "0,1"])
    assert said.exit_code == 0
    assert np.array_equal(custom.read(said.stdout).matrix, custom.channel_of("uSS", 1.0, 4, np.arange(4) < 2).matrix)
    lines = CliRunner().invoke(main, ["export", "GRR", "--epsilon", "1", "--values", "3", "--python"])
    scope: dict = {}
    exec(lines.stdout, scope)
    assert scope["mechanism"].epsilon == 1.0
    one = CliRunner().invoke(main, ["export", "suGRR", "--epsilon", "1", "--values", "3", "--marks", "2"])
    assert custom.CustomMechanism(custom.read(one.stdout).matrix, np.arange(3) == 2).promise.definition == "ULDP"


@pytest.mark.parametrize("wrong", [["OLH"], ["nothing"], ["GRR", "--marks", "9"], ["GRR", "--marks", "x"]])
def test_export_refuses_with_a_sentence(wrong):
    said = CliRunner().invoke(main, ["export", *wrong, "--epsilon", "1", "--values", "3"])
    assert said.exit_code == 1
    assert said.output.startswith("Error: ")


def test_audit_in_the_terminal(tmp_path):
    path = tmp_path / "coin.py"
    path.write_text("def coin(value, rng):\n    return int(rng.random() < (0.9 if value else 0.1))\n")
    options = ["--values", "2", "--claimed", "1", "--reports", "1000"]
    said = CliRunner().invoke(main, ["audit", f"{path}:coin", *options])
    assert said.exit_code == 0, said.output
    assert "does not keep ε = 1" in said.output
    for named in ("coin", f"{tmp_path}/no.py:coin"):  # a function that is absent: below, in this process
        assert CliRunner().invoke(main, ["audit", named, *options]).exit_code == 1


BASE = Study(Source("answers.csv"), "answer", Marks.of(["often"]), ("GRR", "uRR"), grid=(), repetitions=3)


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("own") / "answers.csv"
    path.write_text("answer\n" + "never\n" * 50 + "once\n" * 30 + "often\n" * 20)
    return data.load(path)


def test_a_study_has_rows_where_the_own_mechanism_stands(table):
    chosen = replace(BASE, mechanisms=("GRR", "Own"), epsilon=2.0).with_options(own=GRR, attacks=0)
    rows = study.run(chosen, table)
    mine = rows[(rows["mechanism"] == "Own") & (rows["metric"] == "mse") & (rows["scope"] == "all")]
    assert set(mine["x"]) == {float(f"{np.log(2):.12g}")}
    # The same as randomised response at its ε, which is visited for its sake.
    beside = rows[(rows["mechanism"] == "GRR") & (rows["metric"] == "mse") & (rows["scope"] == "all")]
    there = beside[beside["x"] == mine["x"].iloc[0]]
    assert there["theory"].iloc[0] == pytest.approx(mine["theory"].iloc[0])
    assert serial.from_toml(serial.to_toml(chosen)) == chosen
    limits = tasks.limits(chosen, prepare(chosen, table))
    assert limits is not None
    assert (limits[limits["mechanism"] == "Own"]["times the limit"].dropna() >= 1 - 1e-9).all()


def test_it_stands_where_all_that_anybody_marks_is_marked():
    """SDGRR with two marks promises nothing under either alone: its ε is that of both, and it has rows there."""
    table = data.read(b"answer\n" + b"a\n" * 40 + b"b\n" * 30 + b"c\n" * 20 + b"d\n" * 10, "answers.csv")
    both = np.array([False, False, True, True])
    rows = catalog.FREQUENCY["SDGRR"].build(1.0, 4, both).channel().matrix
    text = "\n".join(",".join(f"{chance:.12g}" for chance in row) for row in rows)
    given = custom.read(text, tuple("abcd"))
    assert [custom.CustomMechanism(given.matrix, np.arange(4) == only).epsilon for only in (2, 3)] == [np.inf, np.inf]
    marks, other = Marks.of("c"), Choice(Marks.of("d"), 0.5)
    chosen = replace(BASE, marks=marks, choices=(other,), mechanisms=("Own",), epsilon=2.0, grid=())
    found = study.run(chosen.with_options(own=text, attacks=0), table)
    assert len(found)
    assert found["x"].to_numpy() == pytest.approx(1.0)


def test_it_is_compared_once_where_there_is_a_table():
    chosen = BASE.with_options(own=GRR)
    beside = invented.added(chosen)
    assert beside.mechanisms == (*BASE.mechanisms, "Own")
    assert invented.added(beside).mechanisms == beside.mechanisms
    assert invented.added(BASE).mechanisms == BASE.mechanisms


def test_its_simulation_agrees_with_its_theory(table):
    chosen = replace(BASE, mechanisms=("Own",), axis="n", grid=(1000.0,), repetitions=40).with_options(
        own=GRR, attacks=50
    )
    rows = study.run(chosen, table)
    for metric in ("mse", "success:uniform"):
        part = rows[(rows["metric"] == metric) & (rows["scope"] == "all")]
        assert part["value"].mean() == pytest.approx(part["theory"].mean(), rel=0.25), metric


def test_a_study_that_compares_it_needs_its_table(table):
    with pytest.raises(ValueError, match="has no option own"):
        study.run(replace(BASE, mechanisms=("Own",)), table)


def test_a_table_that_does_not_fit_the_column_is_left_out_alone(table):
    made, refused = study.fit(BASE.with_options(own="0.5 0.5\n0.2 0.8", attacks=7), table)
    assert made.option("own") is None
    assert made.option("attacks") == 7
    assert len(refused) == 1
    kept, nothing = study.fit(BASE.with_options(own=GRR), table)
    assert kept.option("own") == GRR
    assert not nothing


def test_a_link_carries_a_small_table_and_no_large_one():
    small, large = (BASE.with_options(own=text) for text in (GRR, GRR + "#" * 2000))
    assert "o.own" in query.to_query(small, True)
    assert "o.own" not in query.to_query(large, True)


def test_run_takes_a_table_from_a_file(table, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.csv").write_text(GRR)
    (tmp_path / "answers.csv").write_text("answer\n" + "never\n" * 5 + "once\n" * 3 + "often\n" * 2)
    (tmp_path / "study.toml").write_text(study.to_toml(BASE), encoding="utf-8")
    said = CliRunner().invoke(main, ["run", "study.toml", "--own", "mine.csv"])
    assert said.exit_code == 0, said.output
    assert " Own " in said.output


def test_a_function_whose_reports_hold_no_number_is_audited_without_an_error():
    found = custom.audit(lambda x, rng: (nan, x + rng.normal()), 2, stream(3), reports=400)
    assert found.error is None
    assert found.epsilon >= 0


@pytest.mark.parametrize("most", [0.004, 0.37, 2.5, 19.0])
def test_the_rival_has_the_largest_epsilon_that_exposes_no_more(most):
    """Of one whose exposure is its ε; None where even the least exposes more, the largest where none does."""

    def at(epsilon):
        return compared.Rival("it", epsilon, 1.0, epsilon)

    found = compared._largest(at, most)
    assert found.exposure <= most
    assert found.epsilon == pytest.approx(most, rel=1e-4)
    assert compared._largest(at, 1e-4) is None
    assert compared._largest(at, 99.0).epsilon == compared.MOST


def test_the_row_that_is_wrong_is_named():
    """The second of three."""
    with pytest.raises(ValueError, match=r"row 2 sums to 0\.9"):
        custom.read("0.5 0.25 0.25\n0.4 0.25 0.25\n0.25 0.25 0.5")


@for_each("key", [key for key in catalog.FREQUENCY if key not in catalog.FREQUENCY.defaults])
def test_what_is_compared_stays_compared_beside_it(key, table):
    """Each mechanism that no default brings back, alone and beside the own one, with its table and without."""
    for chosen in ((key,), (key, "Own")):
        for own_table in (None, GRR):
            fitted, _ = study.fit(replace(BASE, mechanisms=chosen).with_options(own=own_table), table)
            assert {*fitted.mechanisms} - {"Own"} == {key}


def test_the_best_at_this_epsilon_may_be_at_a_smaller_one_and_is_made_for_these_shares():
    """Just above ε = ln(7/3) SS takes one of five values, where two were better; uSS knows how many are marked."""
    beside = custom.at_its_epsilon(custom.CustomMechanism(catalog.FREQUENCY["SS"].build(0.85, 5).channel().matrix))
    assert beside.key == "SS"
    assert 0.8 < beside.epsilon < 0.85
    assert beside.mse < catalog.FREQUENCY["SS"].build(0.85, 5).variance(np.full(5, 0.2), 1).mean()
    mask, freq = np.arange(12) < 8, np.r_[np.full(8, 0.005), np.full(4, 0.24)]
    made = custom.CustomMechanism(catalog.FREQUENCY["uRR"].build(1.0, 12, mask).channel().matrix, mask)
    rival = custom.at_its_epsilon(made, freq)
    usual, known = (catalog.FREQUENCY["uSS"].guessing(share, 1.0, 12, mask) for share in (None, 0.04))
    assert known.w < usual.w or known.w > usual.w
    assert rival.mse == pytest.approx(known.variance(freq, 1).mean())
    assert rival.mse < usual.variance(freq, 1).mean()


# code of somebody's, in a process of its own ----------------------------------------------------------------------

CODE = """
import os, sys

def coin(value, rng):
    print("x" * 100)
    return int(rng.random() < (0.75 if value else 0.25))

def raises(value, rng):
    raise TypeError("mine")

def leaves(value, rng):
    sys.exit(0)

def dies(value, rng):
    os._exit(0)

def loops(value, rng):
    while True:
        pass

def long(value, rng):
    return "x" * 10**7
"""


@pytest.fixture(scope="module")
def code(tmp_path_factory):
    path = tmp_path_factory.mktemp("own") / "mine.py"
    path.write_text(CODE)
    return path


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("raises", "raises(0, rng) raises TypeError: mine in line 9 of mine.py: a mechanism returns a report"),
        ("leaves", "leaves(0, rng) ends the program in line 12 of mine.py: a mechanism returns a report"),
        ("long", "these reports have more than 100000000 numbers or letters together"),
        ("absent", "mine.py has no function absent; it has coin, raises, leaves, dies, loops, long"),
    ],
)
def test_code_that_sends_no_reports_is_told_so(code, name, said):
    assert str(apart.answer(code, name, (2, 7, None, 1000, 0.99))).startswith(said)


def test_code_that_leaves_as_it_is_loaded(tmp_path):
    for text, said in (("import sys\nsys.exit(0)", "ends the program in line 2"), ("x(:", "SyntaxError")):
        path = tmp_path / "mine.py"
        path.write_text(text)
        assert said in str(apart.answer(path, "f", (2, 7, None, 1000, 0.99)))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        pytest.param("dies", "ended its process (exit code 0)", marks=pytest.mark.thorough),
        ("loops", "has not sent all its reports after 1 seconds"),
    ],
)
def test_an_audit_ends_whatever_the_code_does(code, name, said):
    found = CliRunner().invoke(main, ["audit", f"{code}:{name}", "--values", "2", "--seconds", "1"])
    assert found.exit_code == 1
    assert said in found.output


@pytest.mark.parametrize("task", [*tasks.TASKS])
def test_pages_that_do_not_take_a_table_say_which_do(tmp_path, task):
    (tmp_path / "own.csv").write_text("0.5 0.5\n0.5 0.5")
    (tmp_path / "s.toml").write_text(f'task = "{task}"\ncolumn = "none"\n[data]\nname = "census"\n')
    told = CliRunner().invoke(main, ["run", str(tmp_path / "s.toml"), "--own", str(tmp_path / "own.csv")])
    assert told.exit_code == 1
    sentence = f"in studies of frequency, sets, means; this one is of {task}: leave --own out"
    assert (sentence in told.output) == ("own" not in {field.name for field in fields(tasks.TASKS[task].OPTIONS)})


def test_an_empty_table_is_refused(tmp_path):
    (tmp_path / "own.csv").write_text(" \n")
    (tmp_path / "s.toml").write_text('column = "condition"\n[data]\nname = "health"\n')
    found = CliRunner().invoke(main, ["run", str(tmp_path / "s.toml"), "--own", str(tmp_path / "own.csv")])
    assert found.exit_code == 1
    assert "own.csv is empty: give a row of chances for each answer" in found.output


def test_what_a_zero_leaves_without_a_promise_is_counted():
    made = custom.CustomMechanism(
        [[0.4, 0.2, 0.2, 0.2], [0.2, 0.4, 0.2, 0.2], [0.2, 0.2, 0.4, 0.2], [0, 0.3, 0.3, 0.4]]
    )
    assert made.promise.without == 3
    assert own.promised(made) == "0.693 (1 of 4 values; the others ∞)"
    assert own.promised(custom.CustomMechanism([[0.75, 0.25], [0.25, 0.75]])) == "1.1"
