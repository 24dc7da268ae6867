"""Files of SPSS, Stata and SAS: labels in their order, what is no answer, the questions' texts."""

import contextlib
import gzip
import importlib.util

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from ldpcore import data
from ldpcore.cli import main
from ldpcore.data import DataError, read, survey_files
from ldpcore.study import Source, Study, to_toml
from tests.cases import sas
from tests.cases.case import counted, counts, draw, mean, mean_of

LABELS = {1.0: "very bad", 2.0: "bad", 3.0: "good", 4.0: "very good", 9.0: "refused"}
N = 120


def answers() -> pd.DataFrame:
    return pd.DataFrame({
        "health": [float(value) for value in draw(1, [1, 2, 3, 4, 9], N)],
        "hours": [float(value) for value in draw(2, [*range(10, 50), -9], N)],
        "city": draw(3, ["Oslo", "Rome"], N),
    })  # fmt: skip


@pytest.fixture(scope="module")
def pyreadstat():
    return pytest.importorskip("pyreadstat", reason='needs pip install "ldpcore[survey]"')


def spss(pyreadstat, folder, compress: bool) -> bytes:
    path = folder / "survey.sav"
    pyreadstat.write_sav(
        answers(), path, row_compress=False, compress=compress, column_labels=["How is your health?", "Hours", "City"],
        variable_value_labels={"health": LABELS, "hours": {-9: "no answer"}},
        missing_ranges={"health": [9], "hours": [{"lo": -9, "hi": -1}]},
    )  # fmt: skip
    return path.read_bytes()


@pytest.mark.parametrize("compress", [False, True], ids=["sav", "zsav"])
def test_spss(pyreadstat, tmp_path, compress):
    table = read(spss(pyreadstat, tmp_path, compress), "survey.sav")
    given = answers()
    right = counted(LABELS[value] for value in given["health"] if value != 9)
    assert counts("health")(table) == right
    assert table.categorical("health", "column").domain.labels == ("very bad", "bad", "good", "very good")
    assert mean("hours")(table) == mean_of(value for value in given["hours"] if value != -9)
    assert table.texts == {"health": "How is your health?", "hours": "Hours", "city": "City"}
    assert any("“refused” of health" in note for note in table.notes)
    assert not [each for each in table.assumptions if each.is_open]


@pytest.mark.parametrize("version", [8, 15])
def test_stata(pyreadstat, tmp_path, version):
    path = tmp_path / "survey.dta"
    labels = {1: "low", 2: "mid", 3: "high"}
    given = pd.DataFrame({"level": draw(5, [1, 2, 3], N), "age": draw(6, range(20, 80), N)})
    pyreadstat.write_dta(given, path, variable_value_labels={"level": labels}, version=version)
    table = read(path.read_bytes(), "survey.dta")
    assert table.categorical("level", "column").domain.labels == ("low", "mid", "high")
    assert counts("level")(table) == counted(labels[value] for value in given["level"])
    assert mean("age")(table) == mean_of(given["age"])


def test_sas_transport(pyreadstat, tmp_path):
    path = tmp_path / "survey.xpt"
    given = answers()
    pyreadstat.write_xport(given, path)
    table = read(path.read_bytes(), "survey.xpt")
    names = {name.casefold(): name for name in table.frame.columns}
    assert mean(names["hours"])(table) == mean_of(given["hours"])
    assert counts(names["city"])(table) == counted(given["city"])


@pytest.mark.parametrize("labels", [None, {1: "yes", 2: "no"}])
def test_sets_of_answers_that_belong_together(labels, pyreadstat, tmp_path, monkeypatch):
    """pyreadstat reads what SPSS says of them and cannot write it: the file is written, and this much is put in."""
    path = tmp_path / "sets.sav"
    rows = [draw(100 + i, [1.0, 2.0], 3) for i in range(N)]
    given = pd.DataFrame(rows, columns=["m1", "m2", "m3"])
    pyreadstat.write_sav(given, path, column_labels=["aspirin", "insulin", "PrEP"],
                         variable_value_labels=dict.fromkeys(given, labels) if labels else None)  # fmt: skip
    usual = pyreadstat.read_sav

    def told(*args, **named):
        data, about = usual(*args, **named)
        about.mr_sets = {"$med": {"type": "D", "is_dichotomy": True, "counted_value": 1, "label": "Medicines",
                                  "variable_list": ["m1", "m2", "m3"]}}  # fmt: skip
        return data, about

    monkeypatch.setattr(pyreadstat, "read_sav", told)
    table = read(path.read_bytes(), "sets.sav")
    held = table.baskets("Medicines")
    right = {name: sum(row[i] == 1 for row in rows) for i, name in enumerate(("aspirin", "insulin", "PrEP"))}
    assert held.n == N
    assert dict(zip(held.labels, held.counts.tolist(), strict=True)) == right


