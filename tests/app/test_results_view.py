"""The page Results: what it says is what the engine knows of these files; what is no pair, is said in a sentence."""

import hashlib
import json
from functools import cache

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from ldpapp import words
from ldpapp.state import actions
from ldpapp.views.results import opening, read, sentences
from ldpcore.cli import main
from ldpcore.client import Client, Questionnaire
from ldpcore.collection import AnswerBatch, ItemBatch, NumberBatch, Phones
from ldpcore.collection.example import simulated
from ldpcore.collection.phones import mechanism_reports
from ldpcore.collection.questions import SurveyClient
from ldpcore.collection.weighing import DesignColumns
from ldpcore.data.partitions import of_upload
from ldpcore.rng import stream

from .opening import alerts, ask, boxes, charts, do, go, html, opened, panel, panels, plain, press, sentence

pytestmark = pytest.mark.usefixtures("all_still")
COPIED = Client.of("uSS", 2.0, ["never", "once", "often"], [False, True, True], "Have you copied?")
SMOKES = Client.of("GRR", 2.0, ["no", "yes"], question="Do you smoke?")


@pytest.fixture
def page():
    return opened("results")


def given(at, client: str, rows: str | bytes, **changes):
    """Both files, in the order in which nobody would expect them."""
    do(at, opening.take, read.CLIENT, "client.json", client.encode())
    do(at, opening.take, read.REPORTS, "reports.csv", rows if isinstance(rows, bytes) else rows.encode())
    return do(at, actions.take_results, **changes) if changes else at


@cache
def copied(n: int = 400) -> str:
    values = stream(1, "copied").choice(3, n, p=[0.5, 0.3, 0.2])
    rows = pd.DataFrame({"report": Phones(COPIED).perturb(values, stream(2, "copied"))})
    rows = rows.assign(
        w=np.where(values == 0, 1.0, 3.0), sex=np.where(np.arange(n) < 3, "x", "f"), school=np.arange(n) // 40
    )
    return rows.to_csv(index=False)


def facts(client: str, rows: str | bytes, question: str = "", columns: DesignColumns | None = None):
    content = rows if isinstance(rows, bytes) else rows.encode()
    return SurveyClient.of(client).facts(of_upload(content, "reports.csv"), question, columns)


def terminal(tmp_path, client: str, rows: str, *options: str) -> pd.DataFrame:
    (tmp_path / "client.json").write_text(client, encoding="utf-8")
    (tmp_path / "reports.csv").write_text(rows, encoding="utf-8")
    out = tmp_path / "out.csv"
    files = [str(tmp_path / "reports.csv"), "--client", str(tmp_path / "client.json"), "-o", str(out)]
    run = CliRunner().invoke(main, ["estimate", *files, *options])
    assert run.exit_code == 0, run.output
    return pd.read_csv(out)


# both files ----------------------------------------------------------------------------------------------------------


def test_nothing_is_open_and_nothing_is_asked_but_two_files(page):
    assert "Two files" in plain(sentence(page))
    assert not panels(page)
    assert "report" not in [each.key for each in page.button]


def test_one_file_waits_for_the_other(page):
    at = do(page, opening.take, read.CLIENT, "client.json", COPIED.to_json().encode())
    assert "“Have you copied?”" in html(at)
    at = do(at, opening.take, read.REPORTS, "reports.csv", copied().encode())
    assert "answer" in plain(sentence(at))
    at = press(at, "results_drop_client")
    assert "Two files" in plain(sentence(at))
    assert "reports.csv" in html(at), "the other one stays"


def test_files_stay_while_somebody_looks_elsewhere(page):
    at = given(page, COPIED.to_json(), copied(), columns=DesignColumns("w"))
    said = sentence(at)
    assert sentence(go(at, "class")) != said
    assert sentence(go(at, "results")) == said


def test_another_file_is_not_read_by_the_columns_of_the_last(page):
    at = given(page, COPIED.to_json(), copied(), columns=DesignColumns("w", by="sex"))
    at = do(at, opening.take, read.REPORTS, "other.csv", ("report\n" + "1\n" * 30).encode())
    assert "30 reports" in plain(sentence(at))
    assert "weighted" not in plain(sentence(at))
    at = do(at, opening.take, read.REPORTS, "reports.csv", copied().encode())
    assert "weighted" not in plain(sentence(at)), "nor when the first one is back"


