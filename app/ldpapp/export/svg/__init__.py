"""A figure of ours as static SVG: no script, no font of its own, the same in ten years.

It draws what `ldpapp.charts` uses of Plotly (scatter, bars, heatmaps, written ticks, notes, shapes) and knows nothing
of what they mean. Whatever it does not know raises `Unknown`: nothing is dropped in silence.
"""

from ldpapp.export.svg.known import Unknown
from ldpapp.export.svg.picture import render, traces
