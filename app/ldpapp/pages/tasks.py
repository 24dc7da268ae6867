"""The tasks: a folder each, and one line here. Navigation, Overview, links and tests read this list."""

from ldpapp.pages.clusters import TASK as CLUSTERS
from ldpapp.pages.frequency import TASK as FREQUENCY
from ldpapp.pages.itemsets import TASK as ITEMSETS
from ldpapp.pages.means import TASK as MEANS
from ldpapp.pages.ranges import TASK as RANGES
from ldpapp.pages.review import TASK as REVIEW
from ldpapp.pages.sets import TASK as SETS
from ldpapp.pages.task import TaskPage

TASKS: dict[str, TaskPage] = {task.key: task for task in (REVIEW, FREQUENCY, SETS, MEANS, ITEMSETS, CLUSTERS, RANGES)}
"""The engine's name of a task → its page, in the order of the navigation."""
