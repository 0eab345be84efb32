"""How the database came to be what it is, step by step; `renege.server.store.store` runs what is missing."""
