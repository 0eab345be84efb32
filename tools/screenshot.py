"""Draw the picture of the README: a hand of Texas 42 in the terminal, played by a script.

.venv/bin/python tools/screenshot.py            writes docs/terminal.svg
"""

import io
import re
from contextlib import suppress
from pathlib import Path

from rich.console import Console
from rich.text import Text

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


def main() -> None:
    session = Session(texas42.game(), SEED, None)
    session.console = Console(record=True, width=80, highlight=False, file=io.StringIO(), force_terminal=True)
    script = [*AUCTION, *PLAY]

    def read(prompt: Text) -> str:
        if not script:
            raise Enough
        if len(script) == len(PLAY):
            session.console.export_text()  # the auction stays out of the picture
        text = script.pop(0)
        session.console.print(Text.assemble(prompt, (text, "bold")))
        return text

    session.console.input = read
    with suppress(Enough):
        session.run()
    svg = session.console.export_svg(title="renege play")
    # the picture must look the same without a network: no fonts from elsewhere
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    PICTURE.write_text(INDENTED.sub(outdent, svg), encoding="utf-8")
    print(f"wrote {PICTURE.name}")


if __name__ == "__main__":
    main()