def test_labels_of_a_client_are_text(page):
    hostile = Client.of("uSS", 2.0, ["<b>x</b>", ":red[y]", "[a](javascript:1)"], [True, True, False], "<i>q</i> $x$")
    rows = "report,<u>w</u>,:blue[g]\n" + "\n".join(f"{r.split(',')[0]},1,g" for r in copied().splitlines()[1:])
    at = given(page, hostile.to_json(), rows, columns=DesignColumns("<u>w</u>", by=":blue[g]"))
    body = html(at)
    for markup in ("<b>x</b>", "<i>q</i>", "<u>w</u>"):
        assert markup not in body
    names = [each["text"] for each in charts(at)["chart_results"]["layout"]["annotations"]]
    assert "<b>&lt;b&gt;x&lt;/b&gt;</b>" in names
    assert "&lt;u&gt;w&lt;/u&gt;" in body
    assert all(":red[" not in each.label and "<b>x" not in each.label for each in at.expander)


def test_page_says_what_the_terminal_says(page, tmp_path):
    """Shares and intervals of the picture are those of `ldpcore estimate`, in the page's order; so with weights."""
    for options, columns in (((), DesignColumns()), (("--weights", "w"), DesignColumns("w"))):
        at = given(page, COPIED.to_json(), copied(), columns=columns)
        found = terminal(tmp_path, COPIED.to_json(), copied(), *options).set_index("answer")
        figure = charts(at)["chart_results"]
        written = [each["text"] for each in figure["layout"]["annotations"]]
        for row in found.itertuples():
            assert f"<b>{sentences.percent(row.share)}</b>" in written
            assert sentences.interval(row.low, row.high) in written
        known = facts(COPIED.to_json(), copied(), columns=columns)
        for row in known.rows.to_dict("records"):
            bar, dot = (trace for trace in figure["data"] if trace["name"] == row["answer"])
            assert bar["x"] == pytest.approx([100 * row["low"], 100 * row["high"]])
            assert dot["x"] == pytest.approx([100 * row["share"]])
        rings = [trace["x"][0] for trace in figure["data"] if trace["name"] == "unweighted"]
        assert rings == pytest.approx([100 * each for each in known.rows.get("unweighted", [])])
        assert sentences.headline(known).split("(")[1] in sentence(at)
        assert known.rows["answer"].tolist()[-1] == "never", "the open one is last"


def test_what_is_not_told_from_none_has_a_bar_and_no_dot(page):
    at = given(page, COPIED.to_json(), "report\n" + "1\n" * 80)
    assert plain(sentence(at)).startswith("None of the 2 hidden answers can be told from 0; the largest could be")
    known, figure = facts(COPIED.to_json(), "report\n" + "1\n" * 80), charts(at)["chart_results"]
    written = [each["text"] for each in figure["layout"]["annotations"]]
    for answer in ("once", "often"):
        (bar,) = (trace for trace in figure["data"] if trace["name"] == answer)
        high = float(known.of(answer)["high"])
        assert bar["x"] == pytest.approx([0, 100 * high])
        assert f"below {sentences.percent(high)}" in written
    assert len(written) == 3 + 3 + 1 + 2, "names, intervals, one share, two heads"


def test_facts_of_the_terminal_are_those_of_the_page(tmp_path):
    rows = terminal(tmp_path, COPIED.to_json(), copied(), "--facts", "--weights", "w").set_index("name")["value"]
    known = facts(COPIED.to_json(), copied(), columns=DesignColumns("w"))
    assert rows["n"] == known.n == 400
    assert rows["effective"] == pytest.approx(known.effective)
    assert rows["largest"] == pytest.approx(known.largest)
    assert rows["odds"] == pytest.approx(np.exp(2), rel=1e-6)


