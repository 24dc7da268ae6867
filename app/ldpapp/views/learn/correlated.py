"""Correlated noise: the noise of neighbours cancels in a range."""

from dataclasses import dataclass

from ldpapp import words
from ldpapp.compute import bundled
from ldpapp.views.learn.lesson import Lesson, Note, QuizQuestion, among
from ldpapp.views.learn.pictures import Bar, bars
from ldpapp.views.papers.live import Live
from ldpapp.views.ranges import cells as strategies
from ldpapp.words.language import t
from ldpcore.catalog import RANGES
from ldpcore.study import Source, Study, fit, ranges
from ldpcore.study.ranges import strategies as engine

DATA, COLUMN = "census", "age"
LENGTHS = ("1", "8", "32", "64")


@dataclass(frozen=True, eq=False)
class Ranges:
    """95 % margins, in people, of ranges of cells from the first on: cell by cell, and with noise that hangs together.

    first: the shortest of them for which the latter has the smaller variance. cells: of the longest.
    """

    study: Study
    cells: int
    flat: dict[int, float]
    wavelet: dict[int, float]
    length: int
    first: int


def _found(x: str) -> Ranges:
    study, _ = fit(_study(int(x)), bundled(DATA))
    cells = ranges.prepare(study, bundled(DATA)).domain.k
    height = (cells - 1).bit_length()
    flat, wavelet = (
        {int(n): engine.margin(RANGES[strategies.key(name)].build, height, (1, int(n)), study.epsilon) for n in LENGTHS}
        for name in (strategies.FLAT, strategies.PRIVELET)
    )
    return Ranges(study, cells, flat, wavelet, int(x), _first(height, cells, study.epsilon))


def _first(height: int, cells: int, epsilon: float) -> int:
    flat, wavelet = (strategies.build(name, height) for name in (strategies.FLAT, strategies.PRIVELET))
    better = (n for n in range(1, cells + 1) if wavelet.variance(1, n, epsilon) < flat.variance(1, n, epsilon))
    return next(better, cells)


def _study(length: int) -> Study:
    keys = tuple(strategies.key(name) for name in (strategies.FLAT, strategies.PRIVELET))
    bare = Study(Source(DATA), COLUMN, mechanisms=keys, grid=(), repetitions=1, task="ranges", missing="any")
    return fit(bare, bundled(DATA))[0].with_options(asked=(f"1:{length}",))


def _title(found: Ranges) -> str:
    return t(
        "{range}: off by ±{wavelet} people with Privelet, ±{flat} cell by cell.",
        range=words.plural(found.length, t("year"), t("years"), start=False),
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
    options, place = among(found.first, (2, found.cells), words.count)
    return QuizQuestion(
        t("Which is the shortest range for which Privelet is more exact?"),
        options,
        place,
        t("A range of {cells} single cells adds up {cells} noises.", cells=words.count(found.cells)),
    )


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
            "More noise in one cell looks worse. For one age it is; the range is what counts. Here a trusted curator "
            "sees the raw data, other than in the lessons before."
        ),
    ),
    link=lambda found: Live(found.study, "range"),
)
