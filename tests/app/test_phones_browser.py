"""What phones show and hand over, in a real browser: a page from a file, and snippets in a survey platform's page."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from ldpcore import client
from ldpcore.client import AskedPair, Client, Questionnaire, embedding

SMOKES = Client.of("GRR", 1.0, ["no", "yes"], question="Do you smoke?")
COPIED = Client.of(
    "uSS", 2.0, ["never", "once", "often", "rather {not} say"], [False, True, True, True], "Copied </p>?"
)
PAIR = AskedPair(("smoking", "sick"), (("no", "yes"), ("well", "ill", "very ill")))
BOTH = Client.of("uSS", 1.0, PAIR.answers, PAIR.marks([False, True], [False, True, True]), "Both", pair=PAIR)
ASKED = Questionnaire({"smokes": SMOKES, "copied": COPIED, "both": BOTH})
SITE = "http://survey.test/"
LISTENING = """window.heard = [];
for (const kind of ["click", "input", "change", "keydown"])
  document.addEventListener(kind, event => window.heard.push(
    event.composedPath().filter(node => node.tagName).map(node => `${node.tagName}#${node.id}`)), true);
const attach = Element.prototype.attachShadow;
Element.prototype.attachShadow = function (how) {
  window.how = how.mode;
  return window.inside = attach.call(this, how);
};
"""
"""What a platform's scripts can hear, and a way into the closed part for this test."""
FIELDS = "() => [...document.forms].flatMap(form => [...new FormData(form)])"


@pytest.fixture
def phone(browser) -> Iterator:
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.complaints, page.asked = [], []
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.on("console", lambda line: page.complaints.append(line.text) if line.type == "error" else None)
    page.on("request", lambda request: page.asked.append((request.url, request.post_data)))
    yield page
    context.close()


def by_hand(phone, tmp_path, asked, name="index.html"):
    (tmp_path / name).write_text(client.by_hand(asked), encoding="utf-8")
    phone.goto((tmp_path / name).as_uri())


def pasted(platform, asked):
    """A page of the platform with the snippet in it, as the platform would write it."""
    text = embedding.snippet(asked, platform)
    if platform == "limesurvey":  # whose expressions begin with a brace and no space
        text = re.sub(r"\{(\S[^{}]*)\}", lambda match: "12X3X4" if match[1] == "SGQ" else "", text)
        body = f'<div>{text}</div><input type="text" name="12X3X4" id="answer12X3X4">'
    else:
        text = re.sub(r"\$\{[^\s{}]+\}", "", text)
        body = f"""<div id="QID1"></div><input type="hidden" name="__js_report"><script>
const field = document.forms[0].elements.__js_report, kept = sessionStorage.getItem("kept");
if (kept) field.value = kept;
const Qualtrics = {{ SurveyEngine: {{
  addOnReady: then => setTimeout(() => then.call({{ getQuestionTextContainer: () => QID1 }})),
  setJSEmbeddedData: (name, text) => {{ field.value = text; sessionStorage.setItem("kept", text); }},
  getJSEmbeddedData: name => field.value }} }};
</script><script>{text}</script>"""
    # The platform's script is before the form's fields are read, and its question in the middle of the form.
    return f'<!doctype html><meta charset="utf-8"><form method="post" action="/save">{body}<button>Next</button></form>'


def inside(phone, text):
    """Press what says this in the closed part."""
    script = """text => { const said = [...window.inside.querySelectorAll("button, label")].find(
      each => each.textContent.startsWith(text)); said.click(); }"""
    phone.evaluate(script, text)


def in_platform(phone, platform, asked):
    page = pasted(platform, asked)
    phone.add_init_script(LISTENING)
    phone.route("**/*", lambda route: route.fulfill(body=page, content_type="text/html; charset=utf-8"))
    phone.asked.clear()
    phone.goto(SITE)
    phone.wait_for_function("() => window.inside && window.inside.querySelector('button')")


def the_report_alone(phone, platform):
    field = {"limesurvey": "12X3X4", "qualtrics": "__js_report"}[platform]
    in_platform(phone, platform, ASKED)
    assert phone.evaluate("() => window.how") == "closed"
    assert phone.evaluate(FIELDS) == [[field, ""]]
    assert "ε = 4" in phone.evaluate("() => window.inside.textContent")
    for said in ("Begin", "yes", "Next", "rather {not} say", "Next", "yes", "very ill"):
        inside(phone, said)
        assert phone.evaluate(FIELDS) == [[field, ""]], "nothing before it is drawn"
    inside(phone, "Draw my reports")
    ((name, code),) = phone.evaluate(FIELDS)
    assert name == field
    reports = ASKED.handed(code.split(","))
    assert ASKED.accepts(reports)
    assert list(reports) == list(ASKED.questions)
    assert phone.evaluate("() => window.inside.querySelectorAll('input').length") == 0
    heard = phone.evaluate("() => window.heard")
    assert heard, "or this shows nothing"
    parts = {node for path in heard for node in path}
    assert not parts & {"INPUT#", "LABEL#", "MAIN#ask"}, (
        "a listener of the platform's hears that something was pressed, not what"
    )
    phone.get_by_role("button", name="Next").last.click()
    assert phone.asked[-1][1] == f"{field}={code.replace(',', '%2C')}"
    assert {url for url, _ in phone.asked} <= {SITE, f"{SITE}save"}
    assert not phone.complaints


