"""The command `renege`: a file for each command."""
