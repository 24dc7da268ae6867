"""A collection to try things with: people of the bundled health survey, whose reports are drawn here."""

from functools import cache

import numpy as np
import pandas as pd

from ldpcore import data
from ldpcore.client import Client
from ldpcore.collection.phones import Phones
from ldpcore.data.proposal import is_delicate
from ldpcore.rng import stream

DATA, COLUMN, EPSILON = "health", "condition", 2.0
PEOPLE = 5000


@cache
def simulated() -> tuple[bytes, str]:
    """(reports.csv, client.json): invented people, with a weight by age, as if the young had answered more readily, and
    their sex; three rows that nobody can have sent. The same every time.

    >>> rows, client = simulated()
    >>> rows[:20], rows.count(b"\\n"), Client.from_json(client).key
    (b'report,finalwt,sex\\n1', 5004, 'uSS')
    """
    rng, people = stream(7, "simulated reports"), data.load(DATA).frame
    people = people.take(rng.choice(len(people), PEOPLE, replace=False))
    answers = tuple(data.load(DATA).frame[COLUMN].astype(str).value_counts().index)
    hidden = [is_delicate(answer) and answer not in OPEN for answer in answers]
    asked = Phones(Client.of("uSS", EPSILON, answers, hidden, "Which condition do you have?"))
    sent = asked.perturb(people[COLUMN].astype(str).map(answers.index).to_numpy(), rng)
    age = people["age"].astype(float).to_numpy()
    weight = np.select([age < 30, age < 60], [0.5, 1.0], 2.0)
    rows = pd.DataFrame({"report": sent.astype(str), "finalwt": weight, "sex": people["sex"].astype(str).to_numpy()})
    for place, wrong in ((700, "0"), (2100, "no"), (4300, "")):
        rows = pd.concat([rows[:place], rows[place : place + 1].assign(report=wrong), rows[place:]])
    return rows.to_csv(index=False).encode(), asked.to_json()


OPEN = ("anxiety disorder", "cancer", "epilepsy")
"""Delicate by their words, and left open: so that both kinds are seen."""
