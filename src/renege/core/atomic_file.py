"""Files that are there whole or not at all, whatever stops us while they are written."""

import errno
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def written(path: Path, beside: Path | None = None) -> Generator[BinaryIO, None, None]:
    """A file that takes its place when it is whole; if that fails, nothing has changed.

    Until then it lies in the folder `beside`, on the same disk, or next to its place.
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
