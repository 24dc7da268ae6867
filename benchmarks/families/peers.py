"""One report per person, against multi-freq-ldpy and pure-ldp, which take one person at a time."""

import math
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from typing import Any

from benchmarks.case import Case, Family, Measured, Work
from benchmarks.families.frequency import EPSILON, K, answers
from ldpcore import catalog
from ldpcore.rng import stream

Peer = Callable[[Any, float], Work]
"""Values and ε → perturbing, tallying and estimating them, as the peer's documentation does."""
MULTI, PURE = "multi-freq-ldpy", "pure-ldp"
FEW = {"OLH": 1_000, "SS": 2_000, "SHE": 2_000, "THE": 2_000}
"""People whom a peer gets, where it takes long for each."""
LEAST = {
    **dict.fromkeys([(MULTI, "OUE", 1.0), (MULTI, "OUE", 4.0)], 40),
    **dict.fromkeys([(MULTI, "OLH", 1.0), (PURE, "OLH", 1.0)], 100),
    **dict.fromkeys([(MULTI, "SS", 1.0), (MULTI, "SS", 4.0)], 20),
    **dict.fromkeys([(MULTI, "SHE", 1.0), (MULTI, "SHE", 4.0)], 5.0),
}


def _multi(module: str, name: str, *options: bool) -> Peer:
    def made(values: Any, epsilon: float) -> Work:
        room = import_module(f"multi_freq_ldpy.pure_frequency_oracles.{module}")
        client, collector = getattr(room, f"{name}_Client"), getattr(room, f"{name}_Aggregator_MI")
        of_client = options if name in ("UE", "LH") else ()
        public = () if name == "UE" else (K,)  # what else the collector is told

        def survey(of: Any = values) -> object:
            return collector([client(v, K, epsilon, *of_client) for v in of], *public, epsilon, *options)

        survey(values[:5])  # compiles it
        return survey

    return made


def _pure(name: str, of_client: dict[str, Any], of_server: dict[str, Any]) -> Peer:
    def made(values: Any, epsilon: float) -> Work:
        room = import_module("pure_ldp.frequency_oracles")
        client = getattr(room, f"{name}Client")(epsilon, K, **of_client)

        def survey() -> None:
            server = getattr(room, f"{name}Server")(epsilon, K, **of_server)
            for v in values:
                server.aggregate(client.privatise(int(v) + 1))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # that so few people make an inexact estimate
                for v in range(K):
                    server.estimate(v + 1)

        return survey

    return made


OPTIMAL, PLAIN = {"use_oue": True}, {"use_oue": False}
PEERS: dict[tuple[str, str], Peer] = {
    (MULTI, "GRR"): _multi("GRR", "GRR"),
    (PURE, "GRR"): _pure("DE", {}, {}),
    (MULTI, "OUE"): _multi("UE", "UE", True),
    (PURE, "OUE"): _pure("UE", OPTIMAL, OPTIMAL),
    (MULTI, "RAPPOR"): _multi("UE", "UE", False),
    (PURE, "RAPPOR"): _pure("UE", PLAIN, PLAIN),
    (MULTI, "OLH"): _multi("LH", "LH", True),
    (PURE, "OLH"): _pure("LH", {"use_olh": True}, {"use_olh": True}),
    (MULTI, "SS"): _multi("SS", "SS"),
    (MULTI, "THE"): _multi("HE", "HE", True),
    (MULTI, "SHE"): _multi("HE", "HE", False),
    (PURE, "THE"): _pure("HE", {}, {"use_the": True}),
    (PURE, "SHE"): _pure("HE", {}, {"use_the": False}),
    (PURE, "HR"): _pure("HadamardResponse", {"hash_funcs": None}, {}),
}


def _both(peer: str, key: str, epsilon: float, n: int, few: int) -> tuple[Work, Work]:
    values = answers(n, K)
    theirs = PEERS[peer, key](values[:few], epsilon)
    mechanism, rng = catalog.FREQUENCY[key].build(epsilon, K), stream(1, "benchmark", key)
    return lambda: mechanism.estimate(mechanism.tally(mechanism.perturb(values, rng))), theirs


def cases(quick: bool) -> Iterator[Measured]:
    n, budgets = 100_000, (EPSILON,) if quick else (EPSILON, 4.0)
    for peer, key in [one for one in PEERS if not quick or one[1] in ("GRR", "OUE", "OLH")]:
        few = FEW.get(key, 5_000) // (10 if quick else 1)
        for epsilon in budgets:
            if key == "HR" and epsilon > EPSILON:
                continue  # pure-ldp's client then wants the server's permutation, another protocol
            work = partial(_both, peer, key, epsilon, n, few)
            least = LEAST.get((peer, key, epsilon))
            sizes = {"n": n, "k": K, "ε": epsilon, "n of the peer": few}
            yield Case(key, sizes, work, peer, math.ceil(n / few), least=least)


FAMILY = Family(
    "peers",
    "One report per person, beside other libraries",
    "The same three steps: perturb, tally, estimate. The peers take one person at a time; they get fewer "
    "people, and their seconds are multiplied by what is missing.",
    cases,
)
