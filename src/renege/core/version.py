"""The version of renege that is installed."""


def version() -> str:
    from importlib import metadata  # here: it takes longer than most of what is started

    try:
        return metadata.version("renege")
    except metadata.PackageNotFoundError:  # run from the source
        return "0"
