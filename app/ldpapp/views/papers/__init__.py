"""The Papers view: the work behind it, panels, sentences."""
