"""Does the source keep to its layers?

The folders of renege stand in an order, and imports point up it: a module may import what stands before it in ORDER.
Games never see each other, and everything below them knows games through `Game`; only a few folders talk to the world.
The source is read with `ast`; none of it runs.
"""

import ast
import re
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

GAMES = ("texas42", "schafkopf", "tractor")
# For each folder, what lies in it, from the ground up. Names on one line of a tuple never see each other.
ORDER: dict[str, list[str | tuple[str, ...]]] = {
    "": [
        "_kernel", "core", "i18n", "native", "games", "envs", "nets", "belief", "search", "agents", "adapters", "jobs",
        "arena", "figures", "survey", "selfplay", "train", "ask", "server", "cli", "__main__",
    ],
    "games": [
        "strategy", "training", "rows", "history", "beginnings", "tally", "row", "encoding", "openings", "words",
        "small", "unwind", "kit", "formats", "units", "wire", "testing", GAMES,
    ],
    "server": [
        "logs", "levels", "names", "people", "messages", "teaching", "lookback", "store", "workers", "present",
        "tables", "http",
    ],
}  # fmt: skip
MAY_DO_IO = {"adapters", "ask", "server", "core.atomic_file", "survey", "selfplay", "train", "cli"}

IO_CALLS = {"print", "open", "input"}
IO_METHODS = {"write_text", "write_bytes"}
IO_PACKAGES = {"rich", "typer"}
IO_STREAMS = {"stdin", "stdout", "stderr"}

# The front door and the list of the built-in games; the others are still to lose their names.
MAY_NAME_GAMES = {
    "", "core.registry",
    "survey.plan",
}  # fmt: skip

MOST_LINES = 500

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "renege"
KERNEL = ROOT / "kernel"

# A module is named by its path inside renege: "cards", "games.tractor.follow"; "belief" is belief/__init__.py
# and "" is renege/__init__.py.


@cache
def read_package(folder: Path) -> dict[str, ast.Module]:
    return {module_name(p.relative_to(folder)): ast.parse(p.read_text("utf-8")) for p in folder.rglob("*.py")}


