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
    View("welcome", lambda: t("Welcome"), welcome.page, lambda: t("What is this?"), study=False, home=True),
    View("data", lambda: t("Data"), data.page, lambda: t("What is in my file, and which answers are delicate?")),
    View(
        "overview",
        lambda: t("Overview"),
        overview.page,
        lambda: t("What do marks cost, and what do they hide: on one screen?"),
    ),
    View(
        "class",
        lambda: t("Class"),
        classroom.page,
        lambda: t("What does a class say, each by phone?"),
        study=False,
        last=True,
    ),
    View(
        "results",
        lambda: t("Results"),
        results.page,
        lambda: t("What do the reports say that came back?"),
        study=False,
        last=True,
        saves=results.saves,
        looks=results.LOOKS,
    ),
    View(
        "learn",
        lambda: t("Learn"),
        learn.page,
        lambda: t("Why does it work, slide by slide?"),
        study=False,
        last=True,
        looks=learn.LOOKS,
    ),
    View(
        "papers",
        lambda: t("Papers"),
        papers.page,
        lambda: t("Which claims of five papers hold?"),
        study=False,
        last=True,
        report=True,
        looks=papers.LOOKS,
    ),
)
