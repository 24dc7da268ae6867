"""The Ranges view: what is computed, panels, tools."""
