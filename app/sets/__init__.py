"""The Sets view: what is computed, panels, sentences."""