def test_weights_are_named_approximate_and_change_the_headline(page):
    at = given(page, COPIED.to_json(), copied())
    before = plain(sentence(at))
    at = at.selectbox(key="results_fold_weights").set_value("w").run()
    assert "weighted by w" in plain(sentence(at))
    assert plain(sentence(at)) != before
    assert "approximate as weights differ" in panel(at, "results")
    assert "n 400 counts as" in plain(html(at))
    at = at.selectbox(key="results_fold_weights").set_value("sex").run()
    assert "holds 'x' as a weight" in alerts(at)
    assert "weighted by w" in plain(sentence(at)), "what was chosen before stays"


def test_groups_below_five_have_a_count_and_no_estimate(page):
    at = given(page, COPIED.to_json(), copied(), columns=DesignColumns(by="sex"))
    said = panel(at, "results_groups")
    known = facts(COPIED.to_json(), copied(), columns=DesignColumns(by="sex"))
    rows = known.groups(known.leading).set_index("sex")
    assert np.isnan(rows.loc["x", "share"])
    assert rows.loc["x", "n"] == 3
    assert rows.loc["f", "n"] == 397
    assert sentences.percent(rows.loc["f", "share"]) in said


def test_strata_and_clusters_say_both_parts_of_the_error(page):
    at = given(page, COPIED.to_json(), copied(), columns=DesignColumns("w", clusters="school"))
    assert "all whom they stand for" in panel(at, "results")
    known = facts(COPIED.to_json(), copied(), columns=DesignColumns("w", clusters="school"))
    both = known.everyone.set_index("answer").loc[known.leading]
    assert f"±{sentences.percent(both['noise'])}" in panel(at, "results_weights")
    assert f"±{sentences.percent(both['whole'])}" in panel(at, "results_weights")


def test_an_interval_and_a_margin_of_the_same_answer_say_why_they_differ(page):
    """That in the headline covers at least as often as it says, ± is the usual error; and 0 is no answer."""
    at = given(page, COPIED.to_json(), copied())
    assert "at least 95 of 100 for who answered" in plain(sentence(at))
    known = facts(COPIED.to_json(), copied())
    own, whole = known.both_margins(known.leading)
    label = " ".join(each.label for each in at.expander).replace("\\", "")
    assert f"± of all people, not only who answered: {known.leading} × {whole / own:.2f}" in label
    assert "±0" not in label, "a ± of another method beside the headline's interval contradicts it"
    assert "The intervals above hold at least so often, and are wider" in plain(panel(at, "results_weights"))
    weighted = do(at, actions.take_results, columns=DesignColumns("w"))
    assert "at least" not in plain(sentence(weighted)), "approximate there"
    assert "95 of 100 for who answered" in plain(sentence(weighted))
    n = int(facts(COPIED.to_json(), copied(), columns=DesignColumns("w")).effective)
    why = f"The intervals above are made otherwise: of who answered, as if {n} with equal weights had, for the worst"
    assert why in plain(panel(weighted, "results_weights")).replace("\u2009", "")
    assert "hold at least" not in plain(panel(weighted, "results_weights"))
    strata = do(at, actions.take_results, columns=DesignColumns("w", clusters="school"))
    assert "95 of 100 for all people" in plain(sentence(strata))
    assert "usual errors" not in plain(panel(strata, "results_weights")), "one method for both there"
    assert "from 0" in plain(sentence(given(weighted, COPIED.to_json(), "report\n" + "1\n" * 80)))


def test_the_form_of_a_publisher_is_a_tick_and_a_column(page):
    at = given(page, COPIED.to_json(), copied(), form="norm-sub")
    assert "as norm-sub prints it, which is biased" in panel(at, "results")
    names = [trace["name"] for trace in charts(at)["chart_results"]["data"]]
    assert names.count("published") >= 1


def test_each_way_to_begin_takes_what_it_says_and_looks_like_one(page):
    """The second box takes a client.json alone; the first takes both at once; the third way is a button."""
    first, second = (each.proto.type for each in page.get("file_uploader"))
    assert list(second) == [".json"]
    assert {".csv", ".parquet", ".json"} <= {*first}
    assert page.button(key="results_no_client").proto.type == "secondary"


