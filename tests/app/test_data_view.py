"""The Data view: uploads that work and uploads that do not, marking, and the sentences computed from the marks."""

import gzip
import json
import random

import pytest
from streamlit.testing.v1 import AppTest

from data_page import rules
from ldpcore import data

MARKS = ("Preschool", "1st-4th", "5th-6th", "7th-8th")


def opened() -> AppTest:
    at = AppTest.from_file("../../app/main.py", default_timeout=60).run()
    assert not at.exception
    return at


@pytest.fixture
def at() -> AppTest:
    return opened()


def said(at: AppTest) -> str:
    """All text of the page that is not a widget's."""
    assert not at.exception, at.exception
    return "\n".join(element.proto.body for element in at.get("html"))


def sentence(at: AppTest) -> str:
    return next(text for text in said(at).split("\n") if 'class="sentence"' in text)


def press(at: AppTest, key: str) -> AppTest:
    return at.button(key=key).click().run()


def upload(at: AppTest, *files: tuple[str, bytes]) -> AppTest:
    uploader = next(u for u in at.file_uploader if u.key and u.key.startswith("upload_"))
    uploader.set_value([(name, content, "text/csv") for name, content in files])
    return at.run()


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
    text = sentence(at)
    assert "Four of 16 values are marked" in text
    assert "times more exact, all others" in text
    assert "Preschool and 1st-4th stay smaller than their error" in text
    for title in (
        "Which answers are sensitive?",
        "How common each answer is",
        "What these marks do",
        "Which pairs stay",
    ):
        assert title in said(at)


def test_numbers_of_the_sentence_are_the_engines(at):
    import words
    from data_page.effects import Effect

    counted = data.load("census").categorical("education", "any")
    effect = Effect.of(counted, MARKS, 1.0)
    for scope in ("sensitive", "other"):
        before, after = effect.errors(scope)
        assert words.times(before / after) in sentence(at).replace(" times.", " times")
        assert words.points(after) in said(at)
    assert words.count(effect.people) in sentence(at)


def test_nothing_marked_offers_the_next_step(at):
    press(at, "mark_clear")
    assert "No value is marked" in sentence(at)
    assert "without error and without protection" in sentence(at)
    press(at, "start_rare")
    assert "Two of 16 values are marked" in sentence(at)


def test_all_marked_gains_nothing(at):
    press(press(at, "mark_clear"), "mark_invert")
    assert "All 16 values are marked" in sentence(at)
    assert "gain nothing" in sentence(at)
    assert "Every pair:" in said(at)


def test_one_marked_value_cannot_be_guessed_at(at):
    press(press(at, "mark_clear"), "start_rarest")
    assert "One of 16 values is marked" in sentence(at)
    assert "there is only one" in said(at)


def test_invert_and_rule_change_the_marks(at):
    press(at, "mark_invert")
    assert "12 of 16 values" in sentence(at) or "Twelve of 16 values" in sentence(at)
    press(at, "mark_rare")
    assert "14 of 16 values" in sentence(at)  # the rule adds, nothing is lost


def test_search_marks_what_it_finds(at):
    press(at, "mark_clear")
    at.text_input(key="marks_search").set_value("GRAD").run()
    press(at, "mark_found")
    assert "One of 16 values is marked" in sentence(at)
    assert "HS-grad" in said(at)
    press(at, "unmark_found")
    assert "No value is marked" in sentence(at)
    at.text_input(key="marks_search").set_value("no such <b>").run()
    assert "No value contains “no such &lt;b&gt;”." in said(at)


def test_a_pasted_list_is_marked_and_strangers_are_named(at):
    press(at, "mark_clear")
    at.text_area(key="paste_text").set_value("doctorate, Masters\nnonsense").run()
    press(at, "paste_mark")
    assert "Two of 16 values are marked" in sentence(at)
    assert "Not among the values: “nonsense”; 2 values are marked." in said(at)
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
    assert rules.recognised(text, labels) == (known, unknown)


def test_epsilon_moves_the_numbers(at):
    before = sentence(at)
    at.number_input(key="epsilon").set_value(3.0).run()
    assert "What these marks do at ε = 3" in said(at)
    assert sentence(at) != before


def test_two_settings_are_kept_apart(at):
    press(at, "make_b")
    press(at, "mark_clear")
    assert sentence(at).count("B: No value") == 1
    at.session_state.editing = 0
    at.run()
    assert "A: Four of 16 values" in sentence(at)
    press(at, "drop_arm")
    assert "B: " not in sentence(at)
    assert "No value is marked" in sentence(at)


def test_problems_are_said_once(at):
    import state

    at.session_state.problems = [state.Problem("The link asked for <i>.", "It is not here.")]
    at.run()
    assert "The link asked for &lt;i&gt;.</b> It is not here." in said(at)
    press(at, "problems_ok")
    assert "The link asked for" not in said(at)


