"""Every term of the field that a page uses, in a sentence, shown where the term stands: on hover, focus or tap.

One list. Mechanisms explain themselves: their sentence is the catalogue's. `explained` marks the first occurrence of
each term in a panel; a test collects what all pages say and asks that nothing technical is left without a sentence.
"""

import html
import re
from collections.abc import Mapping
from functools import cache

from ldpapp import language
from ldpcore.study.tasks import TASKS

# What is written → what it means. Forms of one term are separated by "|"; the longest that fits is taken. A letter that
# is also a word's part is a term only in "m = 4".
TERMS: Mapping[str, str] = {
    # privacy
    "ε": "The privacy budget: one report can change the odds between two answers at most e^ε times, 2.7 times at ε "
    "= 1. Smaller hides more and errs more.",
    "privacy budget": "How much a report may tell. Smaller hides more, and makes every statistic less exact.",
    "δ": "A small chance with which a promise may fail; or, where numbers are guessed, how near a guess must come.",
    "LDP": "Local differential privacy: no report moves the odds between any two answers beyond e^ε.",
    "ULDP": "Utility-optimised LDP: the promise covers marked answers only; an unmarked one may be sent as it is.",
    "SULDP-joint|SULDP-y₀|SULDP": "ULDP for people who hold several items: which marked ones, and how many, is "
    "covered.",
    "SDLDP": "A weaker promise: it compares marked answers with each other and with the average of the others, so "
    "that a rare unmarked label can point to a marked answer.",
    "guarded SDLDP|guarded promise": "SDLDP with a bound on every label, so that none points to marked answers.",
    "ε-DP|DP": "Differential privacy: what is published hardly depends on any one person. Here: in the central "
    "model, where a curator sees the answers.",
    "central model": "A curator whom people trust holds all true answers and publishes noisy results.",
    "curator": "Whoever holds all true answers in the central model, and must be trusted with them.",
    "collector": "Whoever receives the reports, and may try to guess answers from them.",
    "intruder": "Somebody who steals the reports; sees what the collector sees.",
    "promise": "What a mechanism guarantees, whatever the data are.",
    "disclosed": "Sent in a way that proves the answer.",
    "exposed|exposure": "How well somebody's answer can be guessed from the report, against a guess without it.",
    "blind guess|blind guessing|blind": "The best guess without any report, by the same adversary, who knows how "
    "common the answers are.",
    "guessed": "Named rightly by an adversary who knows the mechanism and how common the answers are.",
    "told apart": "Who of two people holds the answer is decided rightly; 50 of 100 is chance.",
    "odds": "How much likelier one thing is than another: 3 to 1.",
    "budget": "ε is spent by everything that is published; what is spent adds up.",
    # errors
    "±": "The margin on either side within which 95 of 100 surveys fall, unless “typical error” is written.",
    "typical error": "The root of the mean squared error: about two of three surveys are nearer than that.",
    "MSE|mean squared error|squared error": "The mean of the squared distance from the truth, over surveys and values.",
    "√MSE": "The root of the mean squared error, in the units of what is estimated.",
    "points": "Percentage points: from 3 % to 5 % are 2 points.",
    "standard deviation|standard error|spread": "How far an estimate typically falls from its own mean.",
    "variance": "The square of the standard deviation.",
    "bias": "How far an estimate is off on average, in one direction.",
    "unbiased": "On average over many surveys exactly right.",
    "band": "Where 95 of 100 surveys lie, by theory.",
    "limit": "The least error that any mechanism with the same promise can have; see what it is averaged over.",
    "repetitions": "How many surveys are simulated; more of them make the marks on a chart surer.",
    "EM|maximum likelihood": "Expectation maximisation: the distribution under which the reports are likeliest. No "
    "closed form, and a bias for small shares.",
    "norm-sub": "The nearest distribution: small shares are cut at 0, all others lowered by the same amount.",
    "clipped": "What lies outside is moved to the nearest end.",
    "internal": "Computed from the true answers. Who publishes it gives the truth away.",
    # sets and itemsets
    "m =": "How many items a report is about: longer sets are sampled, shorter ones padded.",
    "dummies|dummy|padding|padded": "Invented items that fill short sets up, so that a set's size is hidden.",
    "undisclosed slot": "The place of a report that says “none of the unmarked ones”.",
    "presence": "Does this person hold any marked item?",
    "membership": "Does this person hold this very item?",
    "bits": "Yes-or-no questions' worth of data in one report.",
    "itemsets|itemset": "Items that occur together in the same baskets.",
    "baskets|basket": "All items of one person.",
    "min_count|threshold": "In how many baskets a set must occur to count as frequent.",
    "F =": "2·found / (2·found + missed + false): 1 if exactly the frequent sets were found.",
    "precision": "Of the sets named as frequent, the share that is.",
    "recall": "Of the frequent sets, the share that was found.",
    "candidates": "Sets that a miner counts because their parts looked frequent.",
    "δ_MAE": "The mean absolute error of the counts, over the sets found or over all candidates.",
    "s =": "The budget that one count is published with.",
    "booked": "ε as a miner's authors add it up.",
    "by basket": "ε as the longest basket can move it, with the candidates taken as given.",
    "defended": "ε that can be proved for the whole release.",
    "coins|coin tosses": "What a miner that tosses coins instead of counting would find.",
    # clusters
    "K-modes": "Clusters of categories: each has a mode, and everybody belongs to the nearest.",
    "modes|mode": "The commonest answer of a cluster in every column.",
    "AC": "The share of people in matching clusters, against K-modes from the same start.",
    "entropy": "How mixed clusters are, in bits: 0 if each holds one true cluster only.",
    "rounds": "Once around: everybody sends the nearest cluster, and modes are found anew.",
    # ranges
    "strategy|strategies": "Which sums are asked with noise, and from which all ranges are then computed.",
    "N =": "The number of cells, a power of two.",
    "cells": "The smallest ranges that are counted.",
    "Haar|wavelet": "Sums and differences of halves, quarters and so on: a range needs few of them.",
    "accuracy index": "How fast a strategy's average error grows with the logarithm of N.",
    "SVD bound": "A lower limit on the average error of every strategy of this kind, from the singular values.",
    "covariance": "How errors of two cells move together: where they cancel, a range is more exact.",
    "consistent": "Sums are adjusted so that parts add up to their whole.",
    # frame
    "Study": "Everything that was chosen here: data, marks, mechanisms, ε. Link and file carry it.",
    "seed": "The number that all chance is drawn from: the same seed gives the same surveys.",
    "digest": "A fingerprint of the data: it tells whether a file is the one that was used.",
}


