"""The Data view: uploads that work and uploads that do not, marking, and numbers computed from the marks."""

import gzip
import io
import json
import random
import re
import zipfile
from types import SimpleNamespace

import numpy as np
import pytest
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.testing.v1 import AppTest

from ldpapp import words
from ldpapp.parts import levels
from ldpapp.state import actions, column_actions, column_settings
from ldpapp.views.data import editor, marking, sentences, uploads
from ldpcore import Source, data
from ldpcore.data import DataError
from ldpcore.data.spelling import named
from ldpcore.estimators.intervals import NORMAL_95
from ldpcore.study import Marks, Refused, Study, intervals
from ldpcore.study.frequency.effects import AnswerEffect
from ldpcore.study.sets.effects import ItemEffect

from .opening import (
    alerts,
    ask,
    bodies,
    boxes,
    charts,
    do,
    drawn,
    emptied,
    html,
    of_columns,
    opened,
    panel,
    panels,
    plain,
    press,
    sentence,
    state,
    studies,
    study,
    twin,
)

MARKS = ("Preschool", "1st-4th", "5th-6th", "7th-8th")
RARE = {"Preschool", "1st-4th"}
"""What fewer than 1 % of the bundled people gave."""


@pytest.fixture(scope="module")
def first() -> AppTest:
    return opened()


@pytest.fixture
def at(first) -> AppTest:
    """The first page of a session of its own."""
    return twin(first)


def counted() -> data.Histogram:
    return data.load("census").categorical("education", "any")


def marked(at: AppTest, column: str = "education") -> tuple[str, ...]:
    return ask(at, of_columns(column_settings.label_marks), column).values


def upload(at: AppTest, *files: tuple[str, bytes]) -> AppTest:
    uploader = next(u for u in at.file_uploader if u.key and u.key.startswith("upload_"))
    uploader.set_value([(name, content, "text/csv") for name, content in files])
    return at.run()


def run_open(at: AppTest, popover: str = "columns_open") -> AppTest:
    """Run with this popover open: a browser remembers that it is, AppTest does not."""
    at.session_state[popover] = True
    return at.run()


def table(at: AppTest, name: str) -> data.Table:
    return state(at).uploads[name]


def adult(rows: int = 400) -> bytes:
    """Lines as in the published file: no header, blanks after the commas, "?" for missing."""
    draw = random.Random(3)
    levels = ("Preschool", "HS-grad", "Bachelors", "Masters")
    lines = [
        f"{draw.randint(17, 80)}, {draw.choice(['Private', '?'])}, {draw.randint(10_000, 99_999)}, "
        f"{draw.choice(levels)}, 9, Divorced, Sales, Husband, White, {draw.choice(['Male', 'Female'])}, 0, 0, 40, "
        f"Cuba, {draw.choice(['<=50K', '>50K'])}"
        for _ in range(rows)
    ]
    return ("\n".join(lines) + "\n").encode()


def column(**values: list) -> bytes:
    names = list(values)
    rows = zip(*values.values(), strict=True)
    return "\n".join([",".join(names), *(",".join(map(str, row)) for row in rows)]).encode()


# what the page says ----------------------------------------------------------------------------------------------


def test_the_first_page_says_what_the_marks_of_the_bundled_data_do(at):
    assert panels(at) == ["marks", "shares", "effect", "pairs"]
    assert marked(at) == MARKS
    said = plain(sentence(at))
    effect = AnswerEffect.of(counted(), Marks.of(MARKS), 1.0)
    small = {
        label
        for label, share, variance in zip(effect.labels, effect.shares, effect.marked.variance, strict=True)
        if label in MARKS and share < 1.96 * variance**0.5
    }
    assert {label for label in effect.labels if label in said} == (small if len(small) < 2 else set())
    assert len(small) < 2 or f"{words.cardinal(len(small), start=True)} stay too rare" in said


def test_numbers_of_the_sentence_are_the_engines(at):
    effect = AnswerEffect.of(counted(), Marks.of(MARKS), 1.0)
    for scope in ("sensitive", "other"):
        before, after = effect.errors(scope)
        assert words.times(before / after) in sentence(at)
        assert words.margin(before) in panel(at, "effect")
        assert words.margin(after) in panel(at, "effect")
    assert f"{words.count(effect.people)} people, {words.share(effect.people / effect.counted.n)}" in html(at)
    assert words.times(effect.lift(effect.mask), most=True) in panel(at, "pairs")