# what is no pair -----------------------------------------------------------------------------------------------------


def wrong(kind: str) -> str:
    other = Client.of("uSS", 2.0, [f"a{i}" for i in range(9)], [True] * 8 + [False])
    sent = Phones(other).perturb(np.arange(40) % 9, stream(3, "wrong"))
    return {
        "another client": "report\n" + "\n".join(map(str, sent)),
        "answers": "report\n" + "never\nonce\nOften \n" * 5,
        "nothing": "report,w\n,1\n,2\n",
        "no column": "a,b\n1,2\n",
        "empty": "report\n",
    }[kind]


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("another client", "rows cannot have been sent by this client: is it the client of another question?"),
        ("answers", "This column holds answers, not reports; ldpcore perturb draws them"),
        ("nothing", "There is no report here that this client can have sent"),
        ("no column", "has no column named report"),
        ("empty", "has names but no rows"),
    ],
)
def test_files_that_do_not_go_together(page, kind, said):
    at = given(page, COPIED.to_json(), wrong(kind))
    assert "do not go together" in plain(sentence(at))
    assert said in boxes(at)
    assert not charts(at), "nothing is estimated"
    at = press(at, "results_other_reports")
    assert "Two files" in plain(sentence(at))


def test_a_file_that_is_no_client(page):
    at = given(page, "{}", copied())
    assert "client.json" in alerts(at)
    assert "Two files" in plain(sentence(at))


def test_too_few_have_no_estimate(page):
    at = given(page, COPIED.to_json(), "\n".join(copied().splitlines()[:5]))
    assert plain(sentence(at)).startswith("Four reports: too few")
    assert not charts(at)


def test_numbers_that_are_answers_are_known_by_what_is_no_report(page):
    """Reports 1, 2 of a client whose answers are 1, 2, 3 are reports; the answer 3 is none."""
    asked = Client.of("GRR", 4.0, ["1", "2", "3"])
    rows = "report\n" + "1\n2\n4\n1\n2\n" * 4
    assert facts(asked.to_json(), rows).n == 20
    assert facts(asked.to_json(), rows + "8\n").read.why == {"not of this client": 1}
    with pytest.raises(ValueError, match="holds answers"):
        facts(asked.to_json(), "report\n" + "1\n2\n3\n" * 6)


def test_refused_rows_are_counted_by_reason(page):
    rows = copied().splitlines()
    other = f"1-{'0' * 8},1,f,0"
    rows[5:5] = ["7,1,f,0", "x,1,f,0", ",1,f,0", other]
    at = given(page, COPIED.to_json(), "\n".join(rows))
    said = panel(at, "results_wrong")
    for text in ("1 that this client cannot send", "1 no report at all", "1 empty", "1 with the mark of another"):
        assert text in said
    assert "4 more refused" in plain(sentence(at))


# other kinds of clients ----------------------------------------------------------------------------------------------


def test_a_questionnaire_has_its_own_n_for_each_question(page):
    asked = Questionnaire({"copied": COPIED, "smokes": SMOKES})
    people = [{"copied": 1 + i % 2, "smokes": 1 + i % 2} for i in range(60)]
    rows = pd.DataFrame(people).astype(object)
    rows.loc[:9, "smokes"] = ""
    text = rows.assign(w=1.0).to_csv(index=False)
    at = given(page, asked.to_json(), text)
    assert "60 reports" in plain(sentence(at))
    at = at.selectbox(key="results_question").set_value("smokes").run()
    assert "50 reports" in plain(sentence(at))
    assert "all reports of a person together: ε = 4" in plain(html(at))
    table = asked.estimate([{k: v for k, v in row.items() if v != ""} for row in rows.to_dict("records")])
    share = table[(table["question"] == "smokes") & (table["answer"] == "yes")]["share"].iloc[0]
    assert facts(asked.to_json(), text, "smokes").of("yes")["share"] == pytest.approx(share)


