"""Facts: every task has some, each is documented and finite or says why not; page and terminal say the same.

Statistical checks have fixed seeds; a right engine would fail one with a chance below 1e-5.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from math import isfinite

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from ldpapp import words
from ldpapp.views.means.sentences import quantity as of_column
from ldpapp.views.tasks import TASKS as PAGES
from ldpcore import cli, study
from ldpcore.estimators.intervals import NORMAL_95
from ldpcore.study import Study, quantities, tasks, to_toml
from ldpcore.study.review import QUICK
from tests.app.conftest import woken_when_a_page_is_drawn  # noqa: F401  # pages are opened here, too
from tests.app.opening import nothing_behind, opened, plain, sentence
from tests.app.opening import study as of_page
from tests.each import for_each

OTHER = {"sets": "groceries", "itemsets": "groceries", "review": "health"}
"""Bundled data of the tasks that need other than those a page opens with, or are quicker there."""
NAMES = sorted(tasks.FACTS)


@cache
def page(name: str) -> tuple[str, Study, list[pd.DataFrame]]:
    """The sentence of a page as it opens, its Study and its tables; nothing is simulated behind it."""
    with nothing_behind():
        at = opened(name, task=name, **({"data": OTHER[name]} if name in OTHER else {}))
        return plain(sentence(at)), of_page(at, name), [frame.value for frame in at.dataframe]


@cache
def known(name: str) -> tuple[quantities.Known, pd.DataFrame]:
    """The facts of that very Study, and their table."""
    about = page(name)[1]
    prepared = study.execute.prepare(about)
    rows = None
    if name == "review":  # what the page has before all attackers have tried
        about = replace(about, grid=(), repetitions=1)
        rows = quantities.simulated(p for p in tasks.of(about).chunks(about, prepared) if p.part == QUICK)
    elif name == "sets":  # the page attacks nobody before its surveys are simulated
        about = about.with_options(attacks=0)
    facts = tasks.facts(about, prepared, rows)
    return facts, quantities.table(facts)


def test_every_task_has_facts():
    assert set(NAMES) == set(PAGES) == {name for name in tasks.TASKS if name in PAGES}


@pytest.mark.parametrize("name", NAMES)
def test_every_number_is_documented_and_finite_or_says_why(name):
    table = known(name)[1]
    assert len(table) > 10
    assert not table.duplicated(["mechanism", "name", "scope"]).any()
    assert (table["unit"].str.len() > 0).all()
    assert table["meaning"].str.match(r".{15,}\.$").all(), table[~table["meaning"].str.match(r".{15,}\.$")]
    silent = table[~np.isfinite(table["value"]) & (table["note"] == "")]
    assert silent.empty, silent[["mechanism", "name", "scope", "value"]]
    assert table["value"].map(isfinite).mean() > 0.5, "most numbers are there"


@pytest.mark.parametrize("name", ["frequency", "sets", "means", "relations", "review"])
def test_the_bits_of_a_report_are_those_of_the_results(name):
    """Of the others they are those of a run, which facts read from its rows."""
    about = replace(page(name)[1], axis="epsilon", grid=())
    rows = tasks.of(about).theory(about, study.execute.prepare(about))
    rows, told = rows[rows["metric"] == "bits"], known(name)[1]
    told = told[(told["name"] == "bits") & told["mechanism"].isin(rows["scope" if name == "review" else "mechanism"])]
    assert len(told) > 1
    assert dict(zip(told["mechanism"], told["value"], strict=True)) == dict(
        zip(rows["scope" if name == "review" else "mechanism"], rows["theory"], strict=True)
    )


@for_each("name", NAMES)
def test_every_table_of_mechanisms_has_the_bits_of_a_report(name):
    """But what one mechanism gives away of every column; Ranges compares what a curator publishes."""
    tables = [rows for rows in page(name)[2] if {"mechanism", "asked"} & {*rows} and "column" not in rows]
    assert tables or name == "ranges"
    for rows in tables:
        assert (rows["bits"] > 0).all(), rows[~(rows["bits"] > 0)]


# the page says what the terminal says --------------------------------------------------------------------------------


def numbers(text: str) -> set[str]:
    return set(re.findall(r"\d+(?:[.,]\d+)*", text.replace(words.THIN, "").replace("\u202f", "")))


def worded(table: pd.DataFrame) -> set[str]:
    """Every way in which pages write these numbers."""
    out: set[str] = set()
    for value in table["value"]:
        if isfinite(value):
            out |= set().union(*map(numbers, _written(float(value))))
    return out


def _written(value: float) -> Iterator[str]:
    yield from (words.decimals(abs(value)), words.epsilon(value) if value > 0 else "", of_column(value))
    yield words.count(abs(value))
    if value >= 0:
        yield from (words.margin(value), words.points(value))
        yield from (words.times(value) if value > 0 else "", words.ratio(value) if value > 0 else "")
    if 0 <= value <= 1:
        yield from (words.of_100(value), words.tries(value), words.tries(value, short=True), words.share(value))


@for_each("name", NAMES)
def test_the_page_says_no_number_that_is_no_fact(name):
    said, about, _ = page(name)
    table = known(name)[1]
    settings = numbers(
        " ".join([words.epsilon(about.epsilon), "50 95 100", *map(str, about.marks.values), *_labels(name)])
    )
    settings |= {str(len(about.marks)), words.epsilon(float(getattr(about.options, "s", 0.2)))}
    of_facts = numbers(said) - settings
    assert of_facts, "the sentence has numbers of its own"
    assert not of_facts - worded(table), (said, of_facts - worded(table))
    # A law that nothing can fail proves nothing: of other numbers the sentence would say some that are none of them.
    other = table.assign(value=table["value"].where(table["value"] == 0, table["value"] * 1.37))
    assert of_facts - worded(other)


def _labels(name: str) -> list[str]:
    """The names of things in the sentence that have digits."""
    facts, _ = known(name)
    if name == "ranges":
        first, last = facts.chosen  # type: ignore[attr-defined]
        labels = facts.data.domain.labels  # type: ignore[attr-defined]
        low = int(labels[first - 1].split("..")[0]) if ".." in labels[0] else 0
        return [labels[first - 1], labels[last - 1], str(low), *(str(low + step) for step in range(last - first + 2))]
    if name == "sets":  # the marked items that are not named
        return [str(len(page(name)[1].marks) - 1)]
    if name == "relations":  # a p below it is not written in digits
        table = known(name)[1]
        return ["0.001"] if (table.loc[table["name"] == "p", "value"] < 0.001).any() else []
    if name == "frequency":
        return [str(int(one.marked.sum())) for one in facts.every.values()]  # type: ignore[attr-defined]
    if name == "itemsets":
        return [str(one.scores.found + one.scores.missed) for one in facts.runs.values()]  # type: ignore[attr-defined]
    return []


def test_the_terminal_prints_and_saves_them(tmp_path):
    file, out = tmp_path / "study.toml", tmp_path / "facts.csv"
    file.write_text(to_toml(page("frequency")[1]), encoding="utf-8")
    printed = CliRunner().invoke(cli.main, ["run", str(file), "--facts"])
    assert printed.exit_code == 0, printed.output
    assert "unmeasurable: Marked values that hold people, yet fewer than their own 95 % margin." in printed.output
    assert CliRunner().invoke(cli.main, ["run", str(file), "--facts", "-o", str(out)]).exit_code == 0
    saved = pd.read_csv(out, keep_default_na=False, na_values={"value": [""]})
    assert saved["name"].tolist() == known("frequency")[1]["name"].tolist()
    assert saved["value"].to_numpy() == pytest.approx(known("frequency")[1]["value"].to_numpy(), nan_ok=True)


# against other ways to compute them -----------------------------------------------------------------------------------


SURVEYS = {"frequency": 100, "means": 100, "ranges": 400, "sets": 40, "review": 100, "relations": 100}
"""Of a single normal estimate the mean square of 100 is below half of its own in 7.5e-6 of all cases."""


SEEN = ("sets", "relations")
"""The same of all scopes is in tests/unit/test_set_facts.py, of the intervals of a difference in test_relations.py."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.thorough if name in SEEN else ()) for name in SURVEYS]
)
def test_errors_are_those_of_simulated_surveys(name):
    """The mean squared error of so many surveys over the exact one lies between 0.5 and 2."""
    about = replace(page(name)[1], grid=(), axis="epsilon", repetitions=SURVEYS[name])
    if name == "means":
        about = about.with_options(estimates=("mean", "unbiased"))
    if name in ("frequency", "means", "sets"):
        about = about.with_options(attacks=0)
    if name == "ranges":
        about = about.with_options(ranges=0)
    prepared = study.execute.prepare(about)
    facts = tasks.facts(about, prepared)
    pieces = tasks.of(about).chunks(about, prepared)
    rows = quantities.simulated(p for p in pieces if getattr(p, "part", QUICK) == QUICK)
    compared = 0
    for key, exact, metric, scope in _errors(name, facts):
        part = rows[(rows["metric"] == metric) & (rows["scope"] == scope)]
        part = part if name == "review" else part[part["mechanism"] == key]
        ratio = part["value"].mean() / exact**2
        assert 0.5 < ratio < 2, (key, metric, scope, ratio)
        compared += 1
    assert compared >= 2


