"""Deals for the tests of the table: all three games under several house rules, called and played at random."""

import random
import re
from collections.abc import Iterator
from dataclasses import replace

from renege.core.arbiter import Arbiter
from renege.core.game import Game
from renege.core.onlooker import Onlooker
from renege.core.position import Position, View
from renege.core.record import Record
from renege.core.registry import GAMES, find_game
from renege.games import schafkopf, texas42, tractor
from renege.games.schafkopf.words import KINDS
from renege.games.words import words_of
from renege.server.messages import Place
from renege.server.present.sentences import SENTENCES
from renege.server.present.state import Setting

NAMES = ("Ann", "Bo", "Cy", "Di")
PLACES = tuple(Place(seat=seat, name=name, kind="person", online=True) for seat, name in enumerate(NAMES))
SETTING = Setting(table="t", number=7, deal=1, places=PLACES)

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
        "tractor full": {"shorter_runs": "not-owed", "stopped_throw": "first-found"},
    }.items()
}


class Overheard:
    """A listener who understands English and keeps what was said."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def say(self, english: str) -> str:
        self.heard.append(english)
        return english


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


_SUITS = (
    *(noun for called in ("5", "doubles", "sevens") for noun in texas42.order(called).nouns), "doubles",
    *schafkopf.order("wenz").nouns, *tractor.order("S2").nouns,
)  # fmt: skip
SLOTS = {
    "suit": "|".join(_SUITS), "kind": "|".join(KINDS.values()), "tile": "tile|card",
    "bid": rf"\d+|1 mark|\d+ marks|splash|plunge|nello|sevens|{'|'.join(KINDS.values())}",
    "n": r"-?\d+", "numbers": r"[-\d ]+", "rank": "[2-9TJQKA]", "seat": "seat [0-3]",
    "cards": r"(?:[0-6]-[0-6]|[CDHSEG][2-9TJQKAZOU]|[LB]J)(?: .+)?",
}  # fmt: skip


def _pattern(sentence: str) -> str:
    parts = re.split(r"\{([a-z]+)\d*\}", sentence)
    return "".join(f"(?:{SLOTS.get(part, '.+')})" if i % 2 else re.escape(part) for i, part in enumerate(parts))


ALL_SENTENCES = (*SENTENCES, *(text for name in GAMES for text in words_of(find_game(name)).listed()))
_LISTED = re.compile("|".join(map(_pattern, ALL_SENTENCES)))


def is_listed(sentence: str) -> bool:
    """Is this one of the sentences that the table says it says?"""
    return _LISTED.fullmatch(sentence) is not None
