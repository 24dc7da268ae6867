"""For people who collect for real: a client.json from a Study, reports from a folder of answers, estimates from a
folder of reports. Of any size: a partition is in memory at a time, and tallies are whole numbers that are added.

>>> import tempfile
>>> from pathlib import Path
>>> from ldpcore.data.partitions import partitions
>>> asked = AnswerBatch("OLH", 4.0, "city", answers=("Lima", "Oslo", "Rome"), sensitive=(False,) * 3)
>>> with tempfile.TemporaryDirectory() as folder:
...     answers, reports = Path(folder) / "answers.csv", Path(folder) / "reports"
...     _ = answers.write_text("city\\n" + "Oslo\\n" * 6000 + "Rome\\n" * 3000)
...     parts, how = partitions(answers, rows=4000), Drawing(asked, str(reports), seed=7)
...     begin(how, parts, resume=False)
...     drawn = run(how, parts)
...     counted, refused = total(asked, partitions(reports))
>>> drawn.people, refused, asked.table(counted)["share"].round(1).tolist()
(9000, 0, [0.0, 0.7, 0.3])
"""

from ldpcore import former
from ldpcore.collection.asking import batch_of, of_study
from ldpcore.collection.batch import Batch, FolderQuestion
from ldpcore.collection.counting import total
from ldpcore.collection.drawing import Drawing, Drawn, begin, run
from ldpcore.collection.kinds import AnswerBatch, ItemBatch, NumberBatch
from ldpcore.collection.opening import opened
from ldpcore.collection.phones import Phones

LAN = "LDPCORE_CLASS_LAN"
"""Whether the server of a class's phones may listen beyond this machine ("1"): said by `ldpcore dashboard --lan`."""

__all__ = [
    "LAN", "AnswerBatch", "Batch", "Drawing", "Drawn", "FolderQuestion", "ItemBatch", "NumberBatch", "Phones",
    "batch_of", "begin", "of_study", "opened", "run", "total",
]  # fmt: skip

former.serve(__name__)