def _errors(name: str, facts) -> Iterator[tuple[str, float, str, str]]:
    """mechanism, typical error, and which simulated rows are its squared errors."""
    for key, one in facts.parts.items():
        if name in ("frequency", "sets"):
            yield from ((key, error, "mse", scope) for scope, error in one.errors.items())
        elif name == "means" and one.spread is not None:
            yield key, one.error, f"mse:{one.spread.how}", "all"
        elif name == "ranges":
            yield key, one.error, "squared error", "{}:{}".format(*facts.chosen)
        elif name == "relations" and one.margin < 25:  # of wider ones a ratio of estimates has tails without a mean
            yield key, one.margin / 100 / NORMAL_95, "squared error of the difference", "all"
        elif name == "review" and "(secret)" not in key:
            yield key, one.error, "mse:marked", key


def test_the_margin_of_a_review_holds_for_its_least_exact_answer():
    """2 000 surveys of each question, drawn report by report where all answer and where everyone answers one: the root
    mean square is that of the margin, within 8 % (5 standard errors of one from 2 000), of no answer larger; and 95 of
    100 are within it.
    """
    about = known("review")[0].study  # type: ignore[attr-defined]
    for scheme in ("all", "one"):
        asked = about.with_options(scheme=scheme)
        facts = tasks.facts(asked, study.execute.prepare(asked), known("review")[0].rows)  # type: ignore[attr-defined]
        for number, fact in enumerate(facts.every.values()):  # type: ignore[attr-defined]
            one = fact.asked
            errors = _surveyed(one, facts.asked.n, 2000, np.random.default_rng(number))  # type: ignore[attr-defined]
            seen = one.marked & (one.freq > 0)
            seen = seen & (one.freq >= facts.asked.margins[one.name]) if fact.learned else seen  # type: ignore[attr-defined]
            most = NORMAL_95 * np.sqrt((errors[:, seen] ** 2).mean(axis=0)).max()
            assert most == pytest.approx(fact.margin, rel=0.08), (scheme, one.name)
            assert (np.abs(errors[:, seen]) <= fact.margin).mean(axis=0).min() > 0.95 - 5 * (0.05 * 0.95 / 2000) ** 0.5


