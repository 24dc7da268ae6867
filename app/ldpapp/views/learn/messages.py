"""Messages leak: numbers that are sent openly beside the reports are covered by no ε."""

from dataclasses import dataclass

from ldpapp import words
from ldpapp.compute import bundled
from ldpapp.views.learn.lesson import Lesson, Note, QuizQuestion, among
from ldpapp.views.learn.pictures import Bar, bars
from ldpapp.views.papers.live import Live
from ldpapp.words.language import t
from ldpcore.study import Source, Study, clusters, fit
from ldpcore.study.clusters.facts import ClustersFacts, facts

DATA = "census"
OPENLY, COVERED = "LDPK", "Fresh"
STARTS = Study.repetitions
"""Of the clusters, as many as the page Clusters shows unless somebody chooses; what is said are means over them."""


@dataclass(frozen=True, eq=False)
class Messages:
    """What is known of it at ε, and at ε/2. Chances of the column attacked to be named."""

    study: Study
    known: ClustersFacts
    less: ClustersFacts

    @property
    def named(self) -> float:
        return self.known.parts[OPENLY].named


def _found(x: str) -> Messages:
    study = _study(float(x))
    people = clusters.prepare(study, bundled(DATA))
    return Messages(study, facts(study, people), facts(_study(float(x) / 2), people))


def _study(epsilon: float) -> Study:
    bare = Study(
        Source(DATA), "", mechanisms=(OPENLY, COVERED), epsilon=epsilon, grid=(), repetitions=STARTS, task="clusters"
    )
    return fit(bare, bundled(DATA))[0]


def _title(found: Messages) -> str:
    holes = {
        "eps": words.epsilon(found.study.epsilon),
        "column": found.study.column,
        "allowed": words.of_100(found.known.promised, most=True),
        "named": words.of_100(found.named),
    }
    if found.named > found.known.promised:
        return t(
            "Any ε = {eps} report names {column} of {allowed} in 100 at most, open messages of {named} on average.",
            **holes,
        )
    return t(
        "Any ε = {eps} report names {column} of {allowed} in 100 at most; outside it, open messages {named} on "
        "average.",
        **holes,
    )


def _picture(found: Messages) -> None:
    bars(
        *(
            Bar(says, words.of_100(share, most=share == found.known.promised), share, chosen=chosen)
            for says, share, chosen in (
                (t("Blind guess of “{column}”", column=found.study.column), found.known.blind, False),
                (t("Any ε report, at most"), found.known.promised, False),
                (t("Open messages, mean of {n} starts", n=STARTS), found.named, True),
                (t("Repaired"), found.known.parts[COVERED].named, False),
            )
        )
    )


def _question(found: Messages) -> QuizQuestion:
    half = found.less.parts[OPENLY].named
    options, place = among(half, (found.less.promised, found.named / 2), words.of_100)
    return QuizQuestion(
        t("Halve ε. How many of 100 do open messages name?"),
        options,
        place,
        t(
            "Noisier centres settle later: {then} rounds, not {rounds}; each sends a number.",
            then=f"{found.less.parts[OPENLY].rounds:.1f}",
            rounds=f"{found.known.parts[OPENLY].rounds:.1f}",
        ),
    )


MESSAGES = Lesson(
    key="messages",
    name=lambda: t("Messages leak"),
    label=lambda: t("Choose ε"),
    values=("0.5", "1", "2"),
    usual="1",
    found=_found,
    title=_title,
    picture=_picture,
    question=_question,
    note=lambda: Note(
        4,
        t("Your report is private. Who sees when you sent it, how long it is, and to whom?"),
        t(
            "A small ε is taken for the privacy of a whole system. Ask for everything that leaves the phone: in this "
            "method of clustering, each round sends the number of the nearest cluster as it is."
        ),
    ),
    link=lambda found: Live(found.study, "leak"),
)
