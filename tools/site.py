"""Hooks of mkdocs: pages that are planned stay out of the navigation, and the site needs nothing from elsewhere."""

import re
from pathlib import Path
from typing import Any

AWAITED = {
    "add-a-game.md", "environments.md", "environments-schafkopf.md", "environments-tractor.md", "adapters.md",
    "examples.md", "selfplay.md", "cluster.md",
}  # fmt: skip


def on_config(config: Any) -> Any:
    config["nav"] = _written(config["nav"], Path(config["docs_dir"]))
    return config


def _written(entries: list[Any], folder: Path) -> list[Any]:
    """The entries of a navigation whose pages are there; a section of which nothing is left goes too."""
    kept: list[Any] = []
    for entry in entries:
        ((title, target),) = entry.items()
        if isinstance(target, list):
            if below := _written(target, folder):
                kept.append({title: below})
        elif target not in AWAITED or (folder / target).exists():
            kept.append(entry)
    return kept


ELSEWHERE = re.compile(r"""<(?:script|link|img|iframe|source)\b[^>]*?(?:src|href)=["']?(?:https?:)?//[^"'\s>]+""")


def on_post_page(output: str, page: Any, config: Any) -> str:
    """Links may lead out; what a browser would load by itself may not."""
    if found := ELSEWHERE.search(output):
        from mkdocs.exceptions import PluginError  # the tests read this file where there is no mkdocs

        raise PluginError(f"{page.file.src_uri} would load something from elsewhere: {found[0]}")
    return output
