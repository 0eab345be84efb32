"""Draw the picture of the README: a hand of Texas 42 in the terminal, played by a script.

.venv/bin/python tools/screenshot.py            writes docs/terminal.svg
"""

import io
import re
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

from rich.console import Console
from rich.text import Text, TextType

from renege import texas42
from renege.terminal import Session

PICTURE = Path(__file__).resolve().parent.parent / "docs" / "terminal.svg"
SEED = 19
AUCTION, PLAY = ["32", "trump 5"], ["5-5", "3-1", "5-2"]


class Enough(Exception):
    """The script is at its end."""


# Some viewers drop the spaces that a line starts with, so we move the line instead.
INDENTED = re.compile(r'x="([\d.]+)" y="([\d.]+)" textLength="([\d.]+)"([^>]*)>((?:&#160;)+)')
COLUMN = 12.2  # the width of a letter in the picture


def outdent(line: re.Match[str]) -> str:
    x, y, length, rest, spaces = line.groups()
    shift = spaces.count("&#160;") * COLUMN
    return f'x="{float(x) + shift:g}" y="{y}" textLength="{float(length) - shift:g}"{rest}>'


class Scripted(Console):
    """A console at which a script types; what it types is shown."""

    script: ClassVar[list[str]] = [*AUCTION, *PLAY]

    def input(self, prompt: TextType = "", **_: Any) -> str:
        if not self.script:
            raise Enough
        if len(self.script) == len(PLAY):
            self.export_text()  # the auction stays out of the picture
        text = self.script.pop(0)
        self.print(Text.assemble(str(prompt), (text, "bold")))
        return text


def main() -> None:
    session = Session(texas42.game(), SEED, None)
    session.console = Scripted(record=True, width=80, highlight=False, file=io.StringIO(), force_terminal=True)
    with suppress(Enough):
        session.run()
    svg = session.console.export_svg(title="renege play")
    # the picture must look the same without a network: no fonts from elsewhere
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    PICTURE.write_text(INDENTED.sub(outdent, svg), encoding="utf-8")
    print(f"wrote {PICTURE.name}")


if __name__ == "__main__":
    main()
