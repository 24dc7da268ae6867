"""Charts: tables and arrays in, Plotly figures out. They know nothing of Streamlit and nothing of the engine.

Every builder takes `dark` and a fixed `height` in px, and `width`: the px its panel usually has. The width is only used
to judge what fits (labels, ticks, texts); the figure itself always fills its container.
"""

from .apart import apart, apart_axis
from .arriving import arriving
from .curves import error_curves, error_range, success_curves
from .densities import recovered, report_density
from .dumbbells import DumbbellColumn, dumbbells, error_strips
from .exposed import ExposedColumn, exposed
from .families import families
from .forest import ForestRow, forest
from .forms import FormRow, form_bias, form_errors
from .histograms import histogram, number_histogram
from .icons import icon_array, squares
from .itemsets import mined_strip, scores_by_length
from .labels import words_of
from .margins import margins, outcomes
from .needs import needs
from .numbers import Published, mean_histogram, personal_errors, published_means
from .pairs import loss_heatmap
from .paper_figures import light_hues, paper_figure, published
from .plane import plane
from .range_cells import range_histogram, range_releases
from .range_errors import accuracy_indices, average_errors, experiment_ratios
from .range_maps import covariance_map, error_maps, map_scale
from .release import release
from .remarks import unsaid_limit
from .results import ResultRow, results
from .scales import scaled
from .scores import Mined, mined_bars, score_curves
from .setting_curves import SettingLine, setting_curves
from .traces import trace_leaks