def test_marks_that_fit_no_value_are_dropped_with_a_sentence(at):
    from ldpcore.study import Arm

    key = next(iter(at.session_state.arms))
    at.session_state.arms[key] = [Arm.of("A", ["Masters", "(missing)"])]
    at.run()
    assert "One of 16 values is marked" in sentence(at)
    assert "No longer marked, since no value of this column: (missing)." in said(at)


# uploads ---------------------------------------------------------------------------------------------------------


def test_adult_as_published(at):
    upload(at, ("adult.data.gz", gzip.compress(adult())))
    assert at.session_state.data == "adult.data.gz"
    assert "“adult.data.gz” is read: 400 rows, 15 columns." in said(at)
    assert "published names are used" in said(at)
    assert {"age", "education", "sex", "income"} <= set(at.selectbox(key="column").options)
    press(at, "upload_dismiss")
    assert "is read:" not in said(at)
    assert at.session_state.upload_raw is None
    assert at.session_state.data == "adult.data.gz"


def test_a_dictionary_names_the_codes(at):
    codes = json.dumps({"MSP": {"values": {"1": "Married", "2": "Widowed"}}}).encode()
    upload(at, ("acs.csv", column(MSP=[1, 2] * 30, SEX=["m", "f"] * 30)), ("dictionary.json", codes))
    assert "Labels from the dictionary in 1 column: MSP." in said(at)
    counted = at.session_state.uploads["acs.csv"].categorical("MSP")
    assert counted.domain.labels == ("Married", "Widowed")


def test_a_dictionary_may_come_later(at):
    upload(at, ("acs.csv", column(MSP=[1, 2] * 30)))
    upload(at, ("dictionary.json", json.dumps({"MSP": {"1": "Married", "2": "Widowed"}}).encode()))
    assert at.session_state.uploads["acs.csv"].categorical("MSP").domain.labels == ("Married", "Widowed")


