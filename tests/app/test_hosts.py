"""The dashboard asks no other host, not even where a foreign page knocks or where it listens on all addresses."""

import runpy
import sys

import pytest
from click.testing import CliRunner
from streamlit import net_util
from streamlit.web.server.server_util import is_url_from_allowed_origins

from ldpapp.runtime import memory_release
from ldpcore import cli


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that Streamlit would have asked, once the dashboard's command was given."""
    found: list[str] = []
    monkeypatch.setattr(net_util, "get_external_ip", net_util.get_external_ip)
    monkeypatch.setattr(net_util, "_external_ip", None)
    monkeypatch.setattr(net_util, "_make_blocking_http_get", lambda url, timeout=0: found.append(url))
    assert not is_url_from_allowed_origins("https://foreign.example")
    assert found, "Streamlit asks nobody any more: ldpapp.runtime.offline can go"
    found.clear()
    monkeypatch.setattr(sys, "argv", ["ldpcore"])
    monkeypatch.setattr(runpy, "run_module", lambda *args, **kwargs: None)
    monkeypatch.setattr(memory_release, "keep_tidy", lambda: None)  # its thread would stay
    result = CliRunner().invoke(cli.main, ["dashboard", "--server.address=0.0.0.0"])
    assert result.exit_code == 0, result.output
    return found


def test_no_host_is_asked_for_this_machines_address(asked: list[str]) -> None:
    assert not is_url_from_allowed_origins("https://foreign.example")
    assert net_util.get_external_ip() is None
    assert asked == []
