"""`python -m renege` is the command `renege`."""

from renege.cli import main

main()
