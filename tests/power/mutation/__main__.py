"""`python -m tests.power.mutation --seed 1`: plants 300 bugs in the engine, one at a time, and tells which stay unseen.

mutmut 3 plants nothing in decorated functions or outside of functions (cached properties are half of this engine);
cosmic-ray runs the same tests for every mutant (here there are 18 000). Neither draws a sample.
"""

import argparse
import ast
import json
import os
import random
import re
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

from . import covering, running
from .covering import Covering, Test
from .mutators import Mutant, mutants, rooms
from .running import Verdict

ROOT = Path(__file__).resolve().parents[3]

WAVES = ((4.0, 3), (20.0, 12))
"""Seconds of tests and how many test files, the quickest first; the rest only for what these leave alive."""


def main() -> None:
    options = _options()
    tree, kept = options.tree / "tree", options.tree / "covering"
    kept.mkdir(parents=True, exist_ok=True)
    running.copy_tree(options.project, tree)
    running.keep_compiled(options.tree)
    running.warm(running.WARM if options.project == ROOT else ("hypothesis",))
    cover = _covering(tree, kept, options)
    print(f"{len(cover.tests)} tests, {sum(test.seconds for test in cover.tests):.0f} s of processor time", flush=True)
    drawn = _again(tree, options.again) if options.again else _drawn(tree, options)
    usual = f"again-{options.again.stem}" if options.again else f"seed-{options.seed}"
    results = options.results or options.tree / f"{usual}.jsonl"
    done = [line["mutant"] for line in _lines(results)] if results.exists() and not options.again else []
    with results.open("a" if done else "w") as out:
        for i, mutant in enumerate(drawn):
            if mutant.record() not in done:
                _wait(options.wait)
                begin, verdict = time.monotonic(), judge(tree, cover, mutant, options)
                line = {"name": mutant.name, "seconds": round(time.monotonic() - begin, 1), **vars(verdict)}
                out.write(json.dumps({**line, "mutant": mutant.record()}) + "\n")
                out.flush()
                print(f"{i + 1:4} {verdict.fate:9} {line['seconds']:6} s  {mutant.name[:150]}", flush=True)
    wanted = [mutant.record() for mutant in drawn]
    print(summary([line for line in _lines(results) if line["mutant"] in wanted]))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.power.mutation", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="which sample")
    parser.add_argument("--sample", type=int, default=300, help="how many mutants")
    parser.add_argument("--only", default="", help="a part of the paths to draw from, say limit/")
    parser.add_argument("--again", type=Path, help="instead: the survivors in this file of results")
    parser.add_argument("--results", type=Path, help="where results go; what is there already is not run again")
    parser.add_argument("--tree", type=Path, default=Path(tempfile.gettempdir()) / "ldpcore-mutants",
                        help="where the copy of the project is kept, and what covers what")  # fmt: skip
    parser.add_argument("--most", type=float, default=120.0,
                        help="seconds of further tests for a mutant that the quickest leave alive")  # fmt: skip
    parser.add_argument("--project", type=Path, default=ROOT, help="another one, for the harness's own test")
    parser.add_argument(
        "--cpu", type=float, default=30.0, help="seconds beside those of the tests, until it is endless"
    )
    parser.add_argument("--wait", type=Path, help="pause while this file exists")
    return parser.parse_args()


def _wait(file: Path | None) -> None:
    while file and file.exists():
        time.sleep(5)


def _covering(tree: Path, kept: Path, options: argparse.Namespace) -> Covering:
    cover = Covering()
    for file in covering.test_files(tree):
        result = kept / (file.replace("/", ".") + ".json")
        if not result.exists() or json.loads(result.read_text())["stamp"] != covering.stamp(tree, file):
            _wait(options.wait)
            begin = time.monotonic()
            fate = running.child(tree, lambda f=file, r=result: covering.record(tree, f, r), cpu=1800, wall=3600)
            print(f"what {file} covers: {fate}, {time.monotonic() - begin:.0f} s", flush=True)
            if fate != "done":
                sys.exit(f"{file} did not run to its end: run it alone with pytest, and make it pass")
        found = json.loads(result.read_text())
        if found["failed"]:
            print(f"left out, as they do not pass: {', '.join(found['failed'][:5])}", flush=True)
        cover.add(found)
    return cover


def _drawn(tree: Path, options: argparse.Namespace) -> list[Mutant]:
    paths = [path for path in sorted(tree.glob("ldpcore/**/*.py")) if options.only in str(path.relative_to(tree))]
    every = [mutant for path in paths for mutant in mutants(path.read_bytes(), str(path.relative_to(tree)))]
    print(f"{len(every)} mutants in {len(paths)} modules", flush=True)
    return random.Random(options.seed).sample(every, min(options.sample, len(every)))


