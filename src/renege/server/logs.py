"""The log: one JSON object a line on standard error. It tells what happened, never cards, names or tokens."""

import logging
import sys
import traceback
from typing import Any, Literal

import structlog

DEEPEST = 8  # lines of the way to an error
Level = Literal["debug", "info", "warning", "error"]


def start_log(level: Level) -> None:
    """From now on everything at this level or above is told."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level.upper())),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )
    logging.basicConfig(handlers=[_Forward()], level=logging.WARNING, force=True)


def where(error: BaseException) -> dict[str, Any]:
    """An error for the log: its kind and the lines that led to it. Its text may quote a hand, so it stays out."""
    frames = traceback.extract_tb(error.__traceback__)[-DEEPEST:]
    at = [f"{f.filename}:{f.lineno} {f.name}" for f in frames]
    at += [note for note in getattr(error, "__notes__", ()) if note.startswith("in a worker: ")]
    return {"error": type(error).__name__, "at": at}


class _Forward(logging.Handler):
    """Puts what other packages log into ours, without the values they fill in."""

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        said = str(record.msg).partition("\n")[0]
        found = {} if error is None else where(error)
        structlog.get_logger().log(record.levelno, said, source=record.name, **found)
