"""What the reports of a question say, for every mechanism that can be collected by; and what counts give away."""

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from ldpcore.catalog import FREQUENCY, MEANS, SETS
from ldpcore.cli import main
from ldpcore.client import Client, Questionnaire, offered
from ldpcore.collection import AnswerBatch, ItemBatch, NumberBatch, Phones, refusals
from ldpcore.collection.count_facts import ALARM
from ldpcore.collection.ignoring import who_ignores
from ldpcore.collection.questions import SurveyClient
from ldpcore.collection.result_facts import ResultFacts, collected_facts
from ldpcore.collection.weighing import DesignColumns, WeighedReports
from ldpcore.data.partitions import of_upload
from ldpcore.estimators.intervals import NORMAL_95
from ldpcore.rng import stream
from ldpcore.study import quantities

LABELS, MARKS, PEOPLE = tuple("abcdef"), (True, True, False, False, False, False), 300


def every():
    """A question and people's values for every mechanism that reports are collected by."""
    rng = stream(1, "every")
    for key, entry in FREQUENCY.items():
        if not entry.instead and not entry.promise.startswith("ε for"):
            yield AnswerBatch(key, 1.0, "answer", answers=LABELS, sensitive=MARKS), rng.integers(0, 6, PEOPLE)
    for key in offered():
        yield Phones(Client.of(key, 1.0, LABELS, MARKS)), rng.integers(0, 6, PEOPLE)
    held = (np.tile([0, 3], PEOPLE), np.arange(0, 2 * PEOPLE + 1, 2))
    for key in SETS:
        yield ItemBatch(key, 2.0, "items", items=LABELS, sensitive=MARKS, m=2), held
    for key, entry in MEANS.items():
        if not entry.instead:
            yield NumberBatch(key, 1.0, "age", low=0.0, high=100.0, sensitive=("75..100",)), rng.uniform(0, 99, PEOPLE)


EVERY = list(every())


def known(asked, sent, columns=None, **beside) -> ResultFacts:
    return ResultFacts(WeighedReports(asked, columns or DesignColumns(), sent, pd.DataFrame(beside), 0))


@pytest.mark.one_in(2)  # every kind is usual; the tables of all: test_folders.py
@pytest.mark.parametrize(("asked", "values"), EVERY, ids=lambda each: getattr(each, "key", ""))
def test_every_client_has_facts(asked, values):
    """All are finite or say why not; the rows are those of the terminal, with weights those of its weighted table."""
    sent = asked.perturb(values, stream(2, "facts", asked.key))
    plain = known(asked, sent)
    table = quantities.table(plain)
    assert {"n", "odds", "ends", "sizes", "unseen"} <= set(table["name"])
    assert not table[~np.isfinite(table["value"]) & (table["note"] == "")].size
    value = "mean" if plain.numbers else "share"
    expected = asked.table(asked.tally(sent))
    rows = plain.rows if plain.numbers else plain.rows.set_index(plain.called).loc[list(plain.labels)]
    assert rows[[value, "low", "high"]].to_numpy() == pytest.approx(expected[[value, "low", "high"]].to_numpy())
    weights = np.where(np.arange(PEOPLE) % 3, 1.0, 2.5)
    heavy = known(asked, sent, DesignColumns("w"), w=weights)
    assert heavy.effective == pytest.approx(weights.sum() ** 2 / (weights @ weights))
    assert "unweighted" in heavy.rows
    assert heavy.everyone["whole"].max() > 0
    if not plain.numbers:
        first = heavy.labels[0]
        assert plain.liars(first) is None or plain.liars(first) > 0
        entry = (SETS if isinstance(asked, ItemBatch) else FREQUENCY)[asked.key]
        assert heavy.hidden.tolist() == (list(MARKS) if entry.uses_marks else [True] * 6)


