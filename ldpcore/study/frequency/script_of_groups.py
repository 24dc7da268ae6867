"""The run of a frequency study whose people are not all alike: they choose their marks, or have weights; also of a
mechanism of one's own, and of an adversary who knows the level of an answer.

What is known of groups together is that of `frequency.cell`: the script makes the groups, and asks it.
"""

from ldpcore.study.definition import Choice, Marks, Study
from ldpcore.study.frequency.choices import OWN, options
from ldpcore.study.scripts import Cell, chart, chosen, fill, histogram, literal, reading, table, weighed


def cells(study: Study) -> list[Cell]:
    """Cells that make the study's rows."""
    of, attacks = _words(study), options(study).attacks
    attack = [Cell("Attacks on single reports: is the answer named?", fill(_ATTACK, **of))] if attacks else []
    return [
        reading(study),
        Cell("The column, what is marked in it, and what is asked", fill(_ASKED, **of)),
        Cell("At a point x of the axis: how many gave each answer, and what they mark", fill(_PEOPLE, **of)),
        Cell("The groups of people with the same marks, each with a mechanism of its own", fill(_GROUPS, **of)),
        Cell("Exact errors, and how often the adversary names the answer", fill(_THEORY, **of)),
        *attack,
        Cell("One simulated survey: its errors, also of what one would publish", fill(_SURVEY, **of)),
        table(study, _BUILD, "theory(here)", "survey(here, repetition)"),
        chart(study, "mse", "typical error of a share, points", "100 * $m ** 0.5"),
    ]


def _words(study: Study) -> dict[str, str]:
    """What stands where in the cells of this study."""
    given, own = options(study), OWN in study.mechanisms
    weights = "column.weighing" if weighed(study) else "None"
    current = {
        "epsilon": "EPSILON",
        "n": "float(column.counts.sum())" if study.n is None else repr(float(study.n)),
        "share": "float(np.mean(RANKS > 0))",
        "k": "float(column.domain.k)",
    }
    along = own and study.axis == "epsilon"
    markings = "[RANKS, *(ranks for ranks, _, _ in CHOICES)]" if study.choices else "[RANKS]"
    return {
        "column": histogram(study),
        "ranks": _ranks(study.marks),
        "choices": fill(_CHOICES, choices="".join(f"    {_choice(each)},\n" for each in study.choices))
        if study.choices else "",
        "markings": markings,
        "own": fill(_OWN, table=literal(str(given.own).split("\n"))) if own else "",
        "chosen": chosen(study, current[study.axis]),
        "visited": fill(_VISITED, markings=markings) if along else "",
        "secret": f"SECRET = min({study.secret_epsilon!r}, EPSILON)  # the ε of secret answers\n"
        if study.secret_epsilon is not None else "",
        "attacks": f"ATTACKS = {given.attacks}  # reports of each part of the answers, in each survey\n"
        if given.attacks else "",
        "n": f"counts = scaled(counts, {study.n})\n    " if study.n is not None else "",
        "weights": weights,
        "size": "weights.total" if weighed(study) else "counts",
        "axis": fill(_AXES[study.axis], size="weights.total" if weighed(study) else "counts",
                     among="\n    weights = weights.among(common)" if weighed(study) else ""),
        "holding": "weights = weights.holding(weights.people, counts)  # so many people with the same weights\n    "
        if weighed(study) else "",
        "epsilon": "x" if study.axis == "epsilon" else "EPSILON",
        "of_secret": ("min(SECRET, {0})" if study.secret_epsilon is not None else "{0}").format(
            "x" if study.axis == "epsilon" else "EPSILON"),
        "divided": _DIVIDED if study.choices else "",
        "parts": "divided(counts, markings)" if study.choices else "[counts]",
        "part": ("weights.holding(counts, part)" if study.choices else "weights") if weighed(study) else "None",
        "guess": "" if given.guess is None else f", guess={given.guess!r}",
        "of_own": fill(_OF_OWN, stands=_STANDS if along else "", whole=_WHOLE if study.axis == "k" else "")
        if own else "",
        "each": 'here.x == POINT or here.mechanism == "Own"' if along else "here.x == POINT",
        "whole": " and len(here.freq) == column.domain.k" if study.axis == "k" else "",
        "priors": literal(list(given.priors)),
        "released": fill(_RELEASED, forms=literal(list(given.postprocessing)),
                         shaped=_OF_SEVERAL if study.choices else _OF_ONE) if given.postprocessing else "",
        "attacked": "\n    yield from attack(here, repetition)" if given.attacks else "",
    }  # fmt: skip


