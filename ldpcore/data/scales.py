"""The words of scales in surveys, from least to most, in several languages."""

from collections.abc import Iterable
from functools import cache

_STEPS = """
strongly disagree|disagree|somewhat disagree|slightly disagree|neither agree nor disagree|neutral|undecided|slightly agree|somewhat agree|agree|strongly agree
completely disagree|disagree|neutral|agree|completely agree
totally disagree|disagree|neither agree nor disagree|agree|totally agree
very dissatisfied|dissatisfied|somewhat dissatisfied|neither satisfied nor dissatisfied|neutral|somewhat satisfied|satisfied|very satisfied
never|almost never|very rarely|rarely|seldom|occasionally|sometimes|about half the time|often|frequently|very often|usually|most of the time|almost always|always
not at all|slightly|a little|somewhat|moderately|quite a bit|very|very much|a lot|a great deal|extremely
not at all important|not important|slightly important|somewhat important|moderately important|important|very important|extremely important
very unlikely|unlikely|somewhat unlikely|neutral|somewhat likely|likely|very likely
terrible|very poor|very bad|poor|bad|fair|average|okay|good|very good|excellent|outstanding
very low|low|medium|moderate|high|very high
none|mild|moderate|severe|very severe
much worse|worse|about the same|the same|better|much better
daily|weekly|monthly|yearly
stimme überhaupt nicht zu|stimme gar nicht zu|stimme nicht zu|stimme eher nicht zu|teils/teils|teils, teils|teils teils|weder noch|neutral|stimme eher zu|stimme zu|stimme voll zu|stimme voll und ganz zu
trifft überhaupt nicht zu|trifft gar nicht zu|trifft nicht zu|trifft eher nicht zu|teils/teils|trifft teilweise zu|trifft eher zu|trifft zu|trifft voll zu|trifft voll und ganz zu
sehr unzufrieden|unzufrieden|eher unzufrieden|teils/teils|teils, teils|teils teils|weder noch|neutral|eher zufrieden|zufrieden|sehr zufrieden
nie|fast nie|selten|gelegentlich|manchmal|oft|häufig|sehr oft|meistens|fast immer|immer
sehr schlecht|schlecht|mittel|mittelmäßig|gut|sehr gut
gar nicht|überhaupt nicht|wenig|kaum|etwas|mäßig|ziemlich|stark|sehr|sehr stark
pas du tout d'accord|plutôt pas d'accord|pas d'accord|ni d'accord ni pas d'accord|neutre|plutôt d'accord|d'accord|tout à fait d'accord
très insatisfait|insatisfait|plutôt insatisfait|ni satisfait ni insatisfait|neutre|plutôt satisfait|satisfait|très satisfait
jamais|rarement|parfois|quelquefois|souvent|très souvent|toujours
très mauvais|mauvais|moyen|assez bon|bon|très bon|excellent
totalmente en desacuerdo|muy en desacuerdo|en desacuerdo|ni de acuerdo ni en desacuerdo|neutral|de acuerdo|muy de acuerdo|totalmente de acuerdo
muy insatisfecho|insatisfecho|neutral|satisfecho|muy satisfecho
nunca|casi nunca|rara vez|a veces|algunas veces|a menudo|frecuentemente|casi siempre|siempre
muy malo|malo|regular|bueno|muy bueno|excelente
discordo totalmente|discordo|nem concordo nem discordo|neutro|concordo|concordo totalmente
nunca|raramente|às vezes|frequentemente|sempre
per niente d'accordo|in disaccordo|né d'accordo né in disaccordo|neutrale|d'accordo|molto d'accordo|completamente d'accordo
mai|raramente|a volte|qualche volta|spesso|sempre
helemaal mee oneens|mee oneens|oneens|neutraal|eens|mee eens|helemaal mee eens
nooit|zelden|soms|vaak|altijd
совершенно не согласен|не согласен|скорее не согласен|затрудняюсь ответить|скорее согласен|согласен|полностью согласен
никогда|редко|иногда|часто|всегда
非常不同意|不同意|一般|中立|同意|非常同意
非常不满意|不满意|一般|满意|非常满意
从不|很少|有时|经常|总是
underweight|normal|normal weight|overweight|obese|severely obese
no schooling|no formal education|less than primary|primary|primary school|lower secondary|some high school|secondary|secondary school|high school|upper secondary|vocational|some college|associate|college|bachelor|bachelor's|bachelors|university|master|master's|masters|doctorate|phd
non|un peu|moyennement|beaucoup|énormément
zdecydowanie się nie zgadzam|nie zgadzam się|raczej się nie zgadzam|trudno powiedzieć|ani się zgadzam, ani się nie zgadzam|raczej się zgadzam|zgadzam się|zdecydowanie się zgadzam
nigdy|rzadko|czasami|czasem|często|zawsze
bardzo źle|źle|średnio|dobrze|bardzo dobrze
rozhodně nesouhlasím|nesouhlasím|spíše nesouhlasím|ani souhlas, ani nesouhlas|spíše souhlasím|souhlasím|rozhodně souhlasím
nikdy|zřídka|někdy|často|vždy
egyáltalán nem értek egyet|nem értek egyet|inkább nem értek egyet|is-is|inkább egyetértek|egyetértek|teljesen egyetértek|teljes mértékben egyetértek
soha|ritkán|néha|gyakran|mindig
instämmer inte alls|instämmer inte|varken eller|instämmer delvis|instämmer|instämmer helt
mycket missnöjd|missnöjd|varken nöjd eller missnöjd|nöjd|mycket nöjd
aldrig|sällan|ibland|ofta|alltid
helt uenig|uenig|delvist uenig|delvis uenig|litt uenig|hverken enig eller uenig|verken enig eller uenig|hverken eller|verken eller|litt enig|delvist enig|delvis enig|enig|helt enig
aldrig|sjældent|nogle gange|ofte|altid
aldri|sjelden|av og til|noen ganger|ofte|alltid
täysin eri mieltä|eri mieltä|jokseenkin eri mieltä|ei samaa eikä eri mieltä|jokseenkin samaa mieltä|samaa mieltä|täysin samaa mieltä
ei koskaan|harvoin|joskus|usein|aina
kesinlikle katılmıyorum|katılmıyorum|kararsızım|ne katılıyorum ne katılmıyorum|katılıyorum|kesinlikle katılıyorum
hiçbir zaman|nadiren|bazen|sık sık|her zaman
dezacord total|total dezacord|dezacord|nici acord, nici dezacord|neutru|acord|acord total|total acord
niciodată|rareori|uneori|deseori|întotdeauna
διαφωνώ απόλυτα|διαφωνώ|μάλλον διαφωνώ|ούτε συμφωνώ ούτε διαφωνώ|ουδέτερος|ουδέτερη|ουδέτερο|μάλλον συμφωνώ|συμφωνώ|συμφωνώ απόλυτα
ποτέ|σπάνια|μερικές φορές|συχνά|πάντα
повністю не згоден|не згоден|скоріше не згоден|важко сказати|скоріше згоден|згоден|повністю згоден
ніколи|рідко|іноді|часто|завжди
전혀 그렇지 않다|그렇지 않다|보통이다|보통|그렇다|매우 그렇다
매우 불만족|불만족|보통|만족|매우 만족
لا أوافق بشدة|لا أوافق|محايد|أوافق|أوافق بشدة
أبدا|نادرا|أحيانا|غالبا|دائما
sangat tidak setuju|tidak setuju|netral|ragu-ragu|setuju|sangat setuju
tidak pernah|jarang|kadang-kadang|sering|selalu
hoàn toàn không đồng ý|không đồng ý|trung lập|bình thường|đồng ý|hoàn toàn đồng ý
從不|很少|有時|經常|總是
全くそう思わない|そう思わない|どちらともいえない|そう思う|とてもそう思う
"""  # noqa: E501
_CERTAIN = """
jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec
january|february|march|april|may|june|july|august|september|october|november|december
jan|feb|mär|mrz|apr|mai|jun|jul|aug|sep|okt|nov|dez
januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember
janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre
enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre
gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre
mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun
monday|tuesday|wednesday|thursday|friday|saturday|sunday
montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag
lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche
lunes|martes|miércoles|jueves|viernes|sábado|domingo
xs|s|m|l|xl|xxl|xxxl
"""
"""Months, days of the week, sizes of clothes: in their order, whatever is asked."""
_FEWEST = 3
"""Steps that must be there: two words of a scale may be anything."""


