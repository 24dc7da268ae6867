"""Files of SPMF, a library of pattern mining: lines with @ say what items are called, −1 and −2 end sets and lines."""

import re

from ldpcore.data.assumptions import Assumption, AssumptionKind, assumed
from ldpcore.data.errors import plural
from ldpcore.data.options import ReadOptions

_NAME = re.compile(rb"@ITEM=(\d+)=([^\r\n]*)")
_BEGINS = re.compile(rb"\s*@(CONVERTED_FROM_|ITEM=)")
_MARKS = re.compile(rb"(?:^|(?<=[ \t]))-[12](?=[ \t\r\n]|$)", re.MULTILINE)
_SEQUENCES = re.compile(rb"\A(?:\s*(?:\d+ )+(?:-1 )?(?:[\d -]+)?-2[ \t]*\r?\n){3}")


def plain(content: bytes, options: ReadOptions) -> tuple[bytes, dict[str, str], list[Assumption]]:
    """(lines with nothing but items, what items are called, what to say of it); the content itself, if it is no such
    file.
    """
    begins = _BEGINS.match(content[:10_000])
    if not begins and not _SEQUENCES.match(content[:10_000]) and options.format != "spmf":
        return content, {}, []
    names = {code.decode(): text.decode("utf-8", "replace").strip() for code, text in _NAME.findall(content)}
    kept = [line for line in content.split(b"\n") if line.strip() and line.lstrip()[:1] not in (b"@", b"%", b"#")]
    about = content.count(b"\n@") + content.startswith(b"@")
    body = b"\n".join(kept)
    marks = len(_MARKS.findall(body))
    sentence = f"The file is one of SPMF: {plural(about, 'line')} with @ name items and are no people"
    sentence += f"; −1 and −2 end sets, {plural(marks, 'time')}, and are no items." if marks else "."
    return _MARKS.sub(b"", body), names, [
        assumed(AssumptionKind.FORMAT, None, sentence, "SPMF", options,
                ("a list of transactions like others", {"format": "table"}), asks=False)
    ]  # fmt: skip
