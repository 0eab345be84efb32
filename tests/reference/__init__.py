"""Brute force: each rule read literally, slow and obvious. Imports nothing of what it is compared with."""
