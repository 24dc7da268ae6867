"""No other host is asked for anything: not even how the rest of the world sees this machine."""

from streamlit import net_util

METRICS = "LDPCORE_METRICS"
"""In the environment "1" where Streamlit's numbers about its sessions may be read: `ldpcore dashboard --metrics`."""


def ask_nobody() -> None:
    """Streamlit asks a host on the internet for this machine's address where it listens on all of them, or where a
    foreign page knocks. For `ldpcore dashboard`, before it starts.
    """
    net_util.get_external_ip = lambda: None
