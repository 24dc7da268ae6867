"""The run of a study of two questions, as one would write it by hand."""

from ldpcore import catalog
from ldpcore.study.definition import Study
from ldpcore.study.relations.settings import options
from ldpcore.study.scripts import Cell, chart, chosen, fill, literal, reading, table


def cells(study: Study) -> list[Cell]:
    """Cells that make the study's rows. ValueError, in a sentence, where no question is named that makes the groups."""
    if not options(study).groups:
        raise ValueError("a script names both questions: give the option groups, the question whose answers are groups")
    of = _words(study)
    theory = Cell("The exact error of the difference", _THEORY)
    return [
        reading(study),
        Cell("People by both answers, what is compared, and what is asked", fill(_ASKED, **of)),
        Cell(_WAYS[options(study).setting], fill(_design(study), **of)),
        theory,
        Cell("One simulated survey: the difference that it finds", _SURVEY),
        table(study, fill(_BUILD, **of), "theory(survey_design, n)", "survey(survey_design, n, name, x, repetition)"),
        chart(study, "squared error of the difference", "typical error of the difference, points", "100 * $m ** 0.5"),
    ]


def _has_pairs(study: Study) -> bool:
    return options(study).setting == "as one" and any(key in catalog.PAIRS for key in study.mechanisms)


def _design(study: Study) -> str:
    return _OF_PAIRS if _has_pairs(study) else _DESIGNS[options(study).setting]


def _words(study: Study) -> dict[str, str]:
    """What stands where in the cells of this study."""
    given = options(study)
    people = "people.n" if study.n is None else repr(study.n)
    epsilon, n = ("x", people) if study.axis == "epsilon" else ("EPSILON", "round(x)")
    return {
        "groups": literal(given.groups),
        "column": literal(study.column),
        "marks": literal(study.marks.values),
        "answers": f"people.codes(1, {literal(given.answer)})" if given.answer else "some(my)  # the marked answers",
        "one": f"people.codes(0, {literal(given.compare)})" if given.compare else "some(mx)  # the marked groups",
        "other": f"other = people.codes(0, {literal(given.versus)})" if given.versus else _LARGEST,
        "about": literal(given.about),
        "joined": _JOINED if given.join else "",
        "chosen": chosen(study, "EPSILON" if study.axis == "epsilon" else f"float({people})"),
        "epsilon": epsilon,
        "n": n,
        "entries": "TWO_ANSWERS" if _has_pairs(study) else "FREQUENCY",
        "show": "print",
    }


_LARGEST = """sizes = np.where(one, -1, people.counts.sum(axis=1))
other = np.arange(len(sizes)) == sizes.argmax()  # the largest of the other groups"""
_JOINED = """compared = Compared(people, answers, one, other, mx, my, ABOUT).joined()  # ask only what is compared
people, answers, one, other, mx, my = (
    compared.people, compared.answers, compared.one, compared.other, compared.mx, compared.my
)
"""
_ASKED = """
people = counted(table, $groups, $column)  # groups by answers
mx, my = people.marks($marks)
answers = $answers
one = $one
$other
ABOUT = $about  # people like these, or these alone
${joined}freq, (kx, ky) = people.freq, people.counts.shape
u, b = relations.guessed_contrast(answers, one, other)  # what a mechanism is made for: nothing of the data
$chosen
"""
_WAYS = {
    "apart": "Each question through a mechanism of its own: they share ε",
    "as one": "The pair of answers through one mechanism",
    "open": "The groups openly, the answer through a mechanism",
}
_DESIGNS = {
    "apart": """
def design(entry, epsilon):
    # Who has marks on one question alone sends the other openly, and has all of ε for the one.
    both = not entry.uses_marks or (mx.any() and my.any())
    each = epsilon / 2 if both else epsilon
    return relations.apart(entry.build(each, kx, mx).made_for(u), entry.build(each, ky, my).made_for(b))
""",
    "as one": """
def design(entry, epsilon):
    pair = entry.build(epsilon, kx * ky, relations.either(mx, my))
    return relations.as_one(kx, ky, pair.made_for(np.outer(u, b).ravel()))
""",
    "open": """
def design(entry, epsilon):
    return relations.apart(kx, entry.build(epsilon, ky, my).made_for(b))
""",
}
_OF_PAIRS = """
def design(entry, epsilon):
    if entry.key in catalog.PAIRS:
        return relations.as_one(kx, ky, entry.build(epsilon, mx, my, answers, one, other))
    pair = entry.build(epsilon, kx * ky, relations.either(mx, my))
    return relations.as_one(kx, ky, pair.made_for(np.outer(u, b).ravel()))
"""
_BUILD = """
n = $n
try:
    survey_design = design(catalog.$entries[name], $epsilon)
except ValueError:
    continue  # it has too many reports to list, so there is no table of chances
if x == POINT:
    half = plan.half_width(survey_design, freq, answers, one, other, n, about=ABOUT)
    $show(f"{name}: ± {100 * half:.1f} points, 95 %")  # the page's margin
"""
_THEORY = """
def theory(design, n):
    variance = design.variance(freq, answers, one, other, ABOUT)
    yield "squared error of the difference", "all", max(variance, 0.0) / n
"""
_SURVEY = """
truth = relations.share_within(freq, answers, one) - relations.share_within(freq, answers, other)


def survey(design, n, name, x, repetition):
    rng = stream(SEED, "relation", name, x, repetition)
    shares = design.table(design.draw(scaled(people.counts.ravel(), n), rng, 1, ABOUT)[0])  # of groups and answers
    difference = relations.share_within(shares, answers, one) - relations.share_within(shares, answers, other)
    if np.isfinite(difference):  # a group that is estimated below 0 tells nothing
        yield "difference", "all", difference
        yield "squared error of the difference", "all", (difference - truth) ** 2
"""
