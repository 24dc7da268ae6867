"""The report: what a page shows as one file that opens without network, prints well and can be read aloud.

It is made of the page's own pieces (`ldpapp.record`) and of what every report has: the data's card, the promise, the
caveats, the Study.
"""

from ldpapp.report.offer import ASKED, MADE, alone, asked, fill, menu, opened
from ldpapp.report.paper import Paper

__all__ = ["ASKED", "MADE", "Paper", "alone", "asked", "fill", "menu", "opened"]
