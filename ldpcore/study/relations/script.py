"""The run of a study of two questions, as one would write it by hand."""

from ldpcore import catalog
from ldpcore.study.definition import Study
from ldpcore.study.relations.settings import options
from ldpcore.study.scripts import Cell, chart, chosen, fill, least, literal, reading, table


def cells(study: Study) -> list[Cell]:
    """Cells that make the study's rows."""
    of = _words(study)
    theory = Cell("The exact error of the difference", _THEORY)
    return [
        reading(study),
        Cell("People by both answers, what is compared, and what is asked", fill(_ASKED, **of)),
        Cell(_WAYS[options(study).setting], fill(_DESIGN, **of)),
        theory,
        Cell("One simulated survey: the difference that it finds", _SURVEY),
        table(study, fill(_BUILD, **of), "theory(survey_design, n)", "survey(survey_design, n, name, x, repetition)"),
        chart(study, "squared error of the difference", "typical error of the difference, points", "100 * $m ** 0.5"),
    ]


def _has_pairs(study: Study) -> bool:
    return options(study).setting == "as one" and any(key in catalog.PAIRS for key in study.mechanisms)


def _words(study: Study) -> dict[str, str]:
    """What stands where in the cells of this study."""
    given = options(study)
    people = "people.n" if study.n is None else repr(study.n)
    epsilon, n = ("x", people) if study.axis == "epsilon" else ("EPSILON", "round(x)")
    return {
        "usual": "" if given.groups else fill(_USUAL, column=literal(study.column)),
        "groups": literal(given.groups) if given.groups else "GROUPS",
        "column": literal(study.column),
        "marks": literal(study.marks.values),
        "answers": f"people.codes(1, {literal(given.answer)})" if given.answer else "some(my)  # the marked answers",
        "one": f"people.codes(0, {literal(given.compare)})" if given.compare else "some(mx)  # the marked groups",
        "other": f"other = people.codes(0, {literal(given.versus)})" if given.versus else _LARGEST,
        "about": literal(given.about),
        "joined": fill(
            _JOINED,
            secrets=", (sx, sy)" if study.marks.secret else "",
            more="sx, sy = compared.secrets\n" if study.marks.secret else "",
        )
        if given.join
        else "",
        "chosen": chosen(study, "EPSILON" if study.axis == "epsilon" else f"float({people})") + least(study),
        "epsilon": epsilon,
        "n": n,
        "entries": "TWO_ANSWERS" if _has_pairs(study) else "ANSWERS",
        "secrets": f"sx, sy = people.marks({literal(study.marks.secret)})  # of them\n" if study.marks.secret else "",
        "levels": _BY_LEVEL if study.marks.secret else _ALIKE,
        "way": (_OF_PAIRS if _has_pairs(study) else "") + _DESIGNS[given.setting],
        "show": "print",
    }


_LARGEST = """sizes = np.where(one, -1, people.counts.sum(axis=1))
other = np.arange(len(sizes)) == sizes.argmax()  # the largest of the other groups"""
_USUAL = """usual = [*(table.card.relation if table.card else ()), *columns(table)]  # where nobody names a question
GROUPS = next(name for name in usual if name != $column)
"""
_JOINED = """# Ask only what is compared.
compared = Compared(people, answers, one, other, mx, my, ABOUT$secrets).joined()
people, answers, one, other = compared.people, compared.answers, compared.one, compared.other
mx, my = compared.mx, compared.my
$more"""
_ASKED = """
${usual}people = counted(table, $groups, $column)  # groups by answers
mx, my = people.marks($marks)
${secrets}answers = $answers
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
_ALIKE = """    return np.where(mx, part * epsilon, np.inf), np.where(my, part * epsilon, np.inf)
"""
_BY_LEVEL = """    secret, levels = min(SECRET, epsilon), ((mx, sx), (my, sy))
    return [np.where(above, part * secret, np.where(marked, part * epsilon, np.inf)) for marked, above in levels]
"""
_DESIGN = """
def epsilons(epsilon, part=1.0):
    \"\"\"Of every group and of every answer, where they have this part of it: infinite without a mark.\"\"\"
$levels

def design(entry, epsilon):
$way"""
_DESIGNS = {
    "apart": """    # Who has marks on one question alone sends the other openly, and has all of ε for the one.
    both = not entry.uses_marks or (mx.any() and my.any())
    part = 0.5 if both else 1.0
    x, y = (entry.protecting(each, part * epsilon) for each in epsilons(epsilon, part))
    return relations.apart(x.made_for(u), y.made_for(b))
""",
    "as one": """    pair = entry.protecting(relations.pair_epsilons(*epsilons(epsilon)), epsilon)
    return relations.as_one(kx, ky, pair.made_for(np.outer(u, b).ravel()))
""",
    "open": """    return relations.apart(kx, entry.protecting(epsilons(epsilon)[1], epsilon).made_for(b))
""",
}
_OF_PAIRS = """    if entry.key in catalog.PAIRS:
        least = relations.pair_epsilons(*epsilons(epsilon)).min()
        return relations.as_one(kx, ky, entry.build(least, mx, my, answers, one, other))
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
    yield "bits", "all", float(design.bits)  # of all that one person sends
"""
_SURVEY = """
truth = relations.share_within(freq, answers, one) - relations.share_within(freq, answers, other)


def survey(design, n, name, x, repetition):
    rng = stream(SEED, "relation", name, x, repetition)
    shares = design.table(design.draw(scaled(people.counts.ravel(), n), rng, 1, ABOUT)[0])  # of groups and answers
    difference = relations.share_within(shares, answers, one) - relations.share_within(shares, answers, other)
    yield "bits", "all", float(design.bits)
    if np.isfinite(difference):  # a group that is estimated below 0 tells nothing
        yield "difference", "all", difference
        yield "squared error of the difference", "all", (difference - truth) ** 2
"""
