"""Two questions for real: `client` of a study of two, `estimate` of a pair, or of reports side by side in a table."""

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from ldpcore import relations, study
from ldpcore.cli import main
from ldpcore.client import AskedPair, Client, Questionnaire, offered
from ldpcore.collection import AnswerBatch, NumberBatch
from ldpcore.collection.pairs import of_one
from ldpcore.collection.phones import mechanism_reports
from ldpcore.rng import stream
from ldpcore.study import Marks, Source, Study, tasks
from ldpcore.study import relations as study_relations
from ldpcore.study.execute import prepare

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
    return phones_of(client, Y, seed)


def phones_of(client, codes, seed):
    rng = stream(seed, "phones")
    return [client.law.draw(int(v), lambda: int(rng.integers(2**32))) for v in codes]


def phone_form(client, report):
    """The engine's own report of a whole number: the value of a symbol, the bits of a subset."""
    return mechanism_reports(client, np.array([report]))[0]


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
    assert "Is there a relation? p below 0.001 (chi-squared, 1 degree of freedom)" in found.output
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
        ("smokes,sick", (SMOKES, SICK), "smokes,sick\nx,9\n", "No row of “smokes” and “sick” can have been sent"),
        ("smokes,", (SMOKES, SICK), "smokes,sick\n1,1\n", "--relation names two columns"),
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


def test_a_column_may_have_a_comma_in_its_name(tmp_path):
    asked = written(tmp_path, table_of(X, phones(6), '"smokes, ever",sick'), "open", SICK)
    ran = run(*asked, "--relation", "smokes, ever,sick")
    assert ran.exit_code == 0, ran.output
    assert "smokes, ever" in ran.output


# a pair asked as one, from the study to the relation -----------------------------------------------------------------

MARKS = Marks.of(["smoking = every day", "smoking = some days", "sex = male"])


@pytest.fixture
def listed():
    """The task of two questions, where it has no page yet."""
    new = "relations" not in tasks.TASKS
    if new:
        tasks.add("relations", study_relations, study_relations.limits)
    yield
    if new:
        tasks.remove("relations")


def asked_of(tmp_path, setting, *more, mechanisms=("uSS",), groups="smoking", column="sex", marks=MARKS, **options):
    """What `ldpcore client` says of a study of two questions of the health survey."""
    made = Study(Source("health"), column, marks, mechanisms, epsilon=2.0, task="relations")
    path = tmp_path / "study.toml"
    path.write_text(study.to_toml(made.with_options(groups=groups, setting=setting, **options)), encoding="utf-8")
    return CliRunner().invoke(main, ["client", str(path), "-o", str(tmp_path / "out"), *more])


def client_in(folder):
    return Client.from_json((folder / "client.json").read_text(encoding="utf-8"))


def test_a_pair_asked_as_one_comes_back_as_a_relation(tmp_path, listed):
    """Study → client → codes that people hand in → all pairs, groups and the test, in one command each."""
    ran = asked_of(tmp_path, "as one")
    assert ran.exit_code == 0, ran.output
    assert f"ldpcore estimate REPORTS --client {tmp_path / 'out' / 'client.json'}" in ran.output
    asked = client_in(tmp_path / "out")
    smoking, sex = asked.pair.labels
    assert (asked.pair.names, asked.question, asked.epsilon) == (("smoking", "sex"), "smoking and sex", 2.0)
    assert asked.answers[0] == f"smoking: {smoking[0]} · sex: {sex[0]}"
    unmarked = [a for a, mark in zip(asked.answers, asked.sensitive, strict=True) if not mark]
    assert unmarked == ["smoking: never · sex: female", "smoking: former · sex: female"]
    rng, codes = stream(7, "pair"), stream(7, "people").integers(0, len(asked.answers), 900)
    reports = [asked.draw(asked.answers[code], lambda: int(rng.integers(2**32))) for code in codes]
    rows = "report\n" + "\n".join(f"{report}-{asked.mark}" for report in reports) + "\nzz\n"
    (tmp_path / "reports.csv").write_text(rows, encoding="utf-8")
    files = [str(tmp_path / "reports.csv"), "--client", str(tmp_path / "out" / "client.json")]
    ran = run(*files, "-o", str(tmp_path / "table.csv"), "--publish", "norm-sub")
    assert ran.exit_code == 0, ran.output
    assert "left out: 1 of 901 rows" in ran.output
    assert "900 people" in ran.output
    assert "Is there a relation? p 0." in ran.output
    assert "(drawn, 3 degrees of freedom)" in ran.output
    table = pd.read_csv(tmp_path / "table.csv")
    assert table["smoking"].tolist() == [label for label in smoking for _ in sex]
    assert table["sex"].tolist() == list(sex) * len(smoking)
    usual = asked.estimate(reports)["share"]
    assert np.allclose(table["share"], usual)
    exact = np.bincount(codes, minlength=len(usual)) / len(codes)
    error = np.sqrt(asked.mechanism.variance(exact, len(codes)))
    assert (np.abs(table["share"] - exact) < 5 * error).all()
    inside = np.array(table["share"]).reshape(len(smoking), -1)
    shown = table["within"].notna()
    assert shown.any()
    expected = (np.clip(inside, 0, None) / inside.sum(axis=1, keepdims=True)).ravel()
    assert np.allclose(table["within"][shown], np.minimum(expected, 1)[shown])
    assert table["published"].min() >= 0
    assert table["published"].sum() == pytest.approx(1)
    ran = run(*files, "--relation", "smoking,sex")
    assert ran.exit_code == 1
    assert "leave out --relation" in ran.output