BAD = {
    "empty.csv": (b"", "“empty.csv” is empty."),
    "blank.csv": (b"\n \n", "“blank.csv” is empty."),
    "header.csv": (b"age,education\n", "“header.csv” has names but no rows."),
    "binary.csv": (bytes(range(256)) * 40, "“binary.csv” is not text."),
    "damaged.gz": (b"\x1f\x8b" + b"x" * 40, "“damaged.gz” is damaged."),
    "damaged.parquet": (b"PAR1 nothing", "“damaged.parquet” is damaged."),
    "ragged.csv": (b"a,b\n1,2\n" * 3 + b"1,2,3\n" * 2, "“ragged.csv” has lines of different lengths."),
    "two.csv": (b"a,b;c\nx,y;z\nu,v;w\n", "“two.csv” can be read in 2 ways."),
    "dictionary.json": (b"[]", "This is no dictionary of codes."),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_files_get_a_sentence_and_nothing_is_lost(at, name):
    upload(at, ("good.csv", column(answer=["yes", "no"] * 30)))
    before = sentence(at)
    content, expected = BAD[name]
    upload(at, (name, content))
    assert expected in said(at)
    assert "“good.csv” is still here." in said(at)
    assert at.session_state.data == "good.csv"
    assert sentence(at) == before
    press(at, "upload_dismiss")
    assert expected not in said(at)


def test_a_remedy_reads_the_same_bytes_again(at):
    upload(at, ("two.csv", b"a,b;c\nx,y;z\nu,v;w\nx,v;z\n"))
    press(at, "remedy_1")
    assert at.session_state.data == "two.csv"
    assert not any(b.key == "remedy_1" for b in at.button)


def test_several_tables_at_once(at):
    upload(at, ("a.csv", b"x\n1\n"), ("b.csv", b"x\n1\n"))
    assert "Choose one table" in said(at)


@pytest.mark.parametrize(
    ("content", "note"),
    [
        ("ort,wahl\nKöln,ja\nMünchen,nein\n".encode("latin-1") * 20, "it was read as Windows-1252"),
        (b"a,a,b\n" + b"1,2,x\n2,1,y\n" * 3, "Names that occur twice were numbered: a."),
        (b"a;b\nx;u\ny;v\nx;v\n", "The columns are separated by a semicolon."),
    ],
)
def test_what_was_recognised_is_said(at, content, note):
    upload(at, ("file.csv", content))
    assert note in said(at)
    assert "“file.csv” is read" in said(at)


def test_the_separator_can_be_chosen_afterwards(at):
    upload(at, ("file.csv", b"a;b\nx;u\ny;v\nx;v\n"))
    assert len(at.session_state.uploads["file.csv"].frame.columns) == 2
    next(s for s in at.selectbox if s.label == "Separator").set_value(",").run()
    press(at, "upload_again")
    assert "has one column. The values look separated by semicolons." in said(at)
    assert len(at.session_state.uploads["file.csv"].frame.columns) == 2


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
    first = at.session_state.uploads["doubt.csv"]
    assert "it could be" in " ".join(first.notes)
    assert first.numbers("w").max() == read[0]
    next(box for box in at.selectbox if box.label == label).set_value(choice).run()
    press(at, "upload_again")
    assert not at.exception
    other = at.session_state.uploads["doubt.csv"]
    assert other.numbers("w").max() == read[1]
    assert other.digest != first.digest


def test_numbers_as_text_are_numbers(at):
    upload(at, ("pay.csv", b"pay\n" + b"\n".join(b'"1,%03d"' % (7 * i % 1000) for i in range(300))))
    assert at.session_state.uploads["pay.csv"].profile()[0].numeric


def test_a_hundred_thousand_values_are_refused_with_advice(at):
    upload(at, ("ids.csv", column(id=[f"user-{i}" for i in range(100_000)])))
    text = said(at)
    assert "“id” has 100\u202f000 different values." in text
    assert "Group them in the file first" in text
    press(at, "upload_another_one")
    assert at.session_state.upload_open


def test_a_column_with_one_value_has_nothing_to_hide(at):
    upload(at, ("one.csv", column(answer=["yes"] * 20)))
    assert "“answer” has one value only." in said(at)
    at.selectbox(key="data").set_value("census").run()
    assert "Four of 16 values" in sentence(at)


def test_two_values_and_one_person_each(at):
    upload(at, ("tiny.csv", column(answer=["yes", "no"])))
    press(at, "start_rarest")
    assert "One of 2 values is marked" in sentence(at)
    assert "1 of 2 people" in sentence(at)


def test_one_person(at):
    # The second person's row is incomplete; both values stay in the domain.
    upload(at, ("one.csv", b"answer,other\nyes,x\nno,\n"))
    assert "Percent of 1 person" in said(at)
    press(at, "start_rarest")
    assert "0 of 1 person" in sentence(at)


def test_nobody_left_offers_the_other_rule(at):
    rows = b"a,b\n" + b"x,\n,p\ny,\n,q\n" * 10
    upload(at, ("holes.csv", rows))
    assert "Nobody is left in “a”." in said(at)
    press(at, "missing_column")
    assert at.session_state.missing == "column"
    assert "No value is marked" in sentence(at)


def test_numbers_are_counted_in_bins_of_a_public_range(at):
    upload(at, ("ages.csv", column(age=list(range(20, 80)) * 5)))
    assert "drag over the bars" in said(at)
    at.session_state.columns_open = True
    at.run()
    assert "The range must be public knowledge" in said(at)
    next(n for n in at.number_input if n.label == "From").set_value(30.0)
    next(n for n in at.number_input if n.label == "To").set_value(70.0)
    next(n for n in at.number_input if n.label == "Bins").set_value(4)
    next(b for b in at.button if b.label == "Use").click().run()
    assert list(at.session_state.ranges.values()) == [(30.0, 70.0, 4)]
    assert "answers outside count in the first or last bin" in said(at)
    assert "30 to 40" in str(at.session_state.marks_seen)


def test_numbers_may_be_counted_one_by_one(at):
    upload(at, ("ages.csv", column(age=list(range(20, 80)) * 5)))
    digest = at.session_state.uploads["ages.csv"].digest
    at.session_state.roles[digest, "age"] = "category"
    at.run()
    assert "Protecting all 60 would" in sentence(at)


def test_missing_answers_can_be_a_value_of_their_own(at):
    upload(at, ("gaps.csv", b"a,b\n" + b"x,1\n?,2\ny,1\nx,?\n" * 20))
    at.session_state.columns_open = True
    at.run()
    rule = at.radio(key="missing_choice")
    assert rule.options == [
        "Leave out rows incomplete in any column: 40 people",
        "Leave out rows that miss this column: 60 people",
        "Count a missing answer as a value of its own: 80 people",
    ]
    rule.set_value("category").run()
    assert "Protecting all 3 would" in sentence(at)


def test_about_shows_the_card_and_for_uploads_a_few_rows(at):
    at.session_state.about_open = True
    at.run()
    assert "Nobody in it exists." in said(at)
    upload(at, ("mine.csv", column(answer=["yes", "no"] * 9)))
    at.session_state.about_open = True
    at.run()
    assert "until you close the page" in said(at)
    assert any(len(frame.value) == 5 for frame in at.dataframe)


def test_labels_are_never_markup(at):
    upload(at, ("evil.csv", column(answer=["<img src=x>", "no"] * 9)))
    press(at, "start_rarest")
    assert "<img src=x>" not in said(at)


def test_a_thousand_values(at):
    upload(at, ("towns.csv", column(town=[f"Town {i % 1000}" for i in range(3000)] + ["Town 1"] * 500)))
    press(at, "mark_rare")
    assert "999 of 1\u202f000 values are marked" in sentence(at)


def test_without_mechanisms_the_marks_still_speak(at):
    for key in ("pills_every", "pills_marked", "pills_weaker"):
        at.session_state[key] = []
    at.run()
    assert "Four of 16 values" in sentence(at)
