"""What fails, fails alone: a part that raises leaves a sentence in its place, and the rest of the page goes on."""

import logging
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from ldpapp.words.language import t

NO_PAGE = "streamlit.runtime.scriptrunner_utils.script_run_context"
"""The log in which Streamlit warns of work that is for no page in a browser, where that is meant."""


class Failed(Exception):
    """What a person reads of a defect of ours; the log has the defect itself."""


@contextmanager
def guarded(part: str) -> Iterator[None]:
    """Whatever this part raises is said in its place."""
    try:
        yield
    except Exception as error:
        # Where it failed, without the message: that may quote the data.
        where = "".join(traceback.format_tb(error.__traceback__))
        logging.getLogger(__name__).error("%s failed: %s\n%s", part, type(error).__name__, where)
        st.exception(
            Failed(
                t(
                    "{part} failed on these data ({kind}). That is a defect of ldpcore, not of yours. "
                    "Your data, marks and settings are still here: choose another column or other data at the left, "
                    "or another page.",
                    part=part,
                    kind=type(error).__name__,
                )
            )
        )


def for_no_page(thread: str) -> None:
    """Threads of this name work for no page: the log is not filled with warnings of it."""
    logging.getLogger(NO_PAGE).addFilter(lambda record: record.threadName != thread)
