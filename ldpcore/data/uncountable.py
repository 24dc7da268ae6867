"""Why a column, or a whole table, has nothing to count, in sentences that say what to do."""

from ldpcore.data.columns import MAX_VALUES
from ldpcore.data.errors import DataError, thousands
from ldpcore.data.profile import ColumnProfile
from ldpcore.data.table import Table

_LETTERS = 40
"""Of a column's name: longer ones are cut."""


def unusable(profile: ColumnProfile) -> tuple[str, str] | None:
    """(why a column has nothing to count, what to do); None for one that has."""
    cut = profile.name if len(profile.name) <= _LETTERS else profile.name[: _LETTERS - 1].rstrip() + "…"
    name = f"“{cut}”"
    if profile.role == "constant":
        return f"{name} has one value only.", "There is nothing to estimate and nothing to hide."
    if profile.role == "weight":
        return f"{name} is a weight.", "It says what an answer counts for, and is none."
    if profile.role == "identifier" and profile.distinct > MAX_VALUES:
        return (
            f"{name} has {thousands(profile.distinct)} different values.",
            f"A category has at most {thousands(MAX_VALUES)}. Group them in the file first, into regions, classes or "
            "years of birth, or choose another column.",
        )
    if profile.role == "identifier" and profile.unique:
        return f"{name} has its own value in nearly every row.", "It names people; there is nothing to count."
    return None


def naming(profile: ColumnProfile) -> str:
    """What it means to count an identifier, which is possible where its values recur; "" for any other column."""
    if profile.role != "identifier" or not profile.countable:
        return ""
    return (
        f"“{profile.name}” tells people or things apart: what is counted is how often each of its "
        f"{thousands(profile.distinct)} values stands in the rows, and a share says that of a row, not of a person."
    )


def nothing(table: Table) -> DataError:
    """What to say of a table without any column to count."""
    reasons = [reason for profile in table.profile() if (reason := unusable(profile))]
    if len(reasons) == 1:
        return DataError(*reasons[0])
    more = f" {thousands(len(reasons) - 4)} more likewise." if len(reasons) > 4 else ""
    return DataError(
        f"None of its {thousands(len(reasons))} columns has several answers that recur.",
        " ".join(headline for headline, _ in reasons[:4]) + more + " Choose one with a column of categories.",
    )
