"""What could be marked sensitive where nothing is yet: delicate topics, else what is rare. A proposal; a person marks.

Numbers are another matter: of a public range its upper end is proposed, which nobody's answer has a say in.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore.baskets import Baskets
from ldpcore.data import sentinels, totals
from ldpcore.data.baskets import NO, YES
from ldpcore.data.histogram import MISSING_LABEL, Histogram
from ldpcore.data.spelling import folded
from ldpcore.domain import Interval
from ldpcore.memory import remembered

RARE = 0.01
"""The share of the people below which a value is rare."""
MOST = 18
"""Values that are proposed: so many can be read one by one."""
UPPER = 0.75
"""Where in a public range its upper end begins."""
TOPICS = {
    "infections": r"hiv|aids|hepatitis|hep [bcd]|chlamydia\w*|gono(?:rrh|cocc)\w*|syphili\w*|herpes|trichomon\w*|"
    r"chancroid|hpv|genital warts?|sti|stis|std|stds|venereal|tubercul\w*|lice|scabies",
    "mind": r"mental (?:health|illness\w*|disorders?)|"
    r"schizo\w*|bipolar|mania|manic|depress\w*|dysthymi\w*|anxiety|panic (?:disorder|attacks?)|"
    r"\w*phobi\w*|ptsd|post-?\s?traumatic|obsessive|ocd|psych\w*|burn-?\s?outs?|(?:in|under) (?:treatment|therapy)|"
    r"suicid\w*|self-?\s?harm|personality disorder|borderline|eating disorder|anorexi\w*|bulimi\w*|"
    r"sleep (?:disorder|apno?ea)s?|apno?ea|insomnia|narcolep\w*|(?:fell|falls?) asleep|"
    r"autis\w*|asperger\w*|adhd|dement\w*|alzheimer\w*|epilep\w*|disab\w*",
    "drugs": r"addict\w*|dependen(?:ce|t)|drugs?|drogen?|drogues?|overdose|substance (?:use|abuse|misuse)|"
    r"coca[iïí]n[ea]?|kokain|crack|heroin|héro[iï]ne|hero[ií]na|opi(?:oid|oïd|at|ác|ac)\w*|opium|morphine?|"
    r"fentan[iy]l\w*|methadone?|m[eé]thadone|buprenorphine?|oxycod\w*|codeine?|tramadol|naloxone|"
    r"(?:meth)?amph?[eé]tamin\w*|(?:met)?anfetamin\w*|meth|mdma|ecstasy|lsd|pcp|ghb|dmt|ketamine?|psilocybin\w*|peyote|mescalin\w*|"
    r"salvia divinorum|hallucinogen\w*|inhalants?|cannab\w*|mari[hj]uana|hashish|haschisch|thc|kratom|khat|mephedrone|"
    r"(?:sleeping|pain|diet) ?(?:pills?|tablets?|killers?)|"
    r"benzodiazepin\w*|barbiturat\w*|sedatives?|tranquill?i[sz]ers?|stimulants?|injecting|needle exchange",
    "medicines": r"anti-?depress\w*|anti-?psychotic\w*|neuroleptic\w*|anti-?retrovir\w*|anti-?epilep\w*|lithium|ssris?|"
    r"methylphenidate|ritalin|chemotherap\w*|hormone (?:therapy|treatment)",
    "work": r"(?:plan(?:s|ning)?|intend(?:s|ing)?|intention|want(?:s|ing)?) to (?:leave|quit|resign)|"
    r"drop(?:ped|ping)?[- ]?outs?|cheat(?:ed|ing) (?:in|on|at) (?:an )?(?:exam\w*|tests?)|plagiari\w*|"
    r"brib(?:e[sd]?|ery|ing)|corrupti?on|kickbacks?|embezzl\w*|bestech\w*|bestochen|korruption|rassis\w*|"
    r"racis[mt]\w*|sexis[mt]\w*|homophob\w*|anti-?semit\w*|islamophob\w*|hate (?:speech|crimes?)|mobbing|"
    r"(?:medication|treatment|medical) errors?|malpractice|negligence|"
    r"sick[- ]?(?:leave|days?)|krankenstand|krankheitstage|kündig\w*|arrêts? maladie|baja médica",
    "drinking and gambling": r"al[ck]oh[oó]l\w*|alcool\w*|drinking(?! water)|drinkers?|"
    r"^drinks$|drinks (?:per|a) (?:day|week|month)|drunk\w*|intoxicated|binge\w*|hangovers?|trinken|trinkt|trinker\w*|"
    r"betrunken\w*|rauschtrinken|boire|ivres?|ivresse|beber|bebedor\w*|borrach\w*|embriag\w*|gambl\w*|betting|casinos?|glücksspiel\w*|spielsucht|"
    r"spielsüchtig\w*|sportwetten|jeux? d[’'](?:argent|hasard)|jeux? de hasard|paris sportifs|"
    r"juegos? de azar|lud[oó]pat\w*|apuestas?",
    "body": r"abortion\w*|pregnan\w*|miscarriage\w*|stillbirth|infertil\w*|contracepti\w*|condoms?|viagra|"
    r"erectile dysfunction|impoten\w*|incontinen\w*|cancer|carcinoma|leuka?emia|lymphoma|melanoma|tumou?r|"
    r"parkinson\w*|multiple sclerosis|huntington\w*|cirrhosis|ob[eéè]s(?:e|ity|ité|idad|[oa]s?)|"
    r"adip(?:os|ös)\w*|fettleibig\w*|(?:over|under)?weight|bmi|(?:körper|über|unter)?gewicht\w*|"
    r"(?:über|unter)gewichtig\w*|(?:sur|sous-)?poids(?! lourds?)|sobrepeso|bajo peso|peso corporal",
    "sexuality": r"bisexual\w*|gay|lesbian|homosexual\w*|queer|trans(?:gender|sexual)\w*|asexual|porn\w*|prostitut\w*|"
    r"sex work(?:er)?s?",
    "violence and law": r"abuse\w*|assault\w*|rape|violence|harass\w*|bull(?:ied|ying)|incest|"
    r"convict\w*|prison\w*|criminal\w*|felon\w*|arrested|probation|"
    r"bankrupt\w*|insolven\w*|(?:over-?)?indebted|debts?|arrears|evict\w*|sub-?(?:let|lease)\w*|squat(?:ters?|ting)|"
    r"(?:housing|unemployment|social|welfare) (?:benefits?|assistance)|"
    r"undocumented|overstay\w*|sans[- ]papiers|(?:without|no) papers|refugee|asylum",
}
"""Topics that laws and surveys call sensitive → their words: what ICD-10 (A50–64, F, parts of C, G, N, O) and the
National Survey on Drug Use and Health call them. English; of drugs, drinking, gambling and weight the German,
French and Spanish names too.
"""
DELICATE = re.compile(rf"\b(?:{'|'.join(TOPICS.values())})\b", re.IGNORECASE)
CONVICTIONS = re.compile(
    r"\b(?:part(?:y|ei)|polit\w*|vote[ds]?|voting|religio\w*|faith|denomination|church|"
    r"(?:trade |labou?r )union|^union$|unioni[sz]ed|union (?:member\w*|status)|gewerkschaft\w*|"
    r"syndi(?:cat|qu)\w*|sindica\w*)\b",
    re.IGNORECASE,
)
"""Questions of which every answer is delicate: political opinions, beliefs, membership in a union (GDPR, article 9)."""
POSITIVE, NEGATIVE = (
    frozenset({"positive", "reactive", "detected"}),
    frozenset({"negative", "not detected", "never", "none", "stay"}),
)
"""What the results of a test are called: of a delicate topic they say yes and no; and what denies a plan to leave."""
MOSTLY = 0.8
"""The part of a column's answers that are numbers in which a rare answer is an odd number, not a delicate one."""
Why = Literal["delicate", "rare"]


