"""Every term of the field that a page uses, in a sentence, shown where the term stands: on hover, focus or tap.

One list. Mechanisms explain themselves: their sentence is the catalogue's. `explained` marks the first occurrence of
each term in a panel. Where nothing can be marked (headlines, charts, labels) the foot of the page lists what its terms
mean: `listed` finds them in all that the page says. A test reads every page and asks that no term is left without.
"""

import html
import re
from collections.abc import Mapping
from functools import cache

from ldpapp import language
from ldpcore.study.tasks import TASKS

# What is written → what it means: first what a twelve-year-old can follow, then exactly. Between forms of one term
# stands "|"; the longest that fits is taken. A letter that is also a part of words is a term only in "m = 4".
TERMS: Mapping[str, str] = {
    # privacy
    "ε": "How much a report may tell: smaller hides more, and every statistic gets less exact. One report changes the "
    "odds between two answers at most e^ε times, 2.7 times at ε = 1.",
    "privacy budget": "How much a report may tell, written ε. It is spent by everything that is published, and what "
    "is spent adds up.",
    "budget": "How much may be told in all. ε is spent by everything that is published; what is spent adds up.",
    "δ": "A small chance with which a promise may fail. Where numbers are guessed: how near a guess must come.",
    "ε-LDP|LDP": "Local differential privacy: answers are changed at random before they leave the phone. No report "
    "moves the odds between any two answers beyond e^ε.",
    "ULDP": "Utility-optimised LDP: only marked answers are hidden. An unmarked one may be sent as it is.",
    "SULDP-joint|SULDP-y₀|SULDP": "ULDP for people who hold several items: which marked ones, and how many, is "
    "hidden. With “y₀” the promise is about that number alone, with “joint” about the whole report.",
    "SDLDP": "A weaker promise: marked answers are hidden among each other, not from everything else. It compares "
    "them with one another and with the average of the others, so that a rare unmarked label can point to a marked "
    "answer.",
    "guarded SDLDP|guarded promise": "SDLDP that also bounds every single label, so that none points to marked "
    "answers.",
    "ε-DP|DP": "Differential privacy: what is published hardly depends on any one person. Here in the central model, "
    "where a curator sees the answers.",
    "central model": "Somebody whom people trust holds all true answers, and publishes results with noise.",
    "curator": "Whoever holds all true answers in the central model, and must be trusted with them.",
    "collector": "Whoever receives the reports, and may try to guess answers from them.",
    "intruder": "Somebody who steals the reports, and then sees what the collector sees.",
    "adversary": "Whoever tries to guess answers. It knows the mechanism and how common the answers are, and guesses "
    "as well as anybody can.",
    "promise|promises": "What a mechanism guarantees, whatever the data are and whoever looks.",
    "disclosed": "Sent in a way that proves the answer.",
    "exposed|exposure": "How well somebody’s answer can be guessed from the report, compared with a guess without it.",
    "blind guess|blind guessing|blind": "The best guess without any report, by somebody who knows how common the "
    "answers are: always the commonest one.",
    "guessed": "Named rightly by somebody who knows the mechanism and how common the answers are.",
    "told apart": "Who of two people holds the answer is decided rightly. 50 of 100 is pure chance.",
    "100 pairs": "Two people each, one with a sensitive answer and one without: in how many such pairs the right "
    "one is picked. 50 is pure chance.",
    "giver|givers": "Another answer of the same person that gives a sensitive one away: who knows it needs no report.",
    "surest hundredth|hundredth": "Of all people the hundredth part whom an attacker is surest of: how many of them do "
    "hold a sensitive answer.",
    "hidden question|hidden questions": "A question whose sensitive answers go through a mechanism before they are "
    "sent. Open questions are answered as they are.",
    "scheme": "Who answers which questions: everybody all of them, or each person one, drawn openly by lot.",
    "odds": "How much likelier one thing is than another, such as 3 to 1.",
    "prior|priors": "What is known before any report is seen: how common each answer is.",
    "posterior": "What is known once the noisy numbers are seen: for every count, how likely it is the truth.",
    # errors
    "±": "The margin on either side within which 95 of 100 surveys fall, unless “typical error” is written.",
    "typical error": "How far off a survey usually is: about two of three surveys are nearer. The root of the mean "
    "squared error.",
    "√MSE|√(MSE)": "How far off a survey usually is, in the units of what is estimated: the root of the mean squared "
    "error.",
    "MSE|mean squared error|squared error": "How wrong something is, where large errors count more than small ones: "
    "the mean of the squared distance from the truth, over surveys and values.",
    "points": "Percentage points: from 3 % to 5 % are 2 points.",
    "standard deviation|standard error|spread": "How far an estimate typically falls from its own mean.",
    "variance": "How much something changes from survey to survey: the square of the standard deviation.",
    "bias": "How far an estimate is off on average, always in the same direction.",
    "unbiased": "Neither too high nor too low on the whole: on average over many surveys exactly right.",
    "band": "Where 95 of 100 surveys lie, by theory.",
    "limit": "What nobody can beat: the least error that any mechanism with the same promise can have. See what it is "
    "averaged over.",
    "repetitions|repetition": "How many surveys are simulated. More of them make the marks on a chart surer.",
    "EM|maximum likelihood": "The answer that fits the reports best: the distribution under which they are likeliest, "
    "found by expectation maximisation. It has no closed form, and a bias for small shares.",
    "norm-sub": "The nearest shares that are possible: small ones are cut at 0, all others lowered by the same amount.",
    "clipped|clipping": "What lies outside of what is possible is moved to the nearest end.",
    "internal": "Computed from the true answers. Who publishes it gives the truth away.",
    "post-processing": "Whatever is done to reports after they were sent. It can cost nobody privacy.",
    "density": "How tightly answers lie in a place: per unit of the axis, how likely one is found there.",
    "atom": "One exact value that a report takes with a chance of its own, beside all values in between.",
    # sets and itemsets
    "m =": "How many items a report is about. Longer sets are sampled, shorter ones padded.",
    "dummies|dummy|padding|padded": "Invented items that fill short sets up, so that nobody sees how many are held.",
    "y₀": "The part of a report that hides the marked items: a number that many different sets could have sent.",
    "undisclosed slot": "The place in a report that says “none of the unmarked ones”.",
    "presence": "Does this person hold any marked item?",
    "membership": "Does this person hold this very item?",
    "bits|bit": "How much data one report is, in answers to yes-or-no questions.",
    "hash|hashing": "A public rule that turns items into a few numbers, so that many items share one.",
    "decoys|decoy": "Answers that nobody gave, sent beside the true one to hide it.",
    "reservoir sampling": "A way to draw some of many items so that each has the same chance.",
    "itemsets|itemset": "Items that occur together in the same baskets.",
    "frequent": "In at least as many baskets as the threshold asks for.",
    "baskets|basket": "All items of one person.",
    "min_count|threshold": "In how many baskets a set must occur to count as frequent.",
    "F =": "How well the frequent sets were found, from 0 to 1: 2·found / (2·found + missed + false).",
    "precision": "Of the sets named as frequent, the share that is.",
    "recall": "Of the frequent sets, the share that was found.",
    "candidates|candidate": "Sets that a miner counts because their parts looked frequent.",
    "miner|miners": "A method that looks for itemsets.",
    "δ_MAE": "How far the counts are off on average: the mean absolute error, over the sets found or over all "
    "candidates.",
    "s =": "The part of the budget that one count is published with.",
    "booked": "ε as a miner’s authors add it up.",
    "by basket": "ε as the longest basket can move it, with the candidates taken as given.",
    "defended": "ε that can be proved for the whole release.",
    "coins|coin tosses": "What a miner that tosses coins instead of counting would find.",
    # means
    "public range": "The least and the greatest number that anybody may report, fixed before anybody answers.",
    "SDPM-25|SDPM-50|SDPM-75": "SDPM with so many percent of the public range marked, half of it at either end.",
    "personalised|personal": "Everybody marks their own answers, and needs not say which.",
    # clusters
    "K-modes": "Groups of people with similar answers: each group has a mode, and everybody belongs to the nearest.",
    "k =": "How many groups are looked for.",
    "modes|mode": "The commonest answer of a group, in every column.",
    "AC": "The share of people in matching groups, against K-modes from the same start.",
    "entropy": "How mixed groups are, in bits: 0 if each holds one true group only.",
    "rounds": "Once around: everybody sends the nearest group, and modes are found anew.",
    # ranges
    "strategy|strategies": "Which sums are asked with noise. All ranges are then computed from those.",
    "N =": "Into how many cells the range is cut, a power of two.",
    "cells|cell": "The smallest ranges that are counted.",
    "Haar|wavelet": "Sums and differences of halves, quarters and so on. Any range needs only a few of them.",
    "accuracy index": "How fast the average error of a strategy grows as the cells get finer: with which power of the "
    "logarithm of N.",
    "Δ²c̄|c̄|Δ": "Δ: by how much one person can change all sums together. c̄: the mean variance over all ranges, in "
    "units of 2Δ²/ε².",
    "h =": "How often the range is halved: N = 2^h cells.",
    "SVD bound": "What no strategy of this kind can beat on average: a lower limit from the singular values of all "
    "ranges.",
    "covariance": "How errors of two cells move together. Where they cancel, a range is more exact.",
    "consistent": "Sums are adjusted so that parts add up to their whole.",
    # frame
    "Study": "Everything that was chosen here: data, marks, mechanisms, ε. Link and file carry it.",
    "seed": "The number that all chance is drawn from: the same seed gives the same surveys.",
    "digest": "A fingerprint of the data: it tells whether a file is the one that was used.",
    "A | B": "Two settings of marks beside each other: what changes for whom.",
}
"""Underlined where they stand."""