def test_what_becomes_exact_is_not_better_by_a_factor():
    """A ratio to an error of nothing is no number: the sentence says "exact" instead of "without bound more exact"."""
    errors = {"sensitive": (0.02, 0.01), "other": (0.02, 0.0)}
    said = sentences._gain(SimpleNamespace(errors=errors.get), "Protecting 2 values, not all 4,", 2, 4)
    assert words.times(2) in said
    assert words.UNBOUNDED not in said
    assert said.endswith("makes their shares 2.0 times more exact and makes others exact.")


@pytest.mark.parametrize(("strangers", "listed"), [(2, "“v0” and “v1”"), (7, "“v4” and 2 more")])
def test_strangers_are_listed_as_one_list(strangers, listed):
    said = marking._strangers([f"v{i}" for i in range(strangers)], 1)
    assert listed in said
    assert said.count(" and ") == 1


def test_nothing_marked_offers_the_next_step(at):
    press(at, "mark_clear")
    assert marked(at) == ()
    assert words.margin(AnswerEffect.of(counted(), Marks(), 1.0).every.error()) in sentence(at)
    assert panels(at) == ["marks", "shares", "effect"]
    assert at.button(key="mark_clear").disabled
    press(at, "start_proposed")
    assert set(marked(at)) == RARE
    assert panels(at) == ["marks", "shares", "effect", "pairs"]


def test_all_marked_gains_nothing(at):
    press(press(at, "mark_clear"), "mark_invert")
    effect = AnswerEffect.of(counted(), Marks.of(counted().domain.labels), 1.0)
    assert set(marked(at)) == set(effect.labels)
    assert effect.marked.error() == pytest.approx(effect.every.error())
    assert words.margin(effect.marked.error()) in sentence(at)
    assert html(at).count('<div class="row"><i') == 1, "there is one kind of pair"


def test_one_marked_value_is_told_apart_from_the_others(at):
    """That it is marked says which, so that nobody has to guess: what reports tell is whether it is that one."""
    press(press(at, "mark_clear"), "start_rarest")
    assert marked(at) == ("Preschool",)
    effect = AnswerEffect.of(counted(), Marks.of(["Preschool"]), 1.0)
    before, after = (words.of_100(one.told(0)) for one in (effect.every, effect.marked))
    assert ("Marked answer told apart", before, f"{after} of 100", "blind 50") in sentences.value_rows(effect, str)
    assert f'{before}</td><td class="to">→</td><td class="num"><b>{after} of 100</b></td>' in html(at)


def test_the_headline_says_the_whole_price():
    """Other answers that are seen, and marked ones that are guessed more often than with everything protected: two
    common answers of three are, four rare ones of sixteen are not; of one answer it is whether it is that one.
    """
    three = data.read(column(answer=["never"] * 70 + ["tried"] * 18 + ["monthly"] * 12), "three.csv").categorical(
        "answer"
    )
    effect = AnswerEffect.of(three, Marks.of(["tried", "monthly"]), 1.0, best=("GRR", "uRR"))
    less, won = (words.of_100(one.targeted) for one in (effect.every, effect.marked))
    said = plain(sentences.value_sentence(effect, "answer", "sensitive", str))
    assert int(less) < int(won)
    assert (
        f"{words.of_100(effect.marked.shown)} of 100 other answers are seen, marked ones guessed in {won}, not" in said
    )
    assert f"not {less}." in said
    one = AnswerEffect.of(three, Marks.of(["monthly"]), 1.0, best=("GRR", "uRR"))
    less, won = (words.of_100(each.told(int(one.mask.argmax()))) for each in (one.every, one.marked))
    assert int(less) < int(won)
    assert f"the marked one told from others in {won}, not {less}." in plain(levels.price(one.marked, one.every))
    rare = AnswerEffect.of(counted(), Marks.of(MARKS), 1.0)
    assert rare.marked.targeted < rare.every.targeted
    assert "guessed" not in levels.price(rare.marked, rare.every)


def test_the_way_to_all_questions_counts_the_marks(still):
    """Four of seven may be marked while it speaks of three delicate names."""
    answers = column(self_harm=["no", "yes"] * 3, smoking=["a", "b"] * 3, school=["x", "y"] * 3)
    at, way = opened(table=data.read(answers, "s.csv")), "Review all 3 questions together"
    for marks, said in (
        ({}, f"{way}: 1 with delicate names"),
        ({"smoking": ("a",)}, f"{way}: 1 marked, 1 more with delicate names"),
        ({"self_harm": ("yes",)}, f"{way}: 2 marked"),
    ):
        for name, values in marks.items():
            do(at, column_actions.set_marks, name, values)
        assert said in [link.proto.label for link in at.get("page_link")]


