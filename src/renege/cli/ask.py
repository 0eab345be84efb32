"""The command `renege ask`: questions answered, a line each."""

import sys

import typer

from renege.ask import serve as referee
from renege.cli.arguments import FileArgument, opened


def ask(file: FileArgument = "-") -> None:
    """Answer questions, one JSON object a line, with one JSON object a line.

    The exit status is 1 if any line was a bad question, else 0.

    \b
    Examples:
      echo '{"ask": "version"}' | renege ask
      renege ask questions.jsonl > answers.jsonl
    """
    with opened(file) as source:
        raise typer.Exit(0 if referee.serve(source, sys.stdout.buffer) else 1)
