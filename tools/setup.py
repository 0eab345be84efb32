"""Set up `.venv`: renege with its kernel, or what some extras need.

    python3 tools/setup.py            renege itself, its C++ kernel built; again after the kernel has changed
    python3 tools/setup.py dev gpu    the packages of these extras

Runs with a bare python3 and needs no C++ compiler: where there is none, the `ziglang` wheel serves as one.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"


def main(extras):
    check_python()
    import tomllib  # only now: older versions of Python lack it, and they have been sent away

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    if not (VENV / "bin" / "pip").exists():
        say("creating .venv")
        run(sys.executable, "-m", "venv", VENV)
    if extras:
        say(f"installing the packages of [{', '.join(extras)}]")
        optional = project["project"]["optional-dependencies"]
        pip_install(*(requirement for extra in extras for requirement in optional[extra]))
    else:
        install_renege(project["build-system"]["requires"])


def check_python():
    if sys.version_info < (3, 11):  # noqa: UP036 (whoever runs this may have any Python)
        sys.exit(
            f"Renege needs Python 3.11 or newer; {sys.executable} is {sys.version.split()[0]}. "
            "Name another one: make PYTHON=python3.12 ..."
        )
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        sys.exit("The kernel needs Python's C headers, which are missing. On Debian: apt install python3-dev")


def install_renege(build_requires):
    # The build tools live in .venv and pip is told not to make its own copy: `-c` does not reach into the
    # isolated environment that pip would build in, so only this way constraints.txt pins the builder too.
    say("installing the build tools")
    pip_install(*build_requires)
    # The backend knows whether this machine's cmake and ninja will do, and asks for those that will not.
    question = "import scikit_build_core.build as b; print(*b.get_requires_for_build_editable())"
    pip_install(*subprocess.check_output([PYTHON, "-c", question], cwd=ROOT, text=True).split())

    environment = dict(os.environ)
    if not has_compiler():
        say("no C++ compiler found: the ziglang wheel (100 MB) serves as one")
        pip_install("ziglang")
        environment.update(zig_as_compiler())
        say("building the kernel and installing renege (zig takes several minutes the first time)")
    else:
        say("building the kernel and installing renege (about half a minute)")
    pip_install("--no-build-isolation", "-e", ".", environment=environment)


def has_compiler():
    return bool(os.environ.get("CXX") or any(map(shutil.which, ("c++", "g++", "clang++"))))


def zig_as_compiler():
    """Write small commands that call zig, and return the variables that make CMake use them."""
    folder = VENV / "zig"
    folder.mkdir(exist_ok=True)
    # baseline: zig compiles for the processor at hand unless told otherwise.
    for name, arguments in {"cxx": "c++ -mcpu=baseline", "ar": "ar", "ranlib": "ranlib"}.items():
        command = folder / name
        command.write_text(f'#!/bin/sh\nexec "{PYTHON}" -m ziglang {arguments} "$@"\n', encoding="utf-8")
        command.chmod(0o755)
    return {
        "CXX": str(folder / "cxx"),
        "CMAKE_ARGS": f"-DCMAKE_AR={folder / 'ar'} -DCMAKE_RANLIB={folder / 'ranlib'}",
    }


def pip_install(*requirements, environment=None):
    if requirements:
        pip = [PYTHON, "-m", "pip", "-q", "--disable-pip-version-check"]
        run(*pip, "install", "-c", "constraints.txt", *requirements, environment=environment)


def run(*command, environment=None):
    if subprocess.run(command, cwd=ROOT, env=environment).returncode:
        sys.exit("setup: stopped, see above")


def say(text):
    print(f"setup: {text}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
