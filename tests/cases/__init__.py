"""Invented files, each with a trouble that files have, and what is right, counted without ldpcore."""