def _again(tree: Path, results: Path) -> list[Mutant]:
    """The survivors of another run, in the engine as it is now: the same change of the same function."""
    found = []
    for old in (line["mutant"] for line in _lines(results) if line["fate"] != "killed"):
        file = tree / old["path"]
        now = mutants(file.read_bytes(), old["path"]) if file.exists() else []
        same = [one for one in now if all(getattr(one, key) == old[key] for key in ("room", "kind", "before", "after"))]
        if same:
            found.append(min(same, key=lambda one: abs(one.start - old["start"])))
        else:
            print(f"no longer there: {old['path']} {old['kind']}: {old['before']}", flush=True)
    return found


def _lines(results: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in results.read_text().splitlines()]


def judge(tree: Path, cover: Covering, mutant: Mutant, options: argparse.Namespace) -> Verdict:
    """Plants the mutant in the tree, tries the tests that run its lines, and takes it out again."""
    file = tree / mutant.path
    source, times = file.read_bytes(), file.stat()
    begin = next((begin for name, begin, _ in rooms(source) if name == mutant.room), 0)
    hit = cover.of(mutant, begin, _users(tree, mutant) if not mutant.room else [])
    if not hit:
        return Verdict("untested")
    near = _spread([cover.tests[i] for i in hit])
    files = {test.file for test in near}
    # At last also what else is in these files: what a fixture or a cache computed once, other tests may look at.
    beside = [test for test in cover.tests if test.file in files] if options.most else []
    waves = [(near, *wave) for wave in WAVES] + [([*dict.fromkeys(near + beside)], options.most, len(files))] * bool(
        options.most
    )
    verdict, done = Verdict("untested"), set[Test]()
    file.write_bytes(mutant.apply(source))
    try:
        for tests, seconds, most in waves:
            wave = _wave([test for test in tests if test not in done], seconds, most)
            done |= {*wave}
            tried = running.run(tree, wave, options.cpu) if wave else Verdict("untested")
            fate = tried.fate if tried.fate == "killed" or tried.tests else verdict.fate
            verdict = Verdict(fate, tried.by, verdict.tests + tried.tests)
            if fate == "killed":
                break
    finally:
        file.write_bytes(source)
        os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    return verdict


def _users(tree: Path, mutant: Mutant) -> list[tuple[str, str]]:
    """The rooms, anywhere in the engine, in which a name occurs that the mutant's line gives a value, or that is made
    of it beside: a constant, a list of constants, a catalogue of lists.
    """
    lines = (tree / mutant.path).read_text().splitlines()
    name = re.match(r"\s*(\w+)\b.*=", lines[mutant.lines[0] - 1])
    if not name:
        return []
    names = {name[1]}
    for statement in ast.parse("\n".join(lines)).body:
        if isinstance(statement, ast.Assign | ast.AnnAssign) and names & {*re.findall(r"\w+", ast.unparse(statement))}:
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            names |= {target.id for target in targets if isinstance(target, ast.Name)}
    word = re.compile(rf"\b({'|'.join(sorted(names))})\b")
    found = []
    for path in tree.glob("ldpcore/**/*.py"):
        source = path.read_text()
        if word.search(source):
            lines = source.splitlines()
            found += [
                (str(path.relative_to(tree)), room)
                for room, begin, end in rooms(source.encode())
                if any(map(word.search, lines[begin - 1 : end]))
            ]
    return found


def _spread(tests: list[Test]) -> list[Test]:
    """First each test function's quickest case, then the others; file by file, those with the quickest tests first."""
    functions = defaultdict(list)
    for test in sorted(tests, key=lambda test: test.seconds):
        functions[test.function].append(test)
    rounds = [[cases[0] for cases in functions.values()], [case for cases in functions.values() for case in cases[1:]]]
    return [test for part in rounds for test in part]


def _wave(tests: list[Test], seconds: float, most: int) -> list[Test]:
    """As many of these as take so long together, and at least one, from so many files; a file's tests together, as they
    share what they set up.
    """
    spent, files = 0.0, defaultdict(list)
    for test in tests:
        if test.file in files or len(files) < most:
            spent += test.seconds + 0.01
            if files and spent > seconds:
                break
            files[test.file].append(test)
    return [test for part in files.values() for test in part]


def summary(lines: list[dict[str, Any]]) -> str:
    count = defaultdict(int)
    for line in lines:
        count[line["fate"]] += 1
    left = [f"- {line['name']} ({line['fate']}, {line['tests']} tests)" for line in lines if line["fate"] != "killed"]
    share = count["killed"] / max(len(lines), 1)
    spent = sum(line["seconds"] for line in lines) / 60
    counted = ", ".join(f"{value} {key}" for key, value in sorted(count.items()))
    return "\n".join([*left, f"{share:.1%} killed of {len(lines)} ({counted}), {spent:.0f} minutes"])


if __name__ == "__main__":
    main()
