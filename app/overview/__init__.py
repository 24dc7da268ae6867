"""The Overview: what a card is, and the cards of each task."""
