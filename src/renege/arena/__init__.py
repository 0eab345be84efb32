"""Matches between agents on duplicate deals, with confidence intervals."""
