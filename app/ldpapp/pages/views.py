"""The pages that are about no single task: welcome, data, overview, lessons, class, papers. One line each."""

from ldpapp.pages import overview, welcome
from ldpapp.pages.classroom import page as classroom
from ldpapp.pages.data import page as data
from ldpapp.pages.learn import page as learn
from ldpapp.pages.papers import page as papers
from ldpapp.pages.view import View
from ldpapp.words.language import t

VIEWS = (
    View("welcome", lambda: t("Welcome"), welcome.page, study=False, home=True),
    View("data", lambda: t("Data"), data.page),
    View("overview", lambda: t("Overview"), overview.page),
    View("learn", lambda: t("Learn"), learn.page, study=False, last=True, looks=learn.LOOKS),
    View("class", lambda: t("Class"), classroom.page, study=False, last=True),
    View("papers", lambda: t("Papers"), papers.page, study=False, last=True, report=True),
)