def test_a_page_draws_once_and_a_platform_gets_the_report_alone(phone, tmp_path):
    by_hand(phone, tmp_path, ASKED)
    expect(phone.locator("#ask")).to_contain_text("All together: ε = 4")
    assert phone.locator("li b").all_inner_texts() == ["ε = 1", "ε = 2", "ε = 1"]
    phone.get_by_role("button", name="Begin").click()
    phone.get_by_label("yes").check()
    phone.get_by_role("button", name="Next").click()
    phone.get_by_role("button", name="Leave it out").click()
    assert phone.locator("legend").all_inner_texts() == ["smoking", "sick"]
    phone.get_by_label("yes").check()
    expect(phone.get_by_role("button", name="Draw my reports")).to_be_disabled()
    phone.get_by_label("well").check()
    phone.get_by_role("button", name="Back").click()
    phone.get_by_role("button", name="Leave it out").click()
    expect(phone.get_by_label("well")).to_be_checked()  # before anything is drawn an answer can be changed
    phone.get_by_role("button", name="Draw my reports").click()
    code = phone.locator("code").inner_text()
    reports = ASKED.handed(code.split(","))
    assert list(reports) == ["smokes", "both"]
    assert ASKED.accepts(reports)
    for _ in range(3):
        phone.reload()
        assert phone.locator("code").inner_text() == code, "a reload draws nothing"
    kept = phone.evaluate("() => JSON.stringify({...localStorage})")
    assert "yes" not in kept
    assert "well" not in kept
    phone.get_by_role("button", name="The next person").click()
    expect(phone.locator("h1")).to_have_text("3 questions")
    assert not phone.evaluate("() => JSON.stringify({...localStorage})").strip("{}")
    the_report_alone(phone, "limesurvey")


@pytest.mark.thorough
def test_qualtrics_gets_the_report_alone_and_back_draws_no_other(phone):
    the_report_alone(phone, "qualtrics")
    phone.goto(SITE)
    phone.wait_for_function("() => window.inside && window.inside.querySelector('h1')")
    assert "drawn here already" in phone.evaluate("() => window.inside.textContent")
    assert phone.evaluate("() => window.inside.querySelectorAll('button').length") == 0


@pytest.mark.thorough
def test_one_question_is_drawn_and_a_reload_asks_no_other(phone, tmp_path):
    """14 people: a right page asks both at least once but in 2⁻¹³; each asks the same after a reload."""
    asked, seen = Questionnaire({"smokes": SMOKES, "copied": COPIED}, "one"), set()
    for _ in range(14):
        by_hand(phone, tmp_path, asked)
        phone.get_by_role("button", name="Begin").click()
        first = phone.locator("legend").inner_text()
        phone.reload()
        phone.get_by_role("button", name="Begin").click()
        assert phone.locator("legend").inner_text() == first
        seen.add(first)
        phone.locator("label").first.click()
        phone.get_by_role("button", name="Draw my reports").click()
        assert asked.accepts(asked.handed(phone.locator("code").inner_text().split(",")))
        phone.get_by_role("button", name="The next person").click()
    assert len(seen) == 2


@pytest.mark.thorough
def test_a_single_question_is_handed_in_as_ever_and_a_pair_as_two_lists(phone, tmp_path):
    by_hand(phone, tmp_path, SMOKES)
    phone.get_by_label("yes").check()
    phone.get_by_role("button", name="Draw my report").click()
    code = phone.locator("code").inner_text()
    assert re.fullmatch(rf"[12]-{SMOKES.mark}", code)
    phone.reload()
    assert phone.locator("code").inner_text() == code
    by_hand(phone, tmp_path, BOTH, "pair.html")
    assert phone.locator("legend").all_inner_texts() == ["smoking", "sick"]
    assert phone.locator("label i").all_inner_texts() == ["may be seen", "hidden", "may be seen", "hidden", "hidden"]
    phone.get_by_label("no", exact=False).first.check()
    phone.get_by_label("well").check()
    phone.get_by_role("button", name="Draw my report").click()
    assert BOTH.accepts(int(phone.locator("code").inner_text().split("-")[0]))
    assert not phone.complaints


@pytest.mark.thorough
def test_where_nothing_can_be_kept_a_reload_draws_no_other(phone, tmp_path):
    """A browser that refuses storage, as some do for files: the tab itself remembers."""
    phone.add_init_script(
        "for (const f of ['getItem', 'setItem', 'removeItem']) Storage.prototype[f] = () => { throw Error(); };"
    )
    by_hand(phone, tmp_path, COPIED)
    phone.get_by_label("once").check()
    phone.get_by_role("button", name="Draw my report").click()
    code = phone.locator("code").inner_text()
    for _ in range(6):  # another draw is the same six times in about 1 of 60
        phone.reload()
        assert phone.locator("code").inner_text() == code
    phone.get_by_role("button", name="The next person").click()
    phone.reload()
    expect(phone.get_by_role("button", name="Draw my report")).to_be_disabled()
