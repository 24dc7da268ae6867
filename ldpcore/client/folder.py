"""A client as a folder: the file, the JavaScript, the page, and what they do not do."""

from importlib.metadata import version
from pathlib import Path

from ldpcore import catalog, data
from ldpcore.client import pages
from ldpcore.client.client import Client

READ_ME = """\
# {question}

Made by ldpcore {version}: {key} ({label}), {promise} at ε = {epsilon:g}.

- `client.json`: the question, its answers, which are sensitive, and the law of the reports in whole numbers.
- `client.js`: `randomise(law, answer)` draws a report, on Node or in a page; `law` is that of `client.json`, `answer`
  the number of the answer, from 0. The random words come from the machine's own generator.
- `index.html`: the page that asks. It works from a file and has no connection: each person hands in one code,
  such as 13-{mark}: the report is the number, and the rest, the same for everybody, says that this client drew it.

Collect the codes in a CSV file with a column `report`, one row per person, then:

    ldpcore estimate reports.csv --client client.json

## What this does not do

- It carries nothing: how a report reaches you, and whether the way there tells who sent it, is up to you. Who keeps
  names, times or addresses beside the reports has collected those.
- It knows nobody: one person can hand in many reports, and each counts as a person. {liar}
- It hides answers, not that somebody took part.
- ε counts for one report. Whoever answers the same question again gives away more; in two reports ε is twice as large.
{open}"""

SHOWS = "- A report may show that an answer is not sensitive, and which one it is: {answers}.\n"


def write(client: Client, folder: Path) -> list[Path]:
    """Write the folder's four files, and say which. DataError or OSError where it cannot be written.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [path.name for path in write(Client.of("GRR", 1.0, ["no", "yes"]), Path(folder))]
    ['client.json', 'client.js', 'index.html', 'README.md']
    """
    folder.mkdir(parents=True, exist_ok=True)
    texts = {
        "client.json": client.to_json(),
        "client.js": pages.source("randomise.js"),
        "index.html": pages.by_hand(client),
        "README.md": _read_me(client),
    }
    for name, text in texts.items():
        with data.saving(folder / name) as there:
            there.write_text(text, encoding="utf-8")
    return [folder / name for name in texts]


def _read_me(client: Client) -> str:
    entry = catalog.FREQUENCY[client.key]
    seen = [answer for answer, hidden in zip(client.answers, client.hidden, strict=True) if not hidden]
    return READ_ME.format(
        question=client.question or "A survey",
        version=version("ldpcore"),
        key=client.key,
        label=entry.label,
        promise=entry.promise,
        epsilon=client.epsilon,
        mark=client.mark,
        liar=f"A single false one can add as much to a share as {client.liar():.1f} honest people.",
        open=SHOWS.format(answers=", ".join(seen)) if seen else "",
    )
