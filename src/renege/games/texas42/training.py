"""How a network learns Texas 42: under all presets. Where a bid is forced somebody plays even before anybody can."""

from renege.games.training import House, Training

TRAINING = Training(
    (
        House((), 4),
        House((("all_pass", "force-30"),), 4),
        House(
            (
                ("follow_me_doubles", "high"),
                ("nello", "off"),
                ("plunge", "off"),
                ("splash", "off"),
                ("sevens", "off"),
            ),
            1,
        ),
        House((("scoring", "points"), ("early_end", "play-on")), 1, unit=42.0),
    )
)
