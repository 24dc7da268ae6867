"""Counts of single values: right without noise, and with the noise that the ledger says."""

import numpy as np
import pytest

from ldpcore.clusters import fitted
from ldpcore.clusters.records import Records
from ldpcore.rng import stream


def test_counts_of_single_values_are_those_of_people():
    codes = stream(1, "people").integers(0, (3, 2, 4), (500, 3))
    records = Records.of(codes, (3, 2, 4))
    for (counts, variance), column, levels in zip(
        fitted._singles(records, 1e9, stream(2, "noise")), codes.T, (3, 2, 4), strict=True
    ):
        assert counts == pytest.approx(np.bincount(column, minlength=levels), abs=1e-6)
        assert variance == pytest.approx(2 * (3 / 1e9) ** 2)
