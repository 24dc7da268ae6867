"""The caches that every task shares; what is a task's alone is kept in its own folder (cached.py).

Keys are digests and studies, never data: Streamlit hashes large data by sample.
"""

from ldpapp.compute.columns import bundled, histogram
from ldpapp.compute.surveys import kept, progress, summary, surveys, theory
