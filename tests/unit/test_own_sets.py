"""A table of chances for items: what is read and refused, what it keeps of sets, and the catalogue's read back."""

from dataclasses import replace
from itertools import combinations
from math import inf

import numpy as np
import pytest
from click.testing import CliRunner

from ldpcore import catalog, custom, limit, study
from ldpcore.cli import main
from ldpcore.custom import CustomSets
from ldpcore.data import load
from ldpcore.estimators.released import score_interval
from ldpcore.levels import SetLevels
from ldpcore.rng import stream
from ldpcore.study import Marks, Source, Study, invented, sets, tasks
from ldpcore.study import curves as drawn_curves
from ldpcore.study.execute import prepare
from ldpcore.study.sets import compared, curves, tables
from ldpcore.study.sets.facts import facts, leveled
from tests.laws import laws, set_laws

ITEMS = ("milk", "tea", "gin")
WITH = "item,A,B,C,D\ntea,.1,.7,.1,.1\nmilk,.7,.1,.1,.1\npadding,.1,.1,.1,.7\ngin,.1,.1,.7,.1"
MARKED = np.array([True, False, False, True, False])
BASE = Study(
    Source("groceries"), "items", Marks.of(["milk"]), ("PrivSet",), grid=(), repetitions=2, task="sets", n=300
).with_options(m=3, attacks=0)


def drawn(rows: int, reports: int, name: str = "") -> np.ndarray:
    return stream(8, "own sets", name).dirichlet(np.ones(reports), rows)


def read_back(key: str, epsilon: float, k: int, m: int, marks: np.ndarray) -> CustomSets:
    """One of the catalogue, written down and read as text."""
    names = [f"i{x}" for x in range(k)]
    text = custom.to_csv(custom.sets_channel(key, epsilon, k, m, marks), [*names, custom.PADDING], "item")
    given = custom.read_sets(text, names)
    return CustomSets(given.matrix, m=m, sensitive=marks, dummies=m, labels=given.reports, items=tuple(names))


# what is given ---------------------------------------------------------------------------------------------------


def test_rows_are_put_in_the_order_of_the_items_and_padding_is_the_last():
    assert custom.read_sets(WITH, ITEMS).answers == (*ITEMS, "padding")
    assert custom.read_sets(WITH, ITEMS).matrix.argmax(axis=1).tolist() == [0, 1, 2, 3]
    bare = "\n".join(line.split(",", 1)[1] for line in WITH.splitlines()[1:])
    assert custom.read_sets(bare, ITEMS).answers == (*ITEMS, "padding")
    assert custom.read_sets(WITH, ITEMS, padded=False).answers == ITEMS
    assert custom.read_sets("\n".join(bare.splitlines()[:3]), ITEMS, padded=False).answers == ITEMS
    with pytest.raises(ValueError, match="the table has 4 rows, but this column has 3 values"):
        custom.read_sets(bare, ITEMS, padded=False)  # its last row may be an item


