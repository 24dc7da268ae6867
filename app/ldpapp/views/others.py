"""The pages that are about no single task: welcome, data, overview, class, results, lessons, papers. One line each."""

from ldpapp.views import overview, welcome
from ldpapp.views.classroom import page as classroom
from ldpapp.views.data import page as data
from ldpapp.views.learn import page as learn
from ldpapp.views.papers import page as papers
from ldpapp.views.results import page as results
from ldpapp.views.view import View
from ldpapp.words.language import t

VIEWS = (
    View("welcome", lambda: t("Welcome"), welcome.page, study=False, home=True),
    View("data", lambda: t("Data"), data.page),
    View("overview", lambda: t("Overview"), overview.page),
    View("class", lambda: t("Class"), classroom.page, study=False, last=True),
    View(
        "results", lambda: t("Results"), results.page, study=False, last=True, saves=results.saves, looks=results.LOOKS
    ),
    View("learn", lambda: t("Learn"), learn.page, study=False, last=True, looks=learn.LOOKS),
    View("papers", lambda: t("Papers"), papers.page, study=False, last=True, report=True, looks=papers.LOOKS),
)
