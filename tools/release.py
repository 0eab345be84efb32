"""Do the version, the changelog and the tag agree, and what is new in a version?

    python3 tools/release.py check               before a commit: the changelog is in order and fits the version
    python3 tools/release.py check --tag v0.2.0  before a release: all three say the same, and nothing is left out
    python3 tools/release.py notes [VERSION]     the notes of a version out of CHANGELOG.md (or `Unreleased`)

The version stands in pyproject.toml and nowhere else. The changelog has `## Unreleased` first, then a heading for each
version, the newest first: `## 0.2.0 (2026-12-01)`. Runs with a bare python3.
"""

import argparse
import re
import sys
import tomllib
from dataclasses import dataclass
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
UNRELEASED = "Unreleased"
HEADING = re.compile(r"(\d+\.\d+\.\d+) \((\d{4}-\d{2}-\d{2})\)")
SECTIONS = ["Rules", "Added", "Changed", "Removed", "Fixed", "Faster"]


class Disagreement(ValueError):
    """Version, changelog and tag do not fit together."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What the changelog says of one version; what is not out yet has no day."""

    version: str
    day: date | None
    text: str


def read_version(project: str) -> str:
    """The version, from the text of pyproject.toml."""
    return tomllib.loads(project)["project"]["version"]


def read_changelog(text: str) -> list[Entry]:
    """The entries of a changelog, the newest first; one that is out of order is refused."""
    entries: list[Entry] = []
    parts = re.split(r"^## (.*)$", text, flags=re.MULTILINE)
    for heading, body in zip(parts[1::2], parts[2::2], strict=True):
        entry = _entry(heading.strip(), body.strip("\n"))
        if entry.day is None and entries:
            raise Disagreement(f"CHANGELOG.md: {UNRELEASED!r} stands first, not after {entries[-1].version}")
        if entry.day and entries and entries[-1].day and _number(entry.version) >= _number(entries[-1].version):
            raise Disagreement(f"CHANGELOG.md: {entry.version} stands after {entries[-1].version}: the newest first")
        entries.append(entry)
    if not entries:
        raise Disagreement("CHANGELOG.md has no '## ' heading")
    return entries


def check(version: str, entries: list[Entry], tag: str | None = None) -> str:
    """Says how things stand; a disagreement is raised. With a tag, all must be ready to be released."""
    out = [entry for entry in entries if entry.day]
    if out and _number(version) < _number(out[0].version):
        raise Disagreement(f"pyproject.toml has version {version}, and CHANGELOG.md has {out[0].version} out already")
    if tag is None:
        return f"{version}, " + ("out" if out and out[0].version == version else "not out yet")
    if tag != f"v{version}":
        raise Disagreement(f"the tag is {tag!r}, and pyproject.toml has version {version}: it should be 'v{version}'")
    if not out or out[0].version != version:
        raise Disagreement(f"CHANGELOG.md has no heading '## {version} (YYYY-MM-DD)'")
    if entries[0].day is None and entries[0].text.strip():
        raise Disagreement(f"CHANGELOG.md has lines under {UNRELEASED!r}: they belong to {version}, or to no release")
    if not out[0].text.strip():
        raise Disagreement(f"CHANGELOG.md says nothing of {version}")
    return f"{version} of {out[0].day} is ready"


def notes(version: str, entries: list[Entry]) -> str:
    """What is new in a version."""
    for entry in entries:
        if entry.version == version:
            return entry.text.strip() + "\n"
    raise Disagreement(f"CHANGELOG.md has no {version!r}: {' '.join(entry.version for entry in entries)}")


def _entry(heading: str, body: str) -> Entry:
    strange = [name for name in re.findall(r"^\*\*(.+?)\*\*$", body, flags=re.MULTILINE) if name not in SECTIONS]
    if strange:
        raise Disagreement(f"CHANGELOG.md: {heading}: {strange[0]!r} is none of {' '.join(SECTIONS)}")
    if heading == UNRELEASED:
        return Entry(UNRELEASED, None, body)
    found = HEADING.fullmatch(heading)
    if found is None:
        raise Disagreement(f"CHANGELOG.md: write '## {heading}' as '## 0.2.0 (2026-12-01)' or '## {UNRELEASED}'")
    try:
        return Entry(found[1], date.fromisoformat(found[2]), body)
    except ValueError:
        raise Disagreement(f"CHANGELOG.md: {found[2]} of {found[1]} is no day") from None


def _number(version: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in version.split("."))
    except ValueError:
        raise Disagreement(f"{version!r} is no version like 0.2.0") from None


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("check", help="do they agree?").add_argument("--tag", help="the tag of the release")
    commands.add_parser("notes", help="what is new").add_argument("version", nargs="?", help="this one, if unsaid")
    given = parser.parse_args(arguments)
    try:
        version = read_version((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
        entries = read_changelog((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
        if given.command == "check":
            print(f"renege {check(version, entries, given.tag)}")
        else:
            print(notes(given.version or version, entries), end="")
    except Disagreement as wrong:
        sys.exit(f"release: {wrong}")


if __name__ == "__main__":
    main(sys.argv[1:])
