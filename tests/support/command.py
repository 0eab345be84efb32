"""The command `renege` without a process of its own, which takes a while to start.

What is said of signals, pipes, limits or other settings of a process needs one.
"""

from contextlib import chdir, nullcontext
from pathlib import Path
from subprocess import CompletedProcess

from typer.testing import CliRunner

from renege.cli.main import app


def renege(*arguments: object, text: str = "", where: Path | None = None) -> CompletedProcess[str]:
    """What a command says and its exit status, given these arguments and this text, in this folder."""
    with nullcontext() if where is None else chdir(where):
        done = CliRunner().invoke(app, [*map(str, arguments)], input=text, prog_name="renege")
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return CompletedProcess([*map(str, arguments)], done.exit_code, done.stdout, done.stderr)
