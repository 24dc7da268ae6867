"""An estimate in R: the channel and what each report says as plain matrices, and the lines that read reports.csv.

One file with nothing behind it: whoever checks an estimate needs R and the reports. It is of one question, of two
together (as one, apart, or with open groups), or of sets of items, where all reports can be listed.

>>> from ldpcore.client import Client
>>> asked = ListedReports.of(Client.of("uRR", 1.0, ["no", "yes"], [False, True]))
>>> asked.reports, asked.channel.round(2).tolist(), asked.scores.round(2).tolist()
(('1', '2'), [[0.63, 0.37], [0.0, 1.0]], [[1.58, -0.58], [0.0, 1.0]])
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from string import Template
from typing import cast

import numpy as np
from numpy.typing import NDArray

from ldpcore import data, study
from ldpcore.client import Client
from ldpcore.collection import reports as texts
from ldpcore.collection.asking import batch_of
from ldpcore.collection.asking import of_study as single
from ldpcore.collection.kinds import ItemBatch
from ldpcore.collection.pair_clients import client_of_two
from ldpcore.study.execute import prepare
from ldpcore.study.relations.settings import Compared

Matrix = NDArray[np.float64]
TASKS = ("frequency", "sets", "relations")
"""Whose reports there is R of."""
MOST_REPORTS = 4096
"""More different reports are no matrix that anybody reads."""


@dataclass(frozen=True, eq=False)
class ListedReports:
    """A question all of whose reports are listed: as reports.csv has them (m,), their `channel` (rows, m), a row per
    answer or set, and `scores` (m, k), what each report alone says of the shares; `truth` (rows, k): who counts where.
    """

    name: str
    labels: tuple[str, ...]
    reports: tuple[str, ...]
    channel: Matrix
    scores: Matrix
    truth: Matrix
    mark: str = ""

    @classmethod
    def of(cls, client: Client) -> "ListedReports":
        """The reports of phones. ValueError, in a sentence, where they are too many."""
        _few(client.mechanism.count_outputs(), client.key)
        sent = sorted(client.law.reports())
        channel = np.array([[float(each) for each in client.law.chances(report)] for report in sent]).T
        scores = np.array([client.mechanism.estimate(client.tally([report])) for report in sent])
        named = tuple(map(str, sent))
        return cls(client.question, client.answers, named, channel, scores, np.eye(len(channel)), client.mark)

    @classmethod
    def of_items(cls, asked: ItemBatch) -> "ListedReports":
        """The reports on sets of items, as `ldpcore perturb` writes them. ValueError where they are too many."""
        made = asked.mechanism
        _few(made.count_outputs(), asked.key)
        sent, channel = made.outputs(), made.channel()
        named = tuple(map(str, texts.as_text(sent)))
        holds = channel.holds()[:, : len(asked.items)].astype(float)
        return cls(asked.column, asked.items, named, channel.matrix, made.scores(sent), holds)

    @classmethod
    def openly(cls, name: str, labels: tuple[str, ...]) -> "ListedReports":
        """A question that is answered as it is."""
        return cls(name, labels, labels, np.eye(len(labels)), np.eye(len(labels)), np.eye(len(labels)))


def _few(many: int, key: str) -> None:
    if many > MOST_REPORTS:
        raise ValueError(
            f"{key} has {many} different reports, and a matrix in R has {MOST_REPORTS} at most; choose a mechanism "
            "with fewer (GRR, SS, uRR, uSS), or group answers"
        )


def of_study(described: study.Study, table: data.Table | None = None, mechanism: str | None = None) -> str:
    """The file for reports that are collected with this study. ValueError, in a sentence, where there is none.

    table, mechanism: as of `asking.of_study`.
    """
    if described.task not in TASKS:
        raise ValueError(f"there is R of frequency, sets and relations; this study is of {described.task}")
    if described.task == "frequency":
        return one(ListedReports.of(single(described, table, mechanism)))
    if described.task == "sets":
        return one(ListedReports.of_items(cast(ItemBatch, batch_of(described, table, mechanism))))
    names, asked = client_of_two(described, table, mechanism)
    if isinstance(asked, Client):
        return as_one(asked)
    labels = Compared.of(described, prepare(described, table)).people.labels
    sides = [
        ListedReports.of(asked.questions[name]) if name in asked.questions else ListedReports.openly(name, answers)
        for name, answers in zip(names, labels, strict=True)
    ]
    return _whole(sides, _APART)


def one(asked: ListedReports) -> str:
    """The file of one question."""
    return _whole([asked], _ONE)


def as_one(client: Client) -> str:
    """The file of two questions with one report."""
    pair = client.pair
    if pair is None:
        raise ValueError("this client asks one question: there is no relation in its reports")
    first, second = (_names(labels) for labels in pair.labels)
    sizes = f"\ngroups_x <- {first}\ngroups_y <- {second}\n"
    return _whole([ListedReports.of(client)], sizes + _AS_ONE)


def _whole(questions: Sequence[ListedReports], last: str) -> str:
    letters = "xy"[: len(questions)]
    parts = [
        Template(_QUESTION).substitute(
            letter=letter,
            name=_text(asked.name),
            labels=_names(asked.labels),
            reports=_names(asked.reports),
            channel=_matrix(asked.channel),
            scores=_matrix(asked.scores),
            truth=_matrix(asked.truth),
            mark=_text(asked.mark),
            column='"report"' if len(questions) == 1 else _text(asked.name),
        )
        for letter, asked in zip(letters, questions, strict=True)
    ]
    return "\n".join([_HEAD, *parts, last.lstrip("\n")])


def _text(text: str) -> str:
    r"""A text of R, whatever it holds.

    >>> print(_text('a"\n€🙂'))
    "a\"\u{a}\u{20ac}\U{1f642}"
    """
    plain = {'"': '\\"', "\\": "\\\\"}
    escaped = (f"\\{'u' if ord(each) < 0x10000 else 'U'}{{{ord(each):x}}}" for each in text)
    letters = zip(text, escaped, strict=True)
    return '"' + "".join(plain.get(c, c if " " <= c <= "~" else code) for c, code in letters) + '"'


def _names(labels: Iterable[str]) -> str:
    return "c(\n  " + ",\n  ".join(map(_text, labels)) + "\n)"


def _matrix(values: Matrix) -> str:
    """All digits, a line per row."""
    rows = [", ".join(map(repr, row)) for row in np.asarray(values, float).tolist()]
    return f"matrix(byrow = TRUE, nrow = {len(rows)}, c(\n  " + ",\n  ".join(rows) + "\n))"


_HEAD = """# Shares from collected reports, with nothing but R; equal to `ldpcore estimate reports.csv`.
#   Rscript this.R [reports.csv [shares.csv]]
given <- commandArgs(trailingOnly = TRUE)
from <- if (length(given) > 0) given[1] else "reports.csv"
to <- if (length(given) > 1) given[2] else "shares.csv"
cells <- read.csv(from, colClasses = "character", check.names = FALSE, encoding = "UTF-8")
"""
_QUESTION = """# The question, its answers, and every report that can be sent.
name_$letter <- $name
labels_$letter <- $labels
reports_$letter <- $reports
# channel[a, r]: the chance of report r of somebody with a (a row per answer, or per set of items).
channel_$letter <- $channel
# scores[r, v]: what report r alone says of the share of v; the mean over all reports is the estimate.
scores_$letter <- $scores
# Unbiased: what the reports of somebody with a say on average is whether a counts for v.
truth_$letter <- $truth
stopifnot(abs(rowSums(channel_$letter) - 1) < 1e-9, abs(channel_$letter %*% scores_$letter - truth_$letter) < 1e-9)
# The reports that came back; a number may have the mark of its client behind it.
column_$letter <- if (ncol(cells) == 1) cells[[1]] else cells[[$column]]
sent_$letter <- sub(paste0("-", $mark, "$$"), "", trimws(column_$letter), ignore.case = TRUE)
place_$letter <- match(sent_$letter, reports_$letter)
"""
_ONE = """
kept <- place_x[!is.na(place_x)]
if (length(kept) < length(place_x)) {
  message("left out: ", length(place_x) - length(kept), " that nobody can have sent")
}
shares <- colMeans(scores_x[kept, , drop = FALSE])
error <- apply(scores_x[kept, , drop = FALSE], 2, sd) / sqrt(length(kept))
found <- data.frame(answer = labels_x, share = shares, error = error)
found
found$share <- sprintf("%.17g", shares)
write.csv(found, to, row.names = FALSE, fileEncoding = "UTF-8")
"""
_RELATED = """
within <- pmin(pmax(pairs / rowSums(pairs), 0), 1)  # the share of each answer within each group
within
found <- data.frame(
  x = rep(rownames(pairs), each = ncol(pairs)), y = rep(colnames(pairs), times = nrow(pairs)),
  share = sprintf("%.17g", as.vector(t(pairs))), within = sprintf("%.17g", as.vector(t(within)))
)
write.csv(found, to, row.names = FALSE, fileEncoding = "UTF-8")
"""
_AS_ONE = """
kept <- place_x[!is.na(place_x)]
pairs <- matrix(byrow = TRUE, nrow = length(groups_x), colMeans(scores_x[kept, , drop = FALSE]))
dimnames(pairs) <- list(groups_x, groups_y)
""" + _RELATED.lstrip("\n")
_APART = """
kept <- !is.na(place_x) & !is.na(place_y)
# Both reports of a person are drawn on their own, so the mean of the products is the share of the pair.
pairs <- crossprod(scores_x[place_x[kept], , drop = FALSE], scores_y[place_y[kept], , drop = FALSE]) / sum(kept)
dimnames(pairs) <- list(labels_x, labels_y)
""" + _RELATED.lstrip("\n")