def _ranks(marks: Marks) -> str:
    """The rank (k,) of every answer, as an expression."""
    mask = f"column.domain.mask({literal(marks.values)}).astype(int)"
    return f"{mask} + column.domain.mask({literal(marks.secret)})" if marks.secret else mask


def _choice(choice: Choice) -> str:
    return f"({_ranks(choice.marks)}, {choice.share!r}, {choice.holding!r})"


_WHOLE = """        if len(counts) < column.domain.k:
            return None  # its table is of all answers
"""
_STANDS = """        if x != (mechanism.epsilon if np.isfinite(mechanism.epsilon) else EPSILON):
            return None  # it has one ε
"""
_CHOICES = """# What some mark instead; the share of people who do; and their share among those whose answer it covers.
CHOICES = [
$choices]
"""
_OWN = """TABLE = custom.read("\\n".join($table), column.domain.labels)  # chances: rows are answers, columns reports


def own(marked):
    \"\"\"The mechanism of this table, with what it promises to those who give a marked answer.\"\"\"
    return custom.CustomMechanism(TABLE.matrix, marked, TABLE.reports, answers=column.domain.labels)


"""
_VISITED = """of_own = own(np.any($markings, axis=0)).epsilon  # it stands at one ε: all are compared there, too
POINTS = sorted({*POINTS, of_own}) if np.isfinite(of_own) else POINTS
"""
_AXES = {
    "epsilon": "",
    "n": "counts = scaled(counts, max(1, round(x)))  # so many people with the same shares\n    ",
    "share": """for place, ranks in enumerate(markings):  # the most protected answers first, then the rarest
        order = np.lexsort((np.arange(len(counts)), $size, -ranks))
        within = np.isin(np.arange(len(counts)), order[: round(x * len(counts))])
        markings[place] = np.where(within, np.maximum(ranks, 1), 0)
    """,
    "k": """common = np.sort(np.argsort(-$size, kind="stable")[: max(2, round(x))])
    counts, markings = counts[common], [ranks[common] for ranks in markings]$among
    """,
}
"""What a point of the axis changes of the people."""