def test_questions_asked_apart_are_a_questionnaire(tmp_path, listed):
    """Each with half of ε; whoever marks one question alone sends the other openly, and has all of it for the one."""
    only_sex = Marks.of(["sex = male"])
    for setting, marks, budgets in (
        ("apart", MARKS, {"smoking": 1.0, "sex": 1.0}),
        ("apart", only_sex, {"sex": 2.0}),
        ("open", MARKS, {"sex": 2.0}),
    ):
        ran = asked_of(tmp_path, setting, marks=marks)
        assert ran.exit_code == 0, ran.output
        file = tmp_path / "out" / "questionnaire.json"
        made = Questionnaire.from_json(file.read_text(encoding="utf-8"))
        assert {name: client.epsilon for name, client in made.questions.items()} == budgets
        assert all(client.pair is None for client in made.questions.values())
        assert f'--relation "smoking,sex" --client {file}' in ran.output


@pytest.mark.parametrize("form", ["columns", "codes", "open"])
def test_the_reports_of_a_questionnaire_are_a_relation(tmp_path, form):
    """The same as two clients beside each other; a code holds both; a question that it does not ask is open."""
    smokes = Client.of("uRR", 2.0, ["no", "yes"], [False, True])
    asked = Questionnaire({"smokes": smokes, "sick": SICK} if form != "open" else {"sick": SICK})
    a, b = phones_of(smokes, X, 8), phones(9)
    if form == "codes":
        codes = [asked.code({"smokes": int(x), "sick": int(y)}) for x, y in zip(a, b, strict=True)]
        rows = "id,report\n" + "".join(f'{i},"{code}"\n' for i, code in enumerate([*codes, "1,-00000000", ",1"]))
    else:
        first = np.array(["no", "yes"])[X] if form == "open" else a
        marked = [f"{y}-{asked.mark}" for y in b] if form == "open" else b
        rows = table_of(first, marked) + ",1\n" + f"{first[0]},999\n"
    (tmp_path / "reports.csv").write_text(rows, encoding="utf-8")
    (tmp_path / "asked.json").write_text(asked.to_json(), encoding="utf-8")
    found = run(str(tmp_path / "reports.csv"), "--client", str(tmp_path / "asked.json"), "--relation", "smokes,sick",
                "-o", str(tmp_path / "out.csv"))  # fmt: skip
    assert found.exit_code == 0, found.output
    assert "2500 people" in found.output
    assert ("2 people" if form == "codes" else "1 person") + " who left one out" in found.output
    assert ("1 row left out" in found.output) == (form != "codes")
    side = 2 if form == "open" else smokes.mechanism
    design = relations.apart(side, SICK.mechanism)
    exact = design.joint(design.tally((X if form == "open" else np.array([phone_form(smokes, x) for x in a]),
                                       np.array([phone_form(SICK, y) for y in b]))))  # fmt: skip
    assert np.allclose(pd.read_csv(tmp_path / "out.csv")["share"], exact.shares.ravel())


