"""Thirty people at once for ten minutes, each with an own file: how long they wait, and that nobody sees another's.

    python -m benchmarks.many_people [people] [minutes] [seconds that a session is remembered]

The dashboard runs as a person would start it, but may write no file at all. People open pages, upload, move ε, turn
pages, read for some seconds, close and come back. Prints a table; exits with 1 on an error, on somebody else's
answers, where 1 of 20 waits for more than two seconds after moving ε, or where memory does not come back.
"""

import asyncio
import os
import random
import resource
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.dashboard import served
from benchmarks.person import Person
from ldpapp.runtime import memory_release

PAGES = ("overview", "frequency", "sets", "means", "itemsets", "clusters", "ranges", "review", "data", "learn")
OPENED = ("data=census&column=education", "data=health&column=condition", "data=groceries&column=items", "")
READING = (5.0, 25.0)
"""Seconds between two actions of one person."""
WORST = 2.0
"""Seconds that 19 of 20 wait at most after moving ε."""
LEVEL = 1.5
"""Memory after they left, as a multiple of what one person leaves: sessions are gone, the allocator keeps some room."""
REMEMBERED = 120 + 4 * memory_release.EVERY
"""Seconds until a session that is gone is over (two minutes), is emptied, and what it held has gone back."""


def _no_files() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


@contextmanager
def dashboard() -> Iterator[tuple[str, subprocess.Popen, list[bytes]]]:
    """(address, process, its lines) of a dashboard that can write no file: whoever tries gets an error."""
    said: list[bytes] = []
    # What Python compiles is no file of anybody's: where nothing is compiled yet, that would end it.
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
    with served(stdout=subprocess.PIPE, preexec_fn=_no_files, env=environment) as (url, server, _):
        assert server.stdout is not None
        listening = threading.Thread(target=said.extend, args=(server.stdout,), daemon=True)
        listening.start()
        try:
            yield url, server, said
        finally:
            server.terminate()
            listening.join()  # what it said to its end
            server.stdout.close()


def memory(process: subprocess.Popen) -> float:
    """Megabytes that a process holds."""
    told = Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
    return int(told.partition("VmRSS:")[2].split()[0]) / 1024


async def live(
    person: Person,
    until: float,
    waited: dict[str, list[float]],
    reading: tuple[float, float] = READING,
    rows: int = 150_000,
    least: int = 0,
) -> None:
    """One person's session: its own file first, then whatever comes to mind; closed and opened again now and then. So
    many things at least, however slow the machine.
    """
    mind, done = random.Random(person.number), 0
    waited["opening"].append(await person.come("data", mind.choice(OPENED)))
    waited["upload"].append(await person.upload(rows))
    while done < least or time.monotonic() < until:
        done += 1
        await asyncio.sleep(mind.uniform(*reading))
        chance = mind.random()
        if chance < 0.6 and "slider" in person.widgets:
            waited["moving ε"].append(await person.slide(mind.randrange(10, 60)))
        elif chance < 0.97:
            waited["another page"].append(await person.go(mind.choice(PAGES)))
        else:
            await person.leave()
            waited["opening"].append(await person.come(mind.choice(PAGES), mind.choice(OPENED)))
    await person.leave()


async def tour(url: str) -> list[Person]:
    """One person opens everything once, with an own file beside every bundled table, waits until it is filled, and
    leaves: what is imported, and kept for all, is there from now on.
    """
    sessions = [Person(0, url) for _ in OPENED]
    for person, query in zip(sessions, OPENED, strict=True):
        await person.come("data", query)
        await person.upload(150_000)
        for page in PAGES:
            await person.go(page)
            await person.filled()
            if "slider" in person.widgets:
                await person.slide(20)
        await person.leave()
    return sessions


async def crowd(
    url: str, count: int, seconds: float, arriving: float, **habits
) -> tuple[list[Person], dict[str, list[float]]]:
    """So many people, who arrive within `arriving` seconds; whatever fails is an error of that person."""
    people, waited = [Person(number, url) for number in range(count)], defaultdict(list)
    until = time.monotonic() + seconds

    async def one(person: Person) -> None:
        await asyncio.sleep(arriving * person.number / count)
        try:
            await live(person, until, waited, **habits)
        except Exception as error:  # a person's whole session is lost, and the others go on
            person.errors.append(f"{type(error).__name__}: {error}")

    await asyncio.gather(*(one(person) for person in people))
    return people, waited


@dataclass(frozen=True)
class Found:
    """errors: what failed, for whom it did. foreign: how often somebody saw another's answers; own: who saw their own.
    waited: kind of action → seconds. fresh, before, most, after: megabytes of the server as it began, when one person
    had been everywhere and was forgotten, at most, and when all were forgotten.
    """

    errors: list[str]
    foreign: int
    own: int
    waited: dict[str, list[float]]
    fresh: float
    before: float
    most: float
    after: float


def found(count: int, seconds: float, remembered: float = REMEMBERED) -> Found:
    """So many people for so long, on a dashboard of their own that has been used before."""
    with dashboard() as (url, server, said):
        fresh = memory(server)
        first = asyncio.run(tour(url))
        time.sleep(remembered)
        before, most, going = memory(server), [0.0], threading.Event()

        def watch() -> None:
            while not going.wait(2):
                most[0] = max(most[0], memory(server))

        watching = threading.Thread(target=watch)
        watching.start()
        people, waited = asyncio.run(crowd(url, count, seconds, min(30, seconds / 4)))
        going.set()
        watching.join()
        time.sleep(remembered)
        after = memory(server)
        late = asyncio.run(crowd(url, 1, 10, 0))[0]  # it still serves
    everybody = [*first, *people, *late]
    errors = [each for person in everybody for each in person.errors]
    if errors:
        errors += [line.decode(errors="replace").strip() for line in said[-20:]]
    foreign, own = sum(len(person.foreign) for person in everybody), sum(person.seen > 0 for person in people)
    return Found(errors, foreign, own, waited, fresh, before, most[0], after)


def main(count: int = 30, minutes: float = 10.0, remembered: float = REMEMBERED) -> int:
    seen = found(count, 60 * minutes, remembered)
    print(f"{count} people in {minutes:g} minutes on {os.cpu_count()} cores")
    for kind, times in seen.waited.items():
        p50, p95, longest = np.percentile(times, [50, 95, 100])
        print(f"{kind:14} n = {len(times):4}: half {p50:5.2f} s, 95 % within {p95:5.2f} s, all within {longest:5.2f} s")
    print(f"{len(seen.errors)} errors, {seen.foreign} times somebody else's answers; {seen.own} saw their own")
    print(f"memory, MB: {seen.fresh:.0f} at first, {seen.before:.0f} when one person had been everywhere and left")
    print(f"at most {seen.most:.0f}, {seen.after:.0f} when all had left")
    for each in dict.fromkeys(seen.errors):
        print("  ", each)
    slow = not seen.waited["moving ε"] or float(np.percentile(seen.waited["moving ε"], 95)) > WORST
    return int(bool(seen.errors) or bool(seen.foreign) or slow or seen.after > LEVEL * seen.before)


if __name__ == "__main__":
    sys.exit(main(*(float(each) if place else int(each) for place, each in enumerate(sys.argv[1:]))))
