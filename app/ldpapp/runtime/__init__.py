"""How pages are run: whose turn it is, work behind a page, what is shown, errors, no other host."""
