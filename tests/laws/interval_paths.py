"""Every way by which an interval reaches a person, as surveys that can be repeated: PATHS.

A path takes a number of surveys and yields (name, low, high, truth) of each, numbers or arrays (k,) of one size; what
costs much makes a part of them.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from math import log
from types import SimpleNamespace

import numpy as np
import pandas as pd

from ldpapp.parts import cards, survey_panels
from ldpapp.views.means import more as advantage
from ldpcore import Marks, Source, Study, client, custom, data, honesty, plan, questionnaire, relations
from ldpcore.attacks import manipulation, presence
from ldpcore.catalog import FREQUENCY, MEANS, SETS
from ldpcore.collection import AnswerBatch, ItemBatch, NumberBatch, Phones, results, weighing
from ldpcore.collection.ignoring import who_ignores
from ldpcore.collection.result_facts import ResultFacts
from ldpcore.estimators import intervals
from ldpcore.estimators.publishing import shaped
from ldpcore.papers import claim, measures
from ldpcore.papers.live import LineOfRun, LiveFigure
from ldpcore.questionnaire.pairs import difference, pairs, unpaired
from ldpcore.ranges import tables
from ldpcore.rng import stream
from ldpcore.study import frequency, published, quantities, sets, tasks
from ldpcore.study.clusters.facts import ClustersFacts
from ldpcore.study.execute import prepare, run
from ldpcore.study.frequency.cell import FrequencyDesignPoint
from ldpcore.study.relations import curves
from ldpcore.study.relations import tables as of_relations
from ldpcore.study.relations.facts import facts
from ldpcore.study.review import tables as of_review
from ldpcore.study.sets import point
from ldpcore.study.sets import tables as of_sets
from ldpcore.study.sets.facts import MEMBERSHIP, PRESENCE
from ldpcore.study.simulated_shares import SimulatedShares
from ldpcore.study.summaries import summary
from ldpcore.tally import Tally

Survey = tuple[str, object, object, object]
Path = Callable[[int], Iterator[Survey]]
LABELS, MARKS = tuple("abcdef"), (True, True, False, False, False, False)
ONE_HOLDER = np.array([3, 1000, 900, 96, 1, 0])
"""Of 2000: rare marked and unmarked answers, and one that nobody gives."""


def some(surveys: int, part: int) -> int:
    """Of the surveys one in so many, and at least one."""
    return max(1, surveys // part)


def batch_answers(surveys: int) -> Iterator[Survey]:
    """`ldpcore estimate`, one answer of a list."""
    for key in (key for key, entry in FREQUENCY.items() if not entry.instead):
        asked = AnswerBatch(key, 0.2, "answer", answers=LABELS, sensitive=MARKS)
        for total in asked.mechanism.draw(ONE_HOLDER, stream(1, "batch", key), some(surveys, 6)):
            found = asked.table(Tally(2000, total), "base-cut")
            yield key, found["low"].to_numpy(), found["high"].to_numpy(), ONE_HOLDER / 2000


def batch_items(surveys: int) -> Iterator[Survey]:
    """`ldpcore estimate`, several items per person: long baskets are drawn from."""
    held = np.array([(0, 1, 2, 3), (2, 3, 4, 5)])[np.arange(200) % 2]
    codes, starts = held.ravel(), np.arange(0, 801, 4)
    truth = np.bincount(codes, minlength=6) / 400  # two of four are kept
    for key in SETS:
        asked, rng = ItemBatch(key, 8.0, "items", items=LABELS, sensitive=MARKS, m=2), stream(1, "batch", key)
        for _ in range(some(surveys, 8)):
            found = asked.table(asked.tally(asked.perturb((codes, starts), rng)), "clip")
            yield key, found["low"].to_numpy(), found["high"].to_numpy(), truth


def batch_numbers(surveys: int) -> Iterator[Survey]:
    """`ldpcore estimate`, a mean: everybody at one end, and half at either; at a large ε errors are rare."""
    for key in (key for key, entry in MEANS.items() if not entry.instead):
        asked, rng = NumberBatch(key, 8.0, "age", low=0.0, high=100.0, sensitive=("75..100",)), stream(1, "batch", key)
        for values in (np.full(40, 100.0), np.repeat([0.0, 100.0], 20)):
            for _ in range(some(surveys, 6)):
                found = asked.table(asked.tally(asked.perturb(values, rng)))
                yield f"{key} {values[0]:g}", found["low"][0], found["high"][0], values.mean()


def phones(surveys: int) -> Iterator[Survey]:
    """The class's board, `ldpcore estimate` of what phones sent, and Python."""
    for key in client.offered():
        asked = Phones(client.Client.of(key, 0.5, LABELS, MARKS))
        counts, rng = np.array([0, 3, 16, 9, 1, 1]), stream(1, "phones", key)
        values = np.repeat(np.arange(6), counts)
        for _ in range(some(surveys, 10)):
            found = asked.table(asked.tally(asked.perturb(values, rng)))
            yield key, found["low"].to_numpy(), found["high"].to_numpy(), counts / 30


