"""Make the bundled data sets: `python datasets/make.py [folder]`. The same bytes every time.

Each set is drawn from a fixed seed by its own script from published figures written there.
"""

import gzip
import io
import sys
from pathlib import Path

import census
import children
import groceries
import health
import supermarket

TABLES = {"census": census, "children": children, "health": health}
BASKETS = {"groceries": groceries, "supermarket": supermarket}


def main(folder: Path) -> None:
    """Write one packed CSV per data set into the folder; the cards (*.toml) beside them are written by hand."""
    tables = {name: made.draw().to_csv(index=False, lineterminator="\n") for name, made in TABLES.items()}
    baskets = {name: made.draw() for name, made in BASKETS.items()}
    for name, text in {**tables, **baskets}.items():
        packed = io.BytesIO()
        with gzip.GzipFile(filename="", mode="wb", fileobj=packed, compresslevel=9, mtime=0) as file:
            file.write(text.encode())
        (folder / f"{name}.csv.gz").write_bytes(packed.getvalue())


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
