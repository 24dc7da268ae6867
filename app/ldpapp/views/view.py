"""What a page about no single task is."""

from collections.abc import Callable
from dataclasses import dataclass, field

from ldpapp.state.view_options import Looks


@dataclass(frozen=True)
class View:
    """A page: what it is called, what draws it, whether a Study stands beside it, and where it stands."""

    address: str
    title: Callable[[], str]
    page: Callable[[], None]
    asks: Callable[[], str]
    """The question that it answers."""
    study: bool = True
    """Whether anything on it depends on the data and the Study: if not, the sidebar stays away."""
    last: bool = False
    """After the tasks in the navigation, not before them."""
    home: bool = False
    """What the bare address opens. The navigation does not name it; the address of every other page is a link."""
    report: bool = False
    """Whether it has a report though no Study stands beside it."""
    saves: Callable[[], bool] = lambda: False
    """Whether the page, as it stands now, says where it has a button of its own that saves this report."""
    looks: Looks = field(default_factory=dict)
    """Its own looks. The address of a page without a Study that has some says these, and nothing else."""