@cache
def _scales() -> tuple[dict[str, int], ...]:
    return _read(_CERTAIN) + _read(_STEPS)


def _read(text: str) -> tuple[dict[str, int], ...]:
    lines = [line.split("|") for line in text.split("\n") if line]
    return tuple({step.casefold(): place for place, step in enumerate(steps)} for steps in lines)


def known(labels: Iterable[str]) -> tuple[str, ...] | None:
    """These labels from the least to the most, when all of them are steps of one scale.

    >>> known(["Agree", "Strongly disagree", "Neutral"])
    ('Strongly disagree', 'Neutral', 'Agree')
    >>> known(["Συχνά", "Ποτέ", "Μερικές φορές"])
    ('Ποτέ', 'Μερικές φορές', 'Συχνά')
    """
    folded = {label: " ".join(label.replace("’", "'").casefold().split()) for label in labels}
    if len(folded) < _FEWEST or len(set(folded.values())) < len(folded):
        return None
    for scale in _scales():
        if all(form in scale for form in folded.values()):
            return tuple(sorted(folded, key=lambda label: scale[folded[label]]))
    return None


def is_certain(labels: Iterable[str]) -> bool:
    """Are these months, days of the week or sizes, whose order nobody would doubt?

    >>> is_certain(["Mar", "Jan"]), is_certain(["good", "bad"])
    (True, False)
    """
    folded = {label.casefold().strip() for label in labels}
    return any(folded <= scale.keys() for scale in _read(_CERTAIN))
