"""The whole picture: what stands behind, the traces in their frames, and what stands before."""

import re
from collections.abc import Mapping
from typing import Any

from plotly.graph_objects import Figure

from ldpapp.export.svg import pen
from ldpapp.export.svg.axes import Axis, drawn, squared
from ldpapp.export.svg.known import Unknown, one_of, only, plain
from ldpapp.export.svg.traces import Bars, faded, heatmap, scatter

DRAWN = "height margin font annotations shapes bargap barmode"
PASSED = (
    "width template autosize paper_bgcolor plot_bgcolor showlegend dragmode uirevision hovermode hoverlabel "
    "newselection selectdirection bargroupgap hoverdistance selections clickmode activeselection"
)
SHAPE = "type x0 x1 y0 y1 xref yref line fillcolor layer opacity label xanchor yanchor xsizemode ysizemode"
_AXIS = re.compile(r"[xy]axis\d*")


def render(figure: Figure, width: float, uid: str, alt: str) -> str:
    """This figure, so wide in px. uid: what begins its ids, once a page. alt: what it says; "" for a mere picture."""
    return _Picture(plain(figure.to_plotly_json()), width, uid).svg(alt)


class _Picture:
    def __init__(self, figure: Mapping[str, Any], width: float, uid: str) -> None:
        self.layout, self.uid, self.width = figure["layout"], uid, float(width)
        self.data = [trace for trace in figure["data"] if trace.get("visible", True) is not False]
        only(_rest(self.layout), "layout", DRAWN, PASSED)
        if self.layout.get("showlegend"):
            raise Unknown("layout: legend")
        margin = self.layout.get("margin", {})
        self.height = float(self.layout["height"])
        self.left, self.top = float(margin.get("l", 80)), float(margin.get("t", 100))
        self.right = self.width - float(margin.get("r", 80))
        self.bottom = self.height - float(margin.get("b", 80))
        self.font = self.layout.get("font", {})
        self.axes = self._axes()
        self.clips: dict[tuple[str, str], str] = {}

    def _axes(self) -> dict[str, Axis]:
        values: dict[str, list[Any]] = {}
        for trace in self.data:
            for letter in "xy":
                if trace.get(letter) is not None:
                    values.setdefault(trace.get(f"{letter}axis", letter), []).extend(trace[letter])
        names = {key for key in self.layout if _AXIS.fullmatch(key)} | {"xaxis", "yaxis"}
        axes = {}
        for key in sorted(names):
            name = key.replace("axis", "")
            ends = (self.left, self.right) if key[0] == "x" else (self.bottom, self.top)
            look = self.layout.get(key, {})
            axes[name] = Axis(name, look, *ends, values.get(name, []))
        for axis in axes.values():
            if "scaleanchor" in axis.look:
                squared(axis, axes[axis.look["scaleanchor"]])
        return axes

    def svg(self, alt: str) -> str:
        behind, before = self._ticks()
        traces = self._traces()
        below, above = self._shapes()
        notes = [self._note(note) for note in self.layout.get("annotations", ())]
        n = pen.number
        family = pen.escape(self.font.get("family", "sans-serif"))
        role = f'role="img" aria-label="{pen.escape(alt)}"' if alt else 'aria-hidden="true"'
        box = f'viewBox="0 0 {n(self.width)} {n(self.height)}" width="{n(self.width)}" height="{n(self.height)}"'
        frames = "".join(self._frame(key, name) for key, name in self.clips.items())
        defs = f"<defs>{frames}</defs>" if frames else ""
        body = "".join([*below, *behind, *traces, *before, *above, *notes])
        return f'<svg xmlns="http://www.w3.org/2000/svg" {box} {role} font-family="{family}">{defs}{body}</svg>'

    def _frame(self, key: tuple[str, str], name: str) -> str:
        (x0, x1), (y0, y1) = (self.axes[axis].ends for axis in key)
        return f'<clipPath id="{name}">{pen.rectangle(x0, y0, x1, y1, "")}</clipPath>'

    def _ticks(self) -> tuple[list[str], list[str]]:
        behind: list[str] = []
        before: list[str] = []
        for name, axis in self.axes.items():
            other = self.axes[axis.look.get("anchor", "y" if name[0] == "x" else "x")]
            under, over = drawn(axis, other, self.font.get("size", 12), self.font.get("color", "#444"))
            behind, before = behind + under, before + over
        return behind, before

    def _traces(self) -> list[str]:
        """Heatmaps, then bars, then lines and marks, each as they are listed: Plotly's order."""
        bars = Bars(self.layout, self.uid)
        kinds = {"heatmap": heatmap, "bar": bars.draw, "scatter": scatter}
        for trace in self.data:
            one_of(trace["type"], "trace", *kinds)
        return [
            self._trace(trace, kinds[trace["type"]]) for kind in kinds for trace in self.data if trace["type"] == kind
        ]

    def _trace(self, trace: Mapping[str, Any], draw: Any) -> str:
        names = trace.get("xaxis", "x"), trace.get("yaxis", "y")
        body = faded("".join(draw(trace, *(self.axes[name] for name in names))), trace.get("opacity"))
        if trace.get("cliponaxis", True) is False:
            return body
        frame = self.clips.setdefault(names, f"{self.uid}c{len(self.clips)}")
        return f'<g clip-path="url(#{frame})">{body}</g>'

    def _place(self, value: Any, ref: str, letter: str, note: bool = False) -> float:
        """px of a place on the paper, in an axis's domain, or on an axis."""
        start, end = (self.left, self.right) if letter == "x" else (self.bottom, self.top)
        if ref == "paper":
            return start + float(value) * (end - start)
        axis = self.axes[ref.split()[0]]
        if ref.endswith(" domain"):
            return axis.first + float(value) * (axis.last - axis.first)
        return axis.own(float(value)) if note else axis.at(value)  # notes on log axes stand at exponents

    def _shapes(self) -> tuple[list[str], list[str]]:
        below: list[str] = []
        above: list[str] = []
        for shape in self.layout.get("shapes", ()):
            only(shape, "shape", SHAPE, "name")
            x0, x1, y0, y1 = (self._corner(shape, key) for key in ("x0", "x1", "y0", "y1"))
            line = shape.get("line", {})
            width = float(line.get("width", 2))
            look = pen.stroke(line.get("color", "#444"), width, line.get("dash", "solid")) if width else ""
            one_of(shape["type"], "shape", "line", "rect")
            if shape["type"] == "line":
                n = pen.number
                made = pen.path(f"M{n(x0)},{n(y0)}L{n(x1)},{n(y1)}", look)
            else:
                made = pen.rectangle(x0, y0, x1, y1, f' fill="{pen.escape(shape.get("fillcolor", "none"))}"{look}')
            made = faded(made, shape.get("opacity")) + self._label(shape.get("label", {}), x0, y0)
            (below if shape.get("layer") == "below" else above).append(made)
        return below, above

    def _label(self, label: Mapping[str, Any], x0: float, y0: float) -> str:
        """Words at the start of a shape that is a line."""
        if not label.get("text"):
            return ""
        only(label, "label", "text font textposition xanchor yanchor padding textangle")
        one_of(label.get("textposition"), "label", "start")
        font, side = label.get("font", {}), label.get("yanchor", "middle")
        off = float(label.get("padding", 3)) * {"top": 1, "bottom": -1}.get(side, 0)
        look = (label["text"], font.get("size", self.font.get("size", 12)), font.get("color", self.font.get("color")))
        return pen.text(x0, y0 + off, *look, pen.ANCHORS[label.get("xanchor", "auto")], side)

    def _corner(self, shape: Mapping[str, Any], key: str) -> float:
        letter = key[0]
        ref = shape.get(f"{letter}ref", letter)
        if shape.get(f"{letter}sizemode") != "pixel":
            return self._place(shape[key], ref, letter)
        return self._place(shape[f"{letter}anchor"], ref, letter) + float(shape[key]) * (1 if letter == "x" else -1)

    def _note(self, note: Mapping[str, Any]) -> str:
        keys = "text x y xref yref xshift yshift xanchor yanchor font bgcolor textangle showarrow"
        only(note, "note", keys, "name align borderpad captureevents hovertext hoverlabel ax ay opacity")
        if note.get("showarrow", True):
            raise Unknown("note: arrow")
        font = note.get("font", {})
        size, text = float(font.get("size", self.font.get("size", 12))), str(note["text"])
        x = self._place(note["x"], note.get("xref", "x"), "x", note=True) + float(note.get("xshift", 0))
        y = self._place(note["y"], note.get("yref", "y"), "y", note=True) - float(note.get("yshift", 0))
        anchor = pen.ANCHORS[note.get("xanchor", "auto")]
        side = note.get("yanchor", "auto").replace("auto", "middle")
        color = font.get("color", self.font.get("color", "#444"))
        halo = (
            f' stroke="{pen.escape(note["bgcolor"])}" stroke-width="4" paint-order="stroke"'
            if "bgcolor" in note
            else ""
        )
        made = pen.text(x, y, text, size, color, anchor, side, float(note.get("textangle", 0)))
        return made.replace("<text", f"<text{halo}", 1) if halo else made


def _rest(layout: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in layout.items() if not _AXIS.fullmatch(key)}


def traces(figure: Figure) -> list[Mapping[str, Any]]:
    """What a figure draws, its arrays unpacked."""
    return plain(figure.to_plotly_json())["data"]
