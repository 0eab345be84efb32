"""Deals for the tests of the table: all three games under several house rules, called and played at random."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from renege.core.arbiter import Arbiter
from renege.core.game import Game
from renege.core.position import Position, View
from renege.core.record import Record
from renege.core.registry import find_game
from renege.core.view import Onlooker
from renege.i18n import Speech, texts
from renege.server.messages import Place
from renege.server.present.state import Setting
from support.sentences import unknown

NAMES = ("Ann", "Bo", "Cy", "Di")
PLACES = tuple(Place(seat=seat, name=name, kind="person", online=True) for seat, name in enumerate(NAMES))
SETTING = Setting(table="t", number=7, deal=1, phase="play", places=PLACES)

TABLES: dict[str, Game] = {
    name: find_game(name.split()[0], choices)
    for name, choices in {
        "texas42": {},
        "texas42 swap": {"nello_exchange": "one-tile", "all_pass": "force-nello"},
        "texas42 points": {"scoring": "points", "target": "250", "early_end": "play-on", "opening_lead": "small-end"},
        "texas42 ties": {"sevens_tie": "declarers", "opening_lead": "trump"},
        "texas42 unsaid": {"unsaid_trump": "first-lead", "exposed_tile": "must-play"},
        "schafkopf": {},
        "schafkopf short": {"deck": "short", "doubling": "anyone", "all_pass": "old-must"},
        "schafkopf stock": {"all_pass": "stock", "stoss_deadline": "first-trick"},
        "tractor": {},
        "tractor kitty": {"no_call": "turn-kitty", "stopped_throw": "refused", "trump_throws": "forbidden"},
        "tractor public": {"throw_test": "public-info", "level_gap": "breaks", "no_trump": "jokers-only"},
        "tractor free": {"follow_duty": "suit-only", "no_call": "redeal"},
        "tractor lifted": {"take_back": "yes", "own_showing": "equal", "jokers_shown": "any", "no_call": "first-card"},
        "tractor full": {"shorter_runs": "not-owed", "stopped_throw": "first-found"},
    }.items()
}


@dataclass(frozen=True)
class Overheard(Speech):
    """A listener who understands English and keeps what was said."""

    language: str = "en"
    heard: list[str] = field(default_factory=list)

    def say(self, said: str) -> str:
        self.heard.append(said)
        return said

    def unknown(self) -> set[str]:
        """What has no translation."""
        return {part for said in self.heard for other in ("de", "zh") for part in unknown(said, texts(other)["told"])}


def play_at_random(game: Game, seed: int, *, dull: float = 0.0) -> Record:
    """A whole deal: every call and play anything that is legal. `dull`: how often a seat that may pass does."""
    rng = random.Random(seed)
    table = Arbiter(game, seed)
    while (turn := table.position.turn) is not None:
        position = table.position
        breaks_in = [seat for seat in position.speakers if seat != turn or not position.talking]
        if breaks_in and rng.random() < 0.05:
            seat = rng.choice(breaks_in)
            if calls := [call for call in table.view(seat).legal_calls if position.judge(call, seat)]:
                table.act(seat, rng.choice(calls))
                continue
        if position.talking:
            calls = position.legal_calls
            call = calls[0] if calls[0] in ("pass", "no") and rng.random() < dull else rng.choice(calls)
            if call.startswith("bury"):
                call = f"bury {' '.join(rng.sample(str(position.hand).split(), 8))}"
            assert table.act(turn, call)
        else:
            assert table.act(turn, position.legal_plays.choose(rng))
    return table.record


def watched(record: Record) -> Iterator[tuple[int, Position, list[View]]]:
    """A deal act by act: how many there were, the position, and what each seat has seen."""
    seats, position = [Onlooker(cut(record, 0), seat) for seat in range(4)], record.start
    yield 0, position, [seat.view for seat in seats]
    for length, act in enumerate(record.acts, start=1):
        before, position = position, position.then(act)
        for seat in seats:
            seat.follow(before, cut(record, length))
        if not position.over:
            yield length, position, [seat.view for seat in seats]


def cut(record: Record, length: int) -> Record:
    return replace(record, acts=record.acts[:length])


def moments(record: Record, most: int, seed: int) -> Iterator[int]:
    """So many lengths of a deal that is not over, in order."""
    lengths = range(len(record.acts))
    yield from sorted(random.Random(seed).sample(lengths, min(most, len(lengths))))