def test_whoever_answers_several_where_one_is_asked_is_refused():
    asked = Questionnaire({"copied": COPIED, "smokes": SMOKES}, asks="one")
    rows = "copied,smokes\n" + "1,\n,2\n" * 20 + "1,2\n"
    for name in ("copied", "smokes"):
        known = facts(asked.to_json(), rows, name)
        assert known.n == 20
        assert known.read.why == {"several of one person": 1}


def test_batches_of_answers_items_and_numbers(page):
    rng = stream(4, "batches")
    oslo = AnswerBatch("OLH", 2.0, "city", answers=("Oslo", "Rome", "Lima"), sensitive=(False,) * 3)
    items = ItemBatch("PrivSet", 2.0, "items", items=("milk", "bread", "tea"), sensitive=(False,) * 3, m=2)
    age = NumberBatch("PM", 2.0, "age", low=18.0, high=98.0)
    held = (np.tile([0, 2], 100), np.arange(0, 201, 2))
    for asked, values in ((oslo, rng.integers(0, 3, 200)), (items, held), (age, rng.uniform(20, 80, 200))):
        sent = asked.perturb(values, rng)
        cells = sent if sent.ndim == 1 and sent.dtype.names is None else [each.tobytes().hex() for each in sent]
        rows = pd.DataFrame({"report": cells}).to_csv(index=False)
        at = given(page, asked.to_json(), rows)
        known = facts(asked.to_json(), rows)
        expected = asked.table(asked.tally(sent))
        value = "mean" if asked is age else "share"
        assert sorted(known.rows[value]) == pytest.approx(sorted(expected[value]))
        assert sentences.headline(known).split("(")[0][-20:] in sentence(at).replace("\u202f", "\u202f")
        assert "results" in panels(at)


# what may be wrong ---------------------------------------------------------------------------------------------------


def test_strange_counts_are_said_and_silence_promises_nothing():
    asked = Client.of("OUE", 1.0, list("abcdefgh"))
    honest = Phones(asked).perturb(np.arange(900) % 8, stream(5, "honest"))
    fine = facts(asked.to_json(), "report\n" + "\n".join(map(str, honest)))
    assert fine.strange is None
    assert "never found" in sentences.unseen(fine)
    liars = np.concatenate([honest, np.full(60, 255)])
    caught = facts(asked.to_json(), "report\n" + "\n".join(map(str, liars)))
    assert caught.strange == "sizes"
    assert "strange" in sentences.unseen(caught)
    grr = Client.of("GRR", 1.0, list("abcd"))
    sent = Phones(grr).perturb(np.arange(800) % 4, stream(6, "honest"))
    known = facts(grr.to_json(), "report\n" + "\n".join(map(str, sent)))
    assert f"up to {words.of_100(known.unseen)} of 100 reports could be false" in sentences.unseen(known)
    assert 0.2 < known.unseen < 0.5


def test_two_groups_count_who_ignores_the_rule(page):
    first, second = (Client.of("GRR", epsilon, ["no", "yes"], question="Smoke?") for epsilon in (2.0, 0.5))
    at = given(page, first.to_json(), "report\n" + "1\n" * 676 + "2\n" * 324)
    do(at, opening.take, "client2", "client.json", second.to_json().encode())
    at = do(at, opening.take, "reports2", "reports.csv", ("report\n" + "1\n" * 624 + "2\n" * 376).encode())
    said = panel(at, "results_ignored")
    assert "always send no" in said
    bars = [trace for trace in charts(at)["chart_results_ignored"]["data"] if trace["mode"] == "lines"]
    for bar in bars:
        assert bar["x"][1] - bar["x"][0] == pytest.approx(20, abs=1.5)
    other = Client.of("GRR", 0.5, ["nein", "ja"])
    at = do(at, opening.take, "client2", "client.json", other.to_json().encode())
    assert "the same question with the same answers" in alerts(at)


# the report ----------------------------------------------------------------------------------------------------------


def report(at, publishable: bool) -> str:
    paper = at.session_state["report_made"]
    return plain(ask(at, paper.html, publishable)).split("Report · ")[1]  # behind fonts and styles