REFUSED = {
    "0.5 0.4\n" + "\n".join(["0.5 0.5"] * 3): r"row 1 \(milk\) sums to 0.9",
    "\n".join(["0.5 0.5"] * 3): "the table has 3 rows, but 4 rows are expected: one for each of the 3 items, and one",
    "0.5 0.5\n0.2 0.8": "the table has 2 rows, but 4 rows .* padding, which people .* Items: milk, tea, gin",
    "\n".join(["0.5 0.5"] * 4): "nothing tells the shares of milk, tea, gin, padding apart",
    WITH.replace("gin", "rum"): "the rows are named rum, which are no values of this column",
    WITH.replace("gin", "padding"): "padding stands in several rows",
    "milk,1,0\ntea,0,1\ngin,.5,.5\npadding,.5,.5": "nothing tells the shares",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_no_mechanism_for_items_is_refused_with_a_remedy(text):
    with pytest.raises((ValueError, TypeError), match=REFUSED[text]):
        sets.own.usable(text, ITEMS, 2, 2)


# what it is ------------------------------------------------------------------------------------------------------

TABLES = {
    "random": CustomSets(drawn(5, 7), m=2),
    "padded": CustomSets(drawn(5, 6), m=3, dummies=3, sensitive=MARKED[:4]),
    "more reports": CustomSets(drawn(5, 9), m=2, dummies=2, sensitive=MARKED[:4]),
    "open": read_back("suGRR-Sample", 1.0, 5, 2, MARKED),
    "others marked": CustomSets(
        custom.sets_channel("suGRR-Sample", 1.0, 5, 2, MARKED).matrix, m=2, dummies=2, sensitive=~MARKED
    ),
    "nothing": read_back("suGRR-Sample", 1.0, 5, 2, np.zeros(5, bool)),
}


@pytest.mark.parametrize("law", set_laws.ALL, ids=lambda law: law.__name__)
def test_it_keeps_the_exact_laws_of_sets(law):
    laws.obeyed(law, TABLES)


def test_its_surveys_have_the_variance_that_is_computed():
    set_laws.simulate_has_the_law(TABLES["padded"])


@pytest.mark.parametrize("made", TABLES.values(), ids=TABLES)
def test_its_epsilon_is_the_largest_ratio_of_all_pairs_of_sets(made):
    channel = made.channel()
    with np.errstate(divide="ignore"):
        log = np.log(channel.matrix)
    assert made.kept["LDP"].epsilon == pytest.approx(channel.privacy_loss().max(), rel=1e-9)
    if made.sensitive.any():
        worst = 0.0
        for y in range(log.shape[1]):
            alone = np.flatnonzero(made.table.matrix[:, y] > 0)
            proves = len(alone) == 1 and alone[0] < made.k and not made.sensitive[alone[0]]
            able = (channel.sets == alone[0]).any(axis=1) if proves else np.ones(len(log), bool)
            worst = max(worst, log[able, y].max() - log[able, y].min())
        assert made.kept["SULDP-joint"].epsilon == pytest.approx(worst, rel=1e-9)
    claim = made.promise
    rows = {tuple(row): x for x, row in enumerate(channel.sets.tolist())}
    value, against = (log[rows[tuple(sorted(codes))], claim.report] for codes in (claim.value, claim.against))
    assert value - against == pytest.approx(claim.epsilon, rel=1e-9)


def test_marks_decide_what_is_kept():
    definitions = {name: made.promise.definition for name, made in TABLES.items()}
    assert definitions == {
        "random": "LDP", "padded": "LDP", "more reports": "LDP", "open": "SULDP-joint",
        "others marked": custom.NONE, "nothing": custom.NONE,
    }  # fmt: skip
    assert TABLES["nothing"].epsilon == inf


@pytest.mark.parametrize("dummies", [0, 2])
@pytest.mark.parametrize("key", ["GRR-Sample", "suGRR-Sample"])
def test_the_catalogue_read_back_says_the_same(key, dummies):
    theirs = catalog.SETS[key].build(1.2, 5, MARKED, 2, dummies)
    alone = CustomSets(theirs.single.channel().matrix[:5], m=2, sensitive=MARKED)  # where nothing pads
    mine = read_back(key, 1.2, 5, 2, MARKED) if dummies else alone
    assert mine.promise.definition == catalog.SETS[key].promise
    assert mine.epsilon == pytest.approx(np.log((np.exp(1.2) + 1) / 2), rel=1e-9)  # sampling hides
    people = set_laws.population(theirs)
    freq = set_laws.shares(theirs, people)
    assert mine.variance(freq, 9) == pytest.approx(theirs.variance(freq, 9), rel=1e-9)
    reports = theirs.perturb(people, stream(5, "own sets"))
    codes = np.minimum(reports, mine.table.matrix.shape[1] - 1)
    assert mine.estimate(mine.tally(codes)) == pytest.approx(theirs.estimate(theirs.tally(reports)), abs=1e-9)


def test_among_holders_and_others_its_variance_is_the_mean_over_their_sets():
    made = TABLES["padded"]
    f = np.full(made.k, made.m / made.inner)
    held, absent, step = made.parted(f)
    every = np.array(list(combinations(range(made.inner), made.m)))
    holds = np.array([np.bincount(row, minlength=made.inner)[: made.k] for row in every])
    each = np.array([made.variance(row, 1) for row in holds])
    for v in range(made.k):
        assert held[v] == pytest.approx(each[holds[:, v] == 1, v].mean(), rel=1e-9)
        assert absent[v] == pytest.approx(each[holds[:, v] == 0, v].mean(), rel=1e-9)
    assert step == pytest.approx(np.ptp(made.scores(made.outputs()), axis=0), rel=1e-9)
    low, high = score_interval(made, np.tile(f, (2, 1)), 500)
    assert low.shape == high.shape == (2, made.k)
    half, line = (high - low)[0] / 2, 1.96 * np.sqrt(made.variance(f, 500))
    assert (np.abs(half - line) < 0.25 * line).all()


def test_no_table_for_items_is_below_the_least_error_found():
    for name in ("one", "two", "three"):
        made = CustomSets(drawn(6, 8, name), m=2)
        least = limit.best_sets(6, 0, 2, made.epsilon, promise="LDP").mse
        assert made.variance(made.shares(None), 1).mean() >= least * (1 - 1e-9)


@pytest.mark.parametrize(("m", "dummies"), [(1, 0), (2, 0), (2, 2), (3, 3)])
def test_each_level_is_kept_at_the_largest_loss_over_all_sets(m, dummies):
    """Items 0 and 1 are public, of which report 6 proves the one; 2 is private, 3 and padding are secret."""
    rows = np.hstack([drawn(4 + bool(dummies), 6, "levels") * 0.8, np.eye(4 + bool(dummies))[:, :1] * 0.2])
    rows /= rows.sum(axis=1, keepdims=True)
    made = CustomSets(rows, m=m, sensitive=np.arange(4) > 1, dummies=dummies)
    codes = np.arange(4 + dummies)
    sets_ = np.array([np.isin(codes, one) for one in combinations(codes, m)])
    chances = np.log(sets_ @ rows[np.minimum(codes, len(rows) - 1), :6])  # report 6 is bounded nowhere
    losses = (chances[:, None] - chances).max(axis=2)
    gone = sets_[:, None] & ~sets_
    secret, private = codes > 2, codes == 2
    alone = [(codes == v, codes != v) for v in range(4)]
    for hidden, above in [(secret, private), (private, codes < 0), *alone]:
        pairs = (gone & hidden).any(axis=2) & ~(gone & above).any(axis=2)
        assert made.towards(hidden, above) == pytest.approx(losses[pairs].max(initial=0.0), abs=1e-9)
        if hidden.sum() == 1 and above.sum() == len(codes) - 1:
            assert made.towards_items[hidden.argmax()] == pytest.approx(losses[pairs].max(initial=0.0), abs=1e-9)
    least = made.towards(private, codes < 0), *[made.towards(secret, private)] * (1 + dummies)
    assert SetLevels((inf, inf, *least)).check(made.channel()).holds


# in a Study ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def held():
    return prepare(BASE)


@pytest.fixture(scope="module")
def chosen(held):
    return BASE.with_options(own=compared.written(BASE, held, "suGRR-Sample"))


def test_a_study_compares_it_at_its_own_epsilon(chosen, held):
    asked = invented.added(replace(chosen, grid=(2.0,)).with_options(attacks=20))
    rows = study.run(asked)
    mine = rows[rows["mechanism"] == "Own"]
    assert mine["x"].unique() == pytest.approx([np.log((np.e + 2) / 3)], rel=1e-9)
    assert set(mine["x"]) < set(rows[rows["mechanism"] == "PrivSet"]["x"])
    assert {"estimate", "bits", "success:presence"} <= set(mine["metric"])
    whole = mine[(mine["metric"] == "mse") & (mine["scope"] == "all")]
    theirs = facts(replace(BASE, mechanisms=("suGRR-Sample",)), held).every["suGRR-Sample"]
    assert whole["theory"].iloc[0] == pytest.approx(theirs.error() ** 2, rel=1e-9)
    assert study.from_toml(study.to_toml(asked)) == asked


def test_facts_leave_the_headline_to_the_catalogue(chosen, held):
    found = facts(invented.added(chosen), held)
    assert {*found.protecting} == {"PrivSet", "Own"}
    assert found.focus().key == "PrivSet"
    assert found.focus("Own").key == "Own"  # where somebody asks for it
    assert found.better_epsilon
    both = compared.compared(chosen, held)
    assert both.best is not None
    assert both.best.here.epsilon == both.made.epsilon
    assert both.times > 1
    elsewhere = replace(chosen, marks=Marks.of(["yogurt"]))  # which a report of this table proves
    assert {*facts(invented.added(elsewhere), held).protecting} == {"PrivSet"}
    unmarked = replace(chosen, marks=Marks())
    assert {*facts(invented.added(unmarked), held).protecting} == {"PrivSet"}
    assert compared.compared(unmarked, held).best is None


def test_levels_are_its_own_and_the_catalogues_pair_is_not_with_it(chosen, held):
    marks = Marks(
        (*((item, "secret") for item in held.labels[:9]), *((item, "sensitive") for item in held.labels[9:20]))
    )
    secret = replace(chosen, marks=marks, secret_epsilon=0.2, mechanisms=("PrivSet", "uPrivSet", "gHit", "Own"))
    graded = secret.with_options(own=compared.written(secret, held, "suGRR-Sample"))
    found = facts(graded, held).protecting
    assert found["gHit"].level_epsilons == {"private": 1.0, "secret": 0.2}
    mine = found["Own"]
    assert 0.2 < mine.level_epsilons["secret"] <= mine.level_epsilons["private"] == mine.epsilon
    louder = np.full((held.k + 1, held.k + 1), 1.0) + np.diag([1.0] * 9 + [20.0] * 11 + [1.0] * (held.k - 19))
    rows = louder / louder.sum(axis=1, keepdims=True)
    text = "\n".join(",".join(map(repr, row)) for row in rows.tolist())
    both = compared.compared(graded.with_options(own=text), held).mine.level_epsilons
    assert both["private"] == pytest.approx(np.log((2 * rows[0, 1] + rows[9, 9]) / (3 * rows[9, 0])))
    assert both["secret"] == pytest.approx(np.log(rows[-1, -1] / rows[9, 0]))  # three times padding
    pair = leveled(found.values())
    assert pair is not None
    assert [one.key for one in pair] == ["gHit", "uPrivSet"]
    asked = replace(graded, axis="share")
    view = replace(curves.plain(asked, held), axis="share", dense=(0.0, 0.5))
    lines = drawn_curves.error_lines(view, sets.theory(view.theoretical(asked), held))
    assert {*tables.protected(view, lines, ["Own"]).query("x == 0")["mechanism"]} == {"PrivSet", "Own"}
    assert {*tables.protected(view, lines).query("x == 0")["mechanism"]} == {"PrivSet"}


def test_a_table_that_does_not_fit_the_items_is_left_out_alone(chosen):
    made, refused = study.fit(chosen.with_options(own="0.5 0.5\n0.5 0.5", targets=2), load("groceries"))
    assert made.option("own") is None
    assert made.option("targets") == 2
    assert "the table has 2 rows" in refused[0].why
    assert study.fit(chosen, load("groceries"))[0].option("own") == chosen.option("own")
    with pytest.raises(ValueError, match="the table has 2 rows"):
        study.run(replace(chosen, mechanisms=("Own",), axis="n").with_options(own="0.5 0.5\n0.5 0.5"))


def test_simulated_sets_need_no_padding_and_sampled_grr_is_privset():
    alike = replace(BASE, marks=Marks(), mechanisms=("PrivSet", "Own"), axis="k", grid=(4.0,), epsilon=np.log(3.5))
    asked = alike.with_options(
        simulated=5, m=2, own="\n".join(" ".join("0.6" if x == y else "0.1" for y in range(5)) for x in range(5))
    )
    rows = study.run(asked)
    assert set(rows[rows["mechanism"] == "Own"]["x"]) == {5.0}, "with fewer items it is another table"
    limits = tasks.limits(replace(asked, epsilon=1.0), prepare(asked))
    assert limits is not None
    assert len(limits)
    assert (limits["times the limit"] >= 1 - 1e-6).all()
    whole = rows[(rows["metric"] == "mse") & (rows["scope"] == "all")].groupby(["mechanism", "x"])["theory"].first()
    assert whole["Own", 5.0] == pytest.approx(whole["PrivSet", 5.0], rel=1e-9), "PrivSet with subsets of one item"


def test_the_terminal_writes_one_down_and_runs_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    asked = ["export", "GRR-Sample", "--epsilon", "1", "--values", "6", "--sets", "2", "-o", "mine.csv"]
    assert CliRunner().invoke(main, asked).exit_code == 0
    _, *rows = (tmp_path / "mine.csv").read_text().splitlines()
    assert rows[-1].startswith("padding,")
    (tmp_path / "mine.csv").write_text("\n".join(row.split(",", 1)[1] for row in rows[:-1]))
    small = replace(BASE, marks=Marks()).with_options(simulated=6, m=2)
    (tmp_path / "study.toml").write_text(study.to_toml(small), encoding="utf-8")
    told = CliRunner().invoke(main, ["run", "study.toml", "--own", "mine.csv"])
    assert told.exit_code == 0, told.output
    assert " Own " in told.output
    wrong = CliRunner().invoke(main, ["export", "PrivSet", "--epsilon", "1", "--values", "6", "--sets", "2"])
    assert wrong.exit_code == 1
    assert "GRR-Sample" in wrong.output
