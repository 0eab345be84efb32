"""Regret minimisation: small games solved by CFR+, and an abstraction of full Texas 42."""
