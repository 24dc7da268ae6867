"""From a Review to what is asked: a questionnaire of what is hidden, a pair that is planned as one among it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ldpcore import checks, data, study
from ldpcore.client import AskedPair, Client, Questionnaire, offered
from ldpcore.collection.asking import alike, with_decline
from ldpcore.integer_law import MOST_VALUES
from ldpcore.study import review
from ldpcore.study.execute import prepare
from ldpcore.study.review.hidden import Hidden


def of_review(
    described: study.Study,
    table: data.Table | None = None,
    mechanism: str | None = None,
    texts: Sequence[str] = (),
    decline: str = "",
) -> tuple[Questionnaire, tuple[str, ...]]:
    """The questions that are hidden, each through that of the study's mechanisms that runs on phones and errs least on
    its marks, and the names of those that are answered openly. Where some answers to a question are secret, all of its
    marked ones have the ε of those.

    texts: what is asked, "smoking=Do you smoke?". decline: `with_decline`. ValueError, TypeError or DataError, in a
    sentence, where it cannot be asked so.
    """
    alike(described)
    asked = replace(described, mechanisms=_on_phones(described, mechanism))
    people = prepare(asked, table)
    survey = review.asked(asked, people, described.epsilon)
    wording = _said(texts, people.separate)
    questions = {name: _client(one, people, wording, decline) for name, one in survey.hidden.items()}
    return Questionnaire(questions, review.options(described).scheme), survey.open


def _on_phones(described: study.Study, mechanism: str | None) -> tuple[str, ...]:
    """Those of the study's mechanisms that phones draw by, or the one that was asked for."""
    wanted = described.mechanisms if mechanism is None else (mechanism,)
    can = tuple(key for key in wanted if key in offered())
    if not can:
        raise ValueError(f"{checks.name_list(wanted)} cannot run on phones; choose one of {', '.join(offered())}")
    return can


def _said(texts: Sequence[str], known: Sequence[str]) -> dict[str, str]:
    """Question → its text. ValueError for what names none."""
    wording = {}
    for text in texts:
        name = next((name for name in sorted(known, key=len, reverse=True) if text.startswith(f"{name}=")), None)
        if name is None:
            raise ValueError(
                f"--question {text!r} names none of {checks.name_list(known, 20)}; of several questions write which "
                f"one: --question '{known[0]}=What is asked?'"
            )
        wording[name] = text.removeprefix(f"{name}=").strip()
    return wording


def _client(one: Hidden, people: review.SurveyTable, wording: Mapping[str, str], decline: str) -> Client:
    joined, pair = people.joined.get(one.name), None
    if joined is None:
        labels, marks = with_decline(one.labels, one.marked.tolist(), decline)
    else:
        marked = one.marked.reshape([len(side) for side in joined.labels])  # where either answer is
        x, mx = with_decline(joined.labels[0], np.atleast_1d(marked.all(axis=1)).tolist(), decline)
        y, my = with_decline(joined.labels[1], np.atleast_1d(marked.all(axis=0)).tolist(), decline)
        names = joined.names
        pair = AskedPair((wording.get(names[0], names[0]), wording.get(names[1], names[1])), (tuple(x), tuple(y)))
        labels, marks = pair.answers, pair.marks(mx, my)
    if len(labels) > MOST_VALUES:
        raise ValueError(
            f"“{one.name}” has {len(labels)} answers, and phones draw among {MOST_VALUES} at most; join some of them, "
            "or leave it out of the survey."
        )
    return Client.of(one.key, float(one.epsilons.min()), labels, marks, wording.get(one.name, one.name), pair=pair)
