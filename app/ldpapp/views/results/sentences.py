"""What this page says, in words: its finding, what was refused and why, what no test can see."""

from collections.abc import Mapping

from ldpapp import words
from ldpapp.parts import widgets
from ldpapp.words.language import t
from ldpcore.collection import refusals
from ldpcore.collection.result_facts import ResultFacts
from ldpcore.collection.results import ToolResult

NAMED = 40


def answer(name: object) -> str:
    """An answer of the file's, as text."""
    return widgets.escape(words.shorten(str(name), NAMED))


def percent(share: float) -> str:
    """A share in percent without its unit: 0.0357 → "3.6"."""
    return words.share(share).removesuffix("\u00a0%")


def interval(low: float, high: float) -> str:
    return t("{low}–{high}", low=percent(low), high=percent(high))


def headline(known: ResultFacts) -> str:
    """The hidden answer that is surest there, then what was refused, then what is not learned."""
    if known.numbers:
        return _mean(known)
    counted = _counted(known)
    untold = known.untold
    if (name := known.leading) is None:
        return t(
            "None of the {n} hidden answers can be told from 0; the largest could be {most} %. {counted}.",
            n=words.count(int(known.hidden.sum())), most=percent(known.largest or 0.0), counted=counted,
        )  # fmt: skip
    row = known.of(name)
    holes = {
        "share": f'<b class="big">{percent(float(row["share"]))} %</b>',
        "answer": widgets.sensitive(answer(name)),
        "interval": interval(float(row["low"]), float(row["high"])),
        "often": _often(known),
        "counted": counted,
    }
    if not untold:
        return t("{share} answer {answer} ({interval}, {often}), of {counted}.", **holes)
    if untold == 1:
        return t(
            "{share} answer {answer} ({interval}, {often}), of {counted}. One other hidden answer is too rare to "
            "tell from 0.",
            **holes,
        )
    return t(
        "{share} answer {answer} ({interval}, {often}), of {counted}. {n} other hidden answers are too rare to tell "
        "from 0.",
        n=words.cardinal(untold, start=True), **holes,
    )  # fmt: skip


def _often(known: ResultFacts) -> str:
    """How often the interval holds, and the share of whom."""
    if known.read.columns.drawn:
        return t("95 of 100 for all people")
    return t("at least 95 of 100 for who answered") if known.exact else t("95 of 100 for who answered")


def _mean(known: ResultFacts) -> str:
    row = known.rows.iloc[0]
    return t(
        "The mean is {mean} ({low}–{high}, 95 of 100), of {counted}.",
        mean=f'<b class="big">{words.decimals(float(row["mean"]))}</b>', low=words.decimals(float(row["low"])),
        high=words.decimals(float(row["high"])), counted=_counted(known),
    )  # fmt: skip


def _counted(known: ResultFacts) -> str:
    """How many reports, what they count, what was left out."""
    n = words.plural(known.n, t("report"), t("reports"))
    if column := known.read.columns.weights:
        n = t("{reports} weighted by {column}", reports=n, column=widgets.escape(column))
    if not known.refused:
        return n
    return t("{reports}; {refused} more refused", reports=n, refused=words.count(known.refused))


def reasons(why: Mapping[str, int]) -> list[str]:
    """What was left out, a line for each reason."""
    reason = {
        refusals.EMPTY: t("empty"),
        refusals.SHAPELESS: t("no report at all"),
        refusals.STRANGE: t("that this client cannot send"),
        refusals.ANOTHERS: t("with the mark of another client"),
        refusals.SEVERAL: t("of people who answered several questions, where one is asked"),
    }
    return [t("{n} {why}", n=words.count(often), why=reason[each]) for each, often in why.items()]


def about(known: ResultFacts) -> str:
    """Under the title: what is drawn, and of whom."""
    columns = known.read.columns
    if known.numbers:
        return t("Dot: mean; bar: 95 %.")
    if columns.drawn:
        return t("Percent of all whom they stand for. Dot: estimate; bar: 95 %, approximate, people drawn as well.")
    if columns.weights:
        return t(
            "Percent of those who answered. Dot: estimate; bar: 95 %, approximate as weights differ; ring: unweighted."
        )
    return t("Percent of those who answered. Dot: estimate; bar: 95 %.")


def kind(known: ResultFacts) -> str:
    """How the intervals are made, for who signs."""
    columns = known.read.columns
    if columns.drawn:
        return t("95 %, linearised over strata and clusters, Student’s t: approximate")
    if columns.weights:
        return t("95 %, as if {n} with equal weights had answered (Korn and Graubard 1998): approximate",
                 n=words.count(int(known.effective)))  # fmt: skip
    if known.exact:
        return t("95 %, of those who answered; each covers at least so often, however few these are")
    return t("95 %, of those who answered, where the estimate is as far off as its exact error says")


