"""Numbers in words: how every figure, chance and ratio is written on the pages and in the charts.

Pure functions from numbers to text. Shares, errors and chances come as fractions (0.037, not 3.7).
"""

import math
import re
from collections.abc import Callable, Iterable

from ldpapp.words import directions
from ldpcore.estimators.intervals import NORMAL_95

THIN = "\u202f"
"""The thin space between thousands, in its form that never breaks over two lines."""

MINUS = "−"
ROUNDING = 1e-12
"""A bound that is so little above what is written is that: e^(ln 2) is 2 and a rounding error."""
UNBOUNDED = "without bound"

_WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_SETTING = re.compile(r"\b(?:At )?[εδmnksF] = [±\d][\d.\u202f]*(?:, |[,:;])?|± [\d.\u202f]+")
_MARKUP = re.compile(r"([\\`*_{}\[\]()#+\-.!:$|<>~&=])")
_FOUND_LATE = re.compile(
    r"(?<=:)(?=//|[\w+-]+:|material/)|(?<=www)(?=\.)|(?<=@)(?=[-\w])"  # http://x, :smile:, :material/home:, …
    r"|(?<!\S)(?=(?:<->|->|<-|--|>=|<=|~=)(?!\S))",  # arrows and signs between spaces
    re.IGNORECASE,
)
JOINER = "\u2060"
"""Seen by nobody, and no line is broken at it."""
_SUPERSCRIPT = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def count(number: float) -> str:
    """A whole number with thin spaces: 32561 → "32 561"; one that nobody counts to as a power of ten: "4.2×10¹⁸"."""
    if not abs(number) < 1e15:
        return MINUS * (number < 0) + scientific(abs(number))
    return f"{round(number):,}".replace(",", THIN).replace("-", MINUS)


def decimals(number: float) -> str:
    """Two digits after the point below 10, one below 100, none above: "0.37", "12.4", "1 240".

    What would round to 0.00 is "<0.01"; an exact zero is "0".
    """
    size = abs(number)
    if size == 0:
        return "0"
    if not math.isfinite(size):
        return UNBOUNDED
    if size < 0.005:
        return "<0.01"
    digits = 2 if size < 9.995 else 1 if size < 99.95 else 0
    return fixed(number, digits)


def fixed(number: float, digits: int) -> str:
    """So many digits after the point: 1240.5, 1 → "1 240.5"."""
    return f"{number:,.{digits}f}".replace(",", THIN).replace("-", MINUS)


def three_digits(margin: float) -> int:
    """So many digits after the point leave three of a margin."""
    return 2 - math.floor(math.log10(margin)) if margin > 0 else 2


def plain(number: float) -> str:
    """A number as a column has it: 0.30000000000000004 → "0.3", 1999.0 → "1 999"."""
    digits = 10 if abs(number) < 1e10 else 15  # enough to forget how floats round; with fewer, 5e+10 is another number
    return f"{number:,.{digits}g}".replace(",", THIN).replace("-", MINUS)


def difference(share: float) -> str:
    """In points, with its sign: -0.084 → "−8.4"."""
    return f"{100 * share:+.1f}".replace("-", MINUS)


def rounded(points: float) -> str:
    """So many points, whatever the sign: "17", below 10 "3.1"."""
    return f"{abs(points):.0f}" if abs(points) >= 10 else f"{abs(points):.1f}"


def signed_points(points: float) -> str:
    """ "−17", "+3.1"."""
    return f"{MINUS if points < 0 else '+'}{rounded(points)}"


def points(error: float) -> str:
    """An error of a share in percentage points: 0.00371 → "±0.37"."""
    text = decimals(abs(error) * 100)
    return text if text.startswith("<") or text == UNBOUNDED else f"±{text}"


def margin(error: float) -> str:
    """The 95 % margin of a share in percentage points, from its root mean squared error: 0.00371 → "±0.73".

    The one ± of the pages: 95 of 100 surveys fall within it. Exact for errors that are nearly normal and have no bias;
    where several values share one root mean square, so many of all their errors.
    """
    return points(NORMAL_95 * error)


