"""The papers' own small examples, behind a click: computed, not copied."""

from collections.abc import Sequence

import numpy as np
import streamlit as st
from numpy.typing import NDArray

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


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    cells = "".join(f"<tr>{''.join(f'<td>{each}</td>' for each in row)}</tr>" for row in rows)
    names = f"<tr>{''.join(f'<th>{each}</th>' for each in head)}</tr>" if head else ""
    return f"<table>{names}{cells}</table>"


def _card(says: str, *tables: str) -> str:
    return f'<div class="card" style="{widgets.scrolls()}"><p>{says}</p>{"".join(tables)}</div>'


def _range() -> str:
    """Privelet's matrices, its tree, and the range [3, 7]."""
    found, small = examples.privelet_range(3, 7), examples.privelet_range(1, 1, height=2)
    rows = [
        (f"{first}–{last}", _number(weight), _number(weight * weight))
        for (first, last), weight in zip(found.cells, found.weights, strict=True)
    ]
    rows[0] = (t("all, summed"), *rows[0][1:])
    says = t(
        "Range [3, 7] of 8 cells at ε = {eps}: the squares add up to {c}, the variance is {variance}. Whole nodes "
        "cancel.",
        eps=words.epsilon(EPSILON), c=f"{found.coefficient:g}", variance=f"{found.variance:g}",
    )  # fmt: skip
    tree = _table((t("node, its cells"), t("noise counts"), t("squared")), rows)
    measured, restored = (_matrix(each) for each in (small.measured, small.restored))
    texts = (t("What is measured of 4 cells, row by row:"), t("How each cell is restored of it:"))
    return _card(says, tree, f"<p>{texts[0]}</p>{measured}", f"<p>{texts[1]}</p>{restored}")


def _matrix(rows: NDArray[np.float64]) -> str:
    return _table([], [[_number(each) for each in row] for row in rows])


def _number(value: float) -> str:
    return f"{value + 0.0:g}".replace("-", words.MINUS)


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
    return _card(says, _table(head, rows))


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
    return _card(says, _table(head, rows))