def test_one_question_of_several_is_no_relation(tmp_path):
    (tmp_path / "reports.csv").write_text("smokes,sick\n1,1\n", encoding="utf-8")
    smokes = Client.of("uRR", 2.0, ["no", "yes"], [False, True])
    for asked, relation, sentence in (
        (Questionnaire({"smokes": smokes, "sick": SICK}, "one"), "smokes,sick", "Each person answers one of the two"),
        (Questionnaire({"sick": SICK}), "smokes,age", "names none of sick"),
        (Questionnaire({"smokes": smokes, "sick": SICK}), "sick,sick", "Choose two different questions."),
    ):
        (tmp_path / "asked.json").write_text(asked.to_json(), encoding="utf-8")
        found = run(str(tmp_path / "reports.csv"), "--client", str(tmp_path / "asked.json"), "--relation", relation)
        assert found.exit_code == 1
        assert sentence in " ".join(found.output.split())


@pytest.mark.parametrize(
    ("setting", "changed", "sentence"),
    [
        ("as one", {"marks": Marks.of(["sex = male"])}, "“smoking” is not marked; asking it with the other hides it"),
        ("as one", {"groups": "sex"}, "Choose two different questions."),
        ("as one", {"column": "condition", "marks": Marks.of(["smoking = never", "condition = HIV"])},
         "The pair has"),
        ("as one", {"mechanisms": ("OLH",)}, "is none that runs on phones"),
        ("as one", {"mechanisms": ("uSS", "GRR")}, "can be uSS, GRR; say which one with --mechanism"),
        ("apart", {"marks": Marks()}, "uSS would protect nothing"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked_ends_in_a_sentence(tmp_path, listed, setting, changed, sentence):
    ran = asked_of(tmp_path, setting, **changed)
    assert ran.exit_code == 1
    assert sentence in ran.output
    assert "--batch" not in ran.output


def test_a_pair_that_does_not_fit_its_client_is_refused():
    pair = AskedPair(("smokes", "sick"), (("no", "yes"), ("well", "ill")))
    made = Client.of("GRR", 1.0, pair.answers, question="Both?", pair=pair)
    assert Client.from_json(made.to_json()) == made
    text = made.to_json()
    for wrong in ('"question": "smokes"', '"q": 1'):
        with pytest.raises(ValueError, match="is not two questions"):
            Client.from_json(text.replace('"question": "sick"', wrong))
    with pytest.raises(ValueError, match="are not the pairs"):
        Client.from_json(text.replace('"question": "sick"', '"question": "ill"'))
    with pytest.raises(ValueError, match="asks one question"):
        of_one(SICK, {1: 2})


@pytest.mark.parametrize("setting", ["apart", "as one"])
def test_the_client_draws_the_subsets_of_the_study(tmp_path, listed, setting):
    """Made for what is compared; the file says their size, and one with another size is another law."""
    marks = Marks.of(["smoking = former", "smoking = some days", "smoking = every day", "sex = male"])
    assert asked_of(tmp_path, setting, marks=marks, about="these").exit_code == 0
    made = Study(Source("health"), "sex", marks, ("uSS",), epsilon=2.0, task="relations")
    made = made.with_options(groups="smoking", setting=setting)
    design = study_relations.Compared.of(made, prepare(made)).design("uSS", setting, 2.0)
    if setting == "as one":
        client, mechanism = client_in(tmp_path / "out"), design.pair.mechanism
    else:
        text = (tmp_path / "out" / "questionnaire.json").read_text(encoding="utf-8")
        client, mechanism = Questionnaire.from_json(text).questions["smoking"], design.x.mechanism
        assert client.size == 2 != Client.of("uSS", 1.0, client.answers, client.sensitive).law.w
    assert client.law.w == mechanism.w == client.size
    assert Client.from_json(client.to_json()) == client
    with pytest.raises(ValueError, match="is not that of uSS"):
        Client.from_json(client.to_json().replace(f'"size": {client.size}', f'"size": {client.size + 1}', 1)
                         if setting == "as one" else client.to_json().replace('"size": 2', '"size": 1', 1))  # fmt: skip
    with pytest.raises(ValueError, match="GRR has none"):
        Client.of("GRR", 1.0, ["a", "b"], size=1)
