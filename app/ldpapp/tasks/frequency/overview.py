"""The Overview of one column: what marks buy, whether theory holds, who is guessed."""

from ldpapp import charts, compute, curves, widgets, words
from ldpapp.cards import HEIGHT, Card, Front, experiment, gain
from ldpapp.kept import title
from ldpapp.tasks.frequency import cached as frequency_cached
from ldpapp.tasks.frequency import findings, floors, looking, panels
from ldpapp.tasks.frequency import study as own
from ldpapp.tasks.frequency.findings import Facts
from ldpapp.tasks.frequency.looking import View
from ldpcore.data import Histogram, Table
from ldpcore.study import Study


def view(study: Study, counted: Histogram) -> View:
    """The plain way to look: against ε, over all values, by one who knows that the answer is marked."""
    grid, dense = looking.grids("epsilon", study, counted)
    marked = bool(study.arms[0].marks)
    prior = "targeted" if marked else "population"
    return View("all", "points", "raw", "epsilon", prior, "sensitive" if marked else "all", grid, dense)


def sentence(source: str, study: Study, found: dict[str, Facts], main: Facts) -> str:
    """What a stakeholder takes home: what the marks buy, and its price."""
    head = f"{widgets.escape(source)}, {widgets.escape(study.column)}, ε = {words.epsilon(study.epsilon)}: "
    marked, k = int(main.marked.sum()), len(main.marked)
    pair = findings.rivals(found) if marked else None
    if pair is None:
        said = findings.frequency_sentence(study, found, main, widgets.named, widgets.sensitive("sensitive"))
        return f"{head.removesuffix(': ')}. {said}"
    times = pair[1].error() / pair[0].error()
    gain = "makes the shares more exact" if times >= 1.05 else "changes the error little"
    price = (
        f"the price is that {words.of_100(pair[0].shown)} of 100 of the <b>other</b> answers are seen as they are"
        if pair[0].shown > 0
        else "no report shows another answer for sure"
    )
    return f"{head}marking {marked} of {k} values as {widgets.sensitive('sensitive')} {gain}; {price}."


def _cards(study: Study, counted: Histogram, found: dict[str, Facts], main: Facts) -> list[Card]:
    look = view(study, counted)
    return [
        _error(look, study, counted, found, main),
        experiment("frequency", panels.surveys(study, counted, main)),
        _adversary(look, study, counted, main),
    ]


def _error(look: View, study: Study, counted: Histogram, found: dict[str, Facts], main: Facts) -> Card:
    pair = findings.rivals(found) if main.marked.any() else None
    below, _ = floors.floor(look, study, main)
    limit = " Grey: the limit." if below is not None else ""
    if pair is None:
        big, title = words.points(main.error()), f"points, the typical error of {main.key}"
        subtitle = f"Typical error of a share, points, against ε.{limit}"
    else:
        big, title = gain(pair[1].error() / pair[0].error())
        subtitle = f"{pair[0].key} against {pair[1].key}. Typical error of a share, points, against ε.{limit}"

    def draw() -> None:
        lines = curves.error_lines(look, compute.theory(look.theoretical(study), counted), study.arms[0].name)
        marks = curves.error_marks(look, look.simulated(study), counted, study.arms[0].name)
        figure = charts.error_curves(
            lines,
            marks,
            focus=main.key,
            at=study.epsilon,
            limit=below,
            dark=widgets.is_dark(),
            height=HEIGHT,
        )
        widgets.plot(figure, "overview_error", subtitle)

    return Card("error", big, title, subtitle, "frequency", draw)


def _adversary(look: View, study: Study, counted: Histogram, main: Facts) -> Card:
    marked = main.marked.any()
    if marked:
        success, blind = main.targeted, main.blind
        title = f"{widgets.sensitive('sensitive')} answers guessed (blind: {words.tries(blind, short=True)})"
        who = "By one who knows it is marked"
    else:
        success = float(main.cell.success("population") @ main.freq)
        blind = findings.blind(main, look.prior, look.attacked)
        title, who = f"answers guessed (blind: {words.tries(blind, short=True)})", "By one who knows the shares"
    simulated = look.simulated(study)
    attacked = frequency_cached.attacks(simulated)
    subtitle = f"{who}, against ε. Mark: {words.plural(attacked * study.repetitions, 'attack')}."

    def draw() -> None:
        arm = study.arms[0].name
        lines = floors.success_lines(look, compute.theory(look.theoretical(study), counted), arm)
        marks = floors.success_marks(look, simulated, counted, arm)
        figure = charts.success_curves(
            lines,
            marks,
            focus=main.key,
            at=study.epsilon,
            blind=blind * 100,
            dark=widgets.is_dark(),
            height=HEIGHT,
            width=484,
        )
        widgets.plot(figure, "overview_adversary", subtitle)

    return Card("adversary", words.tries(success), title, subtitle, "frequency", draw)


def front(study: Study, table: Table) -> Front:
    """DataError where the column cannot be counted."""
    counted, here = own.data(study, table), own.here(study)
    found = findings.facts(here, counted, here.arms[0].name)
    main = findings.focus(found, None)
    return Front(
        sentence(title(table.name), here, found, main),
        int(main.marked.sum()),
        counted.domain.k,
        _cards(here, counted, found, main),
        lambda: panels.simulate(view(here, counted), here, counted, main),
    )
