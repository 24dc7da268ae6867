"""A survey platform carries the report, never the answer: a snippet to paste there, and the traps that platforms have.

There is none for ODK or Kobo: a form's field that a person fills is stored and sent, and whatever a form calculates
from it stands beside it. What the snippets use of a platform (`{SGQ}`, `setJSEmbeddedData`) is as its users write it;
they are tested in a page of ours that does the same, not on the platforms.
"""

import json
import re

from ldpcore.client import pages
from ldpcore.client.client import Client
from ldpcore.client.questionnaire import Questionnaire

FIELD = "report"
PLATFORMS = ("qualtrics", "limesurvey")
_HOST = "ldpcore-survey"

QUALTRICS = """\
1. In the survey flow, above the block with the question, set an embedded data field `__js_report`, without a value.
2. Make a question of the kind "Text / Graphic" and give it any text, such as "One moment".
3. Open its JavaScript editor, take away what is there, and paste all of `qualtrics.js`.
4. In the export the column is `__js_report`; `ldpcore estimate` reads it as `report`. The two lines below the header
   that Qualtrics adds count as rows that nobody can have sent.
"""
LIMESURVEY = """\
1. Make a question of the kind "Short free text" with the code `report`.
2. Open the source view of its text, and paste all of `limesurvey.html`. The snippet hides the question's own box.
   Scripts are kept only by users for whom "Filter HTML for XSS" is off.
3. Export with question codes as headings: the column is then `report`.
"""
STEPS = {"qualtrics": QUALTRICS, "limesurvey": LIMESURVEY}
FILES = {"qualtrics": "qualtrics.js", "limesurvey": "limesurvey.html"}

READ_ME = """\
# In {platform}

`{file}` asks in the survey's own page, draws there, and writes the report into one field, `report`. The answer is in no
field, in no form and in no request; it is forgotten when the report is drawn.

{steps}
Then: ldpcore estimate export.csv --client {client}

## Traps

- Never ask with the platform's own question types: they send and save each answer, some at every tap.
- Turn off session replay, click maps, timings of single answers, and "save and continue later" with screenshots: they
  record what was tapped. The snippet keeps its list in a closed part of the page, but a recorder of the whole screen
  sees it.
- Do not let a page of the survey depend on the answer; it can depend on the report.
- The platform keeps who took part, when, and from which address, beside the report. Switch that off (“anonymise
  responses”), or say that it is kept.
- Going back shows that a report was drawn, and draws no other. Where somebody can take the whole survey again, they
  give away more: ε counts for one report.
- Try it once with a test answer and look at what was stored: a number such as {code}, and nothing else.
- Not every organisation may paste scripts: ask for it, or hand out `index.html`, which needs no platform.

There is no such file for ODK or Kobo: a form there stores and sends every field that a person fills, also one that
only a calculation reads. With dice or cards instead of a phone the form's field can hold the report itself.
"""


def files(asked: Client | Questionnaire, platform: str) -> dict[str, str]:
    """The snippet and how it is used, by the names of their files.

    >>> list(files(Client.of("GRR", 1.0, ["no", "yes"]), "limesurvey"))[0]
    'limesurvey.html'
    """
    if platform not in PLATFORMS:
        raise ValueError(f"a snippet is for {' or '.join(PLATFORMS)}, got {platform!r}")
    one = isinstance(asked, Client)
    example = f"13-{asked.mark}" if one else asked.code({next(iter(asked.questions)): 1})
    read_me = READ_ME.format(
        platform=platform, file=FILES[platform], steps=STEPS[platform], code=example,
        client="client.json" if one else "questionnaire.json",
    )  # fmt: skip
    return {FILES[platform]: snippet(asked, platform), f"README-{platform}.md": read_me}


def snippet(asked: Client | Questionnaire, platform: str) -> str:
    """What is pasted: everything in one function of its own, so that it meets nothing of the platform's."""
    document = json.dumps(json.dumps(pages.survey(asked)))
    for sign in "<{":  # in texts of anybody's: no tag, and no expression
        document = document.replace(sign, f"\\u{ord(sign):04x}")
    given = f"const told = JSON.parse({document}), css = {json.dumps(pages.source('style.css'))};"
    names = (f"{platform}.js", "randomise.js", "ask.js", "survey.js", "embed.js")
    body = "\n".join([given, *(_bare(pages.source(name)) for name in names)])
    # A brace that no space follows can be an expression, {…} of LimeSurvey or ${…} of Qualtrics: of these one is meant.
    spaced = body.replace("{", "{ ").replace("{ SGQ}", "{SGQ}")
    if platform == "qualtrics":
        return f"Qualtrics.SurveyEngine.addOnReady(function () {{\n{spaced}\n}});\n"
    # The box stands below the question's text, so that it may not be there yet.
    when = "document.readyState === 'loading' ? document.addEventListener('DOMContentLoaded', begin) : begin();"
    return (
        f'<div id="{_HOST}"></div>\n<script>(() => {{\nconst begin = () => {{\n{spaced}\n}};\n{when}\n}})();</script>\n'
    )


def _bare(script: str) -> str:
    """Without comments, which end with their line: an editor may join lines. Without what is for Node, too."""
    lines = [re.sub(r"\s+// .*$", "", line) for line in script.splitlines()]
    return "\n".join(line for line in lines if not line.startswith(("// ", '"use strict"', "if (typeof module")))
