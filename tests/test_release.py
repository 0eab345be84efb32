"""Version, changelog and tag; and what goes into the packages that are given out."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from support.scripts import tool

ROOT = Path(__file__).parent.parent
CHANGELOG = """# Changelog

Lines under **Rules** come first.

## Unreleased

## 0.10.0 (2026-12-01)

**Rules**
- A verdict changed.

**Added**
- A game, `nap`.

## 0.9.1 (2026-11-20)

**Fixed**
- A thing.
"""


release, wheel, check_wheel = tool("release"), tool("build_wheel"), tool("check_wheel")


def test_the_notes_of_a_version_are_its_lines():
    entries = release.read_changelog(CHANGELOG)
    assert [entry.version for entry in entries] == ["Unreleased", "0.10.0", "0.9.1"]
    assert release.notes("0.10.0", entries) == "**Rules**\n- A verdict changed.\n\n**Added**\n- A game, `nap`.\n"
    assert release.notes("0.9.1", entries) == "**Fixed**\n- A thing.\n"
    with pytest.raises(release.Disagreement, match=r"no '0.9.0': Unreleased 0.10.0 0.9.1"):
        release.notes("0.9.0", entries)


def test_what_agrees_is_ready():
    entries = release.read_changelog(CHANGELOG)
    assert release.check("0.10.0", entries, "v0.10.0") == "0.10.0 of 2026-12-01 is ready"
    assert release.check("0.10.0", entries) == "0.10.0, out"
    assert release.check("0.11.0", entries) == "0.11.0, not out yet"


@pytest.mark.parametrize(
    ("version", "tag", "why"),
    [
        ("0.9.1", None, "has 0.10.0 out already"),
        ("0.10.0", "v0.9.1", "it should be 'v0.10.0'"),
        ("0.10.0", "0.10.0", "it should be 'v0.10.0'"),
        ("0.11.0", "v0.11.0", r"no heading '## 0.11.0 \(YYYY-MM-DD\)'"),
        ("0.11", "v0.10.0", "it should be 'v0.11'"),
        ("next", None, "'next' is no version"),
    ],
)
def test_what_disagrees_is_not(version: str, tag: str | None, why: str):
    with pytest.raises(release.Disagreement, match=why):
        release.check(version, release.read_changelog(CHANGELOG), tag)


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ("## Unreleased\n", "## Unreleased\n\n**Added**\n- More.\n", "lines under 'Unreleased'"),
        ("**Rules**\n- A verdict changed.\n\n**Added**\n- A game, `nap`.\n", "", "says nothing of 0.10.0"),
        ("## 0.10.0 (2026-12-01)", "## 0.10.0", r"write '## 0.10.0' as '## 0.2.0 \(2026-12-01\)'"),
        ("2026-12-01", "2026-13-01", "2026-13-01 of 0.10.0 is no day"),
        ("0.9.1", "0.11.0", "0.11.0 stands after 0.10.0"),
        ("0.9.1", "0.10.0", "0.10.0 stands after 0.10.0"),
        ("## 0.9.1 (2026-11-20)", "## Unreleased", "stands first, not after 0.10.0"),
        ("**Added**", "**New**", "'New' is none of Rules Added"),
    ],
)
def test_a_changelog_that_is_not_in_order_is_refused(before: str, after: str, why: str):
    assert before in CHANGELOG
    with pytest.raises(release.Disagreement, match=why):
        release.check("0.10.0", release.read_changelog(CHANGELOG.replace(before, after)), "v0.10.0")


def test_ours_are_in_order():
    version = release.read_version((ROOT / "pyproject.toml").read_text("utf-8"))
    assert release.check(version, release.read_changelog((ROOT / "CHANGELOG.md").read_text("utf-8")))


def test_the_command_says_what_is_wrong_in_one_line():
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "release.py", "check", "--tag", "v99"], capture_output=True, text=True
    )
    assert done.returncode == 1
    assert done.stderr.startswith("release: the tag is 'v99', and pyproject.toml has version ")
    assert done.stderr.count("\n") == 1


def test_the_version_stands_in_one_place():
    version = release.read_version((ROOT / "pyproject.toml").read_text("utf-8"))
    texts = [*(ROOT / "src").rglob("*.py"), ROOT / "CMakeLists.txt", *(ROOT / "web").glob("package.json")]
    said = re.compile(rf"""version[_"']*\s*[:= ]\s*["']?{re.escape(version)}\b""", re.IGNORECASE)
    assert said.search(f'__version__ = "{version}"') and said.search(f'"version": "{version}"')
    assert not [path for path in texts if said.search(path.read_text("utf-8"))]


# -- what is in the packages


def test_a_wheel_that_lacks_something_is_found_out():
    whole = [
        "renege/_kernel.abi3.so", "renege/py.typed", "renege/_kernel.pyi", "renege/i18n/en.json",
        "renege/games/texas42/surveyed.json", "renege/nets/data/texas42.net", "renege/nets/data/texas42.md",
        "renege/server/static/index.html",
        "renege/server/static/THIRD_PARTY.txt", "renege/server/static/assets/app.js",
        "renege/server/static/assets/app.css", "renege/include/state_tables.cu", "renege/include/renege/core/cards.hpp",
    ]  # fmt: skip
    assert check_wheel.missing(whole) == []
    assert check_wheel.missing([*whole[1:], "renege/_kernel.cp311-win_amd64.pyd"]) == []
    for lost in whole:
        assert len(check_wheel.missing([name for name in whole if name != lost])) == 1, lost


def test_a_wheel_has_nothing_beside_the_package():
    own = ["renege/core/cards.py", "renege.libs/libstdc++.so.6", "renege-0.1.0.dist-info/METADATA"]
    assert check_wheel.strangers(own) == []
    assert check_wheel.strangers([*own, "include/renege/core/cards.hpp", "tests/toys.py"]) == ["include", "tests"]
    dev = "renege/_kernel_dev.abi3.so"
    assert check_wheel.strangers([*own, dev]) == [dev]


def test_an_sdist_has_nothing_that_git_does_not_know():
    known = ["README.md", "src/renege/core/cards.py"]
    assert wheel.strangers([*known, "PKG-INFO"], known) == []
    assert wheel.strangers([*known, "match.jsonl"], known) == ["match.jsonl"]
    assert wheel.strangers(["match.jsonl"], None) == []
