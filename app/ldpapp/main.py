"""Navigation and the frame of the sidebar: the Study stands in the same place on every page that depends on it.

What fails, fails alone: the chooser of data is drawn before anything that looks at them, and a part that raises leaves
a sentence in its place.
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from ldpapp import words  # fmt: skip
from ldpapp.compare import strip
from ldpapp.export import code, links, own_file, report
from ldpapp.parts import sidebar, weights, widgets
from ldpapp.runtime import background, capture, display, memory_release, scheduler
from ldpapp.runtime.errors import guarded
from ldpapp.state import actions, controlled, navigation, view_options
from ldpapp.state.model import KEY, current_column, names, state, study_of, table
from ldpapp.views import task
from ldpapp.views.data import checks, gone
from ldpapp.views.others import VIEWS
from ldpapp.views.results import page as results
from ldpapp.views.task import TaskPage
from ldpapp.views.tasks import TASKS
from ldpapp.views.view import View
from ldpapp.words import glossary, language
from ldpapp.words.language import t
from ldpcore import data
from ldpcore.study import tasks

STATIC = Path(__file__).parent / "static"


def about() -> TaskPage:
    """The task of pages about no single task: that of the column chosen last."""
    return TASKS["sets" if current_column() in table().sets else "frequency"]


def frame() -> tuple[Any, Any, Any]:
    """The sidebar with the chooser of data; places for what else stands in its head, beside the chooser, and below."""
    whole = st.sidebar.container(key="study")
    head = whole.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", gap="xsmall", key="study_head"
    )
    head.markdown(f"#### {t('Study')}")
    left, right = whole.columns(2, gap="small")
    controlled.bound(
        left.selectbox,
        t("Data"),
        names(),
        key="data",
        value=table().name,
        change=actions.open_data,
        format_func=lambda name: name.capitalize() if name in data.BUNDLED else name,
    )
    return head, right, whole


def beside(shown: TaskPage, own: bool, place: Any) -> None:
    """The chooser of the column; a page about no single task offers every column that can be counted or collected."""
    study = study_of(shown.key)
    if own:
        shown.beside(place, study, table())
        return
    both = [name for key in ("frequency", "sets") for name in tasks.TASKS[key].columns(table())]
    sidebar.column(place, list(dict.fromkeys(both)), current_column())


def start() -> None:
    """A new session: defaults, then what its link asks for."""
    actions.start()
    for shown in TASKS.values():
        view_options.start(shown.looks)
    for view in VIEWS:
        view_options.start(view.looks)
    view_options.start(display.LOOKS)
    if report.ASKED in st.session_state:
        links.take(*view_options.look(report.ASKED))
    elif report.RESULTS in st.session_state:
        results.ask(view_options.look(report.RESULTS))
    elif st.query_params:
        links.follow({name: st.query_params.get_all(name) for name in st.query_params})


def pages() -> Mapping[str, tuple[str, Callable[[], None], TaskPage | View]]:
    """Address → (title, what draws it, whose page it is), in the order of the navigation: what we ask (Data, Review),
    how wrong it gets (Overview, the other tasks), the reports, why.
    """
    of_tasks = {shown.address: (shown.title, partial(task.show, shown), shown) for shown in TASKS.values()}
    views = {view.address: (view.title(), view.page, view) for view in VIEWS}
    every: dict[str, tuple[str, Callable[[], None], TaskPage | View]] = {**views, **of_tasks}
    last = [address for address, one in views.items() if one[2].last]
    begin = [address for address in views if address not in (*last, "overview")]
    order = [*begin, "review", "overview", *of_tasks, *last]
    return {address: every[address] for address in dict.fromkeys(order)}


def groups(listed: Iterable[str]) -> dict[str, str]:
    """Address → what its group of the navigation is called: style.css writes this above the group's first page."""
    begins = {
        "data": t("Prepare what we ask"),
        "overview": t("Explore how wrong it gets, and who is exposed"),
        "class": t("Collect the reports"),
        "learn": t("Understand why"),
    }
    named, now = {}, ""
    for address in listed:
        now = begins.get(address, now)
        named[address] = now
    return named


def answered(listed: Mapping[str, tuple[str, Callable[[], None], TaskPage | View]]) -> list[navigation.PageQuestion]:
    """Which page answers what: all that the navigation names."""
    grouped = groups(listed)
    return [
        navigation.PageQuestion(address, grouped[address], title, owner.asks())
        for address, (title, _, owner) in listed.items()
        if not _home(owner)
    ]


