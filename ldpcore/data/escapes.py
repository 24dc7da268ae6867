"""Quotation marks inside texts that a backslash stands before, as databases and other languages write them."""

from ldpcore.data import recognise
from ldpcore.data.assumptions import Assumption, AssumptionKind, assumed
from ldpcore.data.options import ReadOptions


def plain(content: bytes, options: ReadOptions) -> tuple[bytes, list[Assumption]]:
    """The same with doubled marks, as CSV has them, where that cuts the lines more evenly; and what to say of it."""
    escaped = content[: recognise.SAMPLE_BYTES].count(b'\\"')
    if options.escape == "" or not escaped:
        return content, []
    doubled = content.replace(b'\\"', b'""')
    if options.escape is None and _evenness(doubled, options) <= _evenness(content, options):
        return content, []
    sentence = (
        f"A backslash stands before quotation marks in texts ({escaped} times at the beginning): it belongs to them."
    )
    return doubled, [
        assumed(AssumptionKind.FORMAT, None, sentence, "a backslash before a quotation mark is none of the text",
                options, ("a backslash is a letter like others", {"escape": ""}), asks=False)
    ]  # fmt: skip


def _evenness(content: bytes, options: ReadOptions) -> float:
    """The largest share of lines that one separator cuts alike, and that leaves no mark inside."""
    separators = [options.separator] if options.separator else list(recognise.SEPARATORS)
    cuts = [recognise.sample(content, separator) for separator in separators]
    return max((cut.regular - 0.5 * _open(cut) for cut in cuts if cut.width > 1), default=0.0)


def _open(cut: recognise.TextSample) -> float:
    """The share of records in which a mark is left over."""
    return sum(any('"' in cell and cell.count('"') % 2 for cell in record) for record in cut.records) / len(cut.records)
