"""The dashboard: it edits Studies and shows what they give."""

import pandas as pd

# Pages make hundreds of small tables, and nearly every look at one asks for NumPy's form of its columns' names.
pd.options.mode.string_storage = "python"
