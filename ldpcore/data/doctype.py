"""XML that declares entities: a few bytes can grow to gigabytes, or fetch what lies outside the file."""

from typing import IO
from xml.parsers import expat

_CHUNK = 1 << 14


class _Decided(Exception):
    """The first element, or a document type, ends the look."""

    def __init__(self, declared: bool) -> None:
        super().__init__()
        self.declared = declared


def declared(part: IO[bytes]) -> bool:
    """Does a part of an archive declare a document type? Office files must not (ECMA-376, part 2); no other XML can
    have entities of its own. Only what stands before the first element is read; what is no XML declares nothing.
    """

    def at_doctype(*_: object) -> None:
        raise _Decided(True)

    def at_element(*_: object) -> None:
        raise _Decided(False)

    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler, parser.StartElementHandler = at_doctype, at_element
    try:
        while chunk := part.read(_CHUNK):
            parser.Parse(chunk)
    except _Decided as decided:
        return decided.declared
    except expat.ExpatError:
        return False
    return False