_ASKED = """
column = $column
RANKS = $ranks  # 0 public, 1 sensitive, 2 secret
$choices$own$chosen$visited$secret$attacks
"""
_PEOPLE = """
def people(x):
    counts, markings, weights = column.counts, $markings, $weights
    $n$axis${holding}return counts, markings, weights
"""
_DIVIDED = """
def divided(counts, markings):
    \"\"\"How many have the marks of each group: those who choose, and, first, the others.\"\"\"
    rest, groups = counts, []
    for ranks, (_, share, holders) in zip(markings[1:], CHOICES):
        some = np.round(counts * np.where(ranks > 0, holders, share)).astype(int)
        groups.append(np.minimum(some, rest))
        rest = rest - groups[-1]
    return [rest, *groups]


"""
_GROUPS = """
${divided}def point(name, x):
    counts, markings, weights = people(x)
    epsilons = np.array([np.inf, $epsilon, $of_secret])  # of public, sensitive and secret answers
    ranks = np.maximum.reduce(markings)  # what anybody marks
$of_own    entry = catalog.ANSWERS[name]
    if not all(entry.exists(epsilons[each]) for each in markings):
        return None  # it is not computed for such ε
    groups = [
        ChoiceGroup(entry.protecting(epsilons[each], $epsilon$guess), part, $part)
        for each, part in zip(markings, $parts)
        if part.sum()
    ]
    return FrequencyDesignPoint(name, x, tuple(groups), epsilons[ranks], ranks == 2)
"""
_OF_OWN = """    if name == "Own":
${whole}        mechanism = own(ranks > 0)
${stands}        everybody = ChoiceGroup(mechanism, counts, weights)
        return FrequencyDesignPoint(name, x, (everybody,), epsilons[ranks], ranks == 2)
"""
_BUILD = """
here = point(name, x)
if here is None:
    continue
"""
_THEORY = """
def named(how):
    \"\"\"The error of a combination of groups, as the table calls it.\"\"\"
    return "mse" if how == "share" else f"mse:{how}"


def theory(here):
    for how in here.combinations:  # groups count by their sizes, or so that the variance is least
        mse, error = named(how), here.squared_error(how)  # expected squared error of each share: exact
        for scope, part in here.scopes:
            yield mse, scope, error[part].mean()  # its root is the typical error, the line of the first figure
        if how == "share" and ($each)$whole:  # what the table of answers shows
            yield from (("squared error", v, e) for v, e in zip(column.domain.labels, error))
            yield from (("estimate", v, f) for v, f in zip(column.domain.labels, here.freq))
    yield "bits", "all", here.bits  # of one report
    for prior in $priors:
        of_marked = prior in ("targeted", "level")  # who knows that the answer is marked, or even its level
        if here.marked.any() or not of_marked:
            won = here.success(prior)  # of each answer: how often its holder's report gives it away
            for scope, part in here.scopes:
                if not (of_marked and scope in ("all", "other")):
                    holders = here.freq * part if here.freq[part].sum() > 0 else part
                    yield f"success:{prior}", scope, won @ holders / holders.sum()
"""
_ATTACK = """
def attack(here, repetition):
    for prior in $priors:
        rng, hit = stream(SEED, here.mechanism, here.x, repetition, "attack", prior), {}
        of_marked = prior in ("targeted", "level")
        for scope, part in here.scopes:
            if scope == "all" or (of_marked and scope == "other"):
                continue
            hit[scope] = attacked(here, prior, part, rng)
            yield f"success:{prior}", scope, hit[scope]
        if not of_marked:  # as many marked as other answers were attacked
            share = here.freq[here.marked].sum()
            yield f"success:{prior}", "all", share * hit.get("sensitive", 0) + (1 - share) * hit.get("other", 0)


def attacked(here, prior, part, rng):
    \"\"\"Holders of these answers whose report names theirs: a share.\"\"\"
    holders = np.array([group.held * part for group in here.groups], float)
    if not holders.sum():
        holders[0] = part
    hits = 0
    for group, held, size in zip(here.groups, holders, rng.multinomial(ATTACKS, holders.sum(axis=1) / holders.sum())):
        if size:
            values = rng.choice(len(held), size, p=held / held.sum())
            reports = group.mechanism.perturb(values, rng)
            for known, belief in here.beliefs(prior):
                some = known[values]
                named = bayes.guess(group.mechanism, reports[some], belief, rng)
                hits += np.count_nonzero(named == values[some])
    return hits / ATTACKS
"""
_SURVEY = """
def survey(here, repetition):
    rng = stream(SEED, here.mechanism, here.x, repetition)  # a random stream of its own
    tallies = [group.tallies(rng, 1)[0] for group in here.groups]  # the reports, counted as a collector does
    estimates = np.array([group.mechanism.estimate(tally) for group, tally in zip(here.groups, tallies)])
    for how in here.combinations:
        estimate = np.sum(here.weights(how) * estimates, axis=0)
        mse, error = named(how), estimate - here.drawn
        for scope, part in here.scopes:
            yield mse, scope, np.mean(error[part] ** 2)  # a mark of the first figure
        if how != "share":
            continue
$released        for scope, part in here.scopes:
            yield "max error", scope, np.abs(error[part]).max()
        if ($each)$whole:
            yield from (("squared error", v, e) for v, e in zip(column.domain.labels, error**2))
            corrected = estimate + (here.freq - here.drawn)
            yield from (("estimate", v, f) for v, f in zip(column.domain.labels, corrected))
    yield "bits", "all", here.bits$attacked
"""
_RELEASED = """
        for form in $forms:  # cut at 0 and 1, or made to sum to 1, or likeliest: what one would publish
$shaped            for scope, part in here.scopes:
                yield f"mse:{form}", scope, np.mean((released - here.drawn)[part] ** 2)
"""
_OF_ONE = """            if form == "em-reports":
                released = here.groups[0].likeliest(stream(SEED, here.mechanism, here.x, repetition, "reports"))
            else:
                released = publishing.release(here.groups[0].mechanism, tallies[0], form)
"""
_OF_SEVERAL = f"""            if len(tallies) > 1:  # groups with marks of their own have no likelihood in common
                if form not in consistency.POSTPROCESSING:
                    continue
                released = publishing.shaped(estimate, form)
{_OF_ONE.replace("            if", "            elif", 1)}"""