@dataclass(frozen=True)
class MarksProposal:
    """values: labels to mark, the most telling first; why (as many): "delicate" by its words, or "rare"."""

    values: tuple[str, ...] = ()
    why: tuple[Why, ...] = ()

    @property
    def delicate(self) -> bool:
        """Whether words speak for it, not how few the people are."""
        return "delicate" in self.why


def proposed(counted: Histogram | Baskets, column: str = "") -> MarksProposal:
    """What of a column's answers, or of baskets' items, could be marked sensitive: at most `MOST` labels.

    The commonest of those whose words are delicate; of a question whose name is, all answers but the denial
    ("self-harm": once, several times, never), and all where neither denial nor word of an answer says which ("mental
    health": good, fair, poor); of a conviction (party, religion) all answers; where there is
    none, the rarest of those that less than `RARE` of the people gave, in whatever spelling; none where those are most
    people, as in a column of identifiers, or where answers are numbers. What nobody or everybody has is never proposed:
    there is nothing to hide. column: its name, which says what a "yes" means.

    >>> from ldpcore.data import load, proposed
    >>> found = proposed(load("health").categorical("condition"))
    >>> found.values[:3], found.delicate
    (('depression', 'anxiety disorder', 'cancer'), True)
    """
    return remembered(counted, ("proposed marks", column), lambda: _proposed(counted, column), 4)


def _proposed(counted: Histogram | Baskets, column: str) -> MarksProposal:
    labels, counts = counted.domain.labels, counted.counts
    some = (counts > 0) & (counts < counted.n) & _are_answers(labels)
    denied = _denied(labels, column)
    places = [i for i, label in enumerate(labels) if some[i] and (is_delicate(label, column) or i in denied)]
    why: Why = "delicate" if places else "rare"
    if places:
        places.sort(key=lambda i: -counts[i])
    else:
        few = np.flatnonzero(some & _is_rare(counted))
        answers = isinstance(counted, Histogram)
        if answers and (2 * counts[few].sum() > counted.n or _are_numbers(labels)):
            few = few[:0]
        places = few[np.argsort(counts[few], kind="stable")].tolist()
    chosen = tuple(labels[i] for i in places[:MOST])
    return MarksProposal(chosen, (why,) * len(chosen))


