"""In which encoding bytes are text that somebody wrote: candidates, the most plausible first.

UTF-8 proves itself and Western text is the rule; what else bytes can be is told by where letters stand. A word in a
Western language has mostly plain letters, one in Cyrillic, Greek, Hebrew or Arabic none; no language puts capital
letters inside words; of Chinese, Japanese and Korean the common characters lie in a part of their table.
"""

import codecs
import itertools
import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

SAMPLE_BYTES = 1 << 16


@dataclass(frozen=True)
class _Encoding:
    """codec: a Python codec; title: what to call it; score: how plausible a text in it is, from 0 to 1."""

    codec: str
    title: str
    score: Callable[[bytes, str], float]


def _words(text: str) -> list[str]:
    """Words with a letter beyond ASCII."""
    return [word for word in re.findall(r"[^\W\d_]+", text) if not word.isascii()]


def _western(letters: str, weight: float) -> Callable[[bytes, str], float]:
    """Of a Latin alphabet: the letters that its languages have are expected, others hardly."""

    def score(_: bytes, text: str) -> float:
        spoken = _words(text)
        accented = [sign for word in spoken for sign in word if not sign.isascii()]
        signs = [sign for sign in text if not sign.isascii() and not sign.isalpha()]
        if not accented:
            return 0.5 * weight if all(sign in "€£§°–—‘’“”„…«»·™©®½¼ \u00a0" for sign in signs) else 0.1
        # A capital letter inside a word, or a word of nothing else, is what another alphabet looks like.
        odd = sum(_inside(word) or sum(not sign.isascii() for sign in word) > max(1, len(word) / 2) for word in spoken)
        known = sum(sign.casefold() in letters for sign in accented)
        strange = sum(sign not in "€£§°–—‘’“”„…«»·™©®½¼ \u00a0¿¡º!" for sign in signs)
        strange += sum(
            not b.isascii() and not b.isalpha() and b not in "’‘·–— \u00a0" and a.isalpha() and c.isalpha()
            for a, b, c in zip(text, text[1:], text[2:], strict=False)
        )
        return weight * (1 - odd / len(spoken)) * known / len(accented) / (1 + strange / (len(accented) + 1))

    return score


def _inside(word: str) -> bool:
    """Does a capital letter follow a small one?"""
    return any(a.islower() and b.isupper() for a, b in itertools.pairwise(word))


def _alphabet(name: str, weight: float) -> Callable[[bytes, str], float]:
    """Of an alphabet of its own, such as CYRILLIC: its words are of nothing else, and have small letters after capital
    ones. The commonest letters are its vowels.
    """

    def score(_: bytes, text: str) -> float:
        spoken = _words(text)
        whole = [word for word in spoken if all(unicodedata.name(sign, "").startswith(name) for sign in word)]
        if not whole:
            return 0.0
        cased = sum(not _inside(word) for word in whole) / len(whole)
        letters = Counter(sign for word in whole for sign in word.casefold())
        usual = _USUAL.get(name, "")
        common = sum(letters[sign] for sign in usual) / max(1, letters.total()) if usual else 0.5
        strange = sum(not sign.isascii() and not sign.isalpha() and not sign.isspace() and sign not in "№–—«»’“”„…،؟"
                      for sign in text)  # fmt: skip
        return weight * len(whole) / len(spoken) * cased * min(1.0, 0.5 + common) / (1 + strange / letters.total())

    return score


_USUAL = {"CYRILLIC": "оеаинтсрвл", "GREEK": "αοιετσνηυρ", "HEBREW": "יוהלארתמבשן", "ARABIC": "اليمنرتوبةسعد"}


def _pairs(common: Callable[[int, int], bool], weight: float) -> Callable[[bytes, str], float]:
    """Of two bytes for each character: the share of those that are common."""

    def score(content: bytes, text: str) -> float:
        pairs, i = [], 0
        while i < len(content) - 1:
            if content[i] >= 0x81 and not (0xA1 <= content[i] <= 0xDF and weight == _KANA):
                pairs.append((content[i], content[i + 1]))
                i += 1
            i += 1
        signs = sum(unicodedata.category(sign) in ("Co", "Cn") for sign in text)
        if not pairs or signs:
            return 0.0
        return weight * sum(common(a, b) for a, b in pairs) / len(pairs)

    return score