def _surveyed(one, n: int, surveys: int, rng: np.random.Generator) -> np.ndarray:
    """How far each of so many surveys of a question is off (surveys, k); where all answer it, all are drawn at once."""
    truth, off = one.counts / one.counts.sum(), []
    if one.chance == 1 and n == one.counts.sum():
        return one.built.simulate(one.counts, rng, surveys) - truth
    for _ in range(surveys):
        counts = rng.multivariate_hypergeometric(one.counts, rng.binomial(n, one.chance), method="marginals")
        off.append(one.built.simulate(counts, rng, 1)[0] - truth)
    return np.array(off)


def test_guesses_are_those_of_bayes_rule_on_the_whole_channel():
    """Report by report: who knows that the answer is marked names the likeliest marked value, ties shared."""
    facts, compared = known("frequency")[0], 0
    for one in facts.every.values():  # type: ignore[attr-defined]
        if one.key not in ("GRR", "uRR", "SDGRR", "SS", "uSS"):
            continue
        channel = one.mechanism.channel().matrix
        likely = np.where(one.marked[:, None], channel, -1.0)
        best = np.isclose(likely, likely.max(axis=0), rtol=1e-9, atol=0)
        won = (channel * best / best.sum(axis=0)).sum(axis=1)
        assert one.targeted == pytest.approx(won @ (one.freq * one.marked) / one.freq[one.marked].sum(), rel=1e-6)
        compared += 1
    assert compared


def test_sets_found_are_those_counted_basket_by_basket():
    facts = known("itemsets")[0]
    held = facts.data  # type: ignore[attr-defined]
    baskets = np.split(held.codes, np.flatnonzero(np.diff(held.people)) + 1)
    baskets = [{str(held.labels[code]) for code in basket} for basket in baskets]
    for one in facts.parts.values():
        published = [set(map(str, items)) for items in one.outcome.published if len(items) < 3]  # type: ignore[attr-defined]
        frequent = [sum(items <= basket for basket in baskets) >= facts.least for items in published[:40]]  # type: ignore[attr-defined]
        true = {frozenset(map(str, items)) for items in one.outcome.ground.truth.itemsets["itemset"]}  # type: ignore[attr-defined]
        assert frequent == [frozenset(items) in true for items in published[:40]]
        assert one.true_sets + one.false_sets == len(one.outcome.published)  # type: ignore[attr-defined]


def test_people_in_the_right_cluster_are_counted_by_every_matching():
    """AC of one start, by trying every way to pair found with true clusters."""
    from itertools import permutations

    from ldpcore.clusters import nearest
    from ldpcore.study import clusters

    facts = known("clusters")[0]
    about, people = facts.study, facts.data  # type: ignore[attr-defined]
    here = clusters.cell(about, people, about.epsilon, 0)
    true = nearest(here.records, here.true.modes)
    for key, one in facts.parts.items():
        labels = nearest(here.records, here.play(about, key, about.epsilon, 0).modes)
        table = np.zeros((here.k, here.k))
        np.add.at(table, (labels, true), here.records.counts)
        best = max(sum(table[i, j] for i, j in enumerate(way)) for way in permutations(range(here.k)))
        assert one.right == pytest.approx(best / here.records.n)  # type: ignore[attr-defined]


def test_a_margin_is_so_many_typical_errors():
    for name in ("frequency", "sets"):
        for one in known(name)[0].parts.values():
            assert one.margins == {scope: NORMAL_95 * error for scope, error in one.errors.items()}  # type: ignore[attr-defined]
