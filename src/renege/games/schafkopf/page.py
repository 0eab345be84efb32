"""A minimal HTML parser: a tree in which words and classes of a saved page are found."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

from renege.core.message import say
from renege.core.notation import on_line

VOID = ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr")
DEEPEST = 2_000  # tags inside each other; a list whose items are never closed is some hundred


@dataclass
class Node:
    """An element with its classes, what is in it, and the line it starts on."""

    tag: str
    attributes: dict[str, str]
    line: int
    parent: "Node | None" = None
    inside: "list[Node | str]" = field(default_factory=list["Node | str"])

    @property
    def classes(self) -> list[str]:
        return self.attributes.get("class", "").split()

    @property
    def text(self) -> str:
        """The words in it, one space between them."""
        return " ".join(" ".join(part for part in self._parts() if isinstance(part, str)).split())

    def all(self) -> "Iterator[Node]":
        """Every element in it, in the order of the page."""
        return (part for part in self._parts() if isinstance(part, Node))

    def _parts(self) -> "Iterator[Node | str]":
        """All that is in it, however deep; without recursion, which a page of open tags would take too far."""
        waiting = list(reversed(self.inside))
        while waiting:
            part = waiting.pop()
            yield part
            if isinstance(part, Node):
                waiting.extend(reversed(part.inside))

    def of_class(self, name: str) -> "list[Node]":
        return [node for node in self.all() if name in node.classes]

    def of_tag(self, tag: str) -> "list[Node]":
        return [node for node in self.all() if node.tag == tag]


class PageParser(HTMLParser):
    """Builds the tree of a page, whatever state its tags are in; an end tag closes what was left open inside it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.root = self.open = Node("", {}, 1)
        self.depth = 0
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, {name: value or "" for name, value in attrs}, self.getpos()[0], self.open)
        self.open.inside.append(node)
        if tag not in VOID:
            self.open, self.depth = node, self.depth + 1
            if self.depth > DEEPEST:
                raise on_line(node.line, say("more than {n} tags are open here, as in no saved page", DEEPEST))

    def handle_endtag(self, tag: str) -> None:
        node: Node | None = self.open
        closed = 1
        while node is not None and node.tag != tag:
            node, closed = node.parent, closed + 1
        if node is not None and node.parent is not None:
            self.open, self.depth = node.parent, self.depth - closed

    def handle_data(self, data: str) -> None:
        self.open.inside.append(data)