def margins_of_a_client(surveys: int) -> Iterator[Survey]:
    """± before anybody answered, and the plan's people."""
    made = client.Client.of("uSS", 1.0, LABELS, MARKS)
    even, m = np.full(6, 1 / 6), made.mechanism
    planned = plan.frequency("uSS", 6, MARKS, freq=even, every=True)
    people = planned.people(made.kept, 0.1) or 0
    for n, off in ((600, made.margin(600)), (people, 0.1)):
        n = 6 * round(n / 6)
        for estimate in m.simulate(np.full(6, n // 6), stream(1, "margin"), surveys):
            yield f"± {n}", estimate[:2] - off, estimate[:2] + off, even[:2]


HEALTH = Study(Source("health"), "condition", Marks.of(["HIV"]), ("uSS",), epsilon=1.0)
GROCERIES = Study(Source("groceries"), "items", Marks.of(["milk"]), ("suWheel-J",), epsilon=8.0, task="sets")


def page_of_answers(surveys: int) -> Iterator[Survey]:
    """Frequency, its report and the Overview."""
    here: FrequencyDesignPoint = frequency.cell(HEALTH, prepare(HEALTH), "uSS", 1.0)
    for drawn in here.groups[0].mechanism.simulate(here.counts, stream(1, "page"), surveys):
        yield "page", *here.interval(drawn), here.freq


def page_of_sets(surveys: int) -> Iterator[Survey]:
    """Sets, its report and the Overview."""
    fact = next(iter(point.every(GROCERIES.with_options(m=1), data.load("groceries").baskets("items")).values()))
    here = fact.here
    for number in range(some(surveys, 6)):
        held = sets.sets(1, here.baskets, here.m, here.dummies, number)
        yield "page", *fact.interval(fact.mechanism.simulate(held, stream(1, "page", number), 1)[0]), here.kept


def runs(surveys: int) -> Iterator[Survey]:
    """`ldpcore run`, the curves and tables of pages: means over repetitions, five at a time."""
    marks = Marks.of(["every day"])
    study = Study(Source("health"), "smoking", marks, ("OUE",), n=500, grid=(), repetitions=5 * some(surveys, 8))
    rows, held = run(study), prepare(study)
    for _, part in rows.groupby(rows["repetition"] // 5):
        found = summary(study, held, part).dropna(subset=["theory"])
        curve = LiveFigure("", "", {"": study}, (LineOfRun("OUE", "OUE", "mse", exact=False),), "").drawn({"": found})
        expected = found[(found["metric"] == "mse") & (found["scope"] == "all")]["theory"]
        yield "figure", *(column.to_numpy() for column in (curve["low"], curve["high"], expected))
        for metric, part_of in found.groupby(found["metric"].str.partition(":")[0]):
            yield metric, *(part_of[name].to_numpy() for name in ("low", "high", "theory"))


def forms(surveys: int) -> Iterator[Survey]:
    """What one would publish: its error, and what of it is bias."""
    here, k = np.array([0.5, 0.3, 0.15, 0.05]), 4
    for number in range(surveys):
        off = stream(2, "forms", number).normal(0, 0.1, (12, k))
        form = published.Form("unbiased", here + off, here)
        for name, part, truth in (
            ("mse", form.mse, 0.01), ("random", form.random, 0.01), ("systematic", form.systematic, 0.0),
            ("rarer", form.rarer, 0.0),
        ):  # fmt: skip
            yield name, part.low, part.high, truth
        yield "bias", *form.bias[1:], np.zeros(k)
        cut = shaped(off[0], "base-cut", np.full(k, 0.1))  # of values that nobody holds
        yield "base-cut", cut.max(), cut.max(), 0.0


def told_apart(surveys: int) -> Iterator[Survey]:
    """Review: how well marked people are told from others; attacks on presence, again and again."""
    rng, exposed = stream(1, "told"), np.arange(90) < 30
    exact = 0.7602499389065233  # Φ(1/√2)
    for _ in range(surveys):
        one, other = (pairs(rng.normal(size=90) + exposed, exposed) for _ in range(2))
        yield "share", *one.interval(), exact
        yield "unpaired", *unpaired(one, other)[1:], 0.0
        yield "difference", *difference(one, other)[1:], 0.0
        found = presence.interval(int(rng.binomial(40, 0.7)), 40)
        yield "presence", found.low, found.high, 0.7
        yield "proportion", *intervals.clopper_pearson(int(rng.binomial(40, 0.7)), 40), 0.7
    exact = questionnaire.rounds("OLH", k=4, epsilon=1.0, n=100, counts=(2,), attacks=200_000, seed=9)
    for seed in range(some(surveys, 6)):
        found = questionnaire.rounds("OLH", k=4, epsilon=1.0, n=100, counts=(2,), attacks=200, seed=seed)
        yield "again", found["low"].to_numpy(), found["high"].to_numpy(), exact["success"].to_numpy()


def ranges_page(surveys: int) -> Iterator[Survey]:
    """Ranges: the paper's tables again."""
    for seed in range(some(surveys, 8)):
        found = tables.table1(seed, h=3, count=2, repetitions=10)
        yield "table 1", found["low"].to_numpy(), found["high"].to_numpy(), found["theory"].to_numpy()
        found = tables.table2(seed, range(3, 4), repetitions=10)
        yield "table 2", found["low"].to_numpy(), found["high"].to_numpy(), found["theory"].to_numpy()


def audits(surveys: int) -> Iterator[Survey]:
    """`ldpcore audit`: ε is at least so much."""
    keep = 0.7

    def coin(value: int, rng: np.random.Generator) -> int:
        return value if rng.random() < keep else 1 - value

    for seed in range(some(surveys, 8)):
        found = custom.audit(coin, 2, stream(seed, "audit"), reports=200)
        yield "audit", found.epsilon, found.most, log(keep / (1 - keep))


def claims(surveys: int) -> Iterator[Survey]:
    """Papers: measured numbers."""
    rng = stream(1, "claims")
    for _ in range(surveys):
        one, other = rng.exponential(3, 40), rng.exponential(1, 40)
        squares, more = rng.normal(size=(2, 20)) ** 2
        for name, number, truth in (
            ("mean", measures.mean("", rng.normal(2, 1, 20), 0.05), 2.0),
            ("ratio", measures.ratio("", one, other, 0.05), 3.0),
            ("errors", measures.errors("", 3 * squares, more, 0.05), 3.0),
            ("square", measures.square("", squares, 0.05), 1.0),
            ("bias", measures.bias("", rng.normal(size=(30, 16)) + 0.5, 0.0, np.ones(16), 0.05), 0.5),
        ):
            drawn = claim.rows(name, 1.0, [number.value], [number.low], [number.high])
            yield name, drawn["low"][0], drawn["high"][0], truth


def sentences(surveys: int) -> Iterator[Survey]:
    """Words of pages on simulated surveys: the ends that stand in them, of two that the others cover."""
    rng = stream(1, "said")
    for _ in range(some(surveys, 6)):
        errors, drawn = rng.normal(0.1, 1, 20), rng.normal(size=(20, 2))
        shown = SimulatedShares("uSS", "ab", np.zeros(2, bool), np.zeros(2), drawn, np.ones(2), np.ones(2), tuple)
        for name, text in (("band", survey_panels.said(shown)), ("card", cards.experiment("", shown).subtitle)):
            low, high = (float(end) for end in re.findall(r"([\d.]+)–([\d.]+) by chance", text)[0])
            yield name, low - 0.005, high + 0.005, shown.ratios.mean()
        said = advantage.halt(SimpleNamespace(errors=errors, bias=errors.mean()), 100.0)  # type: ignore[arg-type]
        doubt = re.findall(r"\(±(.*)\)", said)  # where the interval holds 0, it is said
        half = float(doubt[0]) if doubt else 0.0
        yield "halt", errors.mean() - half - 0.05, errors.mean() + half + 0.05, 0.1 if doubt else errors.mean()


def two_answers(surveys: int) -> Iterator[Survey]:
    """Relations, its planner, and `ldpcore estimate --relation`: shown intervals alone."""
    f, marks = np.array([[0.45, 0.15], [0.20, 0.20]]), np.array([False, True])
    a, b = FREQUENCY["uSS"].build(2.0, 2, marks), FREQUENCY["GRR"].build(2.0, 4)
    phi = abs(f[1, 1] - f[1].sum() * f[:, 1].sum()) / (0.4 * 0.6 * 0.35 * 0.65) ** 0.5
    for name, design in {"apart": relations.apart(a, a), "as one": relations.as_one(2, 2, b)}.items():
        n = max(plan.difference(design, f, [1], [1], [0]) or 0, plan.independence(design, f) or 0)
        half = plan.half_width(design, f, [1], [1], [0], n)
        for tally in design.draw(np.rint(f * n).astype(int), stream(1, "two", name), some(surveys, 10), "like"):
            survey, gap = design.joint(tally), design.joint(tally).difference([1], [1], [0])
            yield f"{name} pairs", *survey.interval(), f
            for what, found, truth in (
                ("within", survey.within([1], [1]), 0.5),
                ("difference", gap, 0.25),
                ("odds", survey.odds_ratio([1], [1], [0]), 3.0),
                ("strength", survey.strength(), phi),
                ("correlation", survey.correlation([0, 1], [0, 1]), phi),
            ):
                if found.told:
                    yield f"{name} {what}", found.low, found.high, truth
            yield f"{name} ±", gap.value - half, gap.value + half, 0.25
    x, m, rng = np.linspace(-1, 1, 200), MEANS["PM"].build(4.0), stream(1, "two numbers")
    for _ in range(surveys):
        s, t = (m.perturb(values, rng) for values in (x, 0.5 * x))
        line = relations.numbers.slope(x, m, t)
        yield "slope", line.low, line.high, 0.5
        both = relations.numbers.covariance(m, s, m, t)
        yield "covariance", both.low, both.high, 0.5 * x.var()


def beside_reports(surveys: int) -> Iterator[Survey]:
    """`ldpcore estimate --weights`, each kind of question: who answered. Weights are two, unlike among the answers."""
    phone = Phones(client.Client.of("uSS", 1.0, LABELS, MARKS))
    listed = AnswerBatch("OUE", 1.0, "answer", answers=LABELS, sensitive=MARKS)
    items = ItemBatch("suRAP", 4.0, "items", items=LABELS, sensitive=MARKS, m=1)
    number = NumberBatch("PM", 1.0, "age", low=0.0, high=100.0)
    rng, w = stream(1, "beside"), np.where(np.arange(400) % 4 == 0, 0.25, 1.25)
    x = np.r_[rng.choice(6, 100, p=[0.3, 0.2, 0.2, 0.1, 0.1, 0.1]), rng.choice(6, 300)]
    truth = np.bincount(x, w, 6) / w.sum()
    held = {phone: x, listed: x, items: (x, np.arange(401)), number: x * 20.0}
    for asked, values in held.items():
        for _ in range(some(surveys, 4)):
            beside = pd.DataFrame({"w": w})
            sent = weighing.WeighedReports(asked, weighing.DesignColumns("w"), asked.perturb(values, rng), beside, 0)
            found = sent.table()
            yield (
                asked.key,
                found["low"].to_numpy(),
                found["high"].to_numpy(),
                (truth if asked is not number else np.array([w @ x * 20 / w.sum()])),
            )


def of_designs(surveys: int) -> Iterator[Survey]:
    """`ldpcore estimate --strata`: of people like these, drawn anew."""
    asked, rng = AnswerBatch("GRR", 2.0, "answer", answers=("a", "b", "c"), sensitive=(False,) * 3), stream(1, "drawn")
    shares = np.array([[0.6, 0.3, 0.1], [0.2, 0.3, 0.5]])
    for _ in range(some(surveys, 2)):
        x = np.concatenate([rng.choice(3, 150, p=each) for each in shares])
        beside = pd.DataFrame({"w": np.repeat([1.0, 3.0], 150), "s": np.repeat(["a", "b"], 150)})
        columns = weighing.DesignColumns("w", strata="s")
        found = weighing.WeighedReports(asked, columns, asked.perturb(x, rng), beside, 0).table()
        yield "design", found["low"].to_numpy(), found["high"].to_numpy(), np.array([0.25, 0.75]) @ shares


def of_other_tools(surveys: int) -> Iterator[Survey]:
    """`ldpcore estimate --counts`: by a tool's parameters, people drawn anew; by a matrix, of who answered."""
    rng, f = stream(1, "tools"), np.array([0.5, 0.3, 0.2])
    pair, matrix = results.pair_of("rappor", 3, f=0.25, p=0.5, q=0.75), np.full((3, 3), 0.15) + 0.55 * np.eye(3)
    for _ in range(surveys):
        x = rng.choice(3, 800, p=f)
        on = rng.random((800, 3)) < np.where(np.eye(3, dtype=bool)[x], pair.a, pair.b)
        found = results.of_pair(on.sum(axis=0), 800, pair)
        yield "pair", found["low"].to_numpy(), found["high"].to_numpy(), f
        seen = sum(rng.multinomial(often, row) for often, row in zip((400, 240, 160), matrix, strict=True))
        found = results.of_matrix(seen, matrix)
        yield "matrix", found["low"].to_numpy(), found["high"].to_numpy(), f


def of_liars(surveys: int) -> Iterator[Survey]:
    """How many liars pass the ±, and how many people two groups need: the ± of either."""
    m, f, n = FREQUENCY["GRR"].build(1.0, 4), np.array([0.4, 0.3, 0.2, 0.1]), 4000
    half = manipulation.liars(m, f, n, 3)[0] * (manipulation.extremes(m)[1][3] - f[3]) / n
    for estimate in m.simulate(np.rint(f * n).astype(int), stream(1, "liars"), surveys):
        yield "liars", estimate[3] - half, estimate[3] + half, f[3]
    tables, shares = [honesty.with_constant([[1, 0], [p, 1 - p]], 1) for p in (0.25, 0.75)], np.array([0.1, 0.8, 0.1])
    people, part = honesty.people(tables, shares, 2, 0.05)
    sizes, rng = (round(people * part), round(people * (1 - part))), stream(1, "groups")
    for _ in range(surveys):
        counts = [rng.multinomial(size, shares @ table) for size, table in zip(sizes, tables, strict=True)]
        found = honesty.groups(tables, counts).shares[2]
        yield "groups", found - 0.05, found + 0.05, 0.1


def who_ignore(surveys: int) -> Iterator[Survey]:
    """The page Results: two groups, asked by two clients, of whom some always say no."""
    clients = [client.Client.of("GRR", epsilon, ["no", "yes"]) for epsilon in (2.0, 0.5)]
    rng, truth = stream(1, "who ignores"), np.array([0.5, 0.3, 0.2])
    for _ in range(some(surveys, 2)):
        known = []
        for each in clients:
            x = rng.choice(3, 1500, p=truth)
            sent = np.where(x == 2, 1, Phones(each).perturb(np.where(x == 2, 0, x), rng))
            read = weighing.WeighedReports(Phones(each), weighing.DesignColumns(), sent, pd.DataFrame(), 0)
            known.append(ResultFacts(read))
        found = who_ignores(*known, "no")
        yield "ignores", found["low"].to_numpy(), found["high"].to_numpy(), truth


def tables_of_pages(surveys: int) -> Iterator[Survey]:
    """What is downloaded from Relations and Review: the difference, its simulated ±, and who is told apart."""
    marks, two = Marks.of(["smoking = every day"]), {"columns": ("smoking", "sex")}
    study = Study(Source("health"), "sex", marks, ("uSS",), 4.0, task="relations", options={"groups": "smoking"})
    held = prepare(study)
    for seed in range(some(surveys, 10)):
        found = of_relations.difference(facts(replace(study, seed=seed), held).best)
        for measure, *ends, truth in found[["measure", "95 % from", "95 % to", "truth (internal)"]].values:
            yield measure, *ends, truth
    many = replace(study, grid=(), repetitions=5 * some(surveys, 8))
    rows = run(many)
    exact = rows.loc[rows["metric"] == curves.ERROR, "theory"].iloc[0]
    for _, part in rows.groupby(rows["repetition"] // 5):
        drawn = curves.simulated(many, held, part)
        yield "simulated", drawn["low"].to_numpy(), drawn["high"].to_numpy(), 100 * intervals.NORMAL_95 * exact**0.5
    told = replace(study, task="review", options=two, mechanisms=("GRR",), epsilon=1.0, n=2000, grid=())
    asked, joint = prepare(told), pd.crosstab(*(data.load("health").frame[name] for name in two["columns"]))
    grr = FREQUENCY["GRR"].build(1.0, len(joint))
    exact = questionnaire.best(grr, joint.index == "every day", joint.to_numpy() / joint.to_numpy().sum())
    for seed in range(some(surveys, 10)):
        one = replace(told, seed=seed, repetitions=1)
        simulated = quantities.simulated(tasks.of(one).chunks(one, asked))
        row = of_review.questions(tasks.facts(one, asked, simulated).every).iloc[0]
        yield "pairs", row["low"], row["high"], exact
    both = Marks.of(["smoking = every day", "smoking = some days"])
    best = {
        answer: questionnaire.best(grr, joint.index == answer, joint / joint.to_numpy().sum()) for answer in joint.T
    }
    for seed in range(some(surveys, 10)):
        one = replace(told, seed=seed, repetitions=1, marks=both)
        simulated = quantities.simulated(tasks.of(one).chunks(one, asked))
        for each in tasks.facts(one, asked, simulated).every["smoking"].answers:
            yield each.answer, each.low, each.high, best[each.answer]


def gains_of_starts(surveys: int) -> Iterator[Survey]:
    """What the headline of Clusters calls a difference, of two methods, and a gain on the starts: paired by start."""
    made = Study(Source("health"), "sex", mechanisms=("LDPK", "Fresh"), grid=(), repetitions=6, task="clusters")
    for seed in range(some(surveys, 2)):
        start, own = stream(seed, "gains", "start").normal(0.7, 0.1, 6), stream(seed, "gains").normal(0, 0.05, (2, 6))
        rows = pd.DataFrame(
            [(key, 1.0, "ac", "all", r, start[r] + own[place, r] + (0.02, 0.0)[place])
             for place, key in enumerate(made.mechanisms) for r in range(6)],
            columns=["mechanism", "x", "metric", "scope", "repetition", "value"],
        )  # fmt: skip
        found = ClustersFacts(made, None, rows)  # type: ignore[arg-type]
        vars(found).update(_started=lambda start=start: start)
        yield "gained", found.gained_least, found.gained_most, 0.02
        yield "learned", found.parts["LDPK"].learned_least, found.parts["LDPK"].learned_most, 0.02


def decisions_of_sets(surveys: int) -> Iterator[Survey]:
    """What Sets' headline names beyond a coin: of three questions at once."""
    made = GROCERIES.with_options(m=1, attacks=40)
    fact = next(iter(point.every(made, data.load("groceries").baskets("items")).values()))
    asked, rights = [(PRESENCE, "all"), (MEMBERSHIP, "sensitive"), (MEMBERSHIP, "other")], (0.5, 0.6, 0.8)
    for won in stream(1, "decisions").binomial(40, rights, (some(surveys, 6), 3)):
        rows = [(fact.key, *each, 1, n / 40) for each, n in zip(asked, won, strict=True)]
        attacked = pd.DataFrame(rows, columns=["mechanism", "metric", "scope", "repetitions", "value"])
        for right, each in zip(rights, of_sets.decided(made, attacked, fact), strict=True):
            yield "decision", each.low, each.high, right


PATHS: dict[str, Path] = {
    made.__name__: made
    for made in (
        batch_answers, batch_items, batch_numbers, phones, margins_of_a_client, page_of_answers, page_of_sets, runs,
        forms, told_apart, ranges_page, audits, claims, sentences, two_answers, beside_reports, of_designs,
        of_other_tools, of_liars, who_ignore, tables_of_pages, gains_of_starts, decisions_of_sets,
    )
}  # fmt: skip