def test_answers_that_reports_show_are_no_good_news():
    """Fewer of the answers that are not marked are guessed rightly with marks, of which nearly none is certain before
    and all are after: the row says that first. Where none is shown it says how many are guessed.
    """
    effect = AnswerEffect.of(counted(), Marks.of(MARKS), 1.0)
    what, before, after, remark = sentences.value_rows(effect, str)[-1]
    share = float(effect.marked.mechanism.disclosure()[~effect.mask] @ effect.shares[~effect.mask])
    share /= effect.shares[~effect.mask].sum()
    assert (what, before, after) == ("Other answer seen for sure", "0", f"{words.of_100(share)} of 100")
    assert re.fullmatch(r"guessed before: \d+", remark)
    everything = AnswerEffect.of(counted(), Marks.of(MARKS), 1.0, best=("SS", "GRR"))
    assert sentences.value_rows(everything, str)[-1][0] == "Other answer guessed"
    by_level = AnswerEffect.of(
        counted(), Marks(tuple((m, "secret" if m in RARE else "sensitive") for m in MARKS)), 1.0, 0.5
    )
    assert sentences.value_rows(by_level, str)[-1][0] == "Public answer seen for sure"


def test_invert_and_rule_change_the_marks(at):
    press(at, "mark_invert")
    assert set(marked(at)) == set(counted().domain.labels) - set(MARKS)
    press(at, "mark_rare")
    assert set(marked(at)) == set(counted().domain.labels) - set(MARKS) | RARE  # the rule adds, nothing is lost


def test_search_marks_what_it_finds(at):
    press(at, "mark_clear")
    at.text_input(key="marks_search").set_value("GRAD").run()
    press(at, "mark_found")
    assert marked(at) == ("HS-grad",)
    press(at, "unmark_found")
    assert marked(at) == ()
    at.text_input(key="marks_search").set_value("no such <b>").run()
    assert "“no such <b>”" in boxes(at)
    assert "no such <b>" not in html(at)
    assert at.button(key="mark_found").disabled


def test_a_pasted_list_is_marked_and_strangers_are_named(at):
    press(at, "mark_clear")
    at.text_area(key="paste_text").set_value("doctorate, Masters\nnonsense").run()
    press(at, "paste_mark")
    assert set(marked(at)) == {"Doctorate", "Masters"}
    assert "“nonsense”" in alerts(at)
    assert at.text_area(key="paste_text").value == "nonsense"


@pytest.mark.parametrize(
    ("text", "known", "unknown"),
    [
        ("a\nb", ["a", "b"], []),
        ("a,b;x", ["a", "b"], ["x"]),
        ("Now married, spouse present", ["Now married, spouse present"], []),
        ('"A"', ["a"], []),
        ("no\nNo\nNO", ["no", "No"], ["NO"]),
        ("", [], []),
    ],
)
def test_a_list_is_recognised_as_people_write_it(text, known, unknown):
    labels = ("a", "b", "Now married, spouse present", "no", "No")
    assert named(text, labels) == (known, unknown)


def test_the_header_names_the_mechanisms_that_the_sidebar_calls_the_best(at):
    """At a large ε subsets have one value, and uSS is uRR: which of two names is said is decided once."""
    shown = {}
    for epsilon in (1.0, 3.0):
        at.number_input(key="epsilon").set_value(epsilon).run()
        best = {option.split()[1] for option in at.button_group(key="frequency_best").options}
        header = re.search(r"ε = .*?: (\S+) protects all, (\S+) the marked", panel(at, "marks"))
        assert header is not None
        shown[epsilon] = header.groups()
        assert set(shown[epsilon]) == best, epsilon
    assert shown[1.0] != shown[3.0]


def test_epsilon_moves_the_numbers(at):
    before = drawn(at)
    at.number_input(key="epsilon").set_value(3.0).run()
    effect = AnswerEffect.of(counted(), Marks.of(MARKS), 3.0)
    for scope in ("sensitive", "other"):
        assert all(words.margin(error) in panel(at, "effect") for error in effect.errors(scope))
    assert words.times(effect.lift(effect.mask), most=True) in panel(at, "pairs")
    assert drawn(at)["chart_shares"] == before["chart_shares"], "the data do not depend on ε"


