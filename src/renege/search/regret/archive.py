"""Archives of numpy arrays, for strategies: written atomically, and refused by name if they are none."""

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


def save_arrays(path: Path, arrays: Mapping[str, Any]) -> None:
    """Write an archive atomically."""
    with write_atomically(path) as file:
        np.savez_compressed(file, **arrays)


@contextmanager
def open_arrays(path: Path) -> Generator[Mapping[str, Any], None, None]:
    """Open an archive; errors name the file."""
    try:
        with np.load(path, allow_pickle=False) as found:
            yield found
    except NoFit:
        raise
    except (ValueError, KeyError, EOFError, zipfile.BadZipFile, msgspec.DecodeError) as wrong:
        raise NoFit(f"{path} is no strategy: {wrong}") from None
