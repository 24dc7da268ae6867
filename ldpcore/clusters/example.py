"""One user's message, drawn as that user would draw it: what `Message.kind` means, for a record that is known."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from ldpcore.clusters.graded import asked_units
from ldpcore.clusters.records import Codes
from ldpcore.clusters.result import Message
from ldpcore.mechanisms import bits
from ldpcore.mechanisms.direct import GRR
from ldpcore.mechanisms.subset import SS
from ldpcore.mechanisms.unary import OUE
from ldpcore.randomizer import Randomizer


@dataclass(frozen=True)
class ExampleReport:
    """What is said of these attributes: the numbers `sent` out of `cells`, and the `own` number that is true."""

    attributes: tuple[int, ...]
    cells: int
    own: int
    sent: tuple[int, ...]


def answer(
    message: Message, record: Sequence[int], levels: Sequence[int], modes: Codes, rng: np.random.Generator
) -> tuple[ExampleReport, ...]:
    """One message of this kind by the user with this record; modes (k, q) are those just received.

    Cells of "cell" are (nearest mode)·d + value, those of "pair" (first value)·d + second value. ValueError for a
    message of the server.
    """
    record, q, k = [int(code) for code in record], len(levels), len(modes)
    nearest = int((modes == record).sum(axis=1).argmax())
    each = message.epsilons or (message.epsilon,) * q
    asked = [j for j in range(q) if each[j] < inf] or [0]
    j = asked[int(rng.integers(len(asked)))]
    d, value = levels[j], record[j]
    if message.kind == "open":
        return tuple(ExampleReport((i,), levels[i], record[i], (record[i],)) for i in range(q) if each[i] == inf)
    if message.kind == "attribute":
        return (_said((j,), OUE(each[j], d), value, rng),)
    if message.kind == "attributes":
        return tuple(_said((i,), OUE(message.epsilon / q, levels[i]), record[i], rng) for i in range(q))
    if message.kind == "value":
        return (_said((j,), SS(each[j], d), value, rng),)
    if message.kind == "cell":
        return (_said((j,), SS(message.epsilon, k * d), nearest * d + value, rng),)
    if message.kind == "pair":
        first, second = sorted(int(i) for i in rng.choice(q, 2, replace=False))
        cell = record[first] * levels[second] + record[second]
        return (_said((first, second), OUE(message.epsilon, levels[first] * levels[second]), cell, rng),)
    if message.kind == "marked":
        units = asked_units(each)
        return (_of_unit(units[int(rng.integers(len(units)))], record, levels, each, rng),)
    if message.kind == "index":
        return (ExampleReport((), k, nearest, (nearest,)),)
    if message.kind == "noisy index":
        sent = int(GRR(message.epsilon, k).perturb([nearest], rng)[0]) if k > 1 else nearest
        return (ExampleReport((), k, nearest, (sent,)),)
    if message.kind == "record":
        return tuple(ExampleReport((i,), levels[i], record[i], (record[i],)) for i in range(q))
    raise ValueError(f"no user sends {message.kind!r}: this is a message of the {message.sender}")


def _of_unit(
    unit: tuple[int, ...], record: list[int], levels: Sequence[int], each: Sequence[float], rng: np.random.Generator
) -> ExampleReport:
    """A report about a marked attribute, or about two of them: cells are (first value)·d + second value."""
    code = int(np.ravel_multi_index([record[j] for j in unit], [levels[j] for j in unit]))
    return _said(unit, SS(min(each[j] for j in unit), int(np.prod([levels[j] for j in unit]))), code, rng)


def _said(attributes: tuple[int, ...], mechanism: Randomizer, own: int, rng: np.random.Generator) -> ExampleReport:
    """A report of set bits."""
    on = bits.unpack(mechanism.perturb([own], rng), mechanism.k)[0]
    return ExampleReport(attributes, mechanism.k, own, tuple(int(v) for v in np.flatnonzero(on)))
