"""The pages that are about no single task: the welcome, the data, the overview, the papers. One line each."""

from ldpapp.view import View
from ldpapp.views import overview, welcome
from ldpapp.views.data import page as data
from ldpapp.views.papers import page as papers

VIEWS = (
    View("Welcome", welcome.page, study=False, home=True),
    View("Data", data.page),
    View("Overview", overview.page),
    View("Papers", papers.page, study=False, last=True),
)
