"""Relations: is an answer commoner in one group than in another, though one or both are hidden?"""

from functools import partial

from ldpapp import words
from ldpapp.compare import strip
from ldpapp.parts import budget, widgets
from ldpapp.parts.panels import row
from ldpapp.views.relations import compared, error, exposed, folds, groups, headline, names, needed
from ldpapp.views.relations import view as views
from ldpapp.words.language import t
from ldpcore.study import Study
from ldpcore.study import relations as task


def page(study: Study, people: task.PairCounts) -> None:
    view = views.current(study, people)
    widgets.sentence(*headline.headline(view))
    strip.here()
    of_groups, of_answers = (words.shorten(name, names.LONGEST) for name in people.names)
    budget.on_phone(
        study,
        t("{groups} × {answers}", groups=of_groups, answers=of_answers),
        names.setting(view.options.setting),
    )
    first = [partial(groups.panel, view), partial(compared.pairs, view)]
    row(first, [partial(compared.panel, view), partial(error.panel, view)], widths=(50, 50))
    row(partial(exposed.panel, view), partial(needed.panel, view), widths=(50, 50))
    folds.show(view)
    error.simulate(view)