def test_two_settings_are_kept_apart(at):
    press(press(at, "beside_keep"), "mark_clear")
    assert (state(at).compared["frequency"].study.marks.values, marked(at)) == (MARKS, ())
    assert panels(at) == ["marks", "shares", "effect"]
    press(at, "beside_swap")
    assert marked(at) == MARKS
    assert panels(at) == ["marks", "shares", "effect", "pairs"]
    press(at, "beside_drop")
    assert not state(at).compared


def test_problems_are_said_once(at):
    state(at).problems.append(Refused("The link asked for <i>.", "It is not here."))
    at.run()
    assert "The link asked for <i>. It is not here." in boxes(at)
    assert "<i>" not in html(at)
    press(at, "problems_ok")
    assert state(at).problems == []
    assert "The link asked for" not in boxes(at)


# uploads ---------------------------------------------------------------------------------------------------------


def test_adult_as_published(at):
    upload(at, ("adult.data.gz", gzip.compress(adult())))
    name = "adult.data.gz"
    assert state(at).workspace.table.name == name
    assert name in plain(sentence(at))
    assert "400 people, 15 columns" in plain(sentence(at))
    assert table(at, name).notes, "its published names are used"
    assert all(note in plain(html(at)) for note in table(at, name).notes)
    assert {"age", "education", "sex", "income"} <= set(at.selectbox(key="column").options)
    press(at, "check_leave_weights")
    assert name not in plain(sentence(at))
    assert at.session_state.upload_raw is None
    assert state(at).workspace.table.name == name


def test_a_dictionary_names_the_codes(at):
    codes = json.dumps({"MSP": {"values": {"1": "Married", "2": "Widowed"}}}).encode()
    upload(at, ("acs.csv", column(MSP=[1, 2] * 30, SEX=["m", "f"] * 30)), ("dictionary.json", codes))
    assert "MSP" in plain(html(at))
    assert table(at, "acs.csv").categorical("MSP").domain.labels == ("Married", "Widowed")


def test_a_dictionary_may_come_later(at):
    upload(at, ("acs.csv", column(MSP=[1, 2] * 30)))
    upload(at, ("dictionary.json", json.dumps({"MSP": {"1": "Married", "2": "Widowed"}}).encode()))
    assert table(at, "acs.csv").categorical("MSP").domain.labels == ("Married", "Widowed")


def test_a_table_is_chosen_from_an_archive(at):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("people.csv", column(age=[1, 2] * 30))
        archive.writestr("towns.csv", column(town=["Rome", "Oslo"] * 30))
    upload(at, ("two.zip", out.getvalue()))
    assert state(at).uploads == {}
    assert "“people.csv”" in boxes(at)
    press(at, "remedy_0")
    assert list(table(at, "two.zip").frame.columns) == ["town"]
    assert "towns.csv" in plain(html(at))


def test_what_counting_an_identifier_means_is_said(at):
    upload(at, ("ratings.csv", column(userId=[i % 40 for i in range(400)], stars=[i % 5 for i in range(400)])))
    assert study(at, "frequency").column == "stars"
    before = boxes(at)
    do(at, actions.choose_column, "userId")
    assert study(at, "frequency").column == "userId"
    assert "“userId” tells people or things apart" in boxes(at)
    assert "tells people or things apart" not in before
    assert "start_proposed" not in [button.key for button in at.button], "no person's name is proposed"


BAD = {
    "empty.csv": b"",
    "blank.csv": b"\n \n",
    "header.csv": b"age,education\n",
    "binary.csv": bytes(range(256)) * 40,
    "damaged.gz": b"\x1f\x8b" + b"x" * 40,
    "damaged.parquet": b"PAR1 nothing",
    "ragged.csv": b"a,b\n1,2\n" * 3 + b"1,2,3\n" * 2,
    "two.csv": b"a,b;c\nx,y;z\nu,v;w\n",
    "dictionary.json": b"[]",
    "lines.csv": b'{"a": 1}\n{"a": 2\n',
    "empty.zip": b"PK\x05\x06" + bytes(18),
}


@pytest.fixture(scope="module")
def good(first) -> AppTest:
    return upload(twin(first), ("good.csv", column(answer=["yes", "no"] * 30)))