def test_whole_and_noise_are_those_of_the_design():
    """The ± of all people is half the interval of the design without strata; that of the reports is its noise."""
    asked, rng = Phones(Client.of("uSS", 1.0, LABELS, MARKS)), stream(3, "design")
    sent, beside = asked.perturb(rng.integers(0, 6, 200), rng), {"w": np.repeat([1.0, 2.0], 100), "s": ["x"] * 200}
    plain = known(asked, sent, DesignColumns("w"), **beside)
    drawn = known(asked, sent, DesignColumns("w", strata="s"), **beside).read.table()
    every = plain.everyone.set_index("answer").loc[list(LABELS)]
    inside = (drawn["low"] > 0) & (drawn["high"] < 1)
    assert inside.any()
    assert every["whole"].to_numpy()[inside] == pytest.approx(((drawn["high"] - drawn["low"]) / 2)[inside])
    assert every["noise"].to_numpy() == pytest.approx(NORMAL_95 * drawn["noise"].to_numpy())


def test_the_order_in_which_answers_are_read():
    asked = Phones(Client.of("uRR", 4.0, LABELS, MARKS))
    counts = {8: 60, 4: 10, 2: 25, 1: 0, 16: 3, 32: 2}
    rows = known(asked, np.repeat(list(counts), list(counts.values()))).rows
    assert rows["answer"].tolist()[:2] == ["b", "a"], "hidden first, told from none before others"
    assert rows["share"].tolist()[2:] == sorted(rows["share"].tolist()[2:], reverse=True)


def test_the_headline_is_of_the_answer_that_is_surest_there():
    asked = Phones(Client.of("uRR", 4.0, LABELS, MARKS))
    some = known(asked, np.repeat([1, 2, 8], [30, 40, 60]))
    assert (some.rows["low"][:2] > 0).all()
    assert (some.leading, some.commonest, some.untold) == ("b", "d", 0)
    none = known(asked, np.repeat([8, 16], [60, 20]))
    assert (none.leading, none.commonest, none.untold) == (None, "d", 2)
    assert none.largest == pytest.approx(none.rows["high"][:2].max())


@pytest.mark.parametrize("key", ["OUE", "GRR", "uRAP", "RAPPOR"])
def test_honest_counts_are_seldom_strange(key):
    """Of 200 honest surveys at most ALARM alarm: 24 or more have a chance below 1e-4 at 5 %."""
    asked, alarms = Phones(Client.of(key, 1.0, LABELS, MARKS)), 0
    for survey in range(200):
        rng = stream(survey, "honest", key)
        alarms += (
            known(asked, asked.perturb(rng.choice(6, 250, p=[0.3, 0.3, 0.2, 0.1, 0.05, 0.05]), rng)).strange is not None
        )
    assert alarms < 24
    assert ALARM == 0.05


def test_reports_that_are_too_even_or_too_full_are_strange():
    asked, rng = Phones(Client.of("OUE", 1.0, LABELS)), stream(5, "strange")
    honest = asked.perturb(rng.integers(0, 6, 600), rng)
    assert known(asked, honest).strange is None
    assert known(asked, np.concatenate([honest, np.full(60, 63)])).strange == "sizes"
    assert known(asked, np.full(600, 63)).strange == "ends"


def test_the_largest_share_of_false_reports_that_nobody_sees():
    """Of shares f = 0.7, 0.2, 0.1 the worst of the three reports: min over S_v < f_v of f_v/(f_v − S_v)."""
    asked = Phones(Client.of("GRR", 1.0, ["a", "b", "c"]))
    counted = known(asked, np.repeat([1, 2, 4], [500, 280, 220]))
    f, scores = counted.nearest, counted.mechanism.scores(np.arange(3))
    each = [min(f[v] / (f[v] - s[v]) for v in range(3) if s[v] < f[v]) for s in scores]
    assert counted.unseen == pytest.approx(max(each))
    assert max(each) > 1.5 * min(each)


def test_liars_pass_the_margin_and_one_fewer_does_not():
    asked = Phones(Client.of("GRR", 1.0, LABELS))
    sent = np.repeat(1 << np.arange(6), [200, 100, 100, 100, 50, 50])
    before = known(asked, sent)
    many = before.liars("f")
    score = before.mechanism.scores(np.array([5]))[0, 5]
    half = NORMAL_95 * np.sqrt(before.mechanism.variance(before.nearest, before.n)[5])
    move = (score - before.nearest[5]) / before.n
    assert many * move > half >= (many - 1) * move
    assert before.denied("a") == pytest.approx(0.1 * before.of("a")["share"])


