"""Atomic writes: a file is replaced completely or not at all, even if the program is killed while writing."""

import errno
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def write_atomically(path: Path, beside: Path | None = None) -> Generator[BinaryIO, None, None]:
    """Write a file atomically: it replaces `path` on success; on failure nothing has changed.

    The draft is written to the folder `beside`, on the same disk, or next to `path`.
    """
    draft = (beside or path.parent) / f".{path.name}.{os.getpid()}"
    try:
        with open(draft, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    except OSError as wrong:
        draft.unlink(missing_ok=True)
        raise OSError(wrong.errno or errno.EIO, wrong.strerror or str(wrong), str(path)) from None
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
