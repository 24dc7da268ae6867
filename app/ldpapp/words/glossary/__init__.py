"""Every term of the field that a page uses, in a sentence, shown where the term stands: on hover, focus or tap.

One list. Mechanisms explain themselves: their sentence is the catalogue's. `explained` marks the first occurrence of
each term in a panel. Where nothing can be marked (headlines, charts, labels) the foot of the page lists what its terms
mean: `listed` finds them in all that the page says. A test reads every page and asks that no term is left without.
"""

import html
import re
from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from functools import cache

from ldpapp.words import language
from ldpapp.words.glossary.terms import CURATOR, EVERYDAY, HIDES, HOW, LEVELS, MINERS, ORDINARY, TERMS
from ldpcore.catalog.entries import BY_LEVEL, Construction, Listed, MechanismEntry, coverage
from ldpcore.catalog.ranges import CENTRAL, StrategyEntry
from ldpcore.study.tasks import TASKS


@cache
def sentences() -> Mapping[str, str]:
    """Every form of every term → its sentence; mechanisms by their catalogues."""
    by_form, named = _forms(TERMS), dict[str, list[Listed]]()
    for task in TASKS.values():
        for key, entry in task.CATALOG.items():
            named.setdefault(task.CATALOG.name(key), []).append(entry)
    return {name: of(*entries) for name, entries in named.items()} | by_form


_PAGE: ContextVar[str | None] = ContextVar(
    "whose page is drawn: a task’s, “” for one of none, None for any", default=None
)


def turn_to(task: str | None) -> None:
    """What is drawn next is of this task, or of none (""): names of others are ordinary words there. None: of any."""
    _PAGE.set(task)


@cache
def _own(task: str) -> Mapping[str, str]:
    """The names of this task’s catalogue, each with what it is there."""
    if task not in TASKS:
        return {}
    entries = TASKS[task].CATALOG
    return {entries.name(key): of(entry) for key, entry in entries.items()}


def _is_word(term: str) -> bool:
    """Whether this is no name here, but an ordinary word: “Pairs” begins a sentence where no mechanism is so called."""
    page = _PAGE.get()
    return term in ORDINARY and page is not None and term not in _own(page)


def of(*entries: Listed) -> str:
    """What this is, how it works, whom it covers, and where it is from; several: of one name in several catalogues."""
    labels = dict.fromkeys(entry.label for entry in entries if _says(entry))
    label = f"{_started('; '.join(labels))}." if labels else ""
    works, covers = (dict.fromkeys(map(each, entries)) for each in (_works, _covers))
    sources = dict.fromkeys(f"{_started(entry.source)}." for entry in entries)
    return " ".join(filter(None, (label, *works, *covers, *sources)))


def _says(entry: Listed) -> bool:
    """Whether its label says more than its name."""
    return entry.label not in (entry.name, entry.key) or not _works(entry)


def _works(entry: Listed) -> str:
    if entry.key in MINERS:
        return MINERS[entry.key]
    reports = isinstance(entry, (MechanismEntry, StrategyEntry)) or entry.construction is Construction.FITTED_TABLES
    return HOW[entry.construction] if reports else ""


def _covers(entry: Listed) -> str:
    if entry.promise == CENTRAL:
        return CURATOR
    return LEVELS if entry.promise in BY_LEVEL else HIDES[coverage(entry.promise)]


@cache
def _known() -> Mapping[str, str]:
    """The field's terms, and words of everyday."""
    return {**_forms(EVERYDAY), **sentences()}


_BAR = re.compile(r"(?<! )\|(?! )")


def _forms(terms: Mapping[str, str]) -> dict[str, str]:
    return {form: says for forms, says in terms.items() for form in _BAR.split(forms)}


def _started(text: str) -> str:
    """At the beginning of a sentence; names such as uRR and arXiv begin small there too."""
    return text if any(map(str.isupper, text.split(" ")[0][1:])) else text[:1].upper() + text[1:]


