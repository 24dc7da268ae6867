"""Hypothesis draws the same examples every time: a failure is a fact about the code, not about the day."""

from hypothesis import settings

settings.register_profile("fixed", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("fixed")