@pytest.mark.one_in(3)  # every sentence: tests/unit/test_data_refusals.py
@pytest.mark.parametrize("name", BAD)
def test_bad_files_get_a_sentence_and_nothing_is_lost(good, name):
    with pytest.raises(DataError) as caught:
        data.labels(BAD[name]) if name.endswith("json") else data.read(BAD[name], name)
    error = caught.value
    at = twin(good)
    before = sentence(at)
    upload(at, (name, BAD[name]))
    said = boxes(at)
    assert error.sentence in said
    assert error.why in said
    assert error.hint in said
    assert [button.label for button in at.button if (button.key or "").startswith("remedy_")] == [
        words.literal(remedy.label) for remedy in error.remedies
    ]
    assert at.button(key="upload_another")
    assert "“good.csv”" in said, "what is still here"
    assert state(at).workspace.table.name == "good.csv"
    assert list(state(at).uploads) == ["good.csv"]
    assert sentence(at) == before
    press(at, "upload_dismiss")
    assert error.sentence not in boxes(at)


def test_a_file_that_did_not_arrive_is_asked_for_again(good, monkeypatch):
    """Streamlit then gives something else in place of the file: a line that broke, or a server that started anew."""
    at = twin(good)
    with monkeypatch.context() as lost:
        lost.setattr(MemoryUploadedFileManager, "get_files", lambda *_, **__: [])
        upload(at, ("new.csv", column(answer=["yes", "no"] * 30)))
    assert at.button(key="upload_another")
    assert state(at).workspace.table.name == "good.csv"
    assert list(state(at).uploads) == ["good.csv"]
    upload(at, ("new.csv", column(answer=["yes", "no"] * 30)))
    assert state(at).workspace.table.name == "new.csv"


def test_a_remedy_reads_the_same_bytes_again(at):
    upload(at, ("two.csv", b"a,b;c\nx,y;z\nu,v;w\nx,v;z\n"))
    assert state(at).workspace.table.name == "census"
    press(at, "remedy_1")
    assert state(at).workspace.table.name == "two.csv"
    assert not any(b.key == "remedy_1" for b in at.button)


def test_several_tables_at_once(at):
    upload(at, ("a.csv", b"x\n1\n"), ("b.csv", b"x\n1\n"))
    assert at.session_state.upload_error.sentence in boxes(at)
    assert state(at).uploads == {}
    assert state(at).workspace.table.name == "census"


@pytest.mark.parametrize(
    ("content", "note"),
    [
        ("ort,wahl\nKöln,ja\nMünchen,nein\n".encode("latin-1") * 20, "Windows-1252"),
        (b"a,a,b\n" + b"1,2,x\n2,1,y\n" * 3, "numbered: a"),
        (b"a;b\nx;u\ny;v\nx;v\n", "semicolon"),
    ],
)
def test_what_was_recognised_is_said(at, content, note):
    upload(at, ("file.csv", content))
    assert any(note in said for said in table(at, "file.csv").notes)
    assert all(said in plain(html(at)) for said in table(at, "file.csv").notes)
    once = [each.label.replace("\\", "") for each in at.expander if "is read: " in each.label]
    assert len(once) == 1, "one line says what was read"
    assert "“file.csv”" in once[0]


def test_the_separator_can_be_chosen_afterwards(at):
    upload(at, ("file.csv", b"a;b\nx;u\ny;v\nx;v\n"))
    assert len(table(at, "file.csv").frame.columns) == 2
    next(s for s in at.selectbox if s.label == "Separator").set_value(",").run()
    press(at, "upload_again")
    assert at.session_state.upload_error.sentence in boxes(at)
    assert "semicolon" in boxes(at), "the remedy"
    assert len(table(at, "file.csv").frame.columns) == 2


@pytest.mark.parametrize(
    ("content", "label", "choice", "read"),
    [
        (b"w;c\n12.345;u\n1.234;v\n12.345;v\n", "Before the decimals of numbers stands", ".", (12345, 12.345)),
        (b"w,c\n5%,u\n0.06,v\n0.06,u\n", "Numbers beside percentages are", "percent", (6, 5)),
    ],
)
def test_numbers_in_doubt_are_named_and_can_be_switched(at, content, label, choice, read):
    """The note stands above the data; after the switch the other reading does, under another digest."""
    upload(at, ("doubt.csv", content))
    first = table(at, "doubt.csv")
    assert "it could be" in " ".join(first.notes)
    assert first.numbers("w").max() == read[0]
    next(box for box in at.selectbox if box.label == label).set_value(choice).run()
    press(at, "upload_again")
    assert not at.exception
    other = table(at, "doubt.csv")
    assert other.numbers("w").max() == read[1]
    assert other.digest != first.digest