def test_a_damaged_file_is_refused_in_a_sentence(pyreadstat, tmp_path):
    content = spss(pyreadstat, tmp_path, False)
    for cut in (30, 100, 176):  # within its head, where nothing can be read of it
        with pytest.raises(DataError, match=r"cut\.sav"):
            read(content[:cut], "cut.sav")
    for cut in np.random.default_rng(0).integers(176, len(content), 20):
        with contextlib.suppress(DataError):  # anything else would end the session
            read(content[:cut], "cut.sav")


BEGINS = {
    "a.sav": b"$FL2@(#)",
    "a.dta": b"<stata_dta>",
    "a.xpt": b"HEADER RECORD*******LIBRARY",
    "a.sas7bdat": bytes(12) + b"\xc2\xea\x81\x60",
}


@pytest.mark.parametrize("name", BEGINS)
def test_without_the_package_a_sentence_names_the_command(name, monkeypatch):
    usual = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda each, *more: None if each == "pyreadstat" else usual(each, *more)
    )
    with pytest.raises(DataError, match="one more package") as caught:
        read(BEGINS[name] + bytes(300), name)
    assert survey_files.COMMAND in caught.value.why
    assert "save it as CSV" in caught.value.why


HEALTH = {1.0: "very bad", 2.0: "bad", 3.0: "good"}


@pytest.fixture(scope="module")
def of_sas(pyreadstat) -> tuple[dict[str, list], bytes, bytes]:
    """The answers, the data, and the catalogue with the labels of one column."""
    given = {
        "health": [float(value) for value in draw(1, [1, 2, 3], N)],
        "age": [None if value == 20 else float(value) for value in draw(2, range(20, 50), N)],
        "city": draw(3, ["Oslo", "Rome"], N),
    }
    return given, sas.data(given, {"health": "HEALTHF"}), sas.catalog({"HEALTHF": HEALTH, "OTHER": {1.0: "x"}})


def test_sas(of_sas):
    given, content, _ = of_sas
    table = read(content, "survey.sas7bdat")
    assert counts("health")(table) == counted(f"{value:.0f}" for value in given["health"])
    assert mean("age")(table) == mean_of(value for value in given["age"] if value is not None)
    assert counts("city")(table) == counted(given["city"])
    assert any(".sas7bcat" in note for note in table.notes)


def test_a_catalogue_of_sas_has_the_labels(of_sas, tmp_path):
    given, content, catalog = of_sas
    found = data.labels(catalog, ("survey.sas7bdat", content))
    assert found == {"health": {"1": "very bad", "2": "bad", "3": "good"}}
    assert data.labels(catalog, ("survey.sas7bdat.gz", gzip.compress(content))) == found
    table = read(content, "survey.sas7bdat").with_labels(found)
    assert counts("health")(table) == counted(HEALTH[value] for value in given["health"])
    assert table.categorical("health", "column").domain.labels == ("very bad", "bad", "good")
    for name, file in (("s.sas7bdat", content), ("s.sas7bcat", catalog)):
        (tmp_path / name).write_bytes(file)
    study = tmp_path / "study.toml"
    study.write_text(to_toml(Study(Source("s.sas7bdat"), "health", missing="column", repetitions=1, grid=())))
    run = ["run", str(study), "--data", str(tmp_path / "s.sas7bdat"), "--labels", str(tmp_path / "s.sas7bcat")]
    done = CliRunner().invoke(main, [*run, "-o", str(tmp_path / "out.csv")])
    assert done.exit_code == 0, done.output
    assert "very bad" in (tmp_path / "out.csv").read_text()


def test_a_catalogue_alone_or_beside_another_file_is_refused(of_sas):
    _, content, catalog = of_sas
    with pytest.raises(DataError, match="labels, and no answers"):
        read(catalog, "survey.sas7bcat")
    with pytest.raises(DataError, match="nothing beside it"):
        data.labels(catalog)
    with pytest.raises(DataError, match="no SAS file"):
        data.labels(catalog, ("a.csv", b"a,b\n1,2\n"))
    with pytest.raises(DataError, match="no labels"):
        data.labels(sas.catalog({"OTHER": {1.0: "x"}}), ("survey.sas7bdat", content))
    with pytest.raises(DataError, match="damaged"):
        data.labels(catalog[:1500], ("survey.sas7bdat", content))
