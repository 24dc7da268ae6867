"""A folder or module per page."""