def test_numbers_as_text_are_numbers(at):
    upload(at, ("pay.csv", b"pay\n" + b"\n".join(b'"1,%03d"' % (7 * i % 1000) for i in range(300))))
    assert table(at, "pay.csv").profile()[0].numeric


def test_a_hundred_thousand_values_are_refused_with_advice(at):
    upload(at, ("ids.csv", column(id=[f"user-{i}" for i in range(100_000)])))
    assert "“id”" in boxes(at)
    assert words.count(100_000) in boxes(at).replace("\u2009", words.THIN)
    assert "Group" in boxes(at), "the remedy"
    press(at, "upload_another_one")
    assert at.session_state.upload_open


def test_a_column_with_one_value_has_nothing_to_hide(at):
    before = sentence(at)
    upload(at, ("one.csv", column(answer=["yes"] * 20)))
    assert "“answer”" in boxes(at)
    assert panels(at) == []
    at.selectbox(key="data").set_value("census").run()
    assert sentence(at) == before


def test_two_values_and_one_person_each(at):
    upload(at, ("tiny.csv", column(answer=["yes", "no"])))
    press(at, "start_rarest")
    assert len(marked(at, "answer")) == 1
    assert "1 person, 50.0\u00a0%" in html(at)


def test_one_person(at):
    # The second person's row is incomplete; both values stay in the domain.
    upload(at, ("one.csv", b"answer,other\nyes,x\nno,\n"))
    assert "1 person" in panel(at, "shares")
    press(at, "start_rarest")
    assert marked(at, "answer") == ("no",)
    assert "0 people, 0\u00a0%" in html(at)


def test_nobody_left_offers_the_other_rule(at):
    rows = b"a,b\n" + b"x,\n,p\ny,\n,q\n" * 10
    upload(at, ("holes.csv", rows))
    assert "“a”" in boxes(at)
    assert panels(at) == []
    press(at, "missing_column")
    assert {made.missing for made in studies(at).values()} == {"column"}
    assert panels(at) == ["marks", "shares", "effect"]


@pytest.fixture(scope="module")
def ages(first) -> AppTest:
    return upload(twin(first), ("ages.csv", column(age=list(range(20, 80)) * 5)))


def test_numbers_are_counted_in_bins_of_a_public_range(ages):
    at = twin(ages)
    low, high, bins = study(at, "frequency").bins
    assert low <= 20
    assert high >= 79
    assert bins == len(at.session_state.marks_seen[0])
    assert any(key.startswith("chart_numbers_") for key in charts(at)), "one can drag over it"
    run_open(at)
    for label, value in (("From", 30.0), ("To", 70.0), ("Bins", 4)):
        next(n for n in at.number_input if n.label == label).set_value(value)
    next(b for b in at.button if b.label == "Use").click()
    run_open(at)
    assert study(at, "frequency").bins == (30.0, 70.0, 4)
    assert study(at, "means").bins[:2] == (30.0, 70.0)
    assert "95" in panel(at, "shares"), "50 below and 45 above the range are counted at its ends"
    assert at.session_state.marks_seen[0][0] == "30 to 40"


def test_a_range_that_makes_no_sense_is_not_taken(ages):
    at = twin(ages)
    before = study(at, "frequency")
    run_open(at)
    next(n for n in at.number_input if n.label == "From").set_value(90.0)
    next(n for n in at.number_input if n.label == "To").set_value(70.0)
    next(b for b in at.button if b.label == "Use").click()
    run_open(at)
    assert "90" in alerts(at)
    assert "70" in alerts(at)
    assert study(at, "frequency") == before


def test_of_numbers_the_upper_end_of_the_range_is_proposed(ages):
    at = press(twin(ages), "start_proposed")
    (marks,) = study(at, "means").marks.values
    low, high, _ = study(at, "means").bins
    assert intervals.parse(marks)[1] == high
    assert intervals.parse(marks)[0] == pytest.approx(low + 0.75 * (high - low), abs=(high - low) / 10)
    assert "start_proposed" not in [button.key for button in at.button]


ENDS = ("start_proposed", "start_highest", "start_lowest")


