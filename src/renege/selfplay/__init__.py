"""Deals that an agent plays with itself, as a data set: every decision with what was seen, open, chosen and won."""
