"""`ldpcore estimate --relation`: reports of two questions side by side in a table."""

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from ldpcore import relations
from ldpcore.cli import main
from ldpcore.client import Client, offered
from ldpcore.collection import AnswerBatch, NumberBatch
from ldpcore.rng import stream

X, Y = np.repeat([0, 0, 1, 1], [1200, 300, 400, 600]), np.repeat([0, 1, 0, 1], [1200, 300, 400, 600])
SMOKES = AnswerBatch("uSS", 2.0, "smokes", answers=("no", "yes"), sensitive=(False, True))
SICK = Client.of("uSS", 2.0, ["well", "ill"], [False, True])


def written(tmp_path, rows, *clients):
    (tmp_path / "reports.csv").write_text(rows, encoding="utf-8")
    files = []
    for number, client in enumerate(clients):
        if isinstance(client, str):
            files += ["--client", client]
            continue
        path = tmp_path / f"client{number}.json"
        path.write_text(client.to_json(), encoding="utf-8")
        files += ["--client", str(path)]
    return [str(tmp_path / "reports.csv"), *files]


def phones(seed, client=SICK):
    """A report of everybody's phone."""
    rng = stream(seed, "phones")
    return [client.law.draw(int(v), lambda: int(rng.integers(2**32))) for v in Y]


def run(*asked):
    return CliRunner().invoke(main, ["estimate", *asked])


def table_of(a, b, header="smokes,sick"):
    return header + "\n" + "\n".join(f"{x},{y}" for x, y in zip(a, b, strict=True)) + "\n"


def test_two_columns_are_one_relation(tmp_path):
    """A batch's client beside that of phones, with rows that are left out or impossible."""
    sent = SMOKES.perturb(X, stream(1, "x"))
    a = [bytes(report).hex() for report in sent]
    b = phones(2)
    rows = table_of(a, b) + ",1\n" + f"{a[0]},\n" + "zz,1\n" + f"{a[0]},99\n"
    asked = written(tmp_path, rows, SMOKES, SICK)
    found = run(*asked, "--relation", "smokes,sick", "-o", str(tmp_path / "out.csv"))
    assert found.exit_code == 0, found.output
    assert "2 people who left one out are not counted" in found.output
    assert "2 rows left out, which nobody can have sent" in found.output
    assert "2500 people" in found.output
    assert "Is there a relation? p below 0.001 (chi-squared, 1 degrees of freedom)" in found.output
    table = pd.read_csv(tmp_path / "out.csv")
    assert list(table.columns) == ["smokes", "sick", "share", "low", "high", "within", "within low", "within high"]
    design = relations.apart(SMOKES.mechanism, SICK.mechanism)
    on = np.array(b)[:, None] >> np.arange(2) & 1
    exact = design.joint(design.tally((sent, np.packbits(on, axis=1, bitorder="little"))))
    assert np.allclose(table["share"], exact.shares.ravel())
    assert table["within"][3] == pytest.approx(exact.within([1], [1]).value)
    assert (table["within low"] < table["within"]).all()


def test_an_open_question_is_read_by_its_answers(tmp_path):
    b = phones(3)
    asked = written(tmp_path, table_of(np.array(["north", "south"])[X], b, "region, sick "), "open", SICK)
    found = run(*asked, "--relation", "region,sick", "-o", str(tmp_path / "out.csv"))
    assert found.exit_code == 0, found.output
    table = pd.read_csv(tmp_path / "out.csv")
    assert table["region"].tolist() == ["north", "north", "south", "south"]
    assert table.groupby("region")["share"].sum().tolist() == pytest.approx([0.6, 0.4])


@pytest.mark.parametrize("key", offered())
def test_phones_reports_of_every_mechanism_are_read(tmp_path, key):
    client = Client.of(key, 3.0, ["well", "ill"], [False, True])
    asked = written(tmp_path, table_of(X, phones(4, client), "group,sick"), "open", client)
    found = run(*asked, "--relation", "group,sick", "-o", str(tmp_path / "out.csv"))
    assert found.exit_code == 0, found.output
    table = pd.read_csv(tmp_path / "out.csv")
    exact = np.array([1200, 300, 400, 600]) / 2500
    error = np.sqrt(relations.apart(2, client.mechanism).covariance(exact.reshape(2, 2), 2500, "these").diagonal())
    assert (np.abs(table["share"] - exact) < 5 * error + 1e-9).all()


@pytest.mark.parametrize(
    ("relation", "clients", "rows", "sentence"),
    [
        ("smokes,smokes", (SMOKES, SICK), "smokes,sick\n1,1\n", "Choose two different questions."),
        ("smokes,sick", (SMOKES, SICK), "smokes,sick\n,1\n,2\n", "No one answered both questions"),
        ("smokes,age", (SMOKES, SICK), "smokes,sick\n1,1\n", "has no column “age”"),
        ("smokes,sick", ("open", SICK), "smokes,sick\nyes,1\nyes,2\n", "“smokes” has 1 answer here"),
        ("smokes", (SMOKES, SICK), "smokes,sick\n1,1\n", "--relation names two columns"),
        ("smokes,sick", (SMOKES,), "smokes,sick\n1,1\n", "with a --client for each"),
        ("smokes,age", (SMOKES, NumberBatch("PM", 1.0, "age", low=0, high=9)), "smokes,age\n1,1\n",
         "of the task means has none"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_ends_in_a_sentence(tmp_path, relation, clients, rows, sentence):
    found = run(*written(tmp_path, rows, *clients), "--relation", relation)
    assert found.exit_code == 1
    assert sentence in " ".join(found.output.split())


def test_one_question_needs_one_client(tmp_path):
    for clients in (("open",), (SMOKES, SICK)):
        found = run(*written(tmp_path, "report\n1\n", *clients))
        assert found.exit_code == 1
        assert "name one client.json" in found.output
