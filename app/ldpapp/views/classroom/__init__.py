"""The page Class: a question for a room of phones, what it can tell before anybody answers, and then the board."""
