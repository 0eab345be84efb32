"""Worker processes for bots and reviews."""
