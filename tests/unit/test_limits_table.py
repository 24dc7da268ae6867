"""The least possible error stands in the terminal's table beside every task's whose limit is known."""

import numpy as np
import pytest
from click.testing import CliRunner

from ldpcore.cli import main
from ldpcore.data import load
from ldpcore.study import Marks, Source, Study, execute, tasks, to_toml

STUDIES = {
    "frequency": Study(Source("health"), "smoking", Marks.of(["every day"]), grid=(), repetitions=1),
    "sets": Study(
        Source("groceries"), "items", Marks.of(["condoms", "vodka"]), ("PrivSet", "suWheel-J", "suWheel"),
        task="sets", grid=(), repetitions=1, options=(("attacks", 0), ("m", 2)),
    ),
    "means": Study(
        Source("census"), "age", Marks.of(["70..90"]), ("Duchi", "PM", "uTernary", "SDPM"), task="means",
        bins=(10, 90, 16), grid=(), repetitions=1,
    ),
    "relations": Study(
        Source("health"), "condition", Marks.of(["condition = HIV", "partners = 5 or more"]), ("SS", "uSS"),
        task="relations", grid=(), repetitions=1,
        options=(("groups", "partners"), ("join", True), ("setting", "as one")),
    ),
}  # fmt: skip


def test_every_task_with_a_limit_is_here() -> None:
    assert set(STUDIES) == set(tasks.LIMITS)


@pytest.mark.parametrize("task", STUDIES)
def test_no_mechanism_is_below_the_limit_of_its_promise(task: str) -> None:
    study = STUDIES[task]
    prepared = execute.prepare(study, load(study.data.name))
    found = tasks.limits(study, prepared)
    assert found is not None
    assert set(found["mechanism"]) <= set(study.mechanisms)
    assert len(found) >= 2
    times = found["times the limit"].to_numpy()
    assert np.all(np.isfinite(times))
    assert np.all(times >= 1 - 1e-3), found
    # The limit is the exact error over the ratio, so the two columns and the theory must agree.
    both = found.merge(tasks.of(study).theory(study, prepared), on=["mechanism", "x", "metric", "scope"])
    assert len(both) == len(found)
    if task != "sets":  # whose theory holds the sampling of items too
        assert np.allclose(both["limit"] * both["times the limit"], both["theory"], rtol=1e-9)


@pytest.mark.parametrize("task", STUDIES)
def test_the_terminal_shows_it(task: str, tmp_path) -> None:
    path = tmp_path / "study.toml"
    path.write_text(to_toml(STUDIES[task]), encoding="utf-8")
    said = CliRunner().invoke(main, ["run", str(path)])
    assert said.exit_code == 0, said.output
    assert "times the limit" in said.output
