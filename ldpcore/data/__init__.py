"""Data: reading files people have, the bundled data sets, and the public ones.

>>> table = read(b"age,city\\n34,Rome\\n51,Oslo\\n29,Rome\\n", "people.csv")
>>> counted = table.categorical("city")
>>> counted.domain.labels, counted.counts.tolist()
(('Oslo', 'Rome'), [1, 2])
>>> len(load("health").frame), table.digest[:8]  # a bundled set; the SHA-256 of a file
(20000, '942f7656')
"""

from ldpcore.baskets import Baskets
from ldpcore.data.assumptions import Alternative, Assumption, AssumptionKind
from ldpcore.data.bundled import BUNDLED
from ldpcore.data.card import DatasetCard
from ldpcore.data.column_options import ROLES, ColumnOptions
from ldpcore.data.columns import MAX_VALUES, MISSING_MARKS
from ldpcore.data.dictionary import labels
from ldpcore.data.encodings import MENU as ENCODINGS
from ldpcore.data.errors import DataError, Remedy
from ldpcore.data.histogram import MISSING_LABEL, Histogram
from ldpcore.data.options import CHOICES, DECIMALS, LAYOUTS, ReadOptions
from ldpcore.data.percent import PERCENTS
from ldpcore.data.profile import ColumnProfile
from ldpcore.data.proposal import UPPER, MarksProposal, highest, is_delicate_question, proposed, rare, rarest, upper_end
from ldpcore.data.public import FETCHED, fetch
from ldpcore.data.reading import FILE_LIMIT, UPLOAD_LIMIT, load, read
from ldpcore.data.saving import saving
from ldpcore.data.sentinels import Sentinel
from ldpcore.data.set_sources import ALL_COLUMNS
from ldpcore.data.spelling import spellings
from ldpcore.data.spreadsheet import as_csv
from ldpcore.data.table import Table

__all__ = [
    "ALL_COLUMNS",
    "BUNDLED",
    "CHOICES",
    "DECIMALS",
    "ENCODINGS",
    "FETCHED",
    "FILE_LIMIT",
    "LAYOUTS",
    "MAX_VALUES",
    "MISSING_LABEL",
    "MISSING_MARKS",
    "PERCENTS",
    "ROLES",
    "UPLOAD_LIMIT",
    "UPPER",
    "Alternative",
    "Assumption",
    "AssumptionKind",
    "Baskets",
    "ColumnOptions",
    "ColumnProfile",
    "DataError",
    "DatasetCard",
    "Histogram",
    "MarksProposal",
    "ReadOptions",
    "Remedy",
    "Sentinel",
    "Table",
    "as_csv",
    "fetch",
    "highest",
    "is_delicate_question",
    "labels",
    "load",
    "proposed",
    "rare",
    "rarest",
    "read",
    "saving",
    "spellings",
    "upper_end",
]  # fmt: skip
