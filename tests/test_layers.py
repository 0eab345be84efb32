"""Does the source keep to its layers?

Imports point up: a module may import what stands before it in LAYERS. Games never see each other; belief,
search and agents know games only through `Game`; only a few modules talk to the world. The source is read
with `ast`; none of it runs.
"""

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

# From the ground up. A name is a module or a package of renege; `games` stands for all the games.
LAYERS = [
    "words",
    "cards", "order", "trick", "notation", "verdict", "facts", "house_rules", "game",
    "position", "line", "view", "plain",
    "coding", "judge", "record", "unwind", "arbiter", "testing", "wire", "plain_wire",
    "_kernel", "native", "native_tractor", "native_schafkopf",
    "native_solve", "native_whole", "native_tractor_solve", "native_tractor_rollout", "native_abstract42", "engine",
    "solving", "growth", "native_regret",
    "games",
    "belief", "search", "agents", "envs", "crew", "arena", "review", "adapters",
    "study", "whole", "survey", "selfplay", "deals", "ask", "table", "terminal", "source",
    "cli_table", "cli_arena", "cli_search", "cli_survey", "cli_selfplay", "cli_review", "cli_regret", "cli_regret42",
    "cli", "__main__",
]  # fmt: skip
# (who, whom): may be named in annotations, under `if TYPE_CHECKING`, although it stands below.
TYPES_ONLY = {("game", other) for other in ("position", "view", "record", "engine", "growth", "coding")}
BLIND_TO_GAMES = {"belief", "search", "agents"}
MAY_DO_IO = {
    "adapters",  # an environment that is shown to people prints
    "ask", "table", "study", "whole", "survey", "selfplay", "terminal", "source",
    "cli_table", "cli_arena", "cli_search", "cli_survey", "cli_selfplay", "cli_review", "cli_regret", "cli_regret42",
    "cli",
}  # fmt: skip

IO_CALLS = {"print", "open", "input"}
IO_METHODS = {"write_text", "write_bytes"}
IO_PACKAGES = {"rich", "typer"}
IO_STREAMS = {"stdin", "stdout", "stderr"}

MOST_LINES = 500

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "renege"
KERNEL = ROOT / "kernel"

# A module is named by its path inside renege: "cards", "games.tractor.follow"; "belief" is belief/__init__.py
# and "" is renege/__init__.py.


def read_package(folder: Path) -> dict[str, ast.Module]:
    return {module_name(p.relative_to(folder)): ast.parse(p.read_text("utf-8")) for p in folder.rglob("*.py")}