def says(term: str) -> str:
    """The sentence of a term; KeyError for one that nobody explains."""
    known = _known()
    sentence = (
        _own(_PAGE.get() or "").get(term)
        or known.get(term)
        or known.get(term[0].lower() + term[1:])
        or known[f"{term} ="]
    )
    return language.TRANSLATED.get(sentence, sentence)


@cache
def _pattern() -> re.Pattern[str]:
    forms = sorted(sentences(), key=len, reverse=True)
    # A letter or a digit beside it makes it another word; so do "…=" of a setting and a unit's superscript.
    return re.compile(rf"(?<![\w’-])(?:{'|'.join(map(_shape, forms))})(?![\w-])")


def _shape(form: str) -> str:
    """A word may begin a sentence; a single letter is a term only where it is given a value."""
    if form.endswith(" ="):
        return f"{re.escape(form[:-2])}(?= =)"
    first, rest = form[0], re.escape(form[1:])
    return f"[{first}{first.upper()}]{rest}" if first.isalpha() and first.islower() and rest else re.escape(form)


_TAGS = re.compile(r"(</?[a-zA-Z][^>]*>)")
_QUIET = re.compile(r"<(/?)(a|svg|button|summary|dfn)\b")
"""Elements in which nothing is marked: they answer to the mouse already, or are no text."""


def explained(text: str, seen: set[str]) -> str:
    """This markup with the first occurrence of each term that is not in `seen` explained; `seen` grows by them."""
    out, inside = [], 0
    for part in _TAGS.split(text):
        if quiet := _QUIET.match(part):
            inside += -1 if quiet[1] else 1
        free = not inside and not part.startswith("<")
        out.append(_pattern().sub(lambda found: _marked(found[0], seen), part) if free else part)
    return "".join(out)


def _marked(term: str, seen: set[str]) -> str:
    if _is_word(term) or (sentence := says(term)) in seen:
        return term
    seen.add(sentence)
    return f'<dfn class="term" tabindex="0" data-says="{html.escape(sentence)}">{term}</dfn>'


# what a page uses ----------------------------------------------------------------------------------------------------


def uses(text: str) -> dict[str, str]:
    """The terms in this markup, each with its sentence; words of everyday and letters that stand alone among them.

    By far quicker than the pattern, which a page's many words would keep busy for a twentieth of a second: a term is
    looked for only where its first word is.
    """
    text = _TAGS.sub(" ", text)
    there = set(_WORD.findall(text))
    letters = {form[0] for form in _known() if form.endswith(" =")} & set(_LETTERS.findall(text))
    words = [form for form, first in _words() if (not first or first & there) and _stands(form, text)]
    return {term: says(term) for term in (*words, *letters) if not _is_word(term)}


_WORD = re.compile(r"\w+")


@cache
def _words() -> tuple[tuple[str, frozenset[str]], ...]:
    """Every form but settings' letters, with its first word as it may be written; none where it has no letter."""
    forms = (form for form in _known() if not form.endswith(" ="))
    return tuple((form, frozenset(_WORD.findall(each)[0] for each in {form, _started(form)} if _WORD.search(each)))
                 for form in forms)  # fmt: skip


_LETTERS = re.compile(r"(?<![\w’'-])[A-Za-z](?![\w’'.-])")


def _stands(form: str, text: str) -> bool:
    """Whether this stands in the text, not within another word."""
    for written in {form, _started(form)}:
        at = text.find(written)
        while at >= 0:
            before, after = text[at - 1 : at], text[at + len(written) : at + len(written) + 1]
            if not (_part(before) or before == "’" or _part(after)):
                return True
            at = text.find(written, at + 1)
    return False


def _part(character: str) -> bool:
    """Of a word; "" is none."""
    return character.isalnum() or (character != "" and character in "_-")


def listed(texts: Iterable[str]) -> dict[str, str]:
    """The terms of all that a page says, each meaning once, in the order of the alphabet."""
    # One by one: a “<” of one text would begin a tag that ends in another.
    together = " | ".join(_TAGS.sub(" ", text) for text in texts)
    once = {sentence: term for term, sentence in sorted(uses(together).items(), reverse=True)}
    return dict(sorted(((term, sentence) for sentence, term in once.items()), key=lambda pair: pair[0].casefold()))
