"""Who does not keep the rule but always sends one report: counted from two groups that were asked by different clients.

>>> from ldpcore.client import Client
>>> from ldpcore.collection.phones import Phones
>>> from ldpcore.collection.result_facts import collected_facts
>>> from ldpcore.data.partitions import of_upload
>>> def sent(epsilon, counts):
...     rows = "report\\n" + "1\\n" * counts[0] + "2\\n" * counts[1]
...     return collected_facts(Phones(Client.of("GRR", epsilon, ["no", "yes"])), of_upload(rows.encode(), "r.csv"))
>>> groups = sent(2.0, (6762, 3238)), sent(0.5, (6245, 3755))
>>> who_ignores(*groups, "no")[["who", "share"]].round(3).to_dict("list")
{'who': ['no', 'yes', ''], 'share': [0.5, 0.3, 0.2]}
"""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ldpcore import honesty
from ldpcore.collection import weighing
from ldpcore.collection.result_facts import ResultFacts
from ldpcore.estimators.intervals import NORMAL_95
from ldpcore.randomizer import Randomizer


def who_ignores(first: ResultFacts, second: ResultFacts, always: str) -> pd.DataFrame:
    """Rows: each answer with the share of all who hold it and keep the rule, then "" for who always sends the report
    that names the answer `always`; share, low, high (95 of 100, normal). An answer's true share lies between its own
    and its own plus the last. ValueError, in a sentence, where these two groups cannot tell it.
    """
    for known in (first, second):
        mechanism = known.mechanism
        if not (isinstance(mechanism, Randomizer) and mechanism.tally_is_histogram):
            raise ValueError("who ignores the rule is counted where a report is one answer, as in GRR and uRR")
    answers = list(first.labels)
    if list(second.labels) != answers:
        raise ValueError("both clients must ask the same question with the same answers, in this order")
    place = answers.index(always)
    tables = [honesty.with_constant(known.mechanism.channel().matrix, place) for known in (first, second)]
    shares, covariance = honesty.groups(tables, [_often(first), _often(second)])
    half = NORMAL_95 * np.sqrt(np.maximum(np.diag(covariance), 0))
    return pd.DataFrame({"who": [*answers, ""], "share": shares, "low": shares - half, "high": shares + half})


def _often(known: ResultFacts) -> NDArray[np.int64]:
    """How often each report came (k,)."""
    return np.bincount(weighing.sent_to(known.asked, known.read.reports), minlength=known.mechanism.k)
