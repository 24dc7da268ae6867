"""The words of the Papers view: names, the headline and where it comes from. From findings to HTML."""

import re
from collections.abc import Mapping, Sequence

from ldpapp import words
from ldpapp.words.language import t
from ldpcore.papers import (
    BROKEN,
    HOLDS,
    IN_PART,
    UNDECIDED,
    UNTESTABLE,
)
from ldpcore.papers.stored import Stored

OPEN = "not yet checked"
_POWER = re.compile(r"\^(-?[\d.]*\d|[εm]|\([^()]*\))")
_MINUS = re.compile(r"(?<![\w.)])-(?=[\d∞])")
_LONG = re.compile(r"(?<![\w.,^])\d{5,}(?![\w.]*\d)")


def pretty(text: str) -> str:
    """The engine's plain text with minus signs, powers and thin spaces."""
    text = _LONG.sub(lambda found: words.count(int(found[0])), text)
    text = _POWER.sub(lambda found: f"<sup>{found[1].strip('()').replace('-', words.MINUS)}</sup>", text)
    return _MINUS.sub(words.MINUS, text)


def names() -> dict[str, str]:
    """What each paper is about, by the pages that show it."""
    return {
        "suldp": t("Sets"),
        "sdldp": t("Frequency, Means"),
        "dfdp": t("Itemsets"),
        "ldpk": t("Clusters"),
        "privelet": t("Ranges"),
    }


def verdicts() -> dict[str, str]:
    """How each verdict is called."""
    return {
        HOLDS: t("holds"),
        IN_PART: t("in part"),
        BROKEN: t("does not hold"),
        UNDECIDED: t("undecided"),
        UNTESTABLE: t("not testable"),
        OPEN: t("not yet checked"),
    }


def as_read() -> str:
    """What stands at a claim that holds by one reading of its words, and by another does not, or not all of it."""
    return t("one reading")


def headline(counts: Mapping[str, int], total: int) -> str:
    """What has become of the claims, with its numbers."""
    papers = words.cardinal(len(names()), start=True).lower()
    texts = [t("Of {total} claims in {papers} papers, {found}.", total=total, papers=papers, found=_decided(counts))]
    absent, unknown = counts[UNTESTABLE], total - sum(counts.values())
    if absent:
        texts.append(t("{count} cannot be tested.", count=words.cardinal(absent, start=True)))
    if unknown:
        texts.append(t("Not yet checked: {count}.", count=words.count(unknown)))
    return " ".join(texts)


def _decided(counts: Mapping[str, int]) -> str:
    one = {
        HOLDS: t("<b>1</b> holds"),
        IN_PART: t("<b>1</b> in part"),
        BROKEN: t("<b>1</b> does not"),
        UNDECIDED: t("<b>1</b> is undecided"),
    }
    more = {
        HOLDS: t("<b>{n}</b> hold", n=counts[HOLDS]),
        IN_PART: t("<b>{n}</b> in part", n=counts[IN_PART]),
        BROKEN: t("<b>{n}</b> do not", n=counts[BROKEN]),
        UNDECIDED: t("<b>{n}</b> are undecided", n=counts[UNDECIDED]),
    }
    return words.listing((one if counts[verdict] == 1 else more)[verdict] for verdict in more if counts[verdict])


# where the verdicts come from ------------------------------------------------------------------------------------


def origin(told: Stored) -> str:
    return t(
        "With ldpcore {version}, {date}: <code>{command}</code>.",
        version=told.version,
        date=told.date,
        command=told.command,
    )


def here(done: int, total: int, otherwise: Sequence[tuple[tuple[str, str], str, str]]) -> str:
    """What checking again on this computer has come to; "" before anything is checked."""
    if not done:
        return ""
    if done < total:
        checked = t("<b>{done} of {total}</b> claims are checked again on this computer.", done=done, total=total)
    else:
        checked = t("<b>All {total}</b> claims are checked again on this computer.", total=total)
    if not otherwise:
        return f"<p>{checked} {t('Every verdict is the stored one.')}</p>"
    called = verdicts()
    other = "".join(
        item(
            t(
                "{paper} {number}: stored “{was}”, here “{now}”",
                paper=names()[paper],
                number=number,
                was=called[was],
                now=called[now],
            )
        )
        for (paper, number), was, now in otherwise
    )
    return f"<p>{checked} {t('Other verdicts than the stored ones, shown on this page:')}</p><ul>{other}</ul>"


def item(text: str) -> str:
    return f"<li>{text}</li>"


def rules() -> str:
    """How a verdict comes about, and what the data are."""
    verdict = t(
        "A claim is the paper’s own words, one statement or several. Each statement is checked: a measurement against "
        "a stated criterion, decided once its whole interval is on one side (all intervals of a claim miss together in "
        "1&nbsp;% of cases). A statement <b>holds</b> if all its checks do and fails with the first that fails. A "
        "claim whose statements differ holds <b>in part</b>; <b>undecided</b>: more repetitions may tell. What the "
        "paper does not say is a caveat and does not count. A vague word, such as “clearly”, has one reading in all "
        "papers; where words can be read in several ways, the one that favours the paper decides, and all are shown."
    )
    data = t(
        "Where a paper’s data are not here, a stand-in is used and named: that is not a reproduction. Real files are "
        "found with <code>ldpcore papers --data-folder</code>, or in <code>LDPCORE_DATA</code>; <code>--full</code> "
        "repeats more, at least as often as the papers, and decides more."
    )
    return f"<p>{verdict}</p><p>{data}</p>"
