"""The Means view: what is computed, panels, sentences."""
