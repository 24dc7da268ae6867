"""Tables of a review, as they are downloaded: a row for each hidden question, by its facts."""

from collections.abc import Mapping

import pandas as pd

from ldpcore.study.review.question import QuestionFacts

INTERNAL = (
    "√MSE of marked", "± 95 %, least exact of them", "± 95 %, least exact of others",
    "told apart: own report", "told apart: other answers", "told apart: every report", "low", "high",
    "guessed, shares known", "blind, shares known", "surest hundredth", "worst giver", "told apart: with it",
    "told apart most", "told apart: it alone", "it alone: low", "it alone: high",
)  # fmt: skip
"""Columns of `questions` that compare with the true answers, or tell their shares to whoever calculates."""


def answers(known: Mapping[str, QuestionFacts]) -> pd.DataFrame:
    """Every marked answer by itself, as fractions: how common, how exact, whether it is too rare to be measured, and of
    pairs of a person with it and one with any other answer those told apart by all that a person sends; of a single
    one what is known of its question, and nothing where nobody was attacked.
    """
    rows = []
    for name, fact in known.items():
        each = {one.answer: one for one in fact.answers}
        for at in fact.asked.marked.nonzero()[0]:
            answer, whole = fact.asked.labels[at], fact.asked.marked.sum() == 1
            one = each.get(answer)
            low, high = ((one.low, one.high) if one else fact.interval if whole else None) or (None, None)
            rows.append(
                {
                    "question": name,
                    "answer": answer,
                    "share": float(fact.asked.freq[at]),
                    "± 95 %": float(fact.survey.asked.margins[name][at]),
                    "too rare": answer in fact.rare,
                    "told apart": one.pairs if one else fact.most if whole else None,
                    "low": low,
                    "high": high,
                }
            )
    return pd.DataFrame(rows)


def questions(known: Mapping[str, QuestionFacts]) -> pd.DataFrame:
    """What each question costs and promises, and who is told apart, as fractions; secret answers by themselves
    below those of their question.
    """
    return pd.DataFrame(
        [
            {
                "question": name,
                "answers": "secret" if fact.secretly else "marked",
                "mechanism": fact.asked.key,
                "ε": fact.epsilon,
                "bits": fact.bits,
                "people": round(whole.told.get("people", 0)),
                "√MSE of marked": fact.mse**0.5,
                "± 95 %, least exact of them": fact.margin,
                "± 95 %, least exact of others": whole.margin_of_others,
                "± 95 %, at most": most.margin,
                "told apart: own report": fact.own,
                "told apart: other answers": fact.others,
                "told apart: every report": fact.pairs,
                "low": fact.told.get("pairs:low"),
                "high": fact.told.get("pairs:high"),
                "guessed, shares known": fact.guessed,
                "blind, shares known": fact.blind,
                "surest hundredth": fact.surest,
                "worst giver": fact.worst.column if fact.worst else "",
                "told apart: with it": fact.worst.pairs if fact.worst else None,
                "told apart most": fact.worst_answer.answer if fact.worst_answer else "",
                "told apart: it alone": fact.worst_answer.pairs if fact.worst_answer else None,
                "it alone: low": fact.worst_answer.low if fact.worst_answer else None,
                "it alone: high": fact.worst_answer.high if fact.worst_answer else None,
            }
            for name, whole in known.items()
            for fact, most in _published(whole)
        ]
    )


def _published(whole: QuestionFacts) -> list[tuple[QuestionFacts, QuestionFacts]]:
    """What is known of a question, and of its secret answers by themselves, each with what may be published of it."""
    most = whole.survey.published.every[whole.asked.name]
    pairs = ((whole, most), (whole.secret, most.secret))
    return [(fact, other) for fact, other in pairs if fact is not None and other is not None]
