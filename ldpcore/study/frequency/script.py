"""The run of a frequency study, as one would write it by hand."""

from ldpcore import catalog
from ldpcore.estimators import publishing
from ldpcore.study.definition import Study
from ldpcore.study.frequency import script_of_groups
from ldpcore.study.frequency.choices import OWN, options
from ldpcore.study.scripts import Cell, chart, chosen, fill, histogram, literal, reading, table, weighed


def cells(study: Study) -> list[Cell]:
    """Cells that make the study's rows."""
    if weighed(study) or study.choices or OWN in study.mechanisms or "level" in options(study).priors:
        return script_of_groups.cells(study)
    of = _words(study)
    attack = [Cell("Attacks on single reports: is the answer named?", fill(_ATTACK, **of))] if of["attacks"] else []
    each = publishing.REPORTS in options(study).postprocessing
    one_by_one = [Cell("The likeliest shares, of every report and not of their counts", _REPORTS)] if each else []
    return [
        reading(study),
        Cell("The column, what is marked in it, and what is asked", fill(_ASKED, **of)),
        Cell("At a point x of the axis: how many gave each answer, and which ε protects it", fill(_PEOPLE, **of)),
        Cell("The parts of the answers, and what an adversary believes before any report", fill(_PARTS, **of)),
        Cell("Exact errors, and how often the adversary names the answer", fill(_THEORY, **of)),
        *attack,
        *one_by_one,
        Cell("One simulated survey: its errors, also of what one would publish", fill(_SURVEY, **of)),
        table(study, _build(study), fill("theory(mechanism, counts, $marked, x)", **of),
              fill("survey(mechanism, counts, $marked, name, x, repetition)", **of)),
        chart(study, "mse", "typical error of a share, points", "100 * $m ** 0.5"),
    ]  # fmt: skip


def _build(study: Study) -> str:
    """Statements: the mechanism at a point, if it exists there."""
    unmarked = "x" if study.axis == "epsilon" else "EPSILON"
    guess = "" if options(study).guess is None else f", guess={options(study).guess!r}"
    exists = "if not catalog.ANSWERS[name].exists(epsilons):\n    continue  # it is not computed for such ε\n"
    return (
        fill("counts, $marked, epsilons = people(x)\n", **_words(study))
        + (exists if {*study.mechanisms} & {*catalog.LEVELS} else "")
        + f"mechanism = catalog.ANSWERS[name].protecting(epsilons, {unmarked}{guess})\n"
    )  # fmt: skip


def _words(study: Study) -> dict[str, str]:
    """What stands where in the cells of this study."""
    secret, forms = study.marks.secret, options(study).postprocessing
    marks = f"column.domain.mask({literal(study.marks.values)})"
    current = {
        "epsilon": "EPSILON",
        "n": "float(column.counts.sum())",
        "share": "float(np.mean($is_marked))",
        "k": "float(column.domain.k)",
    }
    words = {"marked": "ranks" if secret else "marked", "is_marked": "ranks > 0" if secret else "marked"}
    if study.n is not None:
        current["n"] = repr(float(study.n))
    point = fill(current[study.axis], **words)
    release = "publishing.release(mechanism, tally, form)"
    if publishing.REPORTS in forms:
        every = f"of_reports(mechanism, counts, name, x, repetition) if form == {literal(publishing.REPORTS)}"
        release = f"{every} else {release}"
    priors = [prior for prior in options(study).priors if prior != "targeted" or study.marks or study.axis == "share"]
    return {
        **words,
        "column": histogram(study),
        "marks": f"{marks} + column.domain.mask({literal(secret)}).astype(int)  # 0 public, 1 sensitive, 2 secret"
        if secret else f"{marks}  # these answers are sensitive, the others public",
        "chosen": chosen(study, point),
        "secret": f"SECRET = min({study.secret_epsilon!r}, EPSILON)  # the ε of secret answers\n"
        if secret and study.secret_epsilon is not None else "",
        "attacks": f"ATTACKS = {options(study).attacks}  # reports of each part of the answers, in each survey"
        if options(study).attacks and priors else "",
        "n": f"counts = scaled(counts, {study.n})\n    " if study.n is not None else "",
        "axis": fill(_AXES[study.axis], **words),
        "epsilons": _epsilons(study),
        "parts": "secret = ranks == 2\n    found = parts(ranks > 0, secret if secret.any() else None)" if secret
        else "found = parts(marked)",
        "priors": literal(priors),
        "released": fill(_RELEASED, **words, forms=literal(forms), release=release) if forms else "",
        "whole": " and len(freq) == column.domain.k" if study.axis == "k" else "",
        "attacked": "" if not options(study).attacks or not priors else
        "\n" + fill("    yield from attack(mechanism, counts, $marked, name, x, repetition)", **words),
    }  # fmt: skip


def _epsilons(study: Study) -> str:
    """The ε (k,) of every answer at a point."""
    epsilon = "x" if study.axis == "epsilon" else "EPSILON"
    if not study.marks.secret:
        return f"np.where(marked, {epsilon}, np.inf)"
    secret = epsilon if study.secret_epsilon is None else f"min(SECRET, {epsilon})"
    return f"np.array([np.inf, {epsilon}, {secret}])[ranks]"


