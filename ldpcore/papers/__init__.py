"""What the five papers claim, each claim as something that can be run: a measurement against a stated criterion."""

from ldpcore.papers.claim import ABSENT, BROKEN, HOLDS, IN_PART, VERDICTS, Ask, Claim, Figure, Finding, Number, Paper
from ldpcore.papers.run import CLAIMS, FIGURES, PAPERS, Measured, checks, counts, draw, measure, pieces, run, table
from ldpcore.papers.run import text as text

__all__ = [
    "ABSENT", "BROKEN", "CLAIMS", "FIGURES", "HOLDS", "IN_PART", "PAPERS", "VERDICTS", "Ask", "Claim", "Figure",
    "Finding", "Measured", "Number", "Paper", "checks", "counts", "draw", "measure", "pieces", "run", "table", "text",
]  # fmt: skip
