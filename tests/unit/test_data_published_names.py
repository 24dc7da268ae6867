"""Records without names are Adult's where their width, their last and their education are."""

from ldpcore.data import recognise

RECORD = ["39", "State-gov", "77516", "Bachelors", "13", *["x"] * 9, "<=50K."]


def changed(at, value):
    return [*RECORD[:at], value, *RECORD[at + 1 :]]


def test_only_what_looks_like_adult_gets_its_names():
    known = ("UCI Adult", recognise.ADULT_NAMES)
    assert len(RECORD) == len(recognise.ADULT_NAMES)
    assert recognise.published_names([RECORD, changed(14, ">50K"), ["a", "short", "line"]]) == known
    assert recognise.published_names([RECORD, changed(14, "rich")]) is None
    assert recognise.published_names([RECORD, changed(3, "Diploma")]) is None
    assert recognise.published_names([RECORD[:-1], RECORD]) is None
    assert recognise.published_names([[*RECORD, "more"], RECORD]) is None
    assert recognise.published_names([["1", "2", "3", "Bachelors", "<=50K"]]) is None
