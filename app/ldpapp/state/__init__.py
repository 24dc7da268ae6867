"""What a person has, and the only functions that change it."""