def _problems() -> None:
    """What a link, a Study file or a change of data could not bring along; once."""
    refused = state().problems
    if not refused:
        return
    box, button = st.columns([80, 20], gap="small", vertical_alignment="center")
    with box:
        lines = [f"<b>{widgets.escape(p.what)}</b> {widgets.escape(p.why)}" for p in refused]
        widgets.note("<br>".join(lines))
    with button.container(horizontal=True, horizontal_alignment="right"):
        if own_file.is_other():
            st.button(t("Choose again"), key="problems_again", on_click=own_file.again)
        st.button(t("OK"), key="problems_ok", on_click=actions.clear_problems)


def main() -> None:
    st.set_page_config("ldpcore", str(STATIC / "icon.png"), layout="wide", initial_sidebar_state=widgets.SIDEBAR)
    st.html(widgets.style())
    st.logo(str(STATIC / "logo.svg"))
    if KEY not in st.session_state:
        start()
    own_file.resume()
    language.turn_page()
    glossary.turn_to(None)
    listed = pages()

    def run() -> None:
        """What is the chosen page's alone. Streamlit takes it away as soon as another page is chosen, in the sidebar
        too; what is drawn outside of a page's function stays, greyed, until something takes its place.
        """
        offered = None
        if places is not None:
            head, right, below = places
            with guarded(t("The Study")), below:
                beside(shown, isinstance(owner, TaskPage), right)
                checks.way(table(), owner.address == "data")
                weights.unused(table(), owner.key if isinstance(owner, TaskPage) else None)
                shown.sidebar(study_of(shown.key), table())
                links.menu(head, shown)
            offered = report.menu(head)
            code.menu(head, shown)
            if isinstance(owner, TaskPage) and owner.offer is not None:
                strip.keep(head, owner.key)
        saves = owner.saves()
        below_it = isinstance(owner, View) and (owner.report or saves)
        wanted = report.asked(offered, saves)
        capture.begin(wanted or (below_it and (saves or report.opened())))
        try:
            with page:
                if about_data and own_file.awaited():
                    gone.show(own_file.go_on)
                else:
                    _problems()
                    listed[address][1]()
        finally:  # also where the page ends by asking for its next slice of work
            if offered is not None:
                other = owner.title() if isinstance(owner, View) else ""
                report.fill(offered, shown, links.setting(shown), other)
            if below_it and isinstance(owner, View) and not display.projector():
                report.alone(owner.title(), study_of(shown.key), owner.report)

    made = {
        address: st.Page(
            run,
            title=words.literal(title),
            url_path=address,
            default=_home(owner),
            visibility="hidden" if _home(owner) else "visible",
        )
        for address, (title, _, owner) in listed.items()
    }
    navigation.keep(made, answered(listed))
    chosen = st.navigation(list(made.values()), position="top")
    address = next(name for name, page in made.items() if page is chosen or page == chosen)
    owner = listed[address][2]
    title = words.literal(listed[address][0])
    display.stands(listed[address][0])
    display.watch(chosen.url_path, groups(listed))  # after the start, which its first answer must not cut short
    shown = owner if isinstance(owner, TaskPage) else about()
    about_data = isinstance(owner, TaskPage) or owner.study
    places = frame() if about_data and not own_file.awaited() else None
    with guarded(t("The page {title}", title=title)):
        page = st.container(gap="small") if display.projector() else nullcontext()
        foot = display.foot()
        display.begin()
        try:
            chosen.run()
        finally:  # also where a page ends by asking for its next slice of work: the address is a link at any moment
            if not display.projector():
                widgets.terms(
                    address, {text for one in answered(listed) for text in (one.group, one.title, one.question)}
                )
                if not _home(owner):
                    navigation.link("welcome", t("What this is: the welcome"))
            is_lost = not _home(owner) and display.lost()
            display.turns(foot)
            if isinstance(owner, View) and owner.looks and not owner.study:
                links.write_looks(address, owner, shown)
            elif _home(owner):
                display.write(chosen.url_path, {})
            else:
                links.write(address, shown)
            if is_lost:
                st.rerun()


def _home(owner: TaskPage | View) -> bool:
    return isinstance(owner, View) and owner.home


memory_release.settle()
# Nobody waits for a redraw that the work behind a page asked for.
with nullcontext() if background.again() else scheduler.drawing():
    main()
scheduler.load_ahead()
