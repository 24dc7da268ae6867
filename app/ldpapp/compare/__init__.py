"""A | B of whole settings, on every page."""
