"""Correlated noise: the noise of neighbours cancels in a range."""

from dataclasses import dataclass

from ldpapp import words
from ldpapp.compute import bundled
from ldpapp.views.learn.lesson import Lesson, Note, QuizQuestion, among
from ldpapp.views.learn.pictures import Bar, bars
from ldpapp.views.papers.live import Live
from ldpapp.views.ranges import cells as strategies
from ldpapp.words.language import t
from ldpcore.study import Source, Study, fit, ranges
from ldpcore.study.ranges import strategies as bounds
from ldpcore.study.ranges import strategies as engine

DATA, COLUMN = "census", "age"
LENGTHS = ("1", "8", "32", "64")


@dataclass(frozen=True, eq=False)
class Ranges:
    """95 % margins, in people, of ranges of cells from the first on: cell by cell, and with noise that hangs together.

    name: of the range of `length`. places: how many ranges of that length there are; better: those of them, by where
    they begin, for which the latter has the smaller variance.
    """

    study: Study
    name: str
    flat: dict[int, float]
    wavelet: dict[int, float]
    length: int
    places: int
    better: tuple[str, ...]
    nearest: tuple[str, float]
    """Where the latter comes nearest to the former, and its margin there."""


def _found(x: str) -> Ranges:
    study, _ = fit(_study(int(x)), bundled(DATA))
    cells = strategies.Cells(ranges.prepare(study, bundled(DATA)))
    height, length, name = (cells.k - 1).bit_length(), int(x), cells.name(1, int(x))
    flat, wavelet = (bounds.build_of(name) for name in (strategies.FLAT, strategies.PRIVELET))
    both = [{int(n): engine.margin(b, height, (1, int(n)), study.epsilon) for n in LENGTHS} for b in (flat, wavelet)]
    better = tuple(cells.firsts[at - 1] for at in engine.wins(wavelet, flat, height, length, cells.k))
    at, margin = engine.most_exact(wavelet, height, length, cells.k, study.epsilon)
    return Ranges(study, name, both[0], both[1], length, cells.k - length + 1, better, (cells.firsts[at - 1], margin))


def _study(length: int) -> Study:
    keys = tuple(bounds.key_of(name) for name in (strategies.FLAT, strategies.PRIVELET))
    bare = Study(Source(DATA), COLUMN, mechanisms=keys, grid=(), repetitions=1, task="ranges", missing="any")
    return fit(bare, bundled(DATA))[0].with_options(asked=(f"1:{length}",))


def _title(found: Ranges) -> str:
    return t(
        "Age {range}: off by ±{wavelet} people with Privelet, ±{flat} cell by cell.",
        range=found.name,
        wavelet=words.decimals(found.wavelet[found.length]),
        flat=words.decimals(found.flat[found.length]),
    )


def _picture(found: Ranges) -> None:
    longest = max(max(found.flat.values()), max(found.wavelet.values()))
    bars(
        *(
            Bar(says, t("±{n}", n=words.decimals(margin)), margin / longest, chosen=chosen)
            for says, margin, chosen in (
                (t("Each age with its own noise"), found.flat[found.length], False),
                (t("Privelet: noise that cancels"), found.wavelet[found.length], True),
            )
        )
    )


def _question(found: Ranges) -> QuizQuestion:
    options, place = among(len(found.better), (found.places // 2, found.places), words.count)
    n = words.count(found.places)
    if found.length == 1:
        asked = t("There are {places} ages. For how many is Privelet more exact?", places=n)
    else:
        asked = t(
            "A range of {length} ages has {places} places to begin. For how many is Privelet more exact?",
            length=found.length, places=n,
        )  # fmt: skip
    if found.better:
        because = t("From {ages} on: a whole block of the wavelet.", ages=words.listing(found.better))
    else:
        one, alone = words.decimals(found.nearest[1]), words.decimals(found.flat[found.length])
        because = t("At its best, from {age} on, it is off by ±{one}, not ±{alone}.",
                    age=found.nearest[0], one=one, alone=alone)  # fmt: skip
    return QuizQuestion(asked, options, place, because)


CORRELATED = Lesson(
    key="correlated",
    name=lambda: t("Noise that cancels"),
    label=lambda: t("Ages in the range"),
    values=LENGTHS,
    usual="64",
    found=_found,
    title=_title,
    picture=_picture,
    question=_question,
    note=lambda: Note(
        4,
        t("Add your neighbour’s noise to yours: can a sum be quieter than its parts?"),
        t(
            "“Wavelets are better”: of one age, and of most ranges of these few ages, they are not. Over all ranges of "
            "very many cells they are. Here a trusted curator sees the raw data, other than in the lessons before."
        ),
    ),
    link=lambda found: Live(found.study, "range"),
)
