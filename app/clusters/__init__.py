"""The Clusters view: what is computed, panels, sentences."""
