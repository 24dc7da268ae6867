"""What a room can tell before anybody has answered: ± for this many pupils, the limit, what one report gives away."""

from ldpapp import charts, words
from ldpapp.parts import widgets
from ldpapp.parts.panels import Chart, Html, Panel
from ldpapp.runtime import display
from ldpapp.words.language import t
from ldpcore.client import Client
from ldpcore.client.expected import GOAL, false_report, margins, needed, told


def whole(margin: float) -> str:
    """± in whole points: a class is small, and digits after the point would say that it is not."""
    return f"±{100 * margin:.0f}" if margin >= 0.01 else words.points(margin)


def headline(client: Client, pupils: int) -> str:
    reached, epsilon = margins(client), needed(client, pupils)
    holes = {
        "pupils": words.plural(pupils, t("pupil"), t("pupils")),
        "margin": whole(reached.alone / pupils**0.5),
        "goal": whole(GOAL),
        "people": words.count(reached.people or 0),
        "epsilon": words.epsilon(epsilon or 0.0),
    }
    if reached.alone / pupils**0.5 <= GOAL:
        return t("With {pupils} a hidden share is known to {margin} points.", **_only(holes, "pupils", "margin"))
    if reached.people is None:
        return t("With {pupils} a hidden share is known to {margin} points.", **_only(holes, "pupils", "margin"))
    if epsilon is None:
        return t(
            "With {pupils} a hidden share is known to {margin} points; {goal} needs {people} reports.",
            **_only(holes, "pupils", "margin", "goal", "people"),
        )
    return t(
        "With {pupils} a hidden share is known to {margin} points; {goal} needs {people} reports, or ε = {epsilon}.",
        **holes,
    )


def _only(holes: dict[str, str], *names: str) -> dict[str, str]:
    return {name: holes[name] for name in names}


def drawn(client: Client, now: int, last: int, said: str, height: int, width: int) -> Chart:
    """The curve of ± against reports."""
    reached = margins(client)
    figure = charts.arriving(
        100 * reached.alone, 100 * reached.least, now, (100 * GOAL, reached.people), last=last, said=said,
        dark=widgets.is_dark(), height=height, width=width,
    )  # fmt: skip
    if now:
        alt = t(
            "± of a hidden share against reports: {margin} points at {now}, no less than {least} with any mechanism.",
            margin=whole(reached.alone / now**0.5), now=now, least=whole(reached.least / now**0.5),
        )  # fmt: skip
    else:
        alt = t("± of a hidden share against reports: none has come.")
    return Chart(figure, alt, key="chart_arriving")


def curve(client: Client, pupils: int) -> Panel:
    reached = margins(client)
    margin, least = reached.alone / pupils**0.5, reached.least / pupils**0.5
    label = t("{pupils} pupils {margin}", pupils=pupils, margin=whole(margin))
    about = t(
        "± 95 % of a hidden share, in points, if all answers were equally common. Grey: no mechanism with this promise "
        "gets there ({least} with {pupils}).",
        least=whole(least), pupils=pupils,
    )  # fmt: skip
    return Panel("arriving", t("More reports, smaller ±"), [drawn(client, pupils, pupils, label, 176, 600)], about)


def odds_html(client: Client) -> str:
    """What one report tells, as dots."""
    answer, right, other = told(client)
    dark, columns = widgets.is_dark(), 50 if display.projector() else 25
    lines = (
        (right, t("{of} of 100 who mean “{answer}” name it,", of=_of(right), answer=_short(answer))),
        (other, t("and {of} of 100 who do not.", of=_of(other))),
    )
    drawn = ((text, charts.icon_array(100 * chance, dark, columns=columns, alt="")) for chance, text in lines)
    return "".join(f'<div class="told">{text}</div><div class="dots100">{dots}</div>' for text, dots in drawn)


def _of(chance: float) -> str:
    return f"<b>{words.of_100(chance).replace('<', '&lt;').replace('>', '&gt;')}</b>"


def _short(answer: str) -> str:
    return widgets.escape(words.shorten(answer, 24))


def liar(client: Client) -> str:
    people, swing = map(words.decimals, false_report(client))
    return t(
        "Nobody can see a lie: one false report adds as much to a hidden share as up to {people} honest pupils, in "
        "place of the opposite report as {swing}.",
        people=people, swing=swing,
    )  # fmt: skip


def odds(client: Client) -> Panel:
    return Panel("class_odds", t("What one report tells"), [Html(odds_html(client)), Html(_quiet(liar(client)))])


def _quiet(text: str) -> str:
    return f'<div class="sub">{text}</div>'
