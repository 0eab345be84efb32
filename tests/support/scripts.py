"""The scripts of `tools` and `bench`, which are no packages, as modules for their tests."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[2]


def tool(name: str) -> ModuleType:
    """A script of `tools` by its name, run as a module that nobody else imports."""
    return _script("tools", name)


def bench(name: str) -> ModuleType:
    """The same of `bench`."""
    return _script("bench", name)


def _script(folder: str, name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"{folder}_{name}", ROOT / folder / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module