EVERYDAY: Mapping[str, str] = {
    "mechanism|mechanisms": "The rule by which a phone changes an answer at random before it is sent.",
    "report|reports": "What leaves the phone: the answer as the mechanism changed it.",
    "survey|surveys|release|releases": "Everybody reports once, and what follows is published.",
    "noise|noisy": "Chance that is added on purpose, so that nobody can be sure of one answer.",
    "sensitive|marked|marks": "Answers that somebody chose to protect; all others may be seen.",
    "share|shares": "Of all people, how many gave an answer: in percent, or as a part of 1.",
    "error|errors": "How far what is published is from the truth.",
    "n =": "How many people there are.",
    "d =": "How many different answers or items there are.",
    "simulated": "Tried with invented reports from the loaded answers, as often as Repetitions says.",
    "theory|by theory": "Computed by a formula, without trying.",
    "distribution": "How common each answer is, for all of them together.",
    "histogram": "A chart of how common each answer is, or each range of numbers.",
    "record|records": "All answers of one person.",
}
"""Words that everybody knows and that mean something exact here: the list at the foot of a page has them, and nothing
is underlined.
"""


@cache
def sentences() -> Mapping[str, str]:
    """Every form of every term → its sentence; mechanisms by their catalogues."""
    found = _forms(TERMS)
    for task in TASKS.values():
        for key, entry in task.CATALOG.items():
            found.setdefault(task.CATALOG.name(key), f"{_started(entry.label)}. {_started(entry.source)}.")
    return found


