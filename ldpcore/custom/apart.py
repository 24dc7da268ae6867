"""An audit of somebody's code in a process of its own: it may raise, end the process, print, or never come back."""

import importlib.util
import multiprocessing
import os
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ldpcore.rng import stream

from .audit import Audit, audit
from .audit_sets import audit_sets

Settings = tuple[int, int, float | None, int, float]
"""k, the seed of the generator, the claimed ε, the reports of each value or set, the confidence."""
_LONGEST = 300
"""Letters of what an exception says."""


@dataclass(frozen=True, eq=False)
class SetInputs:
    """Sets of at most m items, of which those of the mask `sensitive` (k,) are marked; None: nothing is."""

    m: int
    sensitive: NDArray[np.bool_] | None = None


Inputs = tuple[float, ...] | SetInputs
"""What code is called with in place of the codes of values: numbers, the i-th for value i, or sets; (): the codes."""


class Unusable(ValueError):
    """The code cannot be audited; says why."""


def audited(path: Path, name: str, settings: Settings, seconds: float, inputs: Inputs = ()) -> Audit:
    """What `audit`, or `audit_sets`, finds of the function `name` of a Python file, stopped after so many seconds.

    ValueError with a sentence: no such function, code that raises or ends its process, no result in time.
    """
    context = multiprocessing.get_context("spawn")  # whatever this process holds, the code does not get
    receiver, there = context.Pipe(duplex=False)
    child = context.Process(target=_run, args=(there, path, name, settings, inputs), daemon=True)
    child.start()
    there.close()
    try:
        receiver.recv()  # from here on it is the code that takes the time
        if not receiver.poll(seconds):
            raise Unusable(
                f"{name} of {path.name} has not sent all its reports after {seconds:g} seconds: ask for fewer with "
                "--reports, or allow more time with --seconds"
            )
        outcome = receiver.recv()
    except EOFError:
        child.join()
        raise Unusable(
            f"{name} of {path.name} ended its process (exit code {child.exitcode}): a mechanism returns a report"
        ) from None
    finally:
        child.kill()
        child.join()
        receiver.close()
    if isinstance(outcome, Audit):
        return outcome
    raise Unusable(outcome)


def _run(there: Connection, path: Path, name: str, settings: Settings, inputs: Inputs) -> None:
    """In the other process: sends an Audit, or a sentence."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream_ in (1, 2):
        os.dup2(nowhere, stream_)
    there.send(True)
    there.send(answer(path, name, settings, inputs))


def answer(path: Path, name: str, settings: Settings, inputs: Inputs = ()) -> Audit | str:
    """What is found of this code in this very process, or a sentence why nothing is."""
    k, seed, claimed, reports, confidence = settings
    try:
        function, rng = _function(path, name), stream(seed, "audit")
        if isinstance(inputs, SetInputs):
            return audit_sets(function, k, inputs.m, rng, inputs.sensitive, claimed, reports, confidence)

        def called(code: int, rng: np.random.Generator) -> Any:
            return function(inputs[code] if inputs else code, rng)

        return audit(called, k, rng, claimed, reports, confidence)
    except MemoryError:
        return f"the reports of {name} do not fit into memory: ask for fewer with --reports, or shorter ones"
    except (ValueError, TypeError) as error:  # of the audit itself: what the code raises comes as Unusable
        return str(error)


def _function(path: Path, name: str) -> Callable[[Any, np.random.Generator], Any]:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise Unusable(f"{path.name} is no Python file; its name ends in .py")
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(path.resolve().parent))
    _called(path, path.name, lambda: spec.loader.exec_module(module))  # type: ignore[union-attr]
    function = getattr(module, name, None)
    if not callable(function):
        there = [key for key, value in vars(module).items() if callable(value) and not key.startswith("_")]
        raise Unusable(f"{path.name} has no function {name}; it has {', '.join(there) or 'none'}")
    return lambda value, rng: _called(path, f"{name}({value}, rng)", lambda: function(value, rng), value)


def _called(path: Path, what: str, call: Callable[[], Any], given: object = None) -> Any:
    """Whatever the code raises, also to end the program, as a sentence that says where. given: the value, or set."""
    try:
        return call()
    except MemoryError:
        raise
    except BaseException as error:
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
        line = getattr(error, "lineno", None) if isinstance(error, SyntaxError) else lines[-1] if lines else None
        where = f" in line {line} of {path.name}" if line else ""
        if isinstance(error, SystemExit):
            raise Unusable(f"{what} ends the program{where}: a mechanism returns a report") from error
        message = error.msg if isinstance(error, SyntaxError) else error
        text = f"{type(error).__name__}: {message}".strip(": ")[:_LONGEST]
        every = "set of so many items at most, the empty one too" if isinstance(given, list) else "value"
        raise Unusable(f"{what} raises {text}{where}: a mechanism returns a report for every {every}") from error
