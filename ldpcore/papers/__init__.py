"""What the five papers claim, each claim as something that can be run: the paper's words, checks of them, a verdict.

>>> {key: len(claims) for key, claims in CLAIMS.items()}
{'suldp': 12, 'sdldp': 13, 'dfdp': 6, 'ldpk': 9, 'privelet': 7}
>>> measure("privelet", "3", Ask()).verdict == HOLDS  # Algorithm 3 is O(log N)
True
"""

from ldpcore import former
from ldpcore.papers import stored
from ldpcore.papers.check import BROKEN, HOLDS, IN_PART, UNDECIDED, UNTESTABLE, VERDICTS, Check, Number
from ldpcore.papers.claim import Ask, Claim, Figure, Finding, Paper, PaperStatement
from ldpcore.papers.live import LineOfRun, LiveFigure
from ldpcore.papers.live_figures import LIVE, write
from ldpcore.papers.run import CLAIMS, FIGURES, PAPERS, Measured, checks, counts, draw, measure, pieces, run, table
from ldpcore.papers.run import text as text

__all__ = [
    "BROKEN", "CLAIMS", "FIGURES", "HOLDS", "IN_PART", "LIVE", "PAPERS", "UNDECIDED", "UNTESTABLE", "VERDICTS", "Ask",
    "Check", "Claim", "Figure", "Finding", "LineOfRun", "LiveFigure", "Measured", "Number", "Paper", "PaperStatement",
    "checks", "counts", "draw", "measure", "pieces", "run", "stored", "table", "text", "write",
]  # fmt: skip

former.serve(__name__)
