"""`ldpcore perturb` of several columns: a pair asked as one, and questionnaires of all or of one question."""

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from ldpcore import data
from ldpcore.cli import main
from ldpcore.client import AskedPair, Client, Questionnaire
from ldpcore.rng import stream

PEOPLE = 4000
SMOKES, SICK = ("no", "yes"), ("well", "ill")
PAIR = AskedPair(("smokes", "sick"), (SMOKES, SICK))
BOTH = Client.of("uSS", 3.0, PAIR.answers, PAIR.marks([False, True], [False, True]), "Both", pair=PAIR)
ONE = Client.of("GRR", 2.0, SMOKES, question="Do you smoke?")
CITY = Client.of("OUE", 2.0, ["Lima", "Oslo", "Rome"])


def people(missing=0.0):
    """Smokers are ill twice as often; some cells are empty."""
    rng = stream(1, "people")
    x = rng.random(PEOPLE) < 0.3
    y = rng.random(PEOPLE) < np.where(x, 0.4, 0.2)
    frame = pd.DataFrame(
        {"city": rng.choice(CITY.answers, PEOPLE), "sick": np.take(SICK, y), "smokes": np.take(SMOKES, x)}
    )
    return frame.where(rng.random(frame.shape) >= missing, "")


def drawn(tmp_path, frame, asked, suffix, *more):
    file = tmp_path / f"answers{suffix}"
    if suffix == ".csv":
        frame.to_csv(file, index=False)
    else:
        frame.to_parquet(file)
    (tmp_path / "asked.json").write_text(asked.to_json(), encoding="utf-8")
    command = [
        "perturb",
        str(file),
        "--client",
        str(tmp_path / "asked.json"),
        "-o",
        str(tmp_path / "reports"),
        "--seed",
        "3",
    ]
    return CliRunner().invoke(main, [*command, *more])


def estimated(tmp_path, *more):
    command = [
        "estimate",
        str(tmp_path / "reports"),
        "--client",
        str(tmp_path / "asked.json"),
        "-o",
        str(tmp_path / "t.csv"),
    ]
    ran = CliRunner().invoke(main, [*command, *more])
    assert ran.exit_code == 0, ran.output
    return pd.read_csv(tmp_path / "t.csv"), ran.output


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_a_pair_is_drawn_from_two_columns(tmp_path, suffix):
    """Each share of a pair within five exact standard errors: 4 shares, a false alarm in 400 000 seeds."""
    frame = people(missing=0.1)
    ran = drawn(tmp_path, frame, BOTH, suffix)
    assert ran.exit_code == 0, ran.output
    whole = frame[(frame["smokes"] != "") & (frame["sick"] != "")]
    assert f"{len(whole)} reports by uSS" in ran.output
    assert f"{PEOPLE - len(whole)} rows without an answer left out" in ran.output
    table, _ = estimated(tmp_path)
    truth = pd.crosstab(whole["smokes"], whole["sick"], normalize=True).loc[list(SMOKES), list(SICK)].to_numpy().ravel()
    error = np.sqrt(BOTH.mechanism.variance(truth, len(whole)))
    assert table["smokes"].tolist() == ["no", "no", "yes", "yes"]
    assert (np.abs(table["share"] - truth) < 5 * error).all()


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@pytest.mark.parametrize("asks", ["all", "one"])
def test_a_questionnaire_is_drawn_from_its_columns(tmp_path, suffix, asks):
    """Each share within five standard errors, with as many people as the weights say."""
    frame = people(missing=0.1)
    asked = Questionnaire({"smokes": ONE, "city": CITY}, asks, (3, 1) if asks == "one" else ())
    ran = drawn(tmp_path, frame, asked, suffix)
    assert ran.exit_code == 0, ran.output
    assert f"by GRR, OUE at ε = {asked.epsilon:g}" in ran.output
    table, _ = estimated(tmp_path)
    assert not table["refused"].any()
    for (name, client), chance in zip(asked.questions.items(), (0.75, 0.25) if asks == "one" else (1, 1), strict=True):
        part = table[table["question"] == name]
        said = frame[name][frame[name] != ""]
        n, expected = int(part["n"].iloc[0]), len(said) * chance
        assert abs(n - expected) <= 5 * np.sqrt(expected * (1 - chance))
        truth = np.array([(said == answer).mean() for answer in client.answers])
        error = np.sqrt(client.mechanism.variance(truth, n) + truth * (1 - truth) / n)
        assert (np.abs(part["share"] - truth) < 5 * error).all()


def test_two_questions_of_a_questionnaire_stay_one_persons(tmp_path):
    """The relation survives: a row's reports are of the same row."""
    asked = Questionnaire({"smokes": ONE, "sick": Client.of("GRR", 4.0, SICK)})
    assert drawn(tmp_path, people(), asked, ".csv").exit_code == 0
    table, printed = estimated(tmp_path, "--relation", "smokes,sick")
    assert "p below 0.001" in printed
    assert table["within"].tolist() == pytest.approx([0.8, 0.2, 0.6, 0.4], abs=0.1)


def test_a_pair_within_a_questionnaire_is_two_columns(tmp_path):
    asked = Questionnaire({"both": BOTH, "city": CITY})
    assert drawn(tmp_path, people(), asked, ".parquet").exit_code == 0
    table, _ = estimated(tmp_path)
    assert (table["n"] == PEOPLE).all()


@pytest.mark.parametrize(
    ("cells", "more", "sentence"),
    [
        ({"smokes": "maybe"}, (), "line 2: “maybe” is no answer of this client"),
        ({"smokes": ""}, (), "3999 reports"),
        ({"smokes": "maybe"}, ("--unknown", "drop"), "1 rows left out, which are no answer of the client"),
    ],
)
def test_what_is_no_answer_is_told_by_its_place(tmp_path, cells, more, sentence):
    frame = people()
    for name, text in cells.items():
        frame.loc[0, name] = text
    assert sentence in " ".join(drawn(tmp_path, frame, BOTH, ".csv", *more).output.split())


def test_a_column_that_is_not_there_is_told(tmp_path):
    ran = drawn(tmp_path, people()[["city"]], Questionnaire({"smokes": ONE, "city": CITY}), ".csv")
    assert ran.exit_code == 1
    assert "has no column “smokes”" in ran.output
    assert data.MISSING_LABEL not in ran.output
