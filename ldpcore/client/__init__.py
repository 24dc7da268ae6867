"""For people who collect for real: a mechanism as a file, drawn exactly on a phone, and the estimate from its reports.

>>> import random
>>> from ldpcore import client
>>> survey = client.Client.of("uRR", 2.0, ["no", "yes"], [False, True], "Have you copied in a test?")
>>> lots = random.Random(7)  # a phone takes its own: leave out `word`
>>> answers = ["no"] * 700 + ["yes"] * 300
>>> reports = [survey.draw(answer, word=lambda: lots.getrandbits(32)) for answer in answers]
>>> found = survey.estimate(reports)
>>> bool(found["low"][1] <= 0.3 <= found["high"][1])
True
"""

from ldpcore.client.client import Client, offered, secure
from ldpcore.client.collected import intervals
from ldpcore.client.embedding import PLATFORMS
from ldpcore.client.folder import file_of, write
from ldpcore.client.pages import by_hand, page, source
from ldpcore.client.pair import AskedPair
from ldpcore.client.questionnaire import Questionnaire
from ldpcore.integer_law import ratio

__all__ = [
    "PLATFORMS", "AskedPair", "Client", "Questionnaire", "by_hand", "file_of", "intervals", "offered", "page", "ratio",
    "secure", "source", "write",
]  # fmt: skip
