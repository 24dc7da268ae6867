"""A client, or several questions, as a folder: the file, the JavaScript, the page, and what they do not do."""

import io
import zipfile
from importlib.metadata import version
from pathlib import Path

from ldpcore import catalog, data
from ldpcore.client import embedding, pages
from ldpcore.client.client import Client
from ldpcore.client.questionnaire import ALL, Questionnaire

READ_ME = """\
# {title}

Made by ldpcore {version}: {made}.

- `{file}`: {holds}
- `client.js`: `randomise(law, answer)` draws a report, on Node or in a page; `law` is that of `{file}`, `answer`
  the number of the answer, from 0. The random words come from the machine's own generator.
- `index.html`: the page that asks. It works from a file and has no connection: each person hands in one code,
  such as {code}: {reads}

{collect}

    ldpcore estimate reports.csv --client {file}

## What this does not do

- It carries nothing: how a report reaches you, and whether the way there tells who sent it, is up to you. Who keeps
  names, times or addresses beside the reports has collected those.
- It knows nobody: one person can hand in many reports, and each counts as a person. {liar}
- It hides answers, not that somebody took part{left_out}.
- ε counts for one report. Whoever answers the same question again gives away more; in two reports ε is twice as large.
  A page that is loaded again shows what it drew, until somebody presses “The next person”.
{open}"""

SHOWS = "- A report may show that an answer is not sensitive, and which one it is: {answers}.\n"
HOLDS = "the question, its answers, which are sensitive, and the law of the reports in whole numbers."
HOLDS_ALL = "the questions, each with its answers, which are sensitive, and the law of its reports in whole numbers."
READS = "the report is the number, and the rest, the same for everybody, says that this client drew it."
READS_ALL = (
    "a number for each question, nothing where it was left out,\n  and the rest, the same for everybody, says that "
    "this page drew it."
)
COLLECT = "Collect the codes in a CSV file with a column `report`, one row per person, then:"
COLLECT_ALL = """Collect the codes in a CSV file, one row per person, under this line, then:

    {header}"""
LIAR = "A single false one can add as much to a share as {:.1f} honest people."


def write(asked: Client | Questionnaire, folder: Path, embed: str | None = None) -> list[Path]:
    """Write the folder's files, and say which. embed: for a survey platform of `embedding.PLATFORMS` too. ValueError,
    DataError or OSError where it cannot be written.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [path.name for path in write(Client.of("GRR", 1.0, ["no", "yes"]), Path(folder))]
    ['client.json', 'client.js', 'index.html', 'README.md']
    """
    written = texts(asked, embed)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in written.items():
        with data.saving(folder / name) as there:
            there.write_text(text, encoding="utf-8")
    return [folder / name for name in written]


def texts(asked: Client | Questionnaire, embed: str | None = None) -> dict[str, str]:
    """What `write` writes, by the names of the files."""
    return {
        file_of(asked): asked.to_json(),
        "client.js": pages.source("randomise.js"),
        "index.html": pages.by_hand(asked),
        "README.md": _read_me(asked) if isinstance(asked, Client) else _read_me_of_all(asked),
        **({} if embed is None else embedding.files(asked, embed)),
    }


def zipped(asked: Client | Questionnaire) -> bytes:
    """The same files in one, always the same bytes.

    >>> zipped(Client.of("GRR", 1.0, ["no", "yes"]))[:2]
    b'PK'
    """
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in texts(asked).items():
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), text.encode())
    return out.getvalue()


def file_of(asked: Client | Questionnaire) -> str:
    """What phones draw by, as a file of this name."""
    return "client.json" if isinstance(asked, Client) else "questionnaire.json"


def _read_me(client: Client) -> str:
    entry = catalog.FREQUENCY[client.key]
    return READ_ME.format(
        title=client.question or "A survey",
        version=version("ldpcore"),
        made=f"{client.key} ({entry.label}), {entry.promise} at ε = {client.epsilon:g}",
        file=file_of(client),
        holds=HOLDS,
        code=f"13-{client.mark}",
        reads=READS,
        collect=COLLECT,
        liar=LIAR.format(client.liar()),
        left_out="",
        open=_shown([client]),
    )


def _read_me_of_all(asked: Questionnaire) -> str:
    clients = asked.questions.values()
    each = "\n".join(f"- {name}: {client.key}, ε = {client.epsilon:g}" for name, client in asked.questions.items())
    how = "all of them are asked" if asked.asks == ALL else "one of them is asked of each person, drawn by lot"
    made = f"{len(asked.questions)} questions, {how}; ε of a person = {asked.epsilon:.4g}.\n{asked.promise}\n\n{each}"
    example = {name: client.law.naming(0) for name, client in asked.questions.items()}
    return READ_ME.format(
        title="A survey",
        version=version("ldpcore"),
        made=made.removesuffix("."),
        file=file_of(asked),
        holds=HOLDS_ALL,
        code=asked.code(example if asked.asks == ALL else dict([next(iter(example.items()))])),
        reads=READS_ALL,
        collect=COLLECT_ALL.format(header=",".join(map(_quoted, asked.questions))),
        liar=LIAR.format(max(client.liar() for client in clients)),
        left_out=", nor which questions were left out: offer “rather not say” as an answer",
        open=_shown(list(clients)),
    )


def _quoted(name: str) -> str:
    """A cell of a CSV."""
    doubled = name.replace('"', '""')
    return f'"{doubled}"' if set(',"\n\r') & set(name) else name


def _shown(clients: list[Client]) -> str:
    seen = [a for one in clients for a, hidden in zip(one.answers, one.hidden, strict=True) if not hidden]
    return SHOWS.format(answers=", ".join(dict.fromkeys(seen))) if seen else ""
