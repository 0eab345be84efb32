"""Matches between agents on duplicate deals, and what they prove."""