# files ---------------------------------------------------------------------------------------------------------------


def upload(text: str, name: str = "reports.csv"):
    return of_upload(text.encode(), name)


def test_an_upload_reads_as_the_file_does(tmp_path):
    """Text and Parquet, with the client's digest in it."""
    import io

    import pyarrow as pa
    import pyarrow.parquet as pq

    asked = AnswerBatch("OLH", 1.0, "answer", answers=LABELS, sensitive=MARKS)
    sent = asked.perturb(np.arange(60) % 6, stream(6, "parquet"))
    cells = pa.array([each.tobytes() for each in sent], pa.binary(sent[:1].nbytes))
    for digest, whose in ((asked.digest, True), ("0" * 64, False)):
        schema = pa.schema([("report", cells.type)], {b"ldpcore.client": digest.encode()})
        file = io.BytesIO()
        pq.write_table(pa.table([cells], schema=schema), file)
        parts = of_upload(file.getvalue(), "reports.parquet")
        if whose:
            assert collected_facts(asked, parts).n == 60
        else:
            with pytest.raises(ValueError, match="another client"):
                collected_facts(asked, parts)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("labels", "rows", "said"), [
    (("yes", "no"), ["yes", "NO ", "no", "yes", "1"], refusals.ANSWERS),
    (("1", "2", "3"), ["1", "2", "3"] * 4, refusals.ANSWERS),
    (("1", "2", "3"), ["1", "2", "4"] * 4, ""),
    (("yes", "no"), ["9"] * 8 + ["1"] * 4, "7 of 10 rows cannot have been sent by this client"),
    (("yes", "no"), ["9"] * 4 + ["1"] * 2, ""),
    (("yes", "no"), ["9"] * 4, "there is no report here"),
    (("yes", "no"), [""] * 9 + ["1"] * 5, ""),
])  # fmt: skip
def test_files_that_are_no_reports_of_this_client(labels, rows, said):
    asked = Phones(Client.of("GRR", 3.0, labels))
    parts = upload("report,n\n" + "".join(f"{row},{i}\n" for i, row in enumerate(rows)))
    if said:
        with pytest.raises(ValueError, match=said):
            collected_facts(asked, parts)
    else:
        assert collected_facts(asked, parts).n + sum(collected_facts(asked, parts).read.why.values()) == len(rows)


@pytest.mark.parametrize(("rows", "said"), [
    (["yes", "no"] * 8, "holds answers, not reports"),
    (["9"] * 8 + ["1"] * 4, "7 of 10 rows cannot have been sent"),
])  # fmt: skip
def test_the_terminal_refuses_them_in_the_same_words(tmp_path, rows, said):
    (tmp_path / "client.json").write_text(Client.of("GRR", 3.0, ["yes", "no"]).to_json(), encoding="utf-8")
    (tmp_path / "reports.csv").write_text("report\n" + "\n".join(rows) + "\n", encoding="utf-8")
    for options in ([], ["--facts"]):
        files = [str(tmp_path / "reports.csv"), "--client", str(tmp_path / "client.json")]
        run = CliRunner().invoke(main, ["estimate", *files, *options])
        assert run.exit_code == 1
        assert said in run.output


def test_numbers_in_place_of_their_reports():
    asked = NumberBatch("PM", 1.0, "age", low=18.0, high=98.0)
    with pytest.raises(ValueError, match="holds answers"):
        collected_facts(asked, upload("report\n" + "\n".join(str(age) for age in range(20, 60))))


