"""The database: tables as numbered events."""