def test_where_the_upper_end_holds_hardly_anybody_the_highest_and_the_lowest_tenth_are_offered() -> None:
    """Incomes: whom each button marks stands on it, counted without the engine."""
    incomes = [*range(1000, 5000, 8)] * 2 + [5100, 5900, 7300, 9950]
    at = opened("data", table=data.read(("income\n" + "\n".join(map(str, incomes))).encode(), "incomes.csv"))
    buttons = {key: next(each for each in at.button if each.key == key) for key in ENDS}
    marked = {}
    for key, button in buttons.items():
        low, high, people = map(int, re.findall(r"\d+", button.label)[-3:])
        assert people == sum(low <= each < high for each in incomes), button.label
        marked[key] = people, low
    share = words.share(marked["start_highest"][0] / len(incomes))
    assert f"the highest {share}" in buttons["start_highest"].label
    assert marked["start_proposed"][0] < 0.01 * len(incomes)
    assert 0 < marked["start_highest"][0] <= 0.1 * len(incomes)
    assert marked["start_lowest"] == (sum(each < 2000 for each in incomes), 1000), (
        "to the first bin that holds somebody"
    )
    for key in ("start_highest", "start_lowest"):
        one = press(twin(at), key)
        assert marked[key][0] == sum(
            low <= each < high
            for low, high in map(intervals.parse, study(one, "means").marks.values)
            for each in incomes
        )


def test_a_total_in_a_table_is_not_offered_as_an_answer() -> None:
    rows = [*["red"] * 600, *["blue"] * 390, *["green"] * 9, "Summe"]
    at = opened("data", table=data.read(("colour\n" + "\n".join(rows)).encode(), "colours.csv"))
    offered = [button.label for button in at.button if (button.key or "").startswith("start_")]
    assert any("green" in label for label in offered)
    assert not any("Summe" in label for label in offered)
    press(at, "mark_rare")
    assert study(at, "frequency").marks.values == ("green",)


def test_numbers_may_be_counted_one_by_one(ages):
    at = twin(ages)
    run_open(at)
    role = next(box for box in at.button_group if (box.key or "").startswith("role_"))
    role.set_value(False).run()
    assert study(at, "frequency").bins is None
    assert len(at.session_state.marks_seen[0]) == 60
    assert "60" in sentence(at)


def test_an_interval_that_ends_within_a_bin_says_which_whole_bins_count(ages):
    """Marked on Means, where it may end anywhere: here the answers are bins."""
    bins = np.linspace(*study(ages, "frequency").bins[:2], study(ages, "frequency").bins[2] + 1)
    edge, below = bins[-3], bins[-4]
    for begin, told in ((edge, False), ((edge + below) / 2, True)):
        at = do(twin(ages), column_actions.set_intervals, "age", [(begin, bins[-1])])
        text = plain(panel(at, "marks"))
        assert ("in whole bins" in text) is told
    assert f"in whole bins {below:g} to {bins[-1]:g}" in text


def test_missing_answers_can_be_a_value_of_their_own(at):
    upload(at, ("gaps.csv", b"a,b\n" + b"x,1\n?,2\ny,1\nx,?\n" * 20))
    run_open(at)
    rule = at.radio(key="missing_choice")
    people = [table(at, "gaps.csv").categorical("a", rule).n for rule in ("any", "column", "category")]
    assert people == [40, 60, 80]
    assert [option.rpartition(": ")[2] for option in rule.options] == [f"{n} people" for n in people]
    rule.set_value("category").run()
    assert study(at, "frequency").missing == "category"
    assert len(at.session_state.marks_seen[0]) == 3


def test_marks_that_fit_no_value_are_left_out_with_a_sentence(at):
    upload(at, ("gaps.csv", b"a,b\n" + b"x,1\n?,2\ny,1\nx,?\n" * 20))
    run_open(at)
    at.radio(key="missing_choice").set_value("category").run()
    at.text_area(key="paste_text").set_value("(missing)\ny").run()
    press(at, "paste_mark")
    assert set(marked(at, "a")) == {"(missing)", "y"}
    run_open(at).radio(key="missing_choice").set_value("column").run()
    assert study(at, "frequency").marks.values == ("y",)
    assert "(missing)" in boxes(at)


def test_about_shows_the_card_and_for_uploads_a_few_rows(at):
    run_open(at, "about_open")
    card = data.BUNDLED["census"]
    assert card.synthetic
    assert all(text in plain(html(at)) for text in (card.title, card.licence, card.origin, "Nobody in it exists."))
    upload(at, ("mine.csv", column(answer=["yes", "no"] * 9)))
    run_open(at, "about_open")
    assert card.title not in plain(html(at))
    assert "until you close the page" in html(at)
    assert any(len(frame.value) == 5 for frame in at.dataframe)