def test_a_questionnaire_skips_what_was_not_answered():
    smokes = Client.of("GRR", 2.0, ["no", "yes"], question="Do you smoke?")
    survey = SurveyClient.of(Questionnaire({"a": smokes, "b": smokes}).to_json())
    parts = upload("a,b,w\n" + "1,2,1\n,1,2\n2,,3\n9,1,4\n")
    known_a, known_b = survey.facts(parts, "a"), survey.facts(parts, "b")
    assert (known_a.n, dict(known_a.read.why)) == (2, {refusals.STRANGE: 1})
    assert (known_b.n, dict(known_b.read.why)) == (3, {})
    assert survey.beside(parts[0]) == ["w"]
    weighted = survey.facts(parts, "b", DesignColumns("w")).effective
    assert weighted == pytest.approx(7**2 / 21)


@pytest.mark.parametrize("in_one", [True, False])
def test_what_people_hand_in_is_read_with_its_mark(in_one):
    """In one column, or pasted under the names of the questions: the same facts as of numbers alone."""
    asked = Questionnaire({name: Client.of("GRR", 1.0, ["no", "yes"]) for name in ("smokes", "copied")})
    sent = [{"smokes": i % 2 + 1, **({"copied": i % 3 // 2 + 1} if i % 5 else {})} for i in range(90)]
    bare = [[each.get(name, "") for name in asked.questions] for each in sent]
    codes = [f'"{asked.code(each)}"' if in_one else asked.code(each) for each in sent]
    names = "report" if in_one else ",".join(asked.questions)
    survey = SurveyClient.of(asked.to_json())
    rows = [f"{code},{'fm'[i % 2]}\n" for i, code in enumerate(codes)]
    [handed] = upload(f"{names},sex\n" + "".join(rows))
    [plain] = upload(",".join(asked.questions) + "\n" + "".join(f"{a},{b}\n" for a, b in bare))
    assert survey.beside(handed) == ["sex"]
    for name in asked.questions:
        one, other = survey.facts([handed], name), survey.facts([plain], name)
        assert (one.n, one.refused) == (other.n, other.refused) == (sum(name in each for each in sent), 0)
        pd.testing.assert_frame_equal(one.rows, other.rows)
    [foreign] = upload(f"{names},sex\n" + "".join(row.replace(asked.mark, "0" * 8) for row in rows))
    with pytest.raises(ValueError, match="no report here that this client can have sent"):
        _ = survey.facts([foreign], "smokes").n


def test_the_interval_of_who_ignores_is_that_of_two_shares():
    """Two equations for two unknowns, solved by hand; each group's share of "no" errs by λ(1 − λ)/(n − 1)."""
    clients = [Client.of("GRR", epsilon, ["no", "yes"]) for epsilon in (2.0, 0.5)]
    counts = np.array([[676, 324], [1210, 790]])
    table = who_ignores(
        *(known(Phones(each), np.repeat([1, 2], n)) for each, n in zip(clients, counts, strict=True)), "no"
    )
    a = np.array([np.exp(each.kept) / (np.exp(each.kept) + 1) for each in clients])
    n = counts.sum(axis=1)
    rate = counts[:, 0] / n  # θ_no·a + (1 − θ_no − θ_ignore)(1 − a) + θ_ignore
    solve = np.linalg.inv(np.column_stack([2 * a - 1, a]))
    no, ignore = solve @ (rate - (1 - a))
    error = np.sqrt((solve**2) @ (rate * (1 - rate) / (n - 1)))
    assert table["share"].to_numpy()[[0, 2]] == pytest.approx([no, ignore])
    assert ((table["high"] - table["low"]) / 2).to_numpy()[[0, 2]] == pytest.approx(NORMAL_95 * error)


def test_groups_that_cannot_count_who_ignores():
    first = Client.of("GRR", 2.0, ["no", "yes"])
    one = known(Phones(first), np.repeat([1, 2], [60, 40]))
    same = known(Phones(first), np.repeat([1, 2], [50, 50]))
    bits = known(Phones(Client.of("OUE", 1.0, ["no", "yes"])), np.repeat([1, 2], [50, 50]))
    for other, said in ((same, "cannot tell all the types apart"), (bits, "a report is one answer")):
        with pytest.raises(ValueError, match=said):
            who_ignores(one, other, "no")
