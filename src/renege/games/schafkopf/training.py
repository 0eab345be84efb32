"""How a network learns Schafkopf: under the presets of the long pack, and where the old one must play if all pass.

Without that table everybody passes before anybody can play, and nobody learns to.
"""

from renege.games.training import House, Training

_PLAIN = ("geier", "farbwenz", "farbgeier", "bettel", "hochzeit")

TRAINING = Training(
    (
        House((), 5, unit=60.0),
        House((("all_pass", "old-must"),), 4, unit=60.0),
        House(
            (("precedence", "equal"), *((game, "no") for game in _PLAIN), ("all_pass", "redeal"), ("stoss_limit", "2")),
            1,
            unit=60.0,
        ),
        House((("base", "2"), ("solo", "5"), ("extra", "1"), ("ramsch", "1"), ("march", "none")), 1, unit=6.0),
    )
)