def test_labels_are_never_markup(at):
    upload(at, ("evil.csv", column(answer=["<img src=x>", "no"] * 9)))
    press(at, "start_rarest")
    assert marked(at, "answer") == ("<img src=x>",)
    assert "<img src=x>" not in html(at)
    assert "&lt;img src=x&gt;" in html(at)


def test_a_thousand_values(at):
    upload(at, ("towns.csv", column(town=[f"Town {i % 1000}" for i in range(3000)] + ["Town 1"] * 500)))
    press(at, "mark_rare")
    assert len(marked(at, "town")) == 999
    assert "Town 1" not in marked(at, "town")
    assert words.count(1000) in sentence(at)


def test_without_mechanisms_the_marks_still_speak(at):
    before = sentence(at)
    for group in ("every", "marked", "weaker"):
        at.button_group(key=f"frequency_{group}").set_value([]).run()
    assert emptied(at) == {"frequency"}
    assert sentence(at) == before
    assert panels(at) == ["marks", "shares", "effect", "pairs"]


def test_on_a_phone_the_tables_fit_beside_one_another(first, still) -> None:
    """What a grid that is a picture leaves out there, and what stands below one another instead."""
    wide = twin(first)
    at = twin(first)
    at.session_state["screen_narrow"] = True
    at.session_state["columns_open"] = at.session_state["about_open"] = True
    at.run()
    (before,), (grid,) = (each.data_editor for each in (wide, at))
    assert not before.proto.column_order
    shown, all_of_it = list(grid.proto.column_order), list(grid.value.columns)
    assert shown == [name for name in all_of_it if name != "People"]
    widths = json.loads(grid.proto.columns)
    assert sum(widths[name]["width"] for name in shown) <= 346
    listed, rows = (next(each for each in bodies(at) if head in each) for head in ("<div><b>age</b>", "<th>2</th>"))
    for column in state(at).workspace.table.frame.columns:
        assert f"<b>{column}</b>" in listed
        assert f">{column}<" in rows


def test_items_without_marks_say_what_cutting_adds_and_leave_the_margin_of_marks_empty():
    """The headline's ± has the bias of cut sets, the table's has not: by the facts, and told."""
    held = data.load("groceries").baskets("items")
    study_ = Study(Source("groceries"), "items", task="sets").with_options(m=1)
    for marks in ((), ("milk",)):
        effect = ItemEffect.of(study_, held, Marks.of(marks))
        every = effect.every
        both = NORMAL_95 * 100 * np.sqrt((every.variance + every.here.bias**2).mean())
        said = sentences.item_sentence(effect, "sensitive")
        assert (f"±{both:.2f} points. That is above the ± of the table" in said) == (not marks)
        table_ = editor.frame(effect, np.arange(3), None)
        assert table_["± marked"].isna().all() == (not marks)
        assert NORMAL_95 * 100 * np.sqrt(every.variance.mean()) < both


def test_what_is_marked_in_other_columns_is_said_beside_one_that_has_no_marks(first) -> None:
    """Not "nothing marked" alone: a page is about one column, what somebody marks is about all."""
    at = upload(twin(first), ("two.csv", column(answer=["yes", "no"] * 30, town=["<b>A", "B"] * 30)))
    do(at, column_actions.set_marks, "answer", ["yes"])
    do(at, actions.choose_column, "town")
    assert "Nothing of town is marked" in plain(sentence(at))
    aside = " ".join(each.proto.body for each in at.sidebar.get("html"))
    assert "Nothing of town is marked sensitive" in aside
    assert "Marked: answer." in aside
    do(at, column_actions.set_marks, "answer", [])
    aside = " ".join(each.proto.body for each in at.sidebar.get("html"))
    assert "Marked:" not in aside
    assert "Answers are marked under Data." in aside


def test_a_file_of_which_no_change_was_told_is_taken_all_the_same(monkeypatch) -> None:
    """As where it arrives while the page is busy: the uploader shows it, and nobody was called."""
    received, calls = uploads.received, []

    def lost(key: str) -> None:
        calls.append(key)
        if len(calls) > 1:
            received(key)

    monkeypatch.setattr(uploads, "received", lost)
    at = opened("data", None)
    uploader = next(u for u in at.file_uploader if u.key and u.key.startswith("upload_"))
    uploader.set_value(("mine.csv", b"age,town\n" + b"30,a\n41,b\n" * 20, "text/csv")).run()
    assert len(calls) == 2
    assert state(at).workspace.table.name == "mine.csv"
    assert not at.exception
