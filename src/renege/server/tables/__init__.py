"""Tables: who sits, what happens, and the bots."""
