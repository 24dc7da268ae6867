"""The Means view's logic, without a browser."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from ldpapp import columns, session, words
from ldpapp.tasks.means import cached, personal, view as means_view
from ldpapp.tasks.means import data as means_data
from ldpapp.tasks.means import findings
from ldpapp.tasks.means import study as own
from ldpcore import data
from ldpcore.catalog import MEANS
from ldpcore.domain import Interval
from ldpcore.study import fitting, intervals

from .opening import (
    alerts,
    ask,
    boxes,
    charts,
    do,
    drawn,
    go,
    html,
    kept,
    opened,
    panel,
    panels,
    plain,
    press,
    sentence,
    study,
    twin,
)
