"""Processes that think, so that the event loop never does."""