_AXES = {
    "epsilon": "",
    "n": "counts = scaled(counts, max(1, round(x)))  # so many people with the same shares\n    ",
    "share": """# The marked answers first, then the rarest.
    order = np.lexsort((np.arange(len(counts)), counts, -$marked.astype(int)))
    within = np.isin(np.arange(len(counts)), order[: round(x * len(counts))])
    $marked = np.where(within, np.maximum($marked, 1), 0).astype($marked.dtype)
    """,
    "k": """common = np.sort(np.argsort(-counts, kind="stable")[: max(2, round(x))])
    counts, $marked = counts[common], $marked[common]
    """,
}
"""What a point of the axis changes of the people."""

_ASKED = """
column = $column
$marked = $marks
$chosen$secret$attacks
"""
_PEOPLE = """
def people(x, counts=column.counts, $marked=$marked):
    $n${axis}return counts, $marked, $epsilons  # public answers: infinite
"""
_PARTS = """
def scopes($marked):
    \"\"\"The parts of the answers that errors and attacks are about.\"\"\"
    $parts
    return {str(name): part for name, part in found.items() if part.any()}


def beliefs(freq, marked):
    \"\"\"Who knows nothing, who knows the shares, and who knows that the answer is marked.\"\"\"
    known = {"uniform": None, "population": freq}
    if marked.any():
        known["targeted"] = bayes.targeted_prior(marked)
    return {prior: known[prior] for prior in $priors if prior in known}
"""
_THEORY = """
def theory(mechanism, counts, $marked, x):
    freq = counts / counts.sum()
    error = mechanism.variance(freq, int(counts.sum()))  # expected squared error of each share: exact
    for scope, part in scopes($marked).items():
        yield "mse", scope, error[part].mean()  # its root is the typical error, the line of the first figure
    if x == POINT$whole:  # what the table of answers shows
        yield from (("squared error", v, e) for v, e in zip(column.domain.labels, error))
        yield from (("estimate", v, f) for v, f in zip(column.domain.labels, freq))
    yield "bits", "all", mechanism.report_bits()  # of one report
    for prior, belief in beliefs(freq, $is_marked).items():
        named = bayes.success(mechanism, belief)  # of each answer: how often its holder's report gives it away
        for scope, part in scopes($marked).items():
            if prior != "targeted" or scope not in ("all", "other"):
                holders = freq * part if freq[part].sum() > 0 else part
                yield f"success:{prior}", scope, named @ holders / holders.sum()
"""
_ATTACK = """
def attack(mechanism, counts, $marked, name, x, repetition):
    freq = counts / counts.sum()
    for prior, belief in beliefs(freq, $is_marked).items():
        rng, hit = stream(SEED, name, x, repetition, "attack", prior), {}
        for scope, part in scopes($marked).items():
            if scope == "all" or (prior == "targeted" and scope == "other"):
                continue
            holders = counts * part if counts[part].any() else part
            values = rng.choice(len(counts), ATTACKS, p=holders / holders.sum())
            named = bayes.guess(mechanism, mechanism.perturb(values, rng), belief, rng)
            hit[scope] = np.count_nonzero(named == values) / ATTACKS
            yield f"success:{prior}", scope, hit[scope]
        if prior != "targeted":  # as many marked as other answers were attacked
            share = freq[$is_marked].sum()
            yield f"success:{prior}", "all", share * hit.get("sensitive", 0) + (1 - share) * hit.get("other", 0)
"""
_SURVEY = """
def survey(mechanism, counts, $marked, name, x, repetition):
    rng, freq = stream(SEED, name, x, repetition), counts / counts.sum()  # a random stream of its own
    tally = Tally(int(counts.sum()), mechanism.draw(counts, rng, 1)[0])  # the reports, counted as a collector does
    estimate = mechanism.estimate(tally)
    error = estimate - freq
    for scope, part in scopes($marked).items():
        yield "mse", scope, np.mean(error[part] ** 2)  # a mark of the first figure
$released    for scope, part in scopes($marked).items():
        yield "max error", scope, np.abs(error[part]).max()
    if x == POINT$whole:
        yield from (("squared error", v, e) for v, e in zip(column.domain.labels, error**2))
        yield from (("estimate", v, f) for v, f in zip(column.domain.labels, estimate))
    yield "bits", "all", mechanism.report_bits()$attacked
"""
_RELEASED = """
    for form in $forms:  # cut at 0 and 1, or made to sum to 1, or likeliest: what one would publish
        released = $release
        for scope, part in scopes($marked).items():
            yield f"mse:{form}", scope, np.mean((released - freq)[part] ** 2)
"""
_REPORTS = """
def of_reports(mechanism, counts, name, x, repetition):
    rng = stream(SEED, name, x, repetition, "reports")
    return likelihood.of_reports(mechanism, mechanism.perturb(np.repeat(np.arange(len(counts)), counts), rng)).freq
"""