def share(fraction: float) -> str:
    """A share in percent: 0.0368 → "3.7 %"; what would round to 0.0 is "<0.1 %"."""
    percent = fraction * 100
    if 0 < abs(percent) < 0.05:
        return "<0.1\u00a0%"
    text = "0" if percent == 0 else "100" if percent == 100 else f"{percent:.1f}"
    return text.replace("-", MINUS) + "\u00a0%"


def of_100(probability: float, most: bool = False) -> str:
    """The number in "… of 100": 0.373 → "37", 0.003 → "<1", 0.9999 → ">99". most: of a bound, never below it: "38"."""
    number = math.floor(probability * 100 + 0.5)  # 12.5 is 13, whatever its neighbour
    if most and number > 0:
        number = math.ceil(probability * 100 * (1 - ROUNDING))
    if number == 0 and probability > 0:
        return "<1"
    if number == 100 and probability < 1 - 1e-12:
        return ">99"
    return str(number)


def bound_of_100(probability: float) -> str:
    """The same of a bound, never below it, and so near that nobody takes it for another number: 0.3708 → "37.1", 0.993
    → ">99".
    """
    number = of_100(probability, most=True)
    if not (number.isdigit() and 0 < probability < 1):
        return number
    return f"{math.ceil(probability * 1000 * (1 - ROUNDING)) / 10:.1f}".removesuffix(".0")


def one_in(probability: float) -> str:
    """A chance as "1 in 8"; above 100 to two significant digits: 1/1024 → "1 in 1 000"."""
    if probability <= 0:
        return "never"
    one = 1 / probability
    if one > 100:
        step = 10 ** (math.floor(math.log10(one)) - 1)
        one = round(one / step) * step
    return f"1 in {count(one)}"


def chance(probability: float) -> str:
    """A chance: 0.373 → "37 of 100"; below 10 of 100 → "1 in 13"."""
    if 0 < probability < 0.095:
        return one_in(probability)
    return chance_of_100(probability)


def tries(probability: float, short: bool = False) -> str:
    """How often something succeeds: 0.373 → "37 of 100", `short` "37"; below 1 of 100 always "1 of 580"."""
    if 0 < probability < 0.01:
        return one_in(probability).replace(" in ", " of ")
    return of_100(probability) if short else chance_of_100(probability)


def chance_of_100(probability: float, most: bool = False) -> str:
    """A chance as "37 of 100", whatever its size: "fewer than 1 of 100", "more than 99 of 100". most: of a bound."""
    return f"{of_100(probability, most).replace('<', 'fewer than ').replace('>', 'more than ')} of 100"


def percent(probability: float, most: bool = False) -> str:
    """A chance in whole percent, 100 only for a certainty: "73 %", "more than 99 %", "less than 1 %". most: of a
    bound: "73.2 %".
    """
    number = bound_of_100(probability) if most else of_100(probability)
    return f"{number.replace('<', 'less than ').replace('>', 'more than ')}\u00a0%"


def ratio(number: float, most: bool = False) -> str:
    """A ratio without its unit: "2.7", from 10 on "13", from 100 on two significant digits: "12 000".

    most: it is a bound, such as by how much odds rise at most (`_never_below`).
    """
    if not math.isfinite(number):
        return UNBOUNDED
    if most:
        return _never_below(number)
    if abs(number) >= 99.5:
        step = 10 ** (math.floor(math.log10(abs(number))) - 1)
        return count(round(number / step) * step)
    if abs(number) >= 9.95:
        return count(number)
    if 0 < abs(number) < 0.95:
        return decimals(number)
    return f"{number:.1f}".replace("-", MINUS)


def _never_below(bound: float) -> str:
    """A bound ≥ 0 in three digits, or four below 1 000, two decimals at most, rounded up: 2.718 → "2.72", 10.07 →
    "10.1", 148.41 → "148.5".
    """
    digits = 2 - max(0, math.floor(math.log10(bound))) if bound > 0 else 2
    digits = max(digits, 1) if bound < 1000 else digits
    up = math.ceil(bound * 10.0**digits * (1 - ROUNDING)) / 10.0**digits
    if up >= 100 and up == round(up):
        return count(round(up))
    return f"{up:.{max(1, digits)}f}".removesuffix("0" * (digits == 2))


