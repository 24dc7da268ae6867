"""The estimate in R: the very numbers that `ldpcore estimate` gives, from the same reports.csv (to 1e-12)."""

import shutil
import subprocess
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from ldpcore import cli, data
from ldpcore.client import Client
from ldpcore.collection import in_r, reports
from ldpcore.collection.pair_clients import client_of_two
from ldpcore.rng import stream
from ldpcore.study import Marks, Source, Study, to_toml

RSCRIPT = shutil.which("Rscript")
needs_r = pytest.mark.skipif(RSCRIPT is None, reason="Rscript is missing (Debian's r-base-core)")
ASKED = Study(Source("health"), "smoking", Marks.of(["every day"]), ("uSS", "GRR", "RAPPOR"), epsilon=1.3)
PAIR = Study(Source("health"), "sex", Marks.of(["smoking = every day", "sex = female"]), ("uSS",), epsilon=2.0,
             task="relations", options={"groups": "smoking"})  # fmt: skip
SETS = Study(Source("groceries"), "items", Marks.of(["milk"]), ("PrivSet", "suRAP", "suGRR"), epsilon=1.5, task="sets")


def estimated(folder, code, rows):
    """What R makes of these reports."""
    (folder / "page.R").write_text(code, encoding="utf-8")
    rows.to_csv(folder / "reports.csv", index=False)
    done = subprocess.run([RSCRIPT, "page.R"], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return pd.read_csv(folder / "shares.csv"), done.stderr


def drawn(client, people=400, seed=3):
    rng = stream(seed, client.key)
    return [
        client.draw(client.answers[i % len(client.answers)], lambda: int(rng.integers(2**32))) for i in range(people)
    ]


@needs_r
@pytest.mark.parametrize("key", ["GRR", "uSS", "RAPPOR", "uRAP"])
def test_shares_of_one_question(key, tmp_path):
    client = Client.of(key, 1.3, ["never ä", 'some "days"', "every\\day 🙂"], [False, False, True], "Do you?")
    sent = drawn(client)
    rows = pd.DataFrame({"report": [f"{r}-{client.mark}" if i % 2 else r for i, r in enumerate(sent)]})
    strangers = pd.DataFrame({"report": ["77", f"{sent[0]}-00000000", "", "x"]})
    found, said = estimated(tmp_path, in_r.one(in_r.ListedReports.of(client)), pd.concat([rows, strangers]))
    right = client.estimate(sent)
    assert found["answer"].tolist() == right["answer"].tolist()
    assert np.abs(found["share"] - right["share"]).max() < 1e-12
    assert "left out: 3" in said  # an empty line is no report


@needs_r
@pytest.mark.parametrize("setting", ["as one", "apart", "open"])
def test_relations(setting, tmp_path):
    asked = PAIR.with_options(setting=setting)
    names, clients = client_of_two(asked)
    if isinstance(clients, Client):
        rows = pd.DataFrame({"report": drawn(clients, 2000)})
    else:
        openly = [label for label in data.load("health").categorical("smoking").domain.labels for _ in range(500)]
        hidden = clients.questions
        groups = drawn(hidden[names[0]], 2000) if names[0] in hidden else openly[:2000]
        rows = pd.DataFrame({names[0]: groups, names[1]: drawn(hidden[names[1]], 2000, seed=4)})
    (tmp_path / "study.toml").write_text(to_toml(asked), encoding="utf-8")
    run = CliRunner().invoke(cli.main, ["code", str(tmp_path / "study.toml"), "-o", str(tmp_path / "made.R")])
    assert run.exit_code == 0, run.output
    found, _ = estimated(tmp_path, (tmp_path / "made.R").read_text(encoding="utf-8"), rows)
    run = CliRunner().invoke(cli.main, ["client", str(tmp_path / "study.toml"), "-o", str(tmp_path / "survey")])
    assert run.exit_code == 0, run.output
    command = ["estimate", str(tmp_path / "reports.csv"), "-o", str(tmp_path / "right.csv")]
    if setting == "as one":
        command += ["--client", str(tmp_path / "survey/client.json")]
    else:
        file = tmp_path / "survey/questionnaire.json"
        command += ["--relation", ",".join(names), "--client", str(file)]
    run = CliRunner().invoke(cli.main, command)
    assert run.exit_code == 0, run.output
    right = pd.read_csv(tmp_path / "right.csv")
    found, right = found.set_index(["x", "y"]).sort_index(), right.set_index([*names]).sort_index()
    assert found.index.tolist() == right.index.tolist()
    assert np.abs(found["share"] - right["share"]).max() < 1e-12
    told = right["within"].notna()
    assert told.any()
    assert np.abs(found["within"] - right["within"])[told].max() < 1e-12


@needs_r
@pytest.mark.parametrize("key", ["PrivSet", "suRAP", "suGRR"])
def test_shares_of_small_sets(key, tmp_path):
    asked = in_r.ItemBatch(key, 1.5, "items", items=("a", "b", "c", "d"), sensitive=(True, True, False, False), m=2)
    held = np.array([[0, 1], [0, 2], [3, 4], [4, 5], [1, 3]] * 80)
    sent = asked.mechanism.perturb(held, stream(5, key))
    rows = pd.DataFrame({"report": reports.as_text(sent)})
    found, _ = estimated(tmp_path, in_r.one(in_r.ListedReports.of_items(asked)), rows)
    right = asked.table(asked.tally(sent))
    assert found["answer"].tolist() == right["item"].tolist()
    assert np.abs(found["share"] - right["share"]).max() < 1e-12


def test_matrices_are_of_the_study_and_unbiased(tmp_path):
    file, made = tmp_path / "study.toml", tmp_path / "page.R"
    file.write_text(to_toml(ASKED), encoding="utf-8")
    run = CliRunner().invoke(cli.main, ["code", str(file), "-o", str(made), "--mechanism", "uSS"])
    assert run.exit_code == 0, run.output
    listed = in_r.ListedReports.of(in_r.single(ASKED, mechanism="uSS"))
    assert np.abs(listed.channel @ listed.scores - listed.truth).max() < 1e-12
    assert listed.labels[-1] in made.read_text(encoding="utf-8")
    assert repr(float(listed.scores[0, 0])) in made.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("asked", "mechanism", "why"),
    [
        (ASKED, None, "--mechanism"),
        (SETS, "PrivSet", "different reports"),
        (
            replace(ASKED, task="ranges", marks=Marks(), mechanisms=()),
            None,
            "there is R of frequency, sets and relations",
        ),
        (replace(PAIR, mechanisms=("OLH",)), None, "none that runs on phones"),
    ],
)
def test_what_has_no_matrix_is_said_in_a_sentence(asked, mechanism, why, tmp_path):
    file = tmp_path / "study.toml"
    file.write_text(to_toml(asked), encoding="utf-8")
    more = [] if mechanism is None else ["--mechanism", mechanism]
    run = CliRunner().invoke(cli.main, ["code", str(file), "-o", str(tmp_path / "page.R"), *more])
    assert run.exit_code == 1
    assert why in run.output
    assert not (tmp_path / "page.R").exists()


def test_how_many_reports_there_are_goes_by_the_mechanism_not_by_the_answers():
    answers = [f"{place:02}" for place in range(16)]
    few = in_r.ListedReports.of(Client.of("GRR", 1.0, answers))
    assert len(few.reports) == 16
    assert few.channel @ few.scores == pytest.approx(np.eye(16), abs=1e-9)
    with pytest.raises(ValueError, match="OUE has 65536 different reports"):
        in_r.ListedReports.of(Client.of("OUE", 1.0, answers))
