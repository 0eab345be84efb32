"""The version of renege that is installed."""

from importlib import metadata


def version() -> str:
    try:
        return metadata.version("renege")
    except metadata.PackageNotFoundError:  # run from the source
        return "0"
