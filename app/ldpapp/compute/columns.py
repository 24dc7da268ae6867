"""Tables that come with the app, and columns counted."""

from threading import Lock
from weakref import WeakValueDictionary

from ldpapp.compute.memory import remember
from ldpcore import data
from ldpcore.study import Study, frequency

_lock = Lock()
_looked_at: WeakValueDictionary[str, data.Table] = WeakValueDictionary()


def bundled(name: str) -> data.Table:
    """A bundled data set, read once for all sessions that look at it, as it is nobody's upload. With the last of them
    it goes, and all that was made of it.
    """
    return remember("bundled", len(data.BUNDLED), name, lambda: _shared(name))


def _shared(name: str) -> data.Table:
    with _lock:
        table = _looked_at.get(name)
        if table is None:
            table = _looked_at[name] = data.load(name)
        return table


def histogram(study: Study, table: data.Table) -> data.Histogram:
    """The study's column, counted; the same object for the same column, so that what is made of it can be kept too."""
    key = (table.digest, study.column, study.missing, study.bins)
    return remember("histograms", 64, key, lambda: frequency.histogram(study, table))
