"""How the database came to be what it is, step by step; `renege.table.store` runs what is missing."""