def times(number: float, most: bool = False) -> str:
    """A ratio: 2.68 → "2.7 times"; an infinite one is "without bound". most: as in `ratio`."""
    return f"{ratio(number, most)} times" if math.isfinite(number) else UNBOUNDED


def epsilon(value: float) -> str:
    """ε without needless zeros: 1.0 → "1", 0.35 → "0.35"."""
    text = f"{value:.3g}"
    return f"{value:.10f}".rstrip("0") if "e-" in text else text


def span(ends: Iterable[float], written: Callable[[float], str] = epsilon, to: str = " to ") -> str:
    """From the least to the largest: (1, 2) → "1 to 2"; one number where both are written alike."""
    return to.join(dict.fromkeys(map(written, ends)))


def signed(number: float) -> str:
    """A difference: +1, −2, +0.5, 0."""
    if number == 0:
        return "0"
    written = f"{abs(number):,.10f}".rstrip("0").rstrip(".") if abs(number) < 1e-4 else f"{abs(number):,g}"
    return ("+" if number > 0 else MINUS) + written.replace(",", THIN)


def scientific(number: float) -> str:
    """For axes of squared errors only: 3.2e-6 → "3.2×10⁻⁶", 1e-6 → "10⁻⁶"."""
    if number == 0 or not math.isfinite(number):
        return "0" if number == 0 else UNBOUNDED
    mantissa, exponent = f"{number:.1e}".split("e")
    power = f"10{str(int(exponent)).translate(_SUPERSCRIPT)}"
    head = mantissa.removesuffix(".0").replace("-", MINUS)
    return power if head == "1" else f"{head}×{power}"


def untitled(file: str) -> str:
    """What nobody has named is called as its file, without what a computer needs: "ward_2026.csv" → "ward 2026"."""
    return re.sub(r"\.\w{2,7}$", "", file).replace("_", " ")


def listing(items: Iterable[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    parts = list(items)
    return ", ".join(parts[:-1]) + " and " + parts[-1] if len(parts) > 1 else "".join(parts)


def cardinal(number: int, start: bool = False) -> str:
    """A number in running text: digits, but up to twelve as a word at the start of a sentence: "Four"."""
    if start and 0 <= number <= 12:
        return _WORDS[number].capitalize()
    return count(number)


def plural(number: int, noun: str, nouns: str | None = None, start: bool = False) -> str:
    """A number with its noun: "1 value", "4 values", "Four values", "2 categories"."""
    return f"{cardinal(number, start)} {noun if number == 1 else nouns or noun + 's'}"


def duration(seconds: float) -> str:
    """A time to wait, roughly: 0.4 → "1 second", 37 → "40 seconds", 130 → "2 minutes"."""
    if seconds >= 95:
        return plural(round(seconds / 60), "minute")
    return plural(max(1, round(seconds) if seconds < 9.5 else 10 * round(seconds / 10)), "second")


def shorten(text: str, limit: int) -> str:
    """A label of at most `limit` characters, the cut marked by "…"."""
    return text if len(text) <= limit else text[: max(1, limit - 1)].rstrip() + "…"


def literal(label: object) -> str:
    """A name or an answer of the person's data as Markdown that says just that: for labels of widgets, and messages.

    Streamlit looks for addresses, emoji, icons and arrows in what Markdown has left as text: no backslash keeps them
    from it, and an invisible WORD JOINER in their midst does.

    >>> print(literal(":red[y]"), literal("age 18-24"))
    \\:red\\[y\\] age 18\\-24
    >>> literal("www.x.example") == "www" + JOINER + "\\\\.x\\\\.example"
    True
    """
    text = _FOUND_LATE.sub(JOINER, " ".join(directions.isolated(label).replace("\0", "").split()))
    return _MARKUP.sub(r"\\\1", text)


def unbroken(text: str) -> str:
    """HTML in which "At ε = 1,", "± 12" and the like stay on one line."""
    return _SETTING.sub(r'<span class="nowrap">\g<0></span>', text)
