"""The tasks: a folder each, and one line here. Navigation, Overview, links and tests read this list."""

from ldpapp.views.clusters import TASK as CLUSTERS
from ldpapp.views.frequency import TASK as FREQUENCY
from ldpapp.views.itemsets import TASK as ITEMSETS
from ldpapp.views.means import TASK as MEANS
from ldpapp.views.ranges import TASK as RANGES
from ldpapp.views.relations import TASK as RELATIONS
from ldpapp.views.review import TASK as REVIEW
from ldpapp.views.sets import TASK as SETS
from ldpapp.views.task import TaskPage

TASKS: dict[str, TaskPage] = {
    task.key: task for task in (REVIEW, FREQUENCY, SETS, MEANS, ITEMSETS, CLUSTERS, RANGES, RELATIONS)
}
"""The engine's name of a task → its page, in the order of the navigation."""