def module_name(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix("__init__").removesuffix(".")


def imports(name: str, package: dict[str, ast.Module]) -> list[tuple[int, str]]:
    """The modules of renege that one module imports, each with its line, less those it may name as types."""
    found: list[tuple[int, str]] = []
    types_only = {id(node) for node in type_checking_nodes(package[name])}
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
        excused = {other for me, other in TYPES_ONLY if me == name and id(node) in types_only}
        found += [(node.lineno, target) for target in targets if target not in excused]
    return found


def type_checking_nodes(module: ast.Module) -> Iterator[ast.AST]:
    for node in ast.walk(module):
        match node:
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                for statement in node.body:
                    yield from ast.walk(statement)
            case _:
                pass


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


def layer(name: str) -> str:
    return name.partition(".")[0]


def game(name: str) -> str | None:
    """The game that a module belongs to, if any."""
    parts = name.split(".")
    return parts[1] if parts[0] == "games" and len(parts) > 1 else None


def import_faults(package: dict[str, ast.Module]) -> list[str]:
    faults: list[str] = []
    for name in sorted(set(package) - {""}):  # renege/__init__.py re-exports everything
        if layer(name) not in LAYERS:
            faults.append(f"{name} stands in no layer: give it a place in LAYERS")
            continue
        for line, target in imports(name, package):
            if reason := objection(name, target):
                faults.append(f"{name}:{line} imports {target or 'renege itself'}: {reason}")
    return faults


def objection(name: str, target: str) -> str | None:
    """Why `name` may not import `target`; None if it may."""
    mine, other = layer(name), layer(target)
    if other not in LAYERS:
        return "name a module that stands in a layer"
    if mine in BLIND_TO_GAMES and other == "games":
        return f"{mine} knows games through Game, never by name"
    if game(name) and other == "games" and game(target) != game(name):
        return "games never see each other"
    if LAYERS.index(other) > LAYERS.index(mine):
        return f"{other} stands below {mine}"
    return None


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
        if layer(name) not in MAY_DO_IO:
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


def report(faults: list[str]) -> None:
    if faults:
        pytest.fail("\n".join(faults), pytrace=False)


def test_imports_point_up() -> None:
    report(import_faults(read_package(SOURCE)))


def test_imports_make_no_cycle() -> None:
    report(cycle_faults(read_package(SOURCE)))


def test_only_the_outer_modules_do_io() -> None:
    report(io_faults(read_package(SOURCE)))


def test_files_stay_readable() -> None:
    files = [*SOURCE.rglob("*.py"), *KERNEL.rglob("*.hpp"), *KERNEL.rglob("*.cpp"), *KERNEL.rglob("*.cu")]
    lengths = {p: len(p.read_text("utf-8").splitlines()) for p in files}
    report([f"{p.relative_to(ROOT)}: {n} lines, at most {MOST_LINES}" for p, n in lengths.items() if n > MOST_LINES])


# The checker, checked: each line plants one module and says what must be found in it.


def planted(**sources: str) -> dict[str, ast.Module]:
    """A small package, sound but for `sources`; "__" in a name stands for a dot."""
    sound = {
        "": "from renege.core.cards import Card\nfrom renege.core.registry import tractor",
        "cards": "import numpy as np",
        "game": "if TYPE_CHECKING:\n    from renege.core.position import Position",
        "position": "from renege.core.cards import Card\nfrom renege.core.game import Game",
        "native": "from renege import _kernel",
        "games": "from renege.core.registry import tractor, texas42",
        "games__tractor": "from renege.games.tractor.follow import follow",
        "games__tractor__units": "from renege.core.cards import Card",
        "games__tractor__follow": "from renege.games.tractor import units\nimport renege.core.position",
        "games__texas42": "",
        "games__texas42__follow": "from ...cards import Card",
        "belief": "from renege.belief.worlds import Worlds",
        "belief__worlds": "from renege.core.cards import Card",
        "search": "from renege.belief import Belief, worlds",
        "cli": "import sys, typer\nfrom renege.core.registry import tractor\nprint(sys.stdin.read())",
    }
    return {name.replace("__", "."): ast.parse(text) for name, text in (sound | sources).items()}


def test_the_sound_package_has_no_fault() -> None:
    package = planted()
    assert import_faults(package) + cycle_faults(package) + io_faults(package) == []


@pytest.mark.parametrize(
    ("module", "source", "fault"),
    [
        ("cards", "import renege.core.position", "cards:1 imports position: position stands below cards"),
        ("cards", "def f():\n    from . import cli", "cards:2 imports cli: cli stands below cards"),
        (
            "game",
            "from renege.core.position import Position",
            "game:1 imports position: position stands below game",
        ),
        (
            "cards",
            "if TYPE_CHECKING:\n    import renege.core.position",
            "cards:2 imports position: position stands",
        ),
        ("position", "from .games.tractor import units", "imports games.tractor.units: games stands below"),
        ("games__texas42__follow", "from ..tractor.units import Unit", "games never see each other"),
        ("games__texas42", "from renege.core.registry import tractor", "games never see each other"),
        (
            "belief__worlds",
            "from renege.games.tractor import DECK",
            "knows games through Game, never by name",
        ),
        ("search", "import renege.games.tractor.follow", "knows games through Game, never by name"),
        (
            "belief__worlds",
            "from renege import search",
            "belief.worlds:1 imports search: search stands below",
        ),
        ("position", "from renege import Card", "position:1 imports renege itself: name a module"),
        ("misc", "", "misc stands in no layer"),
    ],
)
def test_a_planted_import_is_found(module: str, source: str, fault: str) -> None:
    (found,) = import_faults(planted(**{module: source}))
    assert fault in found


def test_a_planted_cycle_is_found() -> None:
    (found,) = cycle_faults(planted(games__tractor__units="from .follow import follow"))
    assert "games.tractor.follow" in found
    assert "games.tractor.units" in found


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("x = 1\nprint(x)", "cards:2 uses print"),
        ("text = open('deal.txt').read()", "cards:1 uses open"),
        ("import sys\nsys.stderr.write('')", "cards:2 uses sys.stderr"),
        ("from sys import stdin", "cards:1 uses sys.stdin"),
        ("import rich", "cards:1 uses rich"),
        ("from rich.table import Table", "cards:1 uses rich.table"),
        ("from pathlib import Path\nPath('deal.txt').write_text('')", "cards:2 uses write_text"),
    ],
)
def test_planted_io_is_found(source: str, fault: str) -> None:
    (found,) = io_faults(planted(cards=source))
    assert fault in found
