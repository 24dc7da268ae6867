"""The data sets that come with ldpcore, each beside its card."""

import tomllib
from functools import cache
from pathlib import Path

from ldpcore.data.card import DatasetCard
from ldpcore.data.errors import DataError


def folder() -> Path:
    """Where the data sets are: `_datasets` inside an installed package, `datasets` at the top of a checkout."""
    package = Path(__file__).resolve().parents[1]
    for candidate in (package / "_datasets", package.parent / "datasets"):
        if any(candidate.glob("*.toml")):
            return candidate
    raise FileNotFoundError(
        f"the bundled data sets are missing: neither {package / '_datasets'} nor {package.parent / 'datasets'} has "
        "them; install ldpcore again, or run python datasets/make.py in the checkout"
    )


@cache
def _document(name: str) -> dict:
    with (folder() / f"{name}.toml").open("rb") as file:
        return tomllib.load(file)


def _card(name: str) -> DatasetCard:
    fields = {key: value for key, value in _document(name).items() if key not in ("orders", "groups")}
    more = tuple((column, tuple(values)) for column, values in fields.pop("marks", {}).items())
    for key in ("default_marks", "relation"):
        fields[key] = tuple(fields.get(key, ()))
    return DatasetCard(name=name, **fields, more_marks=more)


def bundled(name: str) -> tuple[Path, DatasetCard, dict[str, tuple[str, ...]]]:
    """The file, the card and the known orders of a bundled data set. DataError when there is none of that name."""
    if name not in BUNDLED:
        raise DataError(f"No data set called “{name}” is bundled.", f"There are {', '.join(BUNDLED)}.")
    orders = {column: tuple(order) for column, order in _document(name).get("orders", {}).items()}
    return folder() / f"{name}.csv.gz", BUNDLED[name], orders


def groups(name: str) -> dict[str, tuple[str, ...]]:
    """The categories of the items of bundled baskets; empty for a table."""
    return {category: tuple(items) for category, items in _document(name).get("groups", {}).items()}


def _names() -> list[str]:
    """Tables by the alphabet, then baskets."""
    return sorted((path.stem for path in folder().glob("*.toml")), key=lambda name: (bool(groups(name)), name))


BUNDLED: dict[str, DatasetCard] = {name: _card(name) for name in _names()}
