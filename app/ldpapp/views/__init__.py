"""The pages that are about no single task: the data, the overview, the papers. One line each."""

from ldpapp.view import View
from ldpapp.views import overview
from ldpapp.views.data import page as data
from ldpapp.views.papers import page as papers

INERT = "The papers are checked on their own data: nothing here changes this page."

VIEWS = (
    View("Data", data.page),
    View("Overview", overview.page),
    View("Papers", papers.page, INERT, last=True),
)
