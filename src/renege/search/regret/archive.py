"""Archives of numpy arrays, for strategies and trainings: written atomically, and refused by name if they are none."""

import zipfile
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from renege.core.atomic_file import write_atomically


class NoFit(ValueError):
    """The file is no strategy, or one of another game, or one that was trained with other settings."""


def save_arrays(path: Path, arrays: Mapping[str, Any], *, compress: bool = True) -> None:
    """Write an archive atomically."""
    with write_atomically(path) as file:
        (np.savez_compressed if compress else np.savez)(file, **arrays)


@contextmanager
def open_arrays(path: Path, what: str = "strategy") -> Generator[Mapping[str, Any], None, None]:
    """Open an archive; errors name the file."""
    try:
        with np.load(path, allow_pickle=False) as found:
            yield found
    except NoFit:
        raise
    except (ValueError, KeyError, EOFError, zipfile.BadZipFile, msgspec.DecodeError) as wrong:
        raise NoFit(f"{path} is no {what}: {wrong}") from None


def check_format(found: Mapping[str, Any], wanted: str) -> None:
    if str(found["format"]) != wanted:
        raise ValueError(f"its format is {str(found['format'])!r}, not {wanted!r}")
