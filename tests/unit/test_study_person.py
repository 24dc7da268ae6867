"""What one person is promised who has several rows, in every task and in the terminal."""

from click.testing import CliRunner

from ldpcore.cli import main
from ldpcore.data import ReadOptions, read
from ldpcore.study import Marks, Source, Study, person, to_toml
from ldpcore.study.tasks import TASKS
from tests.each import for_each

VISITS = "who,mood\nann,good\nann,bad\nbob,good\nann,good\n"
READ = ReadOptions().with_column("who", role="person")
TABLE = read(VISITS.encode(), "visits.csv", READ)


@for_each("task", TASKS)
def test_rows_of_one_person_add_up_unless_the_task_says_it_of_all(task):
    promise = person.promised(Study(Source("visits.csv"), "mood", task=task, epsilon=1.5), TABLE)
    if task == "review":  # `HiddenSurvey.promised` has the rows in it
        assert promise is None
    else:
        assert promise == person.PersonPromise(3, 4.5)


def test_the_terminal_says_it(tmp_path):
    (tmp_path / "visits.csv").write_text(VISITS, encoding="utf-8")
    source = Source("visits.csv", TABLE.digest, read=READ)
    made = Study(source, "mood", Marks.of(["bad"]), ("SS",), grid=(), epsilon=1.5)
    (tmp_path / "study.toml").write_text(to_toml(made), encoding="utf-8")
    for more in ((), ("--facts",)):
        ran = CliRunner().invoke(
            main, ["run", str(tmp_path / "study.toml"), "--data", str(tmp_path / "visits.csv"), *more]
        )
        assert ran.exit_code == 0, ran.output
        assert "One person has up to 3 rows: together ε is at most 4.5." in ran.stderr
