"""`python -m renege` is the command `renege`."""

from renege.cli.main import main

main()
