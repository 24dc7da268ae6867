"""What is read of a file, as text for a terminal."""

import tomli_w

from ldpcore import checks
from ldpcore.data.assumptions import Assumption
from ldpcore.data.errors import plural
from ldpcore.data.table import Table


def of_table(table: Table, toml: bool = False) -> str:
    """Its columns, what is certain, what was assumed with the alternatives, and how many things are to check. toml:
    below each alternative the lines of a Study file that take it.
    """
    out = [f"{table.name}: {plural(len(table.frame), 'row')}, {plural(table.frame.shape[1], 'column')}."]
    out += [_column(table, each.name) for each in table.profile()]
    out += [f"  {name}: {plural(table.baskets(name).k, 'item')} as sets" for name in table.sets]
    sentences = {each.sentence for each in table.assumptions}
    out += ["", *(note for note in table.notes if note not in sentences)]
    for each in table.assumptions:
        out += ["", *_assumption(each, toml)]
    count = sum(each.is_open for each in table.assumptions)
    out += ["", f"{plural(count, 'thing')} to check." if count else "Read without asking."]
    return "\n".join(out)


def _column(table: Table, name: str) -> str:
    about = table.profiles[name]
    missing = f", {plural(about.missing, 'missing answer')}" if about.missing else ""
    text = f" ({table.texts[name]})" if name in table.texts else ""
    shown = checks.name_list(about.examples, 5)
    return f"  {name}{text}: {about.role}, {plural(about.distinct, 'value')}{missing}: {shown}"


def _assumption(each: Assumption, toml: bool) -> list[str]:
    mark = "decided" if each.decided else "to check" if each.asks else "said"
    out = [f"[{each.kind}, {mark}] {each.sentence}", f"  * {each.taken}"]
    for other in each.alternatives:
        out.append(f"    or {other.label}")
        if toml:
            lines = tomli_w.dumps({"data": {"read": other.options.to_table()}}).strip().splitlines()
            out += [f"       {line}" for line in lines]
    return out
