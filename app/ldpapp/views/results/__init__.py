"""Results: what came back from a survey. The last step of the way: explored, signed, collected."""
