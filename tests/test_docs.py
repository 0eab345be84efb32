"""The documentation: every page is found, every link leads somewhere, and pages show what the program does."""

import doctest
import json
import re
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

import renege
from support.scripts import tool

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def without_code(text: str) -> str:
    """A page less what stands in it as code."""
    return re.sub(r"`[^`\n]*`", "", FENCED.sub("", text))


# -- pages and links


def test_every_page_is_in_the_navigation_once():
    site = (ROOT / "mkdocs.yml").read_text("utf-8")
    navigation = site[site.index("\nnav:") : site.index("\ntheme:")]
    listed = re.findall(r"^ +- (?:[^:\n]+: )?(\S+\.md)$", navigation, re.MULTILINE)
    assert len(listed) == len(set(listed))
    there = {page.relative_to(DOCS).as_posix() for page in PAGES}
    assert there - {*listed} == set(), "pages that nobody finds"
    assert {*listed} - there == set(), "entries without a page"


def headings(text: str) -> list[str]:
    found = re.findall(r"^#{1,6} (.+?)#*$", FENCED.sub("", text), re.MULTILINE)
    return [re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip() for heading in found]


def on_the_site(heading: str) -> str:
    """The anchor that Python-Markdown gives a heading."""
    plain = unicodedata.normalize("NFKD", heading).encode("ascii", "ignore").decode()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip().lower())


def in_the_repository(heading: str) -> str:
    """The anchor that viewers of repositories give it."""
    return re.sub(r"[^\w\s-]", "", heading.lower()).replace(" ", "-")


def anchors(page: Path) -> set[str]:
    """The anchors that are the same in both."""
    return {on_the_site(one) for one in headings(page.read_text("utf-8")) if on_the_site(one) == in_the_repository(one)}


@pytest.mark.parametrize("page", [*PAGES, ROOT / "README.md", ROOT / "CHANGELOG.md"], ids=name)
def test_every_link_leads_somewhere(page: Path):
    for link in LINK.findall(without_code(page.read_text("utf-8"))):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{link}: there is no such file"
        assert target.is_relative_to(ROOT), f"{link}: this is not in the repository"
        assert target.is_file() or DOCS not in page.parents, f"{link}: a folder is no page of the site"
        assert not anchor or anchor in anchors(target), f"{link}: no heading of {target.name} has this anchor"


def test_a_link_to_a_file_of_the_repository_leads_to_a_page_that_shows_it():
    site = tool("docs_site")
    assert site.outside("add-a-game.md", "../src/renege/core/game.py") == "src/renege/core/game.py"
    assert site.outside("games/texas42.md", "../rules/texas42.md") is None
    assert site.outside("games/texas42.md", "../../README.md") == "README.md"
    assert site.outside("table.md", "../src/renege/nothing.py") is None
    assert site.LINK.findall("[a](../x.py) [b](c.md) [d](../../e.md#f)") == [("](", "../x.py"), ("](", "../../e.md")]
    page = site.shown("README.md")
    assert "\n# README.md\n\n``````markdown\n# Renege" in page and page.endswith("\n``````\n")


def test_anchors_that_differ_from_place_to_place_are_no_anchors(tmp_path: Path):
    page = tmp_path / "page.md"
    page.write_text("# A `b` c\n## Who - when?\n### texas42.one-tile\n```\n# no heading\n```\n## Für\n", "utf-8")
    assert headings(page.read_text("utf-8")) == ["A b c", "Who - when?", "texas42.one-tile", "Für"]
    assert anchors(page) == {"a-b-c", "texas42one-tile"}


# -- what pages say


@pytest.mark.parametrize("game", ["texas42", "tractor", "schafkopf"])
def test_the_page_of_a_game_says_what_the_game_says(game: str):
    """If not: `python tools/game_pages.py`, and read the difference."""
    pages, text = tool("game_pages"), (DOCS / "games" / f"{game}.md").read_text("utf-8")
    assert [found[1] for found in pages.PART.findall(text)] == [
        "house rules", "presets", "actions", "observation", "rules",
    ]  # fmt: skip
    assert text == pages.filled(text, game)


EXAMPLES = [DOCS / "index.md", *sorted((DOCS / "games").glob("*.md")), *sorted((DOCS / "api").glob("*.md"))]


@pytest.mark.parametrize("page", EXAMPLES, ids=name)
def test_the_examples_of_a_page_run(page: Path):
    result = doctest.testfile(str(page), module_relative=False)
    assert result.attempted and not result.failed


def test_the_api_reference_has_every_public_name():
    pages = "".join(page.read_text("utf-8") for page in (DOCS / "api").glob("*.md"))
    shown = re.findall(r"^::: renege\.(\w+)$", pages, re.MULTILINE)
    assert sorted(shown) == sorted(renege.__all__)


@pytest.mark.parametrize("public", renege.__all__)
def test_a_public_name_is_documented_and_its_examples_run(public: str):
    found = getattr(renege, public)
    assert found.__doc__ and "__init__" not in found.__doc__
    for example in doctest.DocTestFinder().find(found, public):
        assert not doctest.DocTestRunner().run(example).failed


def test_the_questions_of_the_page_on_the_wire_are_answered_as_it_says():
    blocks = re.findall(r"^```wire\n(.*?)^```", (DOCS / "ask.md").read_text("utf-8"), re.MULTILINE | re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    asked, told = lines[::2], [line.removeprefix("< ") for line in lines[1::2]]
    assert len(asked) == len(told) > 15
    assert all(line.startswith("> ") for line in asked) and all(line.startswith("{") for line in told)
    command = [sys.executable, "-m", "renege", "ask"]
    questions = "".join(line.removeprefix("> ") + "\n" for line in asked)
    done = subprocess.run(command, input=questions, capture_output=True, text=True, timeout=60)
    answers = [re.sub(r'"renege":"[^"]+"', '"renege":"..."', line) for line in done.stdout.splitlines()]
    assert answers == told
    assert done.returncode == 1, "the page shows bad questions too"
    kinds = {json.loads(line.removeprefix("> "))["ask"] for line in asked if line.startswith("> {")}
    assert kinds == {
        "version", "legal", "legal_plays", "winner", "shape", "match", "throw", "deals", "solve", "score",
        "phi",
    }  # fmt: skip


def test_the_readme_and_the_page_of_benchmarks_tell_the_same_numbers():
    readme, page = ((ROOT / "README.md").read_text("utf-8"), (DOCS / "benchmarks.md").read_text("utf-8"))
    head = "| what | measured | beside it | command |\n|---|---|---|---|\n"
    rows = readme[readme.index(head) + len(head) :].partition("\n\n")[0].splitlines()
    assert len(rows) > 10
    assert [row for row in rows if row not in page.splitlines()] == []


def test_scripts_that_the_page_of_benchmarks_names_are_there():
    page = (DOCS / "benchmarks.md").read_text("utf-8")
    for script in set(re.findall(r"`(?:python bench/)?([\w*]+\.py)\b", page)):
        assert [*(ROOT / "bench").glob(script)], script
