"""Does a wheel work where there is nothing else? It is installed into an environment of its own and used.

    python3 tools/check_wheel.py dist/renege-*.whl    in a clean environment, with no compiler in reach
    python  tools/check_wheel.py --here               in the environment of this Python, where the wheel is installed

Everything that a person does first is done: import, a batch of playouts, a question to `renege ask`, a match of two
pairs, the help of `renege play`. Whatever the package reads while it runs must have come with it.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import venv
import zipfile
from importlib import metadata, resources
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMPILERS = ("c++", "g++", "clang++", "cc", "gcc", "clang", "cl", "zig", "nvcc")
QUESTION = {"ask": "legal", "game": "texas42", "declaration": "5", "lead": "6-4", "hand": "6-6 6-5 3-1", "play": "6-5"}
# What must be in a wheel, in folders of renege: where it lies, and an ending.
CARRIED = [
    ("i18n", ".json"),
    ("games/texas42", ".json"),
    ("nets/data", ".net"),
    ("nets/data", ".md"),
    ("server/static", ".html"),
    ("server/static/assets", ".js"),
    ("server/static/assets", ".css"),
    ("server/static", "THIRD_PARTY.txt"),
    ("include", ".cu"),
    ("include/renege/core", ".hpp"),
    ("", "py.typed"),
    ("", "_kernel.pyi"),
]


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("wheel", nargs="?", type=Path)
    parser.add_argument("--here", action="store_true", help="the wheel is installed in the environment of this Python")
    parser.add_argument("--no-compiler", action="store_true", help="there must be none on the PATH")
    given = parser.parse_args(arguments)
    if given.here:
        use_it(given.no_compiler)
    elif given.wheel is None:
        parser.error("name a wheel, or say --here")
    else:
        check(given.wheel.resolve())


def check(wheel: Path) -> None:
    """Look into a wheel, install it where nothing else is, and use it."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    lacking, strays = missing(names), strangers(names)
    if lacking or strays:
        sys.exit(f"{wheel.name}: lacks {lacking or 'nothing'}, and has {strays or 'nothing'} that is not its own")
    say(f"{wheel.name}: {len(names)} files, {wheel.stat().st_size / 1e6:.1f} MB")
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        venv.create(home / "venv", with_pip=True)
        scripts = home / "venv" / ("Scripts" if os.name == "nt" else "bin")
        python = scripts / ("python.exe" if os.name == "nt" else "python")
        pip = [python, "-m", "pip", "-q", "--disable-pip-version-check", "install", "--only-binary", ":all:"]
        run([*pip, "-c", ROOT / "constraints.txt", wheel], dict(os.environ), home)
        run([python, ROOT / "tools" / "check_wheel.py", "--here", "--no-compiler"], bare(scripts), home)


def missing(names: list[str]) -> list[str]:
    """What a wheel lacks, given the names of its files."""
    carried = [*CARRIED, ("", ".so" if any(name.endswith(".so") for name in names) else ".pyd")]
    return [
        f"renege/{folder}/*{ending}"
        for folder, ending in carried
        if not any(Path(name).parent == Path("renege", folder) and name.endswith(ending) for name in names)
    ]


def strangers(names: list[str]) -> list[str]:
    """What lies outside the package, among the packages of others, and what is built for development alone."""
    own = ("renege", "renege.libs")  # the second is made by auditwheel or delvewheel, where a library is brought along
    tops = {name.partition("/")[0] for name in names}
    outside = {top for top in tops if top not in own and not top.endswith(".dist-info")}
    return sorted(outside | {name for name in names if "_kernel_dev" in name})


def bare(scripts: Path) -> dict[str, str]:
    """The environment of whoever has just installed it: no compiler, no variable that could help."""
    kept = {name: os.environ[name] for name in ("SYSTEMROOT", "TEMP", "TMP", "HOME", "LANG") if name in os.environ}
    return kept | {"PATH": str(scripts), "PYTHONNOUSERSITE": "1"}


# -- in the environment that has the wheel


def use_it(no_compiler: bool) -> None:
    compilers = [name for name in COMPILERS if shutil.which(name)]
    if no_compiler and compilers:
        sys.exit(f"there is a compiler in reach: {' '.join(compilers)}")
    import renege

    place = Path(renege.__file__).resolve()
    if not place.is_relative_to(Path(sys.prefix).resolve()):
        sys.exit(f"renege is imported from {place}, and not from the wheel")
    version = metadata.version("renege")
    say(f"renege {version} in {place.parent}, Python {sys.version.split()[0]}")
    look_inside()
    play_out()
    with tempfile.TemporaryDirectory() as folder:
        say_so("renege --version", renege_says(folder, "--version") == f"renege {version}\n")
        answer = json.loads(renege_says(folder, "ask", told=json.dumps(QUESTION) + "\n"))
        say_so("renege ask", answer["rule"] == "texas42.follow-suit" and answer["instead"] == "6-6")
        say_so("renege play --help", "--no-browser" in renege_says(folder, "play", "--help"))
        match = [*("arena", "42", "rulebook", "random"), "--pairs", "2", "--out", "match.jsonl", "--json"]
        say_so("renege arena, 2 pairs", json.loads(renege_says(folder, *match))["pairs"] == 2)
    say("all is well")


def look_inside() -> None:
    """What the package reads while it runs, read from where it was put."""
    package = resources.files("renege")
    for folder, ending in CARRIED:
        found = [file for file in package.joinpath(folder).iterdir() if file.name.endswith(ending)]
        say_so(f"{folder or '.'}: {len(found)} *{ending}", bool(found) and all(file.is_file() for file in found))


def play_out() -> None:
    """A thousand deals of 42, and one deal of a seat's belief: both kinds of kernel code that everything rests on."""
    from renege import Arbiter, texas42
    from renege.belief.belief import Belief
    from renege.native import cards as native

    sums = native.random_deals(native.tables(texas42.order("5")), 1000, seed=1)
    say_so(f"1,000 deals of 42: {sums.points}", sum(sums.points) == 42_000 and sum(sums.tricks) == 7_000)
    table = Arbiter(texas42.game(), seed=7)
    for seat, call in [(0, "30"), (1, "pass"), (2, "pass"), (3, "31"), (3, "trump 5")]:
        table.act(seat, call)
    say_so("the deals that a seat must reckon with", Belief(table.view(3)).count() == 399_072_960)


def renege_says(folder: str, *arguments: str, told: str = "") -> str:
    """What the command that the wheel has brought writes; a failure ends the check."""
    command = Path(sysconfig.get_path("scripts")) / ("renege.exe" if os.name == "nt" else "renege")
    done = subprocess.run([command, *arguments], cwd=folder, input=told, capture_output=True, text=True, timeout=300)
    if done.returncode:
        sys.exit(f"renege {' '.join(arguments)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def run(command: list[str | Path], environment: dict[str, str], folder: Path) -> None:
    if code := subprocess.run(command, env=environment, cwd=folder).returncode:
        sys.exit(code)


def say_so(what: str, holds: bool) -> None:
    if not holds:
        sys.exit(f"wheel: {what}: this does not hold")
    say(what)


def say(text: str) -> None:
    print(f"wheel: {text}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