def test_the_report_says_what_was_collected_and_is_signed(page):
    at = given(page, COPIED.to_json(), copied(), columns=DesignColumns("w", by="sex"))
    whole, published = report(at, False), report(at, True)
    digest = SurveyClient.of(COPIED.to_json()).digest
    for text in (
        digest,
        "reports that count",
        "Korn and Graubard",
        "w; n 400 counts as",
        "Results signed",
        "uSS at ε = 2",
    ):
        assert text in whole
        assert text in published
    assert "x3" in whole
    assert "x3" not in published
    assert published.count("left out") == 2, "with one count alone the sum would give it away"
    assert "every term" not in whole
    assert "needs a second group" not in whole
    assert "A second group" not in whole
    assert json.dumps(COPIED.question)[1:-1] in whole


def two_answers(n: int = 1500) -> str:
    """Who smokes has copied three times as often; one in five sends no second report."""
    rng = stream(12, "together")
    smokes = rng.random(n) < 0.4
    copied_ = np.where(rng.random(n) < np.where(smokes, 0.6, 0.2), rng.integers(1, 3, n), 0)
    one, two = (Phones(each).perturb(values, rng) for each, values in ((COPIED, copied_), (SMOKES, smokes.astype(int))))
    rows = (f"{a},{b if i % 5 else ''}" for i, (a, b) in enumerate(zip(one, two, strict=True)))
    return "copied,smokes\n" + "\n".join(rows)


def test_two_answers_together_are_the_terminals(page, tmp_path):
    asked, rows = Questionnaire({"copied": COPIED, "smokes": SMOKES}), two_answers()
    found = terminal(tmp_path, asked.to_json(), rows, "--relation", "smokes,copied", "--facts")
    pairs = terminal(tmp_path, asked.to_json(), rows, "--relation", "smokes,copied")
    at = given(page, asked.to_json(), rows)
    at.session_state["fold_together"] = True
    at.run()
    known = facts(asked.to_json(), rows.encode(), question="copied")
    shown = plain(html(at))
    mine = found[found["answer"] == known.leading].set_index("group")
    for row in mine.to_dict("records"):
        assert f"{sentences.percent(row['within'])} ({sentences.percent(row['within low'])} to" in shown
        ends = (words.difference(row[f"difference{end}"]) for end in ("", " low", " high"))
        assert "{} ({} to {})".format(*ends) in shown
    # By hand: Σ of the joint scores in the group, over the group's, and less the other group's.
    sent = [line.split(",") for line in rows.splitlines()[1:]]
    both = np.array([(int(a), int(b)) for a, b in sent if b])
    scores = [each.mechanism.scores(mechanism_reports(each, both[:, i])) for i, each in enumerate((COPIED, SMOKES))]
    at_answer = COPIED.answers.index(str(known.leading))
    joint = scores[1].T @ scores[0][:, at_answer] / scores[1].sum(axis=0)
    assert mine["within"].to_numpy() == pytest.approx(joint, abs=1e-9)
    assert mine["difference"].to_numpy() == pytest.approx([joint[0] - joint[1], joint[1] - joint[0]], abs=1e-9)
    beside = pairs[pairs["copied"] == known.leading]
    for one, other in (("within", "within"), ("within low", "within low"), ("within high", "within high")):
        assert mine[one].to_numpy() == pytest.approx(beside[other].to_numpy())
    assert mine["difference low"]["yes"] == pytest.approx(-mine["difference high"]["no"], abs=1e-9)
    # Near the normal interval of the linearised scores, of which the variance is drawn here.
    z = scores[1] / scores[1].mean(axis=0) * (scores[0][:, [at_answer]] - joint)
    width = 2 * 1.96 * (z[:, 1] - z[:, 0]).std(ddof=1) / len(both) ** 0.5
    assert mine["difference high"]["yes"] - mine["difference low"]["yes"] == pytest.approx(width, rel=0.05)
    smokers = terminal(tmp_path, asked.to_json(), rows, "--relation", "copied,smokes", "--facts")
    three = smokers[smokers["answer"] == "yes"]
    assert three["group"].tolist() == list(COPIED.answers)
    assert (three["difference high"] - three["difference low"] > 0).all()
    assert f"{words.count(len(both))} people sent both" in shown
    at = at.selectbox(key="results_question").set_value("smokes").run()
    assert at.selectbox(key="results_other").value == "copied"


