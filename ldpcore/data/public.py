"""The real public files, from their homes into pooch's cache, checked against their published content."""

from dataclasses import dataclass
from pathlib import Path

import pooch

from ldpcore.data.card import DatasetCard
from ldpcore.data.errors import DataError

_UCI = "UCI Machine Learning Repository"
_FIMI = "http://fimi.uantwerpen.be/data/"
"""Without encryption, as the repository is; what arrives is checked all the same."""


@dataclass(frozen=True)
class _Home:
    """Where a file lives. sha256 is that of the unpacked file; member: its name inside a zip archive."""

    url: str
    file: str
    sha256: str
    member: str | None = None


_HOMES = {
    "adult": _Home(
        "https://archive.ics.uci.edu/ml/machine-learning-databases/adult/adult.data",
        "adult.data",
        "5b00264637dbfec36bdeaab5676b0b309ff9eb788d63554ca0a249491c86603d",
    ),
    "census1990": _Home(
        "https://archive.ics.uci.edu/static/public/116/us+census+data+1990.zip",
        "us-census-1990.zip",
        "38e99f50855ddc03167b715b36519ef40b77295ae4e85dfef0c6429ac79ed799",
        "USCensus1990.data.txt",
    ),
    "retail": _Home(
        f"{_FIMI}retail.dat", "retail.dat", "d967431ba522e32f0fbb243f2ee113ecd4cb374cb0234c1b0858dae1d499a055"
    ),
    "mushroom": _Home(
        f"{_FIMI}mushroom.dat", "mushroom.dat", "924d5f38b83899a1fa82c01113d763d2e2dafd3aa1676bfd77658ea07fe1a333"
    ),
    "chess": _Home(
        f"{_FIMI}chess.dat", "chess.dat", "a12ea887df58a396709430af5bf0a9a32d1f6eba8e7c13dd41f28b98572c5db2"
    ),
}

FETCHED: dict[str, DatasetCard] = {
    "adult": DatasetCard(
        "adult", "Adult (UCI)", "Answers to the 1994 US census, as often used to compare mechanisms.", 32_561,
        f"{_UCI}, data set 2; Becker and Kohavi 1996", "CC BY 4.0", "Extracted from the 1994 census; as published.",
        False, "education", ("Preschool", "1st-4th", "5th-6th", "7th-8th"),
    ),
    "census1990": DatasetCard(
        "census1990", "US Census 1990 (UCI)", "A one-percent sample of the 1990 US census, made discrete.", 2_458_285,
        f"{_UCI}, data set 116; Meek, Thiesson and Heckerman 2001", "CC BY 4.0",
        "Drawn from the public use microdata samples; as published.", False, "iYearsch", ("0", "1", "2", "3"),
    ),
    "retail": DatasetCard(
        "retail", "Retail (FIMI)", "Baskets of a Belgian supermarket; items are numbers.", 88_162,
        "Frequent Itemset Mining repository; Brijs, Swinnen, Vanhoof and Wets 1999", "as its home says; cite the paper",
        "Anonymised receipts; as published.", False, "items", (),
    ),
    "mushroom": DatasetCard(
        "mushroom", "Mushroom (FIMI)", "Traits of mushrooms as baskets of 23 items each.", 8_124,
        "Frequent Itemset Mining repository, after UCI data set 73", "CC BY 4.0",
        "One item per trait and value; as published.", False, "items", (),
    ),
    "chess": DatasetCard(
        "chess", "Chess (FIMI)", "End games of chess as baskets of 37 items each.", 3_196,
        "Frequent Itemset Mining repository, after UCI data set 22", "CC BY 4.0",
        "One item per feature of the board; as published.", False, "items", (),
    ),
}  # fmt: skip


def fetch(name: str) -> Path:
    """The path of a real public file, downloaded on first use (census1990 169 MB, the others under 5 MB).

    DataError without a network, or when the content is not the published one.
    """
    if name not in _HOMES:
        raise DataError(f"No public file called “{name}” is known.", f"There are {', '.join(_HOMES)}.")
    home = _HOMES[name]
    try:
        return _download(home)
    except OSError as error:  # requests' errors are OSErrors too
        raise DataError(
            f"“{FETCHED[name].title}” could not be downloaded.",
            f"{home.url} did not answer ({type(error).__name__}). Check the network; "
            "the file as an upload or a local path works as well.",
        ) from error
    except ValueError as error:  # pooch: the hash differs
        raise _changed(name) from error


def by_digest(digest: str) -> DatasetCard | None:
    """The card of the public file with this content, wherever it was read from."""
    return next((FETCHED[name] for name, home in _HOMES.items() if home.sha256 == digest), None)


def _download(home: _Home) -> Path:
    cache = pooch.os_cache("ldpcore")
    if home.member is None:
        return Path(pooch.retrieve(home.url, f"sha256:{home.sha256}", home.file, cache))
    unpacked = cache / home.member
    if not unpacked.is_file():  # the archive's own hash is not published, its content's is
        pooch.retrieve(home.url, None, home.file, cache, processor=pooch.Unzip([home.member], extract_dir="."))
    if pooch.file_hash(str(unpacked)) != home.sha256:
        unpacked.unlink()
        (cache / home.file).unlink(missing_ok=True)  # a broken download must not be kept for the next try
        raise ValueError(f"{home.member} has another SHA-256")
    return unpacked


def _changed(name: str) -> DataError:
    return DataError(
        f"“{FETCHED[name].title}” has changed at its home.",
        f"What {_HOMES[name].url} sends is not the published file (its SHA-256 differs), so it was not used. "
        "The file as an upload or a local path works as well.",
    )
