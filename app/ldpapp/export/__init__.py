"""What leaves the screen: links and files, reports, static pictures."""
