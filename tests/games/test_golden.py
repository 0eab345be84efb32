"""A seeded deal for every contract and preset, as a record that a player can follow.

    RENEGE_GOLDEN=write pytest tests/games/test_golden.py

writes them anew; read the difference before you keep it.
"""

import os
import random
from pathlib import Path

import pytest

from renege import Position, texas42
from renege.core.arbiter import Arbiter, judge
from renege.core.cards import Cards
from renege.core.house_rules import read_rules
from renege.core.record import GameRecord, parse_game_record
from renege.core.registry import find_game
from renege.core.trick import Play
from renege.games import schafkopf, tractor
from renege.games.texas42.rules import PRESETS, Rules
from support.schafkopf_deals import begin_deal
from support.steering import CONTRACTS, Choose, deals_for, play_out, steer

SCHAFKOPF = (
    "rufspiel E", "rufspiel S", "solo G", "wenz tout", "farbgeier H", "bettel", "ramsch", "hochzeit", "sie",
)  # fmt: skip
GOLDEN = Path(__file__).parents[1] / "data" / "golden"
WRITE = os.environ.get("RENEGE_GOLDEN") == "write"


def anything(position: Position, rng: random.Random) -> str | Play:
    return rng.choice(position.legal_calls) if position.talking else position.legal_plays.choose(rng)


def small_end_first(position: Position, rng: random.Random) -> str | Play:
    if not position.talking:
        named = [play for play in position.legal_plays if play.suit is not None]
        return rng.choice(named or list(position.legal_plays))
    return steer("30", "trump 5")(position, rng)


def contract_deal(bid: str, declared: str) -> GameRecord:
    game = texas42.game()
    return GameRecord(game, (play_out(game, next(deals_for(bid, game, 42)), steer(bid, declared)),))


def house_deal(choose: Choose, **choices: str) -> GameRecord:
    game = texas42.game(read_rules(Rules(), choices))
    return GameRecord(game, (play_out(game, 7, choose),))


def preset_deals(name: str) -> GameRecord:
    """The first three deals of a game, the first with nothing but passes where nobody is forced."""
    record = GameRecord(texas42.game(PRESETS[name]))
    chooses: list[Choose] = [steer("nothing", "trump 5"), anything, steer("31", "trump 3")]
    for seed, choose in enumerate(chooses, start=100):
        deal = play_out(record.game, seed, choose, record.standing)
        record = GameRecord(record.game, (*record.deals, deal))
    return record


def tractor_deal(seed: int, **choices: str) -> GameRecord:
    """Seats show what they can, unless the kitty may name trumps; leads are of one kind, or throws now and then."""
    game = tractor.game(read_rules(tractor.Rules(), choices))

    def choose(position: Position, rng: random.Random) -> str | Play:
        if position.talking:
            return position.legal_calls[0 if "no_call" in choices else -1]
        assert position.trick is not None and isinstance(position.hand, Cards)
        if position.trick.lead is None and rng.random() < 0.9:
            return Play(position.hand.only(1 << rng.choice(list(position.hand))))
        return position.legal_plays.choose(rng)

    return GameRecord(game, (play_out(game, seed, choose),))


def schafkopf_deal(declaration: str, preset: str = "default") -> GameRecord:
    game, rng = schafkopf.game(schafkopf.PRESETS[preset]), random.Random(declaration)
    table = Arbiter.resume(begin_deal(game, declaration, rng))
    while (seat := table.position.turn) is not None:
        raises = seat in table.position.speakers and table.position.legal_calls
        table.act(seat, "stoss" if raises and rng.random() < 0.2 else table.position.legal_plays.choose(rng))
    return GameRecord(game, (table.record,))


RECORDS = {
    **{f"tractor-{seed}": (tractor_deal, (seed,), {}) for seed in (1, 2)},
    "tractor-house-turn-kitty": (tractor_deal, (3,), {"no_call": "turn-kitty", "stopped_throw": "refused"}),
    **{f"schafkopf-{declaration}".replace(" ", "-"): (schafkopf_deal, (declaration,), {}) for declaration in SCHAFKOPF},
    "schafkopf-short-rufspiel-G": (schafkopf_deal, ("rufspiel G", "short"), {}),
    **{
        f"texas42-{bid}-{declared}".replace(" ", "-"): (contract_deal, (bid, declared), {})
        for bid, declared in CONTRACTS
    },
    **{f"texas42-game-{name}": (preset_deals, (name,), {}) for name in PRESETS},
    "texas42-house-exchange": (house_deal, (steer("1 mark", "nello"),), {"nello_exchange": "one-tile"}),
    "texas42-house-small-end": (house_deal, (small_end_first,), {"opening_lead": "small-end", "early_end": "play-on"}),
    "texas42-house-forced-nello": (house_deal, (steer("nothing", "nello"),), {"all_pass": "force-nello"}),
    "texas42-house-declarers-win-ties": (house_deal, (steer("1 mark", "sevens"),), {"sevens_tie": "declarers"}),
}


@pytest.mark.parametrize("name", RECORDS)
def test_a_seeded_deal_is_played_as_it_always_was(name: str):
    make, given, choices = RECORDS[name]
    record, path = make(*given, **choices), GOLDEN / f"{name}.txt"
    if WRITE:
        path.write_text(str(record))
    assert str(record) == path.read_text()
    again = parse_game_record(path.read_text(), find_game)
    assert again == record
    for deal in again.deals:
        assert list(deal.replay()) == list(deal.positions())
        assert judge(deal)


def test_there_is_no_record_that_nobody_writes():
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(RECORDS)
