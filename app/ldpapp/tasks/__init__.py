"""The tasks: a folder each, and one line here. Navigation, Overview, links and tests read this list."""

from ldpapp.task import TaskPage
from ldpapp.tasks.clusters import TASK as CLUSTERS
from ldpapp.tasks.frequency import TASK as FREQUENCY
from ldpapp.tasks.itemsets import TASK as ITEMSETS
from ldpapp.tasks.means import TASK as MEANS
from ldpapp.tasks.ranges import TASK as RANGES
from ldpapp.tasks.review import TASK as REVIEW
from ldpapp.tasks.sets import TASK as SETS

TASKS: dict[str, TaskPage] = {task.key: task for task in (REVIEW, FREQUENCY, SETS, MEANS, ITEMSETS, CLUSTERS, RANGES)}
"""The engine's name of a task → its page, in the order of the navigation."""