_KANA = 0.97
_LATIN = "àâäáãåæçéèêëíìîïñóòôöõøœßúùûüÿýþð"
_ALL = (
    _Encoding("cp1252", "Windows-1252 (Western)", _western(_LATIN, 1.0)),
    _Encoding("cp1250", "Windows-1250 (Central European)",
              _western("áäčďéěíľĺňóôöőŕřšťúůüűýžąćęłńśźżăâîşţșțß", 0.93)),
    _Encoding("cp1254", "Windows-1254 (Turkish)", _western("âçğıiîöşüûi̇", 0.92)),
    _Encoding("cp1257", "Windows-1257 (Baltic)", _western("āčēģīķļņšūžąęėįųõäöü", 0.9)),
    _Encoding("cp1251", "Windows-1251 (Cyrillic)", _alphabet("CYRILLIC", 0.98)),
    _Encoding("koi8-r", "KOI8-R (Cyrillic)", _alphabet("CYRILLIC", 0.95)),
    _Encoding("cp866", "DOS 866 (Cyrillic)", _alphabet("CYRILLIC", 0.94)),
    _Encoding("cp1253", "Windows-1253 (Greek)", _alphabet("GREEK", 0.98)),
    _Encoding("cp1255", "Windows-1255 (Hebrew)", _alphabet("HEBREW", 0.98)),
    _Encoding("cp1256", "Windows-1256 (Arabic)", _alphabet("ARABIC", 0.98)),
    # The first level of GB 2312 is B0 to D7; of Korean syllables the last begin with C8.
    _Encoding("gb18030", "GB 18030 (Chinese)",
              _pairs(lambda a, b: b >= 0xA1 and (0xB0 <= a <= 0xD7 or a in (0xA3, 0xA1)), 0.96)),
    _Encoding("big5", "Big5 (Chinese)",
              _pairs(lambda a, b: 0xA4 <= a <= 0xC6 and not (0x7F <= b <= 0xA0), 0.9)),
    _Encoding("shift_jis", "Shift-JIS (Japanese)",
              _pairs(lambda a, b: a in (0x82, 0x83) or 0x88 <= a <= 0x97, _KANA)),
    _Encoding("euc_jp", "EUC-JP (Japanese)", _pairs(lambda a, b: a in (0xA4, 0xA5) or 0xB0 <= a <= 0xCF, 0.93)),
    _Encoding("cp949", "Windows-949 (Korean)", _pairs(lambda a, b: 0xB0 <= a <= 0xC8 and b >= 0xA1, 0.965)),
    _Encoding("cp850", "DOS 850 (Western)", _western(_LATIN, 0.8)),
    _Encoding("mac_roman", "Mac Roman (Western)", _western(_LATIN, 0.85)),
    _Encoding("cp1258", "Windows-1258 (Vietnamese)", _western("àâăđéêìíòóôơùúưýạảấầẩ", 0.7)),
    _Encoding("cp874", "Windows-874 (Thai)", _alphabet("THAI", 0.9)),
)  # fmt: skip
MENU: dict[str, str] = {
    "utf-8": "UTF-8",
    "utf-16-le": "UTF-16 LE",
    "utf-16-be": "UTF-16 BE",
    **{each.codec: each.title for each in _ALL},
    "latin-1": "Latin-1",
}
"""Encodings to choose from, and what to call them."""


def candidates(content: bytes) -> list[tuple[str, float]]:
    """Codecs in which bytes that are no UTF-8 can be text, and how plausible that is, the most plausible first.

    >>> candidates("Größe,Übung\\nMüller,schön\\n".encode("cp1252"))[0][0]
    'cp1252'
    >>> candidates("пол,город\\nженский,Москва\\n".encode("cp1251"))[0][0]
    'cp1251'
    """
    looked = b"\n".join(line for line in content[: 8 * SAMPLE_BYTES].split(b"\n") if not line.isascii())[:SAMPLE_BYTES]
    ranked = []
    for each in _ALL:
        try:
            decoder = codecs.getincrementaldecoder(each.codec)("strict")
            text = decoder.decode(looked, final=len(looked) < SAMPLE_BYTES)
        except UnicodeDecodeError:
            continue
        ranked.append((each.codec, each.score(looked, text)))
    return sorted(ranked, key=lambda entry: -entry[1])


def wide(content: bytes) -> str | None:
    """UTF-16 without its mark: every other byte of the separators and line ends is zero, and nothing else fits."""
    start = content[:SAMPLE_BYTES]
    if len(content) % 2 or b"\0" not in start:
        return None
    for codec, ends in (
        ("utf-16-le", (b"\n\0", b",\0", b";\0", b"\t\0")),
        ("utf-16-be", (b"\0\n", b"\0,", b"\0;", b"\0\t")),
    ):
        places = [sum(start[i : i + 2] == end for i in range(0, len(start) - 1, 2)) for end in ends]
        if not (places[0] and max(places[1:])):
            continue
        try:
            text = start[: len(start) // 2 * 2].decode(codec)
        except UnicodeDecodeError:
            continue
        if sum(map(_is_written, text)) >= 0.98 * len(text):
            return codec
    return None


def _is_written(sign: str) -> bool:
    return sign in "\r\n\t" or unicodedata.category(sign)[0] not in "C"
