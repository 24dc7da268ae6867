"""The Frequency view: panels, A | B, the plane, and its sentences."""