_BAR = re.compile(r"(?<! )\|(?! )")


def _forms(terms: Mapping[str, str]) -> dict[str, str]:
    return {form: says for forms, says in terms.items() for form in _BAR.split(forms)}


def _started(text: str) -> str:
    return text[:1].upper() + text[1:]


def says(term: str) -> str:
    """The sentence of a term; KeyError for one that nobody explains."""
    known = {**_forms(EVERYDAY), **sentences()}
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
    said = says(term)
    if said in seen:
        return term
    seen.add(said)
    return f'<dfn class="term" tabindex="0" data-says="{html.escape(said)}">{term}</dfn>'


# what a page uses ----------------------------------------------------------------------------------------------------


def uses(text: str) -> dict[str, str]:
    """The terms in this markup, each with its sentence; words of everyday and letters that stand alone among them.

    By far quicker than the pattern, which a page's many words would keep busy for a twentieth of a second.
    """
    known, text = {**_forms(EVERYDAY), **sentences()}, _TAGS.sub(" ", text)
    letters = {form[0] for form in known if form.endswith(" =")} & set(_LETTERS.findall(text))
    words = [form for form in known if not form.endswith(" =") and _stands(form, text)]
    return {term: says(term) for term in (*words, *letters)}


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


def listed(text: str) -> dict[str, str]:
    """The terms of all that a page says, each meaning once, in the order of the alphabet."""
    once = {said: term for term, said in sorted(uses(text).items(), reverse=True)}
    return dict(sorted(((term, said) for said, term in once.items()), key=lambda pair: pair[0].casefold()))
