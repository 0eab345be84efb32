"""Whole deals of Schafkopf at random, steered to the contract that a test needs, in the words of the brute force."""

import os
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reference import schafkopf as reference
from renege.core.cards import Cards
from renege.core.deal_state import Act
from renege.core.game import Game
from renege.core.position import Position, deal_position
from renege.core.record import Record
from renege.core.trick import Play
from renege.games import schafkopf
from renege.games.schafkopf.rules import AllPass, PackSize, Rules

SOAK = int(os.environ.get("RENEGE_SOAK", "1"))


@dataclass(frozen=True)
class Deal:
    """A deal that was played out: the contract in words, the hands it was played from, and its tricks."""

    record: Record
    short: bool

    @property
    def end(self) -> Position:
        return self.record.position

    @property
    def contract(self) -> schafkopf.Bargain:
        assert isinstance(self.end.contract, schafkopf.Bargain)
        return self.end.contract

    @property
    def hands(self) -> list[list[str]]:
        """The hands at the first lead."""
        first = next(position for position in self.record.positions() if position.contract is not None)
        return [str(hand).split() for hand in first.hands]

    @property
    def tricks(self) -> list[list[str]]:
        cards = [str(act.what) for act in self.record.acts if isinstance(act.what, Play)]
        return [cards[i : i + 4] for i in range(0, len(cards), 4)]


def hands_for(declaration: str, rng: random.Random, short: bool) -> list[list[str]]:
    """Four hands that allow seat 0 to declare this; what it may not hold goes to another seat."""
    while True:
        pack = reference.deck(short)
        rng.shuffle(pack)
        size = len(pack) // 4
        hands = [pack[i * size : (i + 1) * size] for i in range(4)]
        if declaration == "sie":
            wanted = reference.trumps("sie")[:size]
        elif declaration == "hochzeit":
            one = rng.choice(reference.trumps("hochzeit", short))
            plain = [card for card in pack if reference.suit_of(card, "hochzeit") != "T"]
            wanted = [one, *rng.sample(plain, size - 1)]
        elif declaration in reference.RENONCES:
            wanted = ["EO", *rng.sample([card for card in pack if card != "EO"], size - 1)]
            if declaration.endswith("Z"):
                aces = ["EA", "GA", "SA"]
                rest = [card for card in pack if card not in ("EO", *aces, declaration[-2:])]
                wanted = ["EO", *aces, *rng.sample(rest, size - 4)]
        else:
            wanted = hands[0]
        rest = [card for card in pack if card not in wanted]
        hands = [wanted, *(rest[i * size : (i + 1) * size] for i in range(3))]
        if declaration in reference.RENONCES:
            if not reference.callable_suits(hands[0]) and reference.called_card(declaration) not in hands[0]:
                return hands
        elif not declaration.startswith("rufspiel") or reference.may_call(hands[0], declaration[-1]):
            return hands


def two_lone_trumps(rng: random.Random, short: bool) -> list[list[str]]:
    """Four hands: the first and one of the others have one trump alone."""
    pack = reference.deck(short)
    size = len(pack) // 4
    plain = [card for card in pack if reference.suit_of(card, "hochzeit") != "T"]
    ones = rng.sample(reference.trumps("hochzeit", short), 2)
    rng.shuffle(plain)
    alone = [[one, *plain[i * (size - 1) : (i + 1) * (size - 1)]] for i, one in enumerate(ones)]
    rest = [card for card in pack if card not in (*alone[0], *alone[1])]
    rng.shuffle(rest)
    return [alone[0], *rng.sample([alone[1], rest[:size], rest[size:]], 3)]


def bid_for(declaration: str) -> str:
    kind = declaration.split()[0]
    return f"{kind} tout" if declaration.endswith("tout") else kind


def begin_deal(game: Game, declaration: str, rng: random.Random) -> Record:
    """A deal whose talk has led to this contract: seat 0 bids, the others pass; all pass to a Ramsch."""
    short = game.rules.deck is PackSize.SHORT
    hands = hands_for(declaration, rng, short)
    piles = tuple(game.deck.cards(game.deck.spellings[card] for card in hand) for hand in hands)
    record = Record(deal_position(game, game.opening, piles))
    while (position := record.position).talking:
        assert position.turn is not None
        wishes = ["accept"] if declaration == "hochzeit" else []
        wishes += [declaration, bid_for(declaration)] if position.turn == 0 else []
        calls = position.legal_calls
        call = next((wish for wish in wishes if wish in calls), "pass" if "pass" in calls else rng.choice(calls))
        record = record.with_act(Act(position.turn, call))
    assert record.position.contract is not None and record.position.contract.declaration == declaration
    return record


def deals(
    name: str,
    count: int,
    *,
    careless: float = 0.0,
    rules: Rules | None = None,
    declarations: Sequence[str] = reference.DECLARATIONS,
) -> Iterator[Deal]:
    """Deals of every contract, with both packs in turn; a careless seat may play any card."""
    for number in range(count * SOAK):
        for declaration in declarations:
            rng = random.Random(f"{name} {declaration} {number}")
            short = number % 3 == 2
            house = rules or (schafkopf.PRESETS["short"] if short else Rules())
            if declaration == "ramsch" and house.all_pass is not AllPass.RAMSCH:
                continue
            record = begin_deal(schafkopf.game(house), declaration, rng)
            position, acts = record.position, list(record.acts)
            while not position.over:
                assert position.turn is not None and isinstance(position.hand, Cards)
                anything = rng.random() < careless
                card = rng.choice(list(position.hand)) if anything else None
                play = position.legal_plays.choose(rng) if card is None else Play(position.hand.only(1 << card))
                acts.append(Act(position.turn, play))
                position = position.then(acts[-1])
            yield Deal(Record(record.start, tuple(acts)), house.deck is PackSize.SHORT)
