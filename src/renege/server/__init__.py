"""The table: people and bots at one game, in the browser."""
