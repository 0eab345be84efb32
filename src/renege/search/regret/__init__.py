"""Regret minimisation: small games solved by CFR+."""
