"""Hooks of mkdocs.

A link that leads out of docs, to a file of the repository, leads on the site to a page that shows that file. And
nothing is loaded from elsewhere.
"""

import posixpath
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SHOWN = "source"  # the folder of the site where files of the repository are shown
LINK = re.compile(r"(\]\()(\.\./[^)\s#]+)(?=[)#])")
LANGUAGES = {
    ".py": "python",
    ".cpp": "cpp",
    ".hpp": "cpp",
    ".cu": "cpp",
    ".toml": "toml",
    ".yml": "yaml",
    ".md": "markdown",
}
ELSEWHERE = re.compile(r"""<(?:script|link|img|iframe|source)\b[^>]*?(?:src|href)=["']?(?:https?:)?//[^"'\s>]+""")


def on_files(files: Any, config: Any) -> Any:
    """Adds a page for each file of the repository that some page links to."""
    from mkdocs.structure.files import File  # the tests read this script where there is no mkdocs

    for page in list(files.documentation_pages()):
        text = Path(page.abs_src_path).read_text("utf-8")
        for _, link in LINK.findall(text):
            file = outside(page.src_uri, link)
            if file and not files.get_file_from_path(f"{SHOWN}/{file}.md"):
                files.append(File.generated(config, f"{SHOWN}/{file}.md", content=shown(file)))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    here = posixpath.dirname(page.file.src_uri) or "."

    def turned(found: re.Match[str]) -> str:
        file = outside(page.file.src_uri, found[2])
        return found[1] + posixpath.relpath(f"{SHOWN}/{file}.md", here) if file else found[0]

    return LINK.sub(turned, markdown)


def outside(page: str, link: str) -> str | None:
    """The file of the repository, outside of docs, that a page links to; None where the link stays in docs."""
    path = posixpath.normpath(posixpath.join("docs", posixpath.dirname(page), link))
    return None if path.startswith("docs/") or not (ROOT / path).is_file() else path


def shown(file: str) -> str:
    """A page that shows a file, which the search passes over."""
    text = (ROOT / file).read_text("utf-8")
    fence = "`" * (3 + max((len(ticks) for ticks in re.findall(r"^`{3,}", text, re.MULTILINE)), default=0))
    language = LANGUAGES.get(Path(file).suffix, "text")
    return f"---\nsearch:\n  exclude: true\n---\n# {file}\n\n{fence}{language}\n{text.rstrip()}\n{fence}\n"


def on_post_page(output: str, page: Any, config: Any) -> str:
    """Links may lead away; what a browser would load by itself may not."""
    if found := ELSEWHERE.search(output):
        from mkdocs.exceptions import PluginError

        raise PluginError(f"{page.file.src_uri} would load something from elsewhere: {found[0]}")
    return output
