"""Write docs/architecture.md's tables: which folder of renege imports from which, and the modules that most others use.

python tools/import_graph.py          # print the tables
python tools/import_graph.py --write  # put them into the page
"""

import argparse
import ast
import re
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "renege"
PAGE = ROOT / "docs" / "architecture.md"
HUBS = 12
BEGIN, END = "<!-- made by tools/import_graph.py -->", "<!-- end -->"


def modules() -> dict[str, ast.Module]:
    """Every module by its name inside renege, parsed."""
    found: dict[str, ast.Module] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        name = ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix("__init__").rstrip(".")
        found[name] = ast.parse(path.read_text("utf-8"))
    return found


def edges(package: dict[str, ast.Module]) -> set[tuple[str, str]]:
    """Who imports whom, for types alone or not. The front door is left out: it names what others have."""
    found: set[tuple[str, str]] = set()
    for name, tree in package.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("renege"):
                base = (node.module or "").removeprefix("renege").lstrip(".")
                for alias in node.names:
                    longer = f"{base}.{alias.name}".lstrip(".")
                    found.add((name, longer if longer in package else base))
    return {(one, other) for one, other in found if one and other and one != other}


def tables() -> str:
    """Both tables as Markdown."""
    package = modules()
    found = edges(package)
    above: dict[str, Counter[str]] = defaultdict(Counter)
    for one, other in found:
        mine, theirs = one.partition(".")[0], other.partition(".")[0]
        if mine != theirs:
            above[mine][theirs] += 1
    folders = Counter(name.partition(".")[0] for name in package if name)
    rows = ["| folder | modules | imports from |", "|---|---:|---|"]
    for folder in sorted(folders, key=lambda name: (len(_reach(name, above)), name)):
        seen = ", ".join(f"{name} {count}" for name, count in sorted(above[folder].items()))
        rows.append(f"| `{folder}` | {folders[folder]} | {seen or 'nothing'} |")
    users = Counter(other for _, other in found)
    hubs = ["| module | imported by |", "|---|---:|"]
    hubs += [f"| `{name}` | {count} |" for name, count in users.most_common(HUBS)]
    return f"{len(package)} modules, {len(found)} imports between them, no cycle.\n\n" + "\n".join([*rows, "", *hubs])


def _reach(folder: str, above: dict[str, Counter[str]]) -> set[str]:
    """All folders that one sees, through others too."""
    found: set[str] = set()
    waiting = [folder]
    while waiting:
        for name in above[waiting.pop()]:
            if name not in found:
                found.add(name)
                waiting.append(name)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--write", action="store_true", help="put the tables into docs/architecture.md")
    made = tables()
    if not parser.parse_args().write:
        print(made)
        return
    page = PAGE.read_text("utf-8")
    PAGE.write_text(re.sub(f"{BEGIN}.*?{END}", f"{BEGIN}\n{made}\n{END}", page, flags=re.DOTALL), "utf-8")


if __name__ == "__main__":
    main()
