"""A Review as a questionnaire for phones: its hidden questions, its ε, a pair as one, and the way to the estimate."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from ldpcore import study
from ldpcore.cli import main
from ldpcore.client import Questionnaire, offered
from ldpcore.collection.review_clients import of_review
from ldpcore.rng import stream
from ldpcore.study import Marks, Source, Study, review
from ldpcore.study.execute import prepare

MARKS = ["smoking = every day", "condition = HIV", "sex = male"]
ASKED = Study(Source("health"), "sex", Marks.of(MARKS), grid=(), repetitions=1, epsilon=2.0, task="review")
ASKED = ASKED.with_options(columns=("smoking", "condition", "sex"))


@pytest.mark.parametrize(
    "changed",
    [{}, {"scheme": "one"}, {"budget": "person"}, {"scheme": "one", "budget": "person"}],
    ids=["question", "one", "person", "one-person"],
)
def test_every_question_errs_and_promises_as_the_review_says(changed):
    """Among the mechanisms that phones have, held against the review of these alone."""
    asked, sent_openly = of_review(ASKED.with_options(**changed))
    phones = replace(ASKED.with_options(**changed), mechanisms=tuple(offered()))
    survey = review.asked(phones, prepare(phones), 2.0)
    assert (list(asked.questions), sent_openly) == (list(survey.hidden), survey.open)
    assert asked.asks == changed.get("scheme", "all")
    assert asked.epsilon == pytest.approx(survey.promised(), rel=1e-8)
    for name, one in survey.hidden.items():
        client = asked.questions[name]
        assert (client.key, client.answers, client.question) == (one.key, one.labels, name)
        assert list(client.sensitive) == one.marked.tolist()
        variance = client.mechanism.variance(one.freq, 1000)
        np.testing.assert_allclose(variance, one.built.variance(one.freq, 1000), rtol=1e-6)


def test_secret_answers_give_their_epsilon_to_all_marked():
    marks = Marks(
        (("smoking = every day", "sensitive"), ("smoking = some days", "secret"), ("sex = male", "sensitive"))
    )
    asked, _ = of_review(replace(ASKED, marks=marks, secret_epsilon=0.5))
    assert {name: client.epsilon for name, client in asked.questions.items()} == {"smoking": 0.5, "sex": 2.0}


def test_a_pair_that_is_planned_as_one_is_asked_as_one():
    short = replace(ASKED, marks=Marks.of(["smoking = every day", "sex = male"]))
    short = short.with_options(columns=("smoking", "sex", "condition"), as_one=("smoking + sex",))
    asked, sent_openly = of_review(short, decline="no answer", texts=["smoking=Do you smoke?"])
    assert (list(asked.questions), sent_openly) == (["smoking + sex"], ("condition",))
    client = asked.questions["smoking + sex"]
    assert client.pair is not None
    assert client.pair.names == ("Do you smoke?", "sex")
    assert [side[-1] for side in client.pair.labels] == ["no answer"] * 2
    x, y = client.pair.labels
    marked = {"every day", "male", "no answer"}
    assert list(client.sensitive) == [bool({a, b} & marked) for a in x for b in y]
    plain, _ = of_review(short)
    of_pair = review.asked(short, prepare(short), 2.0).hidden["smoking + sex"]
    assert list(plain.questions["smoking + sex"].sensitive) == of_pair.marked.tolist()
    many = replace(ASKED, marks=Marks.of(["smoking = never", "income = 15 000-34 999", "sex = male"]))
    many = many.with_options(columns=("smoking", "sex", "income"), as_one=("smoking + income",))
    with pytest.raises(ValueError, match="has 28 answers, and phones draw among 20 at most"):
        of_review(many)


def test_what_is_missing_in_the_data_is_whoever_would_rather_not_say():
    income = replace(ASKED, marks=Marks.of(["income = 15 000-34 999", "sex = male"]), missing="category")
    asked, _ = of_review(income.with_options(columns=("income", "sex")))
    answers = asked.questions["income"].answers
    assert "(missing)" not in answers
    assert answers.count("rather not say") == 1
    asked, _ = of_review(income.with_options(columns=("income", "sex")), decline="no answer")
    assert asked.questions["income"].answers.count("no answer") == 1
    assert len(asked.questions["income"].answers) == len(answers)


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"mechanism": "OLH"}, "OLH cannot run on phones; choose one of GRR"),
        ({"texts": ["Do you smoke?"]}, "names none of sex, condition, smoking"),
    ],
)
def test_what_cannot_be_asked_is_told(more, sentence):
    with pytest.raises(ValueError, match=sentence):
        of_review(ASKED, **more)


def test_from_a_review_to_phones_to_shares(tmp_path):
    """400 people answer; every third leaves one question out; each question has its own n and its own interval."""
    short = replace(ASKED, marks=Marks.of(["smoking = every day", "partners = 0", "sex = male"]))
    short = short.with_options(columns=("smoking", "partners", "sex"))
    (tmp_path / "study.toml").write_text(study.to_toml(short), encoding="utf-8")
    command = ["client", str(tmp_path / "study.toml"), "-o", str(tmp_path / "out"), "--embed", "limesurvey"]
    ran = CliRunner().invoke(main, [*command, "--question", "sex=Are you a man?", "--decline", "rather not say"])
    assert ran.exit_code == 0, ran.output
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {"questionnaire.json", "client.js", "index.html", "README.md", "limesurvey.html",
                     "README-limesurvey" + ".md"}  # fmt: skip
    file = tmp_path / "out" / "questionnaire.json"
    asked = Questionnaire.from_json(file.read_text(encoding="utf-8"))
    assert f"ldpcore estimate REPORTS --client {file}" in ran.output
    assert "“sex”: ε = 2" in ran.output
    assert asked.questions["sex"].question == "Are you a man?"
    assert all(client.answers[-1] == "rather not say" for client in asked.questions.values())
    read_me = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert f"ε of a person = {asked.epsilon:.4g}" in read_me
    assert "    sex,smoking,partners\n" in read_me
    page = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert asked.mark in page
    rng, lots = stream(1, "people"), stream(2, "lots")
    answers = [{name: str(rng.choice(client.answers)) for name, client in asked.questions.items()} for _ in range(400)]
    for i, each in enumerate(answers):
        if i % 3 == 0:
            del each["partners"]
    codes = [asked.code(asked.draw(each, lambda: int(lots.integers(2**32)))) for each in answers]
    (tmp_path / "r.csv").write_text("sex,smoking,partners\n" + "\n".join(codes) + "\n", encoding="utf-8")
    ran = CliRunner().invoke(
        main, ["estimate", str(tmp_path / "r.csv"), "--client", str(file), "-o", str(tmp_path / "t.csv")]
    )
    assert ran.exit_code == 0, ran.output
    table = pd.read_csv(tmp_path / "t.csv")
    assert table.groupby("question", sort=False)["n"].first().to_dict() == {"sex": 400, "smoking": 400, "partners": 266}
    assert not table["refused"].any()
    for name, part in table.groupby("question"):
        said = [each[str(name)] for each in answers if name in each]
        truth = np.array([said.count(answer) / len(said) for answer in part["answer"]])
        assert ((part["low"] <= truth) & (truth <= part["high"])).mean() >= 0.8
