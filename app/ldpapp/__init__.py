"""The dashboard: it edits Studies and shows what they give."""
