"""Foreign formats of Schafkopf: NetSchafkopf protocols and pages of sauspiel.de."""

from renege.games.formats import Formats, Reader
from renege.games.schafkopf import netschafkopf, sauspiel

FORMATS = Formats(
    readers=(
        Reader(
            "a page of sauspiel.de starts with '<'",
            lambda text: text.lstrip("\ufeff \t\r\n").startswith("<"),
            sauspiel.read,
        ),
        Reader(
            "a protocol of NetSchafkopf says 'gespielt von' in its second line",
            lambda text: "gespielt von" in text,
            netschafkopf.read,
        ),
    )
)
