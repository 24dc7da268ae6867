"""The report: what a page shows as one file that opens without network, prints well and can be read aloud.

It is made of the page's own pieces (`ldpapp.runtime.capture`) and of what every report has: the data's card, the
promise, the caveats, the Study.
"""

from ldpapp.export.report.offer import ASKED, MADE, RESULTS, alone, asked, fill, menu, opened
from ldpapp.export.report.paper import ReportContent
