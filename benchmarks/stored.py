"""What a family found, kept as a small file: the table is made of all of them, so that families run on other days."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.running import Curve, Row
from benchmarks.timing import Spread

FOLDER = Path(__file__).parent / "results"


@dataclass(frozen=True)
class Found:
    """One family's run: when, where, of which version; how busy it was before and after; how long it took (s)."""

    family: str
    date: str
    machine: dict[str, str]
    commit: str
    load: tuple[float, float]
    took: float
    rows: tuple[Row, ...]
    curves: tuple[Curve, ...]

    @property
    def broken(self) -> list[Row | Curve]:
        """What does not keep what it promises, or could not run."""
        return [one for one in (*self.rows, *self.curves) if one.kept is False]


def write(found: Found, folder: Path = FOLDER) -> None:
    folder.mkdir(exist_ok=True)
    text = json.dumps(asdict(found), ensure_ascii=False, indent=1)
    (folder / f"{found.family}.json").write_text(text + "\n", encoding="utf-8")


def read(family: str, folder: Path = FOLDER) -> Found | None:
    """What was kept of it; None where it never ran."""
    path = folder / f"{family}.json"
    if not path.is_file():
        return None
    kept = json.loads(path.read_text(encoding="utf-8"))
    rows = [Row(**{**row, "ours": _spread(row["ours"]), "theirs": _spread(row["theirs"])}) for row in kept.pop("rows")]
    curves = [
        Curve(**{**curve, "points": tuple((size, value) for size, value in curve["points"])})
        for curve in kept.pop("curves")
    ]
    return Found(**{**kept, "load": tuple(kept["load"])}, rows=tuple(rows), curves=tuple(curves))


def _spread(kept: dict | None) -> Spread | None:
    return Spread(**kept) if kept else None
