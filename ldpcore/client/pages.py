"""What runs on a phone: one page without a framework, that asks, draws, and says what its reports can mean."""

import base64
import hashlib
import html
import json
from collections.abc import Sequence
from importlib.resources import files

from ldpcore.client.client import Client
from ldpcore.client.questionnaire import Questionnaire

SHARED = ("randomise.js", "ask.js")
"""The draw in whole numbers, and the screens around it."""
IN_PAGE = 'const main = document.getElementById("ask");'
"""Where the screens stand: of the scripts that share them each says it first."""


def source(name: str) -> str:
    """A file of the page.

    >>> "crypto.getRandomValues" in source("randomise.js")
    True
    """
    return (files("ldpcore.client") / "page" / name).read_text(encoding="utf-8")


def page(scripts: Sequence[str], title: str, embedded: str = "", connect: bool = False) -> str:
    """The page as one text, with SHARED and these scripts (texts) in it.

    Its Content-Security-Policy lets nothing else run, and nothing be fetched; `connect`: but from where it came.

    embedded: JSON that the scripts find in the element `client`; it may hold any text.
    """
    script = "\n".join([IN_PAGE, *map(source, SHARED), *scripts])
    style = source("style.css")
    source_list = "'self'" if connect else "'none'"
    policy = "; ".join(
        [
            "default-src 'none'",
            f"script-src {_digest(script)}",
            f"style-src {_digest(style)}",
            f"connect-src {source_list}",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )
    # As an element's text: no "<" of anybody's may end it.
    safe = embedded.replace("<", "\\u003c")
    data = f'<script id="client" type="application/json">{safe}</script>' if embedded else ""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        '<meta name="referrer" content="no-referrer">'
        f"<title>{html.escape(title)}</title><style>{style}</style></head><body>"
        '<main id="ask" aria-live="polite"><p>One moment …</p></main>'
        "<noscript>This page needs JavaScript: the phone itself draws the report.</noscript>"
        f"{data}<script>{script}</script></body></html>\n"
    )


def survey(asked: Client | Questionnaire) -> dict[str, object]:
    """What the page of one question or of several is told: a single one is a questionnaire of its own."""
    whole = Questionnaire({asked.question or "report": asked}) if isinstance(asked, Client) else asked
    questions = [{"name": name, **client.to_dict()} for name, client in whole.questions.items()]
    about = {"asks": whole.asks, "weights": list(whole.weights), "epsilon": whole.epsilon}
    return {**about, "questions": questions, "mark": asked.mark, "promise": whole.promise}


def by_hand(asked: Client | Questionnaire) -> str:
    """The page that works from a file: whoever answers hands in a code, with the mark of the client.

    >>> asked = Client.of("uRR", 1.0, ["no", "yes"], [False, True], "Is </script> a joke?")
    >>> by_hand(asked).count("</script>"), "https://" in by_hand(asked)
    (2, False)
    """
    title = (asked.question if isinstance(asked, Client) else "") or "Survey"
    scripts = [source("survey.js"), source("hand.js")]
    return page(scripts, title, json.dumps(survey(asked), ensure_ascii=False))


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
