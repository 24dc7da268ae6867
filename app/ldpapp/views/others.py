"""The pages that are about no single task: welcome, data, overview, lessons, class, papers. One line each."""

from ldpapp.views import overview, welcome
from ldpapp.views.classroom import page as classroom
from ldpapp.views.data import page as data
from ldpapp.views.learn import page as learn
from ldpapp.views.papers import page as papers
from ldpapp.views.view import View
from ldpapp.words.language import t

VIEWS = (
    View("welcome", lambda: t("Welcome"), welcome.page, study=False, home=True),
    View("data", lambda: t("Data"), data.page),
    View("overview", lambda: t("Overview"), overview.page),
    View("learn", lambda: t("Learn"), learn.page, study=False, last=True, looks=learn.LOOKS),
    View("class", lambda: t("Class"), classroom.page, study=False, last=True),
    View("papers", lambda: t("Papers"), papers.page, study=False, last=True, report=True),
)