def _denied(labels: Sequence[str], column: str) -> set[int]:
    """Where an answer denies what a delicate question asks of: all that do not, and are answers; of a conviction, and
    of a delicate question none of whose answers denies or has such a word, all that are answers, but numbers.
    """
    asked, silent = column.replace("_", " "), {MISSING_LABEL, *sentinels.WORDS}
    delicate = DELICATE.search(asked) is not None
    answers = {i for i, label in enumerate(labels) if label.casefold().strip() not in silent}
    if delicate and any(map(_is_no, labels)):
        return {i for i in answers if not _NOT.match(labels[i])}
    undecided = delicate and not any(map(is_delicate, labels))
    return answers if (CONVICTIONS.search(asked) or undecided) and not _are_numbers(labels) else set()


def _are_answers(labels: Sequence[str]) -> NDArray[np.bool_]:
    """Which labels (k,) somebody can have given: no gap, and no row of sums that a table kept."""
    return np.array([label != MISSING_LABEL and not totals.is_called(label) for label in labels], bool)


def _is_no(answer: str) -> bool:
    return answer.replace("_", " ").casefold().strip() in NO | NEGATIVE


def rare(counted: Histogram | Baskets) -> tuple[str, ...]:
    """The labels, in their order, that less than `RARE` of the people gave or hold, nobody included.

    >>> from ldpcore.data import load, rare
    >>> rare(load("census").categorical("education"))[:2]
    ('Preschool', '1st-4th')
    """
    few = _is_rare(counted) & _are_answers(counted.domain.labels)
    return tuple(label for label, is_rare in zip(counted.domain.labels, few, strict=True) if is_rare)


def rarest(counted: Histogram) -> str:
    """The answer that the fewest gave, the first of several; "" where there is none: a total is nobody's answer.

    >>> from ldpcore.data import load, rarest
    >>> rarest(load("census").categorical("education"))
    'Preschool'
    """
    labels = np.array(counted.domain.labels, object)[some := _are_answers(counted.domain.labels)]
    return str(labels[int(np.argmin(counted.counts[some]))]) if len(labels) else ""


def is_delicate(label: str, column: str = "") -> bool:
    """Whether an answer is about a delicate topic. The value says it; of a yes its column does; a no never is.

    label: a value of `column`, or an item, which may be written "column = value".

    >>> [is_delicate(item) for item in ("condition = HIV", "pregnancy = yes", "pregnancy = no", "drug = never", "milk")]
    [True, True, False, False, False]
    >>> is_delicate("yes", "pregnancy")
    True
    """
    named, equals, value = label.rpartition(" = ")
    topic, value = ((named if equals else column).replace("_", " "), value.replace("_", " "))
    answer = value.casefold().strip()
    if topic and _is_no(value):
        return False
    return DELICATE.search(topic if topic and answer in YES | POSITIVE else value) is not None


def is_delicate_question(column: str) -> bool:
    """Whether the name of a question is about a delicate topic or a conviction, whatever its answers are.

    >>> [is_delicate_question(name) for name in ("harassment", "union_member", "region")]
    [True, True, False]
    """
    asked = column.replace("_", " ")
    return any(topic.search(asked) is not None for topic in (DELICATE, CONVICTIONS))


def upper_end(public: Interval) -> tuple[float, float]:
    """The interval of numbers that is proposed: the upper quarter of their public range, whatever the answers are.

    >>> upper_end(Interval(0, 100))
    (75.0, 100)
    """
    return public.low + UPPER * (public.high - public.low), public.high


def highest(counts: ArrayLike, share: float = 0.1) -> int:
    """How many of the last bins hold at most this share of the people (bins,), at least one that holds somebody: of
    incomes the upper quarter of a range may hold nobody but two.

    >>> highest([60, 25, 9, 5, 1, 0]), highest([10, 90]), highest([10, 90, 0])
    (3, 1, 2)
    """
    above = np.cumsum(np.asarray(counts)[::-1])
    return max(int((above <= share * above[-1]).sum()), int((above == 0).sum()) + 1)


def _is_rare(counted: Histogram | Baskets) -> NDArray[np.bool_]:
    """A misspelt answer is as common as what it spells."""
    spelt: Counter[str] = Counter()
    forms = [folded(label) for label in counted.domain.labels]
    for form, count in zip(forms, counted.counts.tolist(), strict=True):
        spelt[form] += count
    return np.array([spelt[form] for form in forms]) < RARE * counted.n


def _are_numbers(labels: Sequence[str]) -> bool:
    return sum(_NUMBER.match(label) is not None for label in labels) > MOSTLY * len(labels)


_NOT = re.compile(rf"\s*(?:{'|'.join(sorted(NO | NEGATIVE))}|not|don.?t|prefer not)\b", re.IGNORECASE)
"""How an answer begins that denies, or says nothing: "never tested", "don't know"."""
_ONE = r"\s*[-+]?\d+([.,]\d+)?\s*\w{0,2}\s*"
_NUMBER = re.compile(rf"{_ONE}((to|-|–){_ONE}|\+|or more)?$")
"""A number, and perhaps a unit, or a class of such: 24, 24y, 1.80 m, 20 to 30, 65+."""
