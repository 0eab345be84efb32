"""Pictures of matches, deals, beliefs and learning, drawn with matplotlib."""
