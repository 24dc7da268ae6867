"""Tables of a relation, as they are downloaded: the difference, every pair of answers, and every group.

>>> from ldpcore import Marks, Source, Study, data
>>> from ldpcore.study import relations as task
>>> from ldpcore.study.relations.facts import facts
>>> study = Study(Source("health"), "sex", Marks.of(["smoking = every day"]), ("uSS",), task="relations",
...     options={"groups": "smoking"})
>>> one = facts(study, task.prepare(study, data.load("health"))).best
>>> difference(one)["measure"].tolist(), len(pairs(one)), groups(one)["side"].tolist()
(['difference, points', 'odds ratio'], 8, ['other', '', '', 'one'])
"""

import numpy as np
import pandas as pd

from ldpcore.study.relations.mechanism import RelationFacts


def difference(one: RelationFacts) -> pd.DataFrame:
    """The difference in points and the odds ratio: estimated with its interval where it is told, raw and true."""
    shown, ratio = bool(one.estimate.told), one.odds
    return pd.DataFrame(
        {
            "measure": ["difference, points", "odds ratio"],
            "estimate": [one.difference, ratio["estimate"]] if shown else None,
            "95 % from": [one.low, ratio["low"]] if shown else None,
            "95 % to": [one.high, ratio["high"]] if shown else None,
            "raw reports": [one.raw, ratio["raw"]],
            "truth (internal)": [100 * one.compared.truth, ratio["truth"]],
        }
    )


def pairs(one: RelationFacts) -> pd.DataFrame:
    """A row for each pair of answers: its estimated share of the people with its interval, and the true one."""
    people = one.compared.people
    low, high = one.survey.interval(one.compared.about)
    x, y = np.indices(people.counts.shape)
    labels = [np.array(people.labels[side], object)[codes.ravel()] for side, codes in ((0, x), (1, y))]
    return pd.DataFrame(
        {
            people.names[0]: labels[0],
            people.names[1]: labels[1],
            "share, %": 100 * one.survey.shares.ravel(),
            "95 % from": 100 * low.ravel(),
            "95 % to": 100 * high.ravel(),
            "true share (internal)": 100 * people.freq.ravel(),
        }
    )


def groups(one: RelationFacts) -> pd.DataFrame:
    """A row for each group: the share of the answers in it, all intervals at once; which side of the difference."""
    rows = []
    for place, row in enumerate(one.groups):
        side = "one" if one.compared.one[place] else "other" if one.compared.other[place] else ""
        rows.append(
            {
                "group": row.label,
                "marked": row.marked,
                "side": side,
                "share, %": 100 * row.share.value if row.share.told else None,
                "95 % from": 100 * row.share.low if row.share.told else None,
                "95 % to": 100 * row.share.high if row.share.told else None,
                "told": bool(row.share.told),
                "raw reports, %": 100 * row.raw,
                "true share (internal)": 100 * row.truth,
                "people (internal)": row.people,
            }
        )
    return pd.DataFrame(rows)
