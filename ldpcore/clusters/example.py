"""One user's message, drawn as that user would draw it: what `Message.kind` means, for a record that is known."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

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
    j = int(rng.integers(q))
    d, value = levels[j], record[j]
    if message.kind == "attribute":
        return (_said((j,), OUE(message.epsilon, d), value, rng),)
    if message.kind == "attributes":
        each = message.epsilon / q
        return tuple(_said((i,), OUE(each, levels[i]), record[i], rng) for i in range(q))
    if message.kind == "value":
        return (_said((j,), SS(message.epsilon, d), value, rng),)
    if message.kind == "cell":
        return (_said((j,), SS(message.epsilon, k * d), nearest * d + value, rng),)
    if message.kind == "pair":
        first, second = sorted(int(i) for i in rng.choice(q, 2, replace=False))
        cell = record[first] * levels[second] + record[second]
        return (_said((first, second), OUE(message.epsilon, levels[first] * levels[second]), cell, rng),)
    if message.kind == "index":
        return (ExampleReport((), k, nearest, (nearest,)),)
    if message.kind == "noisy index":
        sent = int(GRR(message.epsilon, k).perturb([nearest], rng)[0]) if k > 1 else nearest
        return (ExampleReport((), k, nearest, (sent,)),)
    if message.kind == "record":
        return tuple(ExampleReport((i,), levels[i], record[i], (record[i],)) for i in range(q))
    raise ValueError(f"no user sends {message.kind!r}: this is a message of the {message.sender}")


def _said(attributes: tuple[int, ...], mechanism: Randomizer, own: int, rng: np.random.Generator) -> ExampleReport:
    """A report of set bits."""
    on = bits.unpack(mechanism.perturb([own], rng), mechanism.k)[0]
    return ExampleReport(attributes, mechanism.k, own, tuple(int(v) for v in np.flatnonzero(on)))
