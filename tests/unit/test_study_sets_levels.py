"""A Study of sets with secret items: every level has its own error and attacker; two levels are what they were."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from pandas.testing import assert_frame_equal

from ldpcore import catalog, data, study
from ldpcore.attacks import exchange
from ldpcore.cli import main
from ldpcore.mechanisms.leveled_hits import LeveledHits
from ldpcore.rng import stream
from ldpcore.study import Marks, Source, Study, sets, to_toml
from ldpcore.study.sets import limit, point

ITEMS = "abcdefghij"
LUCK = stream(5, "rows").random((400, 10))
TEXT = "".join(
    ",".join(v for v, u in zip(ITEMS, row, strict=True) if u < 0.35) + "\n" for row in LUCK if (row < 0.35).any()
)
MARKS = Marks((("b", "sensitive"), ("d", "sensitive"), ("e", "sensitive"), ("g", "secret"), ("j", "secret")))
BASE = Study(
    Source("baskets.csv"), "items", MARKS, ("uPrivSet", "suWheel-J", "PrivSet", "gHit"), 2.0, grid=(),
    repetitions=2, task="sets", secret_epsilon=0.5,
).with_options(attacks=40, m=3)  # fmt: skip


@pytest.fixture(scope="module")
def table():
    return data.read(TEXT.encode(), "baskets.csv")


@pytest.fixture(scope="module")
def held(table):
    return sets.prepare(BASE, table)


@pytest.fixture(scope="module")
def here(held):
    return point.setting(BASE, held)


@pytest.fixture(scope="module")
def rows(table):
    return study.run(BASE, table)


def test_every_level_keeps_its_epsilon_and_has_rows_of_its_own(here, rows):
    """What knows one ε treats all marked items as secret ones."""
    assert here.epsilons.tolist() == [np.inf, 2, np.inf, 2, 2, np.inf, 0.5, np.inf, np.inf, 0.5]
    assert here.build("gHit").policy.epsilons == (*here.epsilons, 0.5, 0.5, 0.5)  # dummies are secret
    alike = catalog.SETS["uPrivSet"].build(0.5, 10, here.marked, 3, 3)
    theory = rows[rows["metric"] == "mse:kept"].groupby(["mechanism", "scope"])["theory"].first()
    assert set(theory["gHit"].index) == {"all", "sensitive", "other", "private", "secret"}
    for key, made in (("uPrivSet", alike), ("gHit", here.build("gHit"))):
        exact = made.variance(here.kept, here.n, here.sample.company) + here.sample.wobble
        for scope, part in (("private", [1, 3, 4]), ("secret", [6, 9]), ("all", slice(None))):
            assert theory[key, scope] == pytest.approx(exact[part].mean())
    assert theory["gHit", "private"] < 0.3 * theory["uPrivSet", "private"]


def test_surveys_have_the_exact_error(here):
    """Mean squared errors of 300 surveys in every scope: z below 5 over 5 scopes (a false alarm in 300 000)."""
    built, errors = here.build("gHit"), []
    for i in range(300):
        drawn = sets.sets(11, here.baskets, here.m, here.dummies, i)
        estimate = built.simulate(drawn, stream(12, i), 1)[0]
        errors.append([np.mean((estimate - here.freq)[part] ** 2) for _, part in here.scopes])
    expected = [(here.variance(built) + here.bias**2)[part].mean() for _, part in here.scopes]
    z = (np.mean(errors, axis=0) - expected) / (np.std(errors, axis=0) / np.sqrt(300))
    assert np.abs(z).max() < 5


def test_equal_epsilons_are_two_levels(table):
    """Secret and private alike: every row that both have is the same, to the last survey."""
    alike = study.run(replace(BASE, secret_epsilon=2.0), table)
    two = study.run(replace(BASE, marks=MARKS.flat(), secret_epsilon=None), table)
    assert set(alike["scope"]) - set(two["scope"]) == {"private", "secret"}
    assert set(alike["metric"]) - set(two["metric"]) == {"success:level"}
    same = alike.merge(two[["mechanism", "repetition", "metric", "scope"]])
    assert_frame_equal(same, two.reset_index(drop=True), check_exact=True)
    plain = replace(BASE, marks=MARKS.flat(), mechanisms=("uPrivSet",), secret_epsilon=None)
    assert_frame_equal(study.run(plain, table), study.run(replace(plain, secret_epsilon=0.3), table), check_exact=True)


def test_who_knows_all_but_one_item_and_its_level_is_bounded_by_its_epsilon():
    """Against the exact channel of every pair of neighbours; a simulation of 3000 within five standard errors."""
    epsilons = np.array([np.inf, np.inf, 2.0, 2.0, 2.0, 0.5, 0.5])
    made = [catalog.ITEMS[key].protecting(epsilons, 2.0, 2) for key in ("gHit", "uPrivSet")]
    for m, (level, items) in ((m, each) for m in made for each in ((2.0, (2, 3, 4)), (0.5, (5, 6)))):
        channel = m.channel()
        place = {tuple(row): i for i, row in enumerate(channel.sets.tolist())}
        won = [
            np.maximum(channel.matrix[place[tuple(sorted((v, other)))]],
                       channel.matrix[place[tuple(sorted((w, other)))]]).sum() / 2
            for v in items for w in items for other in range(7) if len({v, w, other}) == 3
        ]  # fmt: skip
        assert max(won) <= np.exp(level) / (1 + np.exp(level)) + 1e-12
        people = np.array([sorted((v, 0)) for v in items])
        exact = np.mean([
            np.maximum(channel.matrix[place[0, v]], channel.matrix[place[0, w]]).sum() / 2
            for v in items for w in items if v != w
        ])  # fmt: skip
        mask = np.isin(np.arange(7), items)
        found = exchange.success(m, mask, people, stream(3, level), 3000).success
        assert abs(found - exact) < 5 * np.sqrt(exact * (1 - exact) / 3000)
    with pytest.raises(ValueError, match="at least two items of which some are held"):
        exchange.success(made[0], np.arange(7) == 2, people, stream(4), 10)


def test_attackers_are_asked_about_every_level(rows):
    told = rows[rows["metric"].str.startswith("success")].groupby(["metric", "scope"])["value"].mean()
    assert set(told["success:level"].index) == {"private", "secret"}
    assert set(told["success:presence"].index) == {"all", "secret"}
    assert set(told["success:membership"].index) == {"sensitive", "other", "private", "secret"}


def test_the_share_grows_from_the_most_protected_on(held):
    along = replace(BASE, axis="share")
    ranks = [sets.setting(along, held, share).sample.ranks for share in (0.2, 0.4, 0.8)]
    assert [int((each == 2).sum()) for each in ranks] == [2, 2, 2]
    assert [int((each > 0).sum()) for each in ranks] == [2, 4, 8]


def test_no_limit_is_claimed_where_none_is_known(held, here):
    """Who keeps one ε for all marked items keeps the levels, which allow less: the limit of the one is not theirs."""
    assert limit.distances(replace(BASE, mechanisms=("uPrivSet", "gHit")), held).empty
    two = point.setting(replace(BASE, epsilon=0.5), held)
    assert not two.leveled
    assert two.least("SULDP-joint", "sensitive") is not None
    assert here.least("LDP", "all") == two.least("LDP", "all")  # what protects every item does so at the least ε


def test_the_terminal_gives_the_same_table(rows, tmp_path):
    (tmp_path / "baskets.csv").write_text(TEXT)
    (tmp_path / "study.toml").write_text(to_toml(replace(BASE, data=Source(str(tmp_path / "baskets.csv")))))
    out = tmp_path / "rows.csv"
    ran = CliRunner().invoke(main, ["run", str(tmp_path / "study.toml"), "--output", str(out)])
    assert ran.exit_code == 0, ran.output
    found = pd.read_csv(out).merge(rows, on=["mechanism", "x", "repetition", "metric", "scope"])
    assert len(found) == len(rows)
    np.testing.assert_allclose(found["value_x"], found["value_y"])
    np.testing.assert_allclose(found["theory_x"], found["theory_y"])


class Toy(LeveledHits):
    """Somebody's mechanism for sets with levels."""


def test_a_mechanism_that_is_listed_is_run(table):
    catalog.LEVELED_SETS.add(replace(catalog.LEVELED_SETS["gHit"], key="Toy", factory=Toy))
    try:
        found = study.run(replace(BASE, mechanisms=("Toy",)).with_options(attacks=0), table)
        mine = study.run(replace(BASE, mechanisms=("gHit",)).with_options(attacks=0), table)
        exact = found[found["metric"] == "mse"]["theory"].to_numpy()
        assert exact.tolist() == mine[mine["metric"] == "mse"]["theory"].tolist()
        assert isinstance(
            point.every(replace(BASE, mechanisms=("Toy",)), sets.prepare(BASE, table))["Toy"].mechanism, Toy
        )
    finally:
        catalog.LEVELED_SETS.remove("Toy")
