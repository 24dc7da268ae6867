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


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    cells = "".join(f"<tr>{''.join(f'<td>{each}</td>' for each in row)}</tr>" for row in rows)
    return f'<table><tr>{"".join(f"<th>{each}</th>" for each in head)}</tr>{cells}</table>'


def _card(says: str, *tables: str) -> str:
    return f'<div class="card" style="{widgets.scrolls()}"><p>{says}</p>{"".join(tables)}</div>'


def _range() -> str:
    """Privelet's matrices, its tree, and the range [3, 7]."""
    found, small = examples.privelet_range(3, 7), examples.privelet_range(1, 1, height=2)
    rows = [
        (f"{first}–{last}", _number(weight), _number(weight * weight))
        for (first, last), weight in zip(found.cells, found.weights, strict=True)
    ]
    says = t(
        "Range [3, 7] of 8 cells at ε = {eps}: the squares add up to {c}, the variance is {variance}. Whole nodes "
        "cancel. Below: what is measured of 4 cells, and how cells are restored.",
        eps=words.epsilon(EPSILON), c=f"{found.coefficient:g}", variance=f"{found.variance:g}",
    )  # fmt: skip
    tree = _table((t("node, its cells"), t("noise counts"), t("squared")), rows)
    return _card(says, tree, *(_matrix(each) for each in (small.measured, small.restored)))


def _matrix(rows: Sequence[Sequence[float]]) -> str:
    return _table((), [[_number(each) for each in row] for row in rows])


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
        (name, *(words.of_100(each) if each else "0" for pair in zip(one, other, strict=True) for each in pair))
        for name, one, other in ((t("high"), uldp.high, sdldp.high), (t("low"), uldp.low, sdldp.low))
    ]
    head = [t("answer")]
    for sent in (t("as itself"), t("as one other high"), t("as one other low")):
        head += [f"{sent}, {uldp.key}", sdldp.key]
    says = t(
        "Six answers, two of high sensitivity, ε = {eps}; chances of 100. A low report proves the answer under ULDP "
        "(uRR: {one} of 100); under SDLDP it is right for {other} (SDGRR).",
        eps=words.epsilon(EPSILON), one=words.of_100(uldp.sure), other=words.of_100(sdldp.sure),
    )  # fmt: skip
    return _card(says, _table(head, rows))