# the folds -----------------------------------------------------------------------------------------------------------


def whole(known: ResultFacts) -> str:
    """What is in the fold of weights: how the ± grows for all people."""
    names = [name for name in (known.leading, known.commonest) if name is not None]
    if known.numbers or not names or known.everyone is None:
        return t("columns beside the reports")
    margins = {name: both for name in names if (both := known.both_margins(name)) is not None}
    each = [
        t("{answer} × {times}", answer=words.shorten(name, 20), times=words.fixed(whole / noise, 2))
        for name, (noise, whole) in margins.items() if noise > 0
    ]  # fmt: skip
    if column := known.read.columns.weights:
        return t("{column} · ± of all people, not only who answered: {each}", column=column, each=", ".join(each))
    return t("± of all people, not only who answered: {each}", each=", ".join(each))


def made(known: ResultFacts) -> str:
    """Beside ± of usual errors: how the intervals of the list are made; "" where they are of usual errors, too."""
    if known.exact:
        return t("Each ±: usual errors, 95 of 100. The intervals above hold at least so often, and are wider.")
    if not known.guards:
        return ""
    return t(
        "Each ±: usual errors, 95 of 100. The intervals above are made otherwise: of who answered, as if {n} with "
        "equal weights had, for the worst that the others can have answered.",
        n=words.count(int(known.effective)),
    )


def silence(known: ResultFacts) -> str:
    """Whether counts are strange, and what that proves."""
    if known.strange == "ends":
        return t("a count that no honest crowd gives")
    if known.strange == "sizes":
        return t("sizes of reports that no honest crowd gives")
    if known.ends is None and known.sizes is None:
        return t("the counts of this mechanism cannot be checked")
    return t("nothing strange in the counts, which proves little")


def unseen(known: ResultFacts) -> str:
    """How much stays unseen."""
    if known.strange is not None:
        p = min(each for each in (known.ends, known.sizes) if each is not None)
        chance = "1 of 1 000" if p < 0.001 else words.tries(p)
        return t(
            "The counts are strange: by chance an honest crowd gives such in at most {chance} surveys. Look for rows "
            "that were copied, or for another client’s reports.",
            chance=chance,
        )
    if known.ends is None and known.sizes is None:
        return t("No test of the counts is known for this mechanism; false reports may be among them.")
    if not known.unseen:
        return t("Nothing strange in the counts. Whoever draws false reports as honest ones are drawn is never found.")
    return t(
        "Nothing strange in the counts; up to {n} of 100 reports could be false and look like this.",
        n=words.of_100(known.unseen),
    )


def people_lie(known: ResultFacts) -> list[str]:
    """Two lines about the answer of the headline: those who deny, and false reports."""
    if known.numbers:
        return []
    name = known.leading or str(known.rows[known.called].iloc[0])
    lines = []
    if name == known.leading:
        text = t(
            "If 1 in 10 of those concerned deny, {answer} is read {points} points too low, whatever n.",
            answer=answer(name), points=percent(known.denied(name)),
        )  # fmt: skip
        lines.append(text)
    if (needed := known.liars(name)) is not None:
        lines.append(
            t("{liars} of {n} would move {answer} past its ±.",
              liars=words.plural(needed, t("false report"), t("false reports")), n=words.count(known.n),
              answer=answer(name))
        )  # fmt: skip
    return lines


def passes(known: ResultFacts) -> str:
    """The same in a few words; "" where that is not known."""
    name = known.leading
    needed = None if name is None else known.liars(name)
    if needed is None:
        return ""
    return t("{liars} pass the ±", liars=words.plural(needed, t("false report"), t("false reports")))


# another tool --------------------------------------------------------------------------------------------------------


def of_tool(found: ToolResult) -> str:
    """Its finding: the largest share."""
    row = found.table.iloc[int(found.table["share"].to_numpy().argmax())]
    return t(
        "{share} answer {answer} ({interval}, 95 of 100), of {n} reports. Computed from these chances, not believed: "
        "{promise}.",
        share=f'<b class="big">{percent(float(row["share"]))} %</b>', answer=answer(row["answer"]),
        interval=interval(float(row["low"]), float(row["high"])), n=words.count(found.n),
        promise=promise_of_tool(found),
    )  # fmt: skip


def promise_of_tool(found: ToolResult) -> str:
    return t("no ε at all") if found.epsilon == float("inf") else t("ε = {epsilon}", epsilon=f"{found.epsilon:.3f}")