# another tool --------------------------------------------------------------------------------------------------------


COUNTS = b"answer,count\na,640\nb,580\nc,570\nd,565\n"


def test_the_terminal_saves_the_same_report(tmp_path):
    """Of another tool's counts, and of reports: the page's own, with what is chosen there."""
    (tmp_path / "counts.csv").write_bytes(COUNTS)
    (tmp_path / "reports.csv").write_text(copied(), encoding="utf-8")
    (tmp_path / "client.json").write_text(COPIED.to_json(), encoding="utf-8")
    tool = ["--counts", "counts.csv", "--tool", "rappor:f=.25,p=.5,q=.75", "--people", "1000"]
    own = ["reports.csv", "--client", "client.json", "--weights", "w", "--by", "sex"]
    for asked, texts in ((tool, ("58.0 % answer a", "f = 0.25")), (own, ("w; n 400 counts as", "Korn and Graubard"))):
        paths = [str(tmp_path / each) if each.endswith((".csv", ".json")) else each for each in asked]
        done = CliRunner().invoke(main, ["estimate", *paths, "--report", str(tmp_path / "r.html")])
        assert done.exit_code == 0, done.output
        made = plain((tmp_path / "r.html").read_text(encoding="utf-8")).split("Report · ")[1]
        for text in (*texts, "Results signed"):
            assert text in made, text
    (tmp_path / "client.json").write_text("{}", encoding="utf-8")
    refused = CliRunner().invoke(main, ["estimate", *paths, "--report", str(tmp_path / "r.html")])
    assert refused.exit_code == 1


def test_another_tools_counts(page):
    """Basic RAPPOR (Erlingsson, Pihur, Korolova 2014): shares (c/n − b)/(a − b) with a = 23/32, b = 17/32."""
    at = press(page, "results_no_client")
    at = do(at, opening.take, read.COUNTS, "counts.csv", COUNTS)
    at = at.selectbox(key="results_tool").set_value("rappor").run()
    said = plain(sentence(at))
    assert "58.0 % answer a" in said
    assert "ε = 0.813" in said
    written = [each["text"] for each in charts(at)["chart_results"]["layout"]["annotations"]]
    for share in ("58.0", "26.0", "20.7", "18.0"):
        assert f"<b>{share}</b>" in written
    for publishable in (False, True):
        paper = report(at, publishable)
        for text in (
            hashlib.sha256(COUNTS).hexdigest(), "rappor: f = 0.25, p = 0.5, q = 0.75", "ε = 0.813", "Results signed",
            "Clopper and Pearson", "58.0 % answer a", "the counts do not show it",
        ):  # fmt: skip
            assert text in paper, text
        assert "A matrix has a row" not in paper, "what asks for files"
    at = at.number_input(key="results_people").set_value(600).run()
    assert "640 of 600 reports support one answer" in alerts(at)
    at = at.number_input(key="results_people").set_value(1000).run()
    at = at.number_input(key="results_parameter_p").set_value(0.75).run()
    assert "A and b are equal" in alerts(at)


def test_a_matrix_of_ones_own(page):
    at = press(page, "results_no_client")
    do(at, opening.take, read.COUNTS, "counts.csv", b"113\n329\n")
    at = do(at, opening.take, read.MATRIX, "matrix.csv", b".8,.2\n.2,.8\n")
    assert "90.7 % answer 2" in plain(sentence(at))
    assert "ε = 1.386" in plain(sentence(at))
    at = do(at, opening.take, read.MATRIX, "matrix.csv", b".5,.5\n.5,.5\n")
    assert alerts(at), "it cannot be inverted"


def test_simulated_reports_show_all_of_it(page):
    at = press(page, "results_try")
    assert "weighted by finalwt" in plain(sentence(at))
    known = facts(simulated()[1], simulated()[0], columns=DesignColumns("finalwt"))
    assert words.count(known.effective) in html(at)
    assert {"results", "results_weights", "results_wrong"} <= set(panels(at))
