"""What a seat is shown and taught."""
