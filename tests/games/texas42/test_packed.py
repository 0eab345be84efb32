"""Does the kernel play Texas 42 as the Python rules do? Every declaration, doubles policy and contract."""

import os
import random

import numpy as np
import pytest

from renege import texas42
from renege.core.cards import Hidden
from renege.core.position import Position, begin
from renege.core.position_text import parse_position
from renege.core.verdict import WrongPhase
from renege.games.texas42.contract import read_contract
from renege.games.texas42.packed import pack
from renege.games.texas42.rules import EarlyEnd, OpeningLead, Rules, SevensTie
from renege.native import cards as native
from support.boundary_keys import boundary_keys, from_boundary_keys
from support.texas42_rows import unpack

SOAK = int(os.environ.get("RENEGE_SOAK", "1"))
GAME = texas42.game(Rules(early_end=EarlyEnd.PLAY_ON))
TRUMPS = [f"trump {name}" for name in (*range(7), "doubles")]
CONTRACTS = [
    *(f"{trump} bid 30 by 0" for trump in TRUMPS),
    *(f"{trump} bid 41 by 3 forced" for trump in TRUMPS),
    *(f"{trump} bid 2 marks by 1" for trump in TRUMPS),
    *(f"{trump} plunge 4 marks by 2" for trump in TRUMPS),
    *(f"{trump} splash 3 marks by 3" for trump in TRUMPS),
    *(f"follow-me{doubles} bid 35 by 1" for doubles in ("", " doubles low", " doubles own")),
    *(
        f"nello{doubles} bid 1 mark by {seat}"
        for doubles in ("", " doubles low", " doubles high", " doubles own-inverted")
        for seat in range(4)
    ),
    *(f"sevens bid 1 mark by {seat}" for seat in range(4)),
]
every_contract = pytest.mark.parametrize("contract", CONTRACTS)


def dealt(contract: str, seed: int) -> Position:
    hands, _ = GAME.deal(seed)
    return begin(GAME, read_contract(GAME.rules, contract), hands)


@every_contract
def test_the_packed_state_reads_back_at_every_play(contract: str) -> None:
    for seed in range(SOAK):
        position, rng = dealt(contract, seed), random.Random(seed)
        while not position.over:
            assert unpack(GAME, pack(position)) == position
            position = position.put(position.legal_plays.choose(rng))
        assert unpack(GAME, pack(position)) == position


@every_contract
def test_kernel_and_python_agree_on_every_play_of_random_deals(contract: str) -> None:
    starts = [dealt(contract, seed) for seed in range(4 * SOAK)]
    assert starts[0].order is not None
    tables = native.tables(starts[0].order)
    played = native.playouts(tables, np.stack([pack(start) for start in starts]), seed=7, plays=True)
    assert played.plays is not None
    for start, row, final in zip(starts, played.plays, played.states, strict=True):
        position = start
        for card in row[row != native.NO_CARD].tolist():
            state = pack(position)
            legal = int(native.legal_masks(tables, state[None])[0])
            assert legal == sum(play.cards.kinds for play in position.legal_plays), position
            position = position.play(texas42.DECK.of(1 << card))
            after = native.step(tables, state[None], np.array([card], np.uint8))[0]
            assert after.tolist() == pack(position).tolist(), position
        assert position.over
        assert final.tolist() == pack(position).tolist()


@every_contract
def test_thirty_bits_name_what_is_left_between_two_tricks(contract: str) -> None:
    start = position = dealt(contract, 3)
    rng = random.Random(3)
    while not position.over:
        if position.trick is not None and not position.trick.plays:
            key = boundary_keys(pack(position)[None])
            assert int(key[0]) < 1 << 30
            left = unpack(GAME, from_boundary_keys(key, pack(start)[None])[0])
            assert (left.hands, left.turn, left.tricks_played) == (position.hands, position.turn, 0)
        position = position.put(position.legal_plays.choose(rng))


@pytest.mark.parametrize(
    ("text", "rules", "reason"),
    [
        ("dealer 3", Rules(), "auction"),
        ("trump 5 | hand 6-6 6-5 3-1", Rules(), "not told"),
        ("trump 5 | led 6-4 as 4 | hand 6-6 6-5 3-1", Rules(opening_lead=OpeningLead.SMALL_END), "small end"),
        ("sevens | hand 6-6 6-5 3-1", Rules(sevens_tie=SevensTie.DECLARERS), "ties"),
    ],
)
def test_what_cannot_be_packed_says_why(text: str, rules: Rules, reason: str) -> None:
    with pytest.raises(WrongPhase, match=reason):
        pack(parse_position(texas42.game(rules), text))


def test_hands_may_be_hidden_only_outside_the_kernel() -> None:
    position = dealt("trump 5 bid 30 by 0", 1)
    hidden = begin(GAME, position.contract, (Hidden(7), *position.hands[1:]))  # pyright: ignore[reportArgumentType]
    with pytest.raises(WrongPhase):
        pack(hidden)


def test_a_bid_that_has_no_room_in_the_packed_state_is_refused() -> None:
    text = "trump 5 bid 20 marks by 0 | 0: 6-6 | 1: 5-5 | 2: 4-4 | 3: 3-3"
    with pytest.raises(ValueError, match="bid"):
        pack(texas42.position(text))