def module_name(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix("__init__").removesuffix(".")


def imports(name: str, package: dict[str, ast.Module]) -> list[tuple[int, str]]:
    """The modules of renege that one module imports, for types alone or not, each with its line."""
    found: list[tuple[int, str]] = []
    for node in ast.walk(package[name]):
        if isinstance(node, ast.Import):
            whole = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = absolute(node, name, package)
            # `from renege.belief import worlds` names a module, `from renege.belief import Belief` does not.
            # The kernel is a module without a source file here.
            longer = [f"{base}.{alias.name}" for alias in node.names]
            whole = [full if inside(full) in {*package, "_kernel"} else base for full in longer]
        else:
            continue
        targets = [target for full in whole if (target := inside(full)) is not None]
        found += [(node.lineno, target) for target in targets]
    return found


def absolute(node: ast.ImportFrom, name: str, package: dict[str, ast.Module]) -> str:
    """The full name of the module in `from <module> import ...`, dots in front resolved."""
    if not node.level:
        return node.module or ""
    is_package = name == "" or any(other.startswith(f"{name}.") for other in package)
    parts = ["renege", *filter(None, name.split("."))]
    parts = parts[: len(parts) - node.level + is_package]
    return ".".join([*parts, *filter(None, [node.module])])


def inside(full: str) -> str | None:
    """A full name as seen inside renege, or None for someone else's module."""
    head, _, rest = full.partition(".")
    return rest if head == "renege" else None


def parting(name: str, other: str) -> tuple[str, str, str]:
    """The folder where the ways to two modules part, and the ways that they take there."""
    mine, theirs = name.split("."), other.split(".")
    depth = next((i for i, (a, b) in enumerate(zip(mine, theirs, strict=False)) if a != b), min(len(mine), len(theirs)))
    at = [parts[depth] if depth < len(parts) else "" for parts in (mine, theirs)]
    return ".".join(mine[:depth]), at[0], at[1]


def place(folder: str, name: str) -> int | None:
    """Where a name stands in its folder; None if it has no place there."""
    for i, entry in enumerate(ORDER[folder]):
        if name in (entry if isinstance(entry, tuple) else (entry,)):
            return i
    return None


def is_game(name: str) -> bool:
    return name.startswith(tuple(f"games.{game}" for game in GAMES))


def listed(name: str, names: set[str]) -> bool:
    """Does a module, or a folder that it lies in, stand in a list?"""
    return any(f"{name}.".startswith(f"{each}.") for each in names)


def import_faults(package: dict[str, ast.Module]) -> list[str]:
    faults: list[str] = []
    for name in sorted(set(package) - {""}):  # renege/__init__.py is the front door to everything
        unplaced = next((f for f in ORDER if inner(f, name) and place(f, inner(f, name)) is None), None)
        if unplaced is not None:
            faults.append(f"{name} has no place in {unplaced or 'renege'}: give it one in ORDER")
            continue
        for line, target in imports(name, package):
            if reason := objection(name, target):
                faults.append(f"{name}:{line} imports {target or 'renege itself'}: {reason}")
    return faults


def inner(folder: str, name: str) -> str:
    """The part of a module's name that stands in a folder; empty if it does not lie in it."""
    if folder and not name.startswith(f"{folder}."):
        return ""
    return name.removeprefix(folder).lstrip(".").partition(".")[0]


def objection(name: str, target: str) -> str | None:
    """Why `name` may not import `target`; None if it may."""
    if not target:
        return "name the module that has it"
    if is_game(target) and not name.startswith("games"):
        return "know games through Game, never by name"
    folder, mine, other = parting(name, target)
    if not mine or not other or folder not in ORDER:
        return None
    here, there = place(folder, mine), place(folder, other)
    if there is None:
        return f"{other} has no place in {folder or 'renege'}"
    assert here is not None
    if here == there:
        return "games never see each other"
    return f"{other} stands below {mine}" if there > here else None


def cycle_faults(package: dict[str, ast.Module]) -> list[str]:
    # A package's __init__ collects what its modules offer, so it is no link of a chain.
    inits = {name for name in package if any(other.startswith(f"{name}.") for other in package)} | {""}
    graph = {name: {t for _, t in imports(name, package)} - inits for name in set(package) - inits}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return [f"import cycle: {' <- '.join(error.args[1])}"]
    return []


def io_faults(package: dict[str, ast.Module]) -> list[str]:
    faults: list[str] = []
    for name in sorted(package):
        if not listed(name, MAY_DO_IO):
            faults += [
                f"{name}:{line} uses {what}: input and output belong to {', '.join(sorted(MAY_DO_IO))}"
                for line, what in io_uses(package[name])
            ]
    return faults


def io_uses(module: ast.Module) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []
    for node in ast.walk(module):
        match node:
            case ast.Call(func=ast.Name(id=what)) if what in IO_CALLS:
                found.append((node.lineno, what))
            case ast.Call(func=ast.Attribute(attr=what)) if what in IO_METHODS:
                found.append((node.lineno, what))
            case ast.Attribute(value=ast.Name(id="sys"), attr=what) if what in IO_STREAMS:
                found.append((node.lineno, f"sys.{what}"))
            case ast.ImportFrom(module="sys", names=names):
                found += [(node.lineno, f"sys.{a.name}") for a in names if a.name in IO_STREAMS]
            case ast.Import(names=names):
                found += [(node.lineno, a.name) for a in names if a.name.partition(".")[0] in IO_PACKAGES]
            case ast.ImportFrom(module=str(what), level=0) if what.partition(".")[0] in IO_PACKAGES:
                found.append((node.lineno, what))
            case _:
                pass
    return found


def naming_faults(package: dict[str, ast.Module]) -> list[str]:
    """Games that are told apart by name: compared, looked up or listed. A default of a parameter may name one."""
    faults: list[str] = []
    for name in sorted(package):
        if name.startswith("games.") or name in MAY_NAME_GAMES:
            continue
        defaults = {
            id(default)
            for node in ast.walk(package[name])
            if isinstance(node, ast.FunctionDef)
            for default in (*node.args.defaults, *node.args.kw_defaults)
        }
        faults += [
            f"{name}:{node.lineno} names {node.value}: ask the game, or its facets"
            for node in ast.walk(package[name])
            if isinstance(node, ast.Constant) and node.value in GAMES and id(node) not in defaults
        ]
    return faults


def report(faults: list[str]) -> None:
    if faults:
        pytest.fail("\n".join(faults), pytrace=False)


def test_imports_point_up() -> None:
    report(import_faults(read_package(SOURCE)))


def test_imports_make_no_cycle() -> None:
    report(cycle_faults(read_package(SOURCE)))


def test_only_the_outer_modules_do_io() -> None:
    report(io_faults(read_package(SOURCE)))


def is_named(game: str, page: Path) -> bool:
    """Does a file of the page have the name of a game in quotes, or as a class?"""
    return page.name != "openapi.d.ts" and re.search(rf"[\"'.]{game}\b(?!` is)", page.read_text("utf-8")) is not None


def test_games_are_not_told_apart_by_name() -> None:
    page = [path for path in (ROOT / "web" / "src").rglob("*") if path.suffix in (".ts", ".svelte", ".css")]
    named = [f"{path.relative_to(ROOT)} names {game}" for path in page for game in GAMES if is_named(game, path)]
    report(naming_faults(read_package(SOURCE)) + named)


def test_files_stay_readable() -> None:
    files = [*SOURCE.rglob("*.py"), *KERNEL.rglob("*.hpp"), *KERNEL.rglob("*.cpp"), *KERNEL.rglob("*.cu")]
    lengths = {p: len(p.read_text("utf-8").splitlines()) for p in files}
    report([f"{p.relative_to(ROOT)}: {n} lines, at most {MOST_LINES}" for p, n in lengths.items() if n > MOST_LINES])


# The checker, checked: each line plants one module and says what must be found in it.


def planted(**sources: str) -> dict[str, ast.Module]:
    """A small package, sound but for `sources`; "__" in a name stands for a dot."""
    sound = {
        "": "from renege.core.cards import Card\nfrom renege.games import tractor",
        "core__cards": "import numpy as np",
        "core__game": "from renege.core.cards import Card",
        "core__position": "from renege.core.cards import Card\nfrom renege.core.game import Game",
        "native__cards": "from renege import _kernel",
        "games": "",
        "games__kit": "from renege.core.game import Game",
        "games__tractor": "from renege.games.tractor.follow import follow",
        "games__tractor__units": "from renege.core.cards import Card\nfrom renege.games.kit import Naming",
        "games__tractor__follow": "from renege.games.tractor import units\nimport renege.core.position",
        "games__texas42": "",
        "games__texas42__follow": "from ...core.cards import Card",
        "belief": "from renege.belief.worlds import Worlds",
        "belief__worlds": "from renege.core.cards import Card",
        "search": "from renege.belief import Belief, worlds",
        "cli__main": "import sys, typer\nprint(sys.stdin.read())",
    }
    return {name.replace("__", "."): ast.parse(text) for name, text in (sound | sources).items()}


def test_the_sound_package_has_no_fault() -> None:
    package = planted()
    assert import_faults(package) + cycle_faults(package) + io_faults(package) == []


@pytest.mark.parametrize(
    ("module", "source", "fault"),
    [
        ("core__cards", "import renege.games.kit", "core.cards:1 imports games.kit: games stands below core"),
        ("core__cards", "def f():\n    from ..cli import main", "core.cards:2 imports cli.main: cli stands below core"),
        ("core__cards", "if TYPE_CHECKING:\n    import renege.belief", "core.cards:2 imports belief: belief stands"),
        ("core__game", "from renege.belief import Belief", "core.game:1 imports belief: belief stands below core"),
        (
            "games__kit",
            "from .tractor import units",
            "games.kit:1 imports games.tractor.units: tractor stands below kit",
        ),
        ("games__texas42__follow", "from ..tractor.units import Unit", "games never see each other"),
        ("games__texas42", "from renege.games import tractor", "games never see each other"),
        ("belief__worlds", "from renege.games.tractor import DECK", "know games through Game, never by name"),
        ("search", "import renege.games.tractor.follow", "know games through Game, never by name"),
        ("belief__worlds", "from renege import search", "belief.worlds:1 imports search: search stands below belief"),
        ("core__position", "from renege import Card", "core.position:1 imports renege itself: name the module"),
        ("misc", "", "misc has no place in renege"),
        ("server__misc", "", "server.misc has no place in server"),
        ("server__store__store", "import renege.server.http.app", "http stands below store"),
    ],
)
def test_a_planted_import_is_found(module: str, source: str, fault: str) -> None:
    (found,) = import_faults(planted(**{module: source}))
    assert fault in found


def test_a_planted_cycle_is_found() -> None:
    (found,) = cycle_faults(planted(games__tractor__units="from .follow import follow"))
    assert "games.tractor.follow" in found
    assert "games.tractor.units" in found


@pytest.mark.parametrize("source", ['if game.name == "tractor": pass', 'UNITS = {"tractor": 1}', 'find("tractor")'])
def test_a_planted_name_is_found(source: str) -> None:
    assert naming_faults(planted(belief__worlds=source)) == [
        "belief.worlds:1 names tractor: ask the game, or its facets"
    ]
    assert not naming_faults(planted(belief__worlds='def make(game: str = "tractor"): pass'))


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("x = 1\nprint(x)", "core.cards:2 uses print"),
        ("text = open('deal.txt').read()", "core.cards:1 uses open"),
        ("import sys\nsys.stderr.write('')", "core.cards:2 uses sys.stderr"),
        ("from sys import stdin", "core.cards:1 uses sys.stdin"),
        ("import rich", "core.cards:1 uses rich"),
        ("from rich.table import Table", "core.cards:1 uses rich.table"),
        ("from pathlib import Path\nPath('deal.txt').write_text('')", "core.cards:2 uses write_text"),
    ],
)
def test_planted_io_is_found(source: str, fault: str) -> None:
    (found,) = io_faults(planted(core__cards=source))
    assert fault in found
