"""The papers' own small examples, behind a click: computed, not copied."""

from collections.abc import Sequence

import streamlit as st

from ldpapp import words
from ldpapp.parts import widgets
from ldpapp.words.language import t
from ldpcore.papers import examples

OF = ("privelet", "dfdp", "sdldp")
"""Papers that have one here; that of SULDP is a lesson."""
EPSILON = 1.0


def draw(paper: str) -> None:
    """The example of this paper."""
    st.html({"privelet": _range, "dfdp": _shop, "sdldp": _sent}[paper]())


def _card(says: str, *tables: tuple[Sequence[str], Sequence[Sequence[str | float]]]) -> str:
    """A sentence, and tables: the names of the columns (of one alone: what stands below), and the rows."""
    parts = [f"<p>{says}</p>"]
    for head, rows in tables:
        lines = [[f"{each + 0.0:g}" if isinstance(each, float) else each for each in row] for row in rows]
        cells = "".join(f"<tr>{''.join(f'<td>{each}</td>' for each in line)}</tr>" for line in lines)
        names = "".join(f"<th>{each}</th>" for each in head)
        parts.append(f"<p>{head[0]}</p>" if len(head) == 1 else "")
        parts.append(
            f"<table>{f'<tr>{names}</tr>' if len(head) > 1 else ''}{cells}</table>".replace(">-", f">{words.MINUS}")
        )
    return f'<div class="card" style="{widgets.scrolls()}">{"".join(parts)}</div>'


def _range() -> str:
    """Privelet's matrices, its tree, and the range [3, 7]."""
    chosen, small = examples.privelet_range(3, 7), examples.privelet_range(1, 1, height=2)
    rows = [
        (f"{first}–{last}", float(weight), float(weight * weight))
        for (first, last), weight in zip(chosen.cells, chosen.weights, strict=True)
    ]
    rows[0] = (t("all, summed"), *rows[0][1:])
    says = t(
        "Range [3, 7] of 8 cells at ε = {eps}: the squares add up to {c}, the variance is {variance}. Whole nodes "
        "cancel.",
        eps=words.epsilon(EPSILON), c=f"{chosen.coefficient:g}", variance=f"{chosen.variance:g}",
    )  # fmt: skip
    measured, restored = t("What is measured of 4 cells, row by row:"), t("How each cell is restored of it:")
    return _card(
        says,
        ((t("node, its cells"), t("noise counts"), t("squared")), rows),
        ([measured], small.measured.tolist()),
        ([restored], small.restored.tolist()),
    )


def _shop() -> str:
    """DFDP's tables 2 to 4 as chances, of purchases with the same frequent sets."""
    rows = [
        (name, str(count), words.of_100(dfdp), words.of_100(other))
        for name, count, dfdp, other in examples.shop(EPSILON)
    ]
    says = t(
        "The paper’s tables are lost in our text; purchases {shop} have its frequent sets (3 or more). Noise Lap(1) on "
        "every count: {item} may be lost to noise, and DFDP still looks at {pair}.",
        shop=words.listing(examples.SHOP), item="A", pair="AB",
    )  # fmt: skip
    head = (t("set"), t("purchases"), t("DFDP publishes, of 100"), t("SmartTrunc"))
    return _card(says, (head, rows))


def _sent() -> str:
    """SDLDP's figure 1: which answers can be sent as which."""
    uldp, sdldp = examples.sent(EPSILON)
    rows = [
        (f"{name}, {one.key}", *(words.of_100(chance) if chance else "0" for chance in chances))
        for name, chances_of in ((t("high"), lambda one: one.high), (t("low"), lambda one: one.low))
        for one in (uldp, sdldp)
        for chances in (chances_of(one),)
    ]
    head = (t("answer"), t("as itself"), t("as one other high"), t("as one other low"))
    says = t(
        "Six answers, two of high sensitivity, ε = {eps}; chances of 100. A low report proves the answer under ULDP "
        "(uRR: {one} of 100); under SDLDP it is right for {other} (SDGRR).",
        eps=words.epsilon(EPSILON), one=words.of_100(uldp.sure), other=words.of_100(sdldp.sure),
    )  # fmt: skip
    return _card(says, (head, rows))