@cache
def sentences() -> Mapping[str, str]:
    """Every form of every term → its sentence; mechanisms by their catalogues."""
    found = {form: says for forms, says in TERMS.items() for form in forms.split("|")}
    for task in TASKS.values():
        for key, entry in task.CATALOG.items():
            found.setdefault(task.CATALOG.name(key), f"{_started(entry.label)}. {_started(entry.source)}.")
    return found


def _started(text: str) -> str:
    return text[:1].upper() + text[1:]


def says(term: str) -> str:
    """The sentence of a term; KeyError for one that nobody explains."""
    known = sentences()
    said = known.get(term) or known.get(term[0].lower() + term[1:]) or known[f"{term} ="]
    return language.TRANSLATED.get(said, said)


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


_TAGS = re.compile(r"(<[^>]*>)")
_QUIET = re.compile(r"<(a|svg|button|summary|dfn)\b")


def explained(text: str, seen: set[str]) -> str:
    """This markup with the first occurrence of each term that is not in `seen` explained; `seen` grows by them."""
    if _QUIET.search(text):
        return text
    parts = _TAGS.split(text)
    parts[::2] = [_pattern().sub(lambda found: _marked(found[0], seen), part) for part in parts[::2]]
    return "".join(parts)


def _marked(term: str, seen: set[str]) -> str:
    said = says(term)
    if said in seen:
        return term
    seen.add(said)
    return f'<dfn class="term" tabindex="0" data-says="{html.escape(said)}">{term}</dfn>'
