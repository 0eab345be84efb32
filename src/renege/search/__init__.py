"""Search: what each play is worth, over the worlds that a view allows."""
