"""The open vote beside the estimate, in words: whether it lies inside, and why the two may differ."""

from collections.abc import Sequence

import pandas as pd

from ldpapp import words
from ldpapp.parts import widgets
from ldpapp.views.classroom.pieces import percent
from ldpapp.words.language import t


def told(found: pd.DataFrame | None, votes: Sequence[int], sent: int) -> str:
    cast = sum(votes)
    if found is None or not cast:
        return f"<p>{t('There is nothing to compare yet.')}</p>"
    outside = [v for v, vote in enumerate(votes) if not found["low"].iloc[v] <= vote / cast <= found["high"].iloc[v]]
    if not outside:
        first = t("The open vote lies inside every interval.")
    else:
        first = t(
            "The open vote lies inside {inside} of {all} intervals, outside that of {names}.",
            inside=len(votes) - len(outside),
            all=len(votes),
            names=words.listing(_one(found, votes, cast, v) for v in outside[:2]),
        )
    why = t(
        "They may differ: {cast} of {sent} voted, in the open people may say less, a report may be a lie, and 1 of 20 "
        "intervals misses by chance.",
        cast=cast, sent=sent,
    )  # fmt: skip
    return f"<p><b>{first}</b></p><p>{why}</p>"


def _one(found: pd.DataFrame, votes: Sequence[int], cast: int, v: int) -> str:
    return t(
        "“{answer}” ({vote} %, not {low}–{high})",
        answer=widgets.escape(words.shorten(str(found["answer"].iloc[v]), 20)),
        vote=percent(votes[v] / cast),
        low=percent(found["low"].iloc[v]),
        high=percent(found["high"].iloc[v]),
    )
