"""The Data page: uploads, columns, marks and what they do."""
