"""The label of a deployment: the registry's field names, and what the Study promises."""

from dataclasses import replace

import pytest
from click.testing import CliRunner

from ldpcore import cli, data
from ldpcore.catalog import Coverage, coverage
from ldpcore.study import Marks, Source, Study, review, to_toml
from ldpcore.study.label import PUBLISHED, label, to_yaml
from ldpcore.study.tasks import TASKS
from tests.laws.test_scripts import STUDIES
from tests.two_mechanisms import of_two_mechanisms

FIELDS = {
    "": {"url_slug", "status", "tier", "deployment"},
    "deployment": {"product", "dp_flavor", "privacy_loss", "model", "accounting", "implementation", "resources"},
    "product": {"name", "data_curators", "intended_use", "data_product_type", "data_product_region", "description",
                "publication_date", "data_product_sector"},
    "dp_flavor": {"name", "input_metric", "bound_on_input_distance", "output_measure", "bound_on_output_distance",
                  "data_domain", "unprotected_quantities"},
    "privacy_loss": {"privacy_unit", "privacy_unit_description", "privacy_parameters",
                     "privacy_parameters_description"},
    "privacy_parameters": {"epsilon", "rho", "delta"},
    "model": {"model_name", "model_name_description", "actors", "release_type", "release_type_description",
              "data_source_type", "data_source_type_description", "access_type", "access_type_description"},
    "implementation": {"pre_processing_eda_hyperparameter_tuning", "mechanisms", "justification"},
    "resources": {"sources", "registry_authors"},
}  # fmt: skip
"""Of the registry's schema and of its records."""


def asked(task, **fields):
    return replace(STUDIES[task], epsilon=1.5, **fields)


def checked(record, name=""):
    assert {*record} <= FIELDS[name], name
    for key, value in record.items():
        if isinstance(value, dict):
            checked(value, key)


@pytest.mark.parametrize("task", TASKS)
def test_every_mechanism_has_a_label_or_a_reason(task):
    table = data.load(asked(task).data.name)
    for key, entry in TASKS[task].CATALOG.items():
        if coverage(entry.promise) is Coverage.NONE:
            with pytest.raises(ValueError, match="publishes the truth"):
                label(asked(task), table, mechanism=key)
            continue
        record = label(asked(task), table, mechanism=key)
        checked(record)
        deployment = record["deployment"]
        every = coverage(entry.promise) is Coverage.EVERY
        assert (deployment["dp_flavor"]["name"] == "Pure DP") == every
        central = task in ("ranges", "itemsets", "clusters") and "LDP" not in entry.promise
        assert deployment["model"]["model_name"] == ("Central" if central else "Local"), key
        assert key in deployment["implementation"]["mechanisms"]
        assert len(deployment["privacy_loss"]["privacy_unit_description"]) > 20
        several = {"review": 2}.get(task, 1)
        assert deployment["privacy_loss"]["privacy_parameters"]["epsilon"] == pytest.approx(1.5 * several)


def test_epsilon_is_what_a_person_is_promised():
    def epsilon(study, table=None, mechanism=None):
        return label(study, table, mechanism)["deployment"]["privacy_loss"]["privacy_parameters"]["epsilon"]

    both = Marks((("HIV", "secret"), ("asthma", "sensitive")))
    levels = replace(asked("frequency", mechanisms=("uSS", "gRR")), marks=both, secret_epsilon=0.5)
    assert [epsilon(levels, mechanism=key) for key in ("uSS", "gRR")] == [0.5, 1.5]
    two = asked("review", mechanisms=("uSS",))  # two of its questions are marked
    assert epsilon(two) == pytest.approx(3.0)
    once = data.ReadOptions().with_column("who", role="person")
    rows = data.read(b"who,mood\nann,good\nann,bad\nbob,good\nann,good\n", "visits.csv", once)
    assert epsilon(Study(Source.of(rows), "mood", mechanisms=("GRR",)), rows) == 3.0  # three rows, three reports


