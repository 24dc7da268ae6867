"""Benchmarks as a table: `python -m benchmarks` measures, beside the peers, and writes benchmarks/RESULTS.md.

A family is a module of `benchmarks.families`: a list of cases, which are values. `running` times them, `stored` keeps
what a family found, `written` makes the table of all that is kept; nothing in it is typed by hand.
"""

import os

# Before NumPy is there: everything is measured with one thread of BLAS, as the dashboard and the tests run.
for _library in ("OPENBLAS", "OMP", "MKL", "NUMBA"):
    os.environ.setdefault(f"{_library}_NUM_THREADS", "1")