def test_the_command_writes_what_yaml_reads(tmp_path):
    yaml = pytest.importorskip("yaml")
    file, made = tmp_path / "study.toml", tmp_path / "label.yaml"
    file.write_text(to_toml(asked("frequency", mechanisms=("uSS", "GRR"))), encoding="utf-8")
    refused = CliRunner().invoke(cli.main, ["label", str(file)])
    assert refused.exit_code == 1
    assert "uSS, GRR with --mechanism" in refused.output
    run = CliRunner().invoke(cli.main, ["label", str(file), "--mechanism", "uSS", "-o", str(made)])
    assert run.exit_code == 0, run.output
    text = made.read_text(encoding="utf-8")
    assert text.startswith("# Field names: github.com/opendp/deployments-registry-data, schemas/")
    assert yaml.safe_load(text) == label(asked("frequency", mechanisms=("uSS",)))
    odd = {"a": 'b: "c"\n# \\ 🙂 \u2028 \x85', "d": ["- x", "{"], "e": {"f": 1.0, "g": ""}}
    assert yaml.safe_load(to_yaml(odd)) == odd


def test_what_promises_nothing_has_no_label():
    with pytest.raises(ValueError, match="none is marked"):
        label(replace(asked("frequency", mechanisms=("uSS",)), marks=Marks()))


def test_published_budgets_are_the_few_that_could_be_read():
    """D. Desfontaines, “A list of real-world uses of differential privacy”, on Apple: a privacy unit of user-day."""
    read = {"new words": 16, "emoji": 4, "lookup hints": 8, "health data types": 2}
    assert {each.collected: each.epsilon for each in PUBLISHED} == read
    assert {(each.publisher, each.year) for each in PUBLISHED} == {("Apple", 2017)}


def test_a_survey_that_is_named_has_its_name():
    study = asked("review", mechanisms=("uSS",))
    title = study.with_options(title="Ward 2026")
    assert [label(each)["deployment"]["product"]["name"] for each in (study, title)] == [study.data.name, "Ward 2026"]


def test_a_survey_of_several_mechanisms_says_of_each_what_it_hides_and_what_no_epsilon_covers():
    """GRR for one question, uRR for the other, and a third that is open: no label claims what another hides, or that
    the ε of a person bounds answers that are not marked.
    """
    study, table = of_two_mechanisms()
    used = {name: one.key for name, one in review.asked(study, review.prepare(study, table), 1.0).hidden.items()}
    assert used == {"drinks": "GRR", "pills": "uRR"}
    flavors, losses = ({key: label(study, table, key)["deployment"][part] for key in ("GRR", "uRR")}
                       for part in ("dp_flavor", "privacy_loss"))  # fmt: skip
    assert flavors["uRR"]["input_metric"] == "pairs of answers of which one is marked: pills = yes"
    for key, mine, other in (("GRR", "drinks", "pills"), ("uRR", "pills", "drinks")):
        assert flavors[key]["data_domain"] == f"the answers of people to “{mine}” (“file.csv”)"
        assert "what is asked openly: “age”" in flavors[key]["unprotected_quantities"]
        assert f"other mechanisms hide “{other}”" in flavors[key]["unprotected_quantities"]
        assert losses[key]["privacy_parameters"] == {"epsilon": 2.0}
        assert "towards marked answers only: no ε bounds" in losses[key]["privacy_parameters_description"]
    some = study.with_options(columns=("drinks", "age"))
    alone = replace(some, column="drinks", mechanisms=("GRR",), marks=Marks.of(["drinks = often"]))
    record = label(alone, table)["deployment"]
    assert "towards marked answers only" not in record["privacy_loss"]["privacy_parameters_description"]
    assert record["dp_flavor"]["unprotected_quantities"] == "how many people there are; what is asked openly: “age”"
