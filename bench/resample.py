"""OpenSpiel's `resample_from_infostate` in its trick games, as `audit.py` asks for it.

A history of OpenSpiel is a list of actions: the cards as they were dealt, then calls and plays. A sampled state has
such a history too, so that it can be replayed under the game's own rules; and where few cards are hidden, every
history with other hidden cards can be written and replayed.
"""

import math
import random
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any

MOST_DEALS = 2000  # of the hidden cards, replayed to find the worlds of one set
BID, PASS, DENOMINATIONS = 55, 52, 5  # bridge's first bid, one club
GO_ALONE = 29  # euchre's last call, or the next number
History = Sequence[int]


def no_seat(history: History, start: int) -> int | None:
    return None


def bridge_start(history: History, legal: Sequence[int]) -> int | None:
    if legal[0] >= PASS:
        return None
    return next((place for place in range(52, len(history)) if history[place] < PASS), len(history))


def dummy(history: History, start: int) -> int | None:
    """Whose hand lies on the table, once the opening lead is made. The dealer is seat 0."""
    if len(history) == start:
        return None
    bids = [(place % 4, action - BID) for place, action in enumerate(history[52:start]) if action >= BID]
    last, contract = bids[-1]
    named = (seat for seat, bid in bids if (bid - contract) % DENOMINATIONS == 0 and (seat - last) % 2 == 0)
    return (next(named) + 2) % 4


def euchre_start(history: History, legal: Sequence[int]) -> int | None:
    return next((place + 1 for place in range(22, len(history)) if history[place] >= GO_ALONE), None)


def euchre_discard(history: History, start: int) -> int | None:
    """Where the dealer's discard stands, if the upcard was ordered up in the first round of four calls."""
    called = next(place for place in range(22, start) if history[place] != 24)
    return called + 1 if called < 26 else None


@dataclass(frozen=True)
class Layout:
    """Where the cards are in a game's history: a deal that goes round, perhaps a card turned up, calls, and plays."""

    first: int  # where the deal begins
    deck: int
    players: int
    dealt: Callable[[History], int]
    start: Callable[[History, Sequence[int]], int | None]  # of the play, None before it
    turned: bool = False
    first_seat: Callable[[History], int] = lambda history: 0
    open_hand: Callable[[History, int], int | None] = no_seat
    discard: Callable[[History, int], int | None] = no_seat

    def seats(self, history: History) -> list[int]:
        """Who gets each card of the deal."""
        return [(self.first_seat(history) + place) % self.players for place in range(self.dealt(history))]

    def hands(self, history: History) -> list[set[int]]:
        hands: list[set[int]] = [set() for _ in range(self.players)]
        for seat, card in zip(self.seats(history), history[self.first :], strict=False):
            hands[seat].add(card)
        return hands


def oh_hell(players: int) -> Layout:
    def dealt(history: History) -> int:
        return history[0] * players

    def start(history: History, legal: Sequence[int]) -> int | None:
        begins = 2 + dealt(history) + 1 + players
        return begins if len(history) >= begins else None

    return Layout(2, 52, players, dealt, start, turned=True)


def hearts_start(history: History, legal: Sequence[int]) -> int | None:
    begins = 53 + (12 if history[0] else 0)
    return begins if len(history) >= begins else None


HEARTS = Layout(1, 52, 4, lambda history: 52, hearts_start)
EUCHRE = Layout(
    1,
    24,
    4,
    lambda history: 20,
    euchre_start,
    turned=True,
    first_seat=lambda history: history[0],
    discard=euchre_discard,
)
BRIDGE = Layout(0, 52, 4, lambda history: 52, bridge_start, open_hand=dummy)
# name, layout, the game as it is audited, and as it is where worlds are listed
OPENSPIEL = [
    ("bridge", BRIDGE, "bridge(use_double_dummy_result=false)", "bridge(use_double_dummy_result=false)"),
    ("hearts", HEARTS, "hearts", "hearts(pass_cards=false)"),
    ("euchre", EUCHRE, "euchre", "euchre"),
    ("oh_hell 3p", oh_hell(3), "oh_hell(players=3)", "oh_hell(players=3,num_tricks_fixed=16)"),
    ("oh_hell 4p", oh_hell(4), "oh_hell(players=4)", "oh_hell(players=4,num_tricks_fixed=12)"),
    ("oh_hell 5p", oh_hell(5), "oh_hell(players=5)", "oh_hell(players=5,num_tricks_fixed=10)"),
]
SILENT = ("skat", "spades", "tarok", "dou_dizhu")  # games with hidden hands where it is not implemented


class SpielPoint:
    rejects = False

    def __init__(self, game: Any, layout: Layout, state: Any, start: int) -> None:
        self.game, self.layout, self.state, self.start = game, layout, state, start
        self.seat = state.current_player()
        self.seen = state.information_state_string(self.seat)

    def draw(self, n: int, seed: int) -> list[Any]:
        uniform = random.Random(seed).random
        return [self.state.resample_from_infostate(self.seat, uniform) for _ in range(n)]

    def is_legal(self, world: Any) -> bool:
        return self._broken(world.history())[1] is None

    def looks_same(self, world: Any) -> bool:
        return world.current_player() == self.seat and world.information_state_string(self.seat) == self.seen

    def key(self, world: Any) -> Hashable:
        return self._key(world.history())

    def listed(self) -> dict[Hashable, int] | None:
        """Every deal of the hidden cards, and every discard, that the game's own rules let happen as it did."""
        history, layout = self.state.history(), self.layout
        played = set(history[self.start :])
        known: list[list[int]] = [[] for _ in range(layout.players)]
        shown = {self.seat, layout.open_hand(history, self.start)}
        for seat, hand in enumerate(layout.hands(history)):
            known[seat] = sorted(hand if seat in shown else hand & played)
        turned = {history[layout.first + layout.dealt(history)]} if layout.turned else set[int]()
        hidden = sorted(set(range(layout.deck)) - turned - {card for hand in known for card in hand})
        size = layout.dealt(history) // layout.players
        sizes = [size - len(hand) for hand in known]
        if arrangements([*sizes, len(hidden) - sum(sizes)]) > MOST_DEALS:
            return None
        weights: dict[Hashable, int] = {}
        for hands in ways_to_deal(hidden, sizes):
            for told in self._histories(known, hands):
                end, broken = self._broken(told)
                if broken is None and self.looks_same(end):
                    weights[self._key(told)] = 1
        assert self._key(history) in weights, history
        return weights

    def arrays(self, n: int, seed: int) -> bool:
        return False

    def tell(self, world: Any) -> str:
        """Where it breaks, and the history, so that anyone can replay it."""
        history = world.history()
        state, broken = self._broken(history)
        assert broken is not None
        action, seat = history[broken], state.current_player()
        may = " ".join(state.action_to_string(seat, other) for other in state.legal_actions())
        what = f"action {broken} is seat {seat}'s {state.action_to_string(seat, action)}, where the world allows {may}"
        return f"{self.game}: seat {self.seat} asked; {what}; history {' '.join(map(str, history))}"

    def _broken(self, history: History) -> tuple[Any, int | None]:
        """Replays from the root; where an action is not legal, the state there and its place."""
        state = self.game.new_initial_state()
        for place, action in enumerate(history):
            if action not in state.legal_actions():
                return state, place
            state.apply_action(action)
        return state, None

    def _key(self, history: History) -> Hashable:
        discard = self.layout.discard(history, self.start)
        gone = None if discard is None else history[discard]
        return (*map(frozenset, self.layout.hands(history)), gone)

    def _histories(self, known: Sequence[Sequence[int]], hands: Sequence[Sequence[int]]) -> Iterator[list[int]]:
        """The history with other hidden hands; a discard that was not seen may be any of them."""
        history, layout = list(self.state.history()), self.layout
        piles = [[*ours, *theirs] for ours, theirs in zip(known, hands, strict=True)]
        for place, seat in enumerate(layout.seats(history)):
            history[layout.first + place] = piles[seat].pop()
        place = layout.discard(history, self.start)
        dealer = layout.first_seat(history)
        if place is None or dealer == self.seat:
            yield history
            return
        for card in hands[dealer]:
            yield [*history[:place], card, *history[place + 1 :]]


def arrangements(sizes: Sequence[int]) -> int:
    """Ways to divide different cards among piles of these sizes."""
    return math.factorial(sum(sizes)) // math.prod(map(math.factorial, sizes))


def ways_to_deal(cards: Sequence[int], sizes: Sequence[int]) -> Iterator[list[tuple[int, ...]]]:
    """Every way to give hands of these sizes; what is over stays out."""
    if not sizes:
        yield []
        return
    for hand in combinations(cards, sizes[0]):
        rest = [card for card in cards if card not in hand]
        for others in ways_to_deal(rest, sizes[1:]):
            yield [hand, *others]


def spiel_deals(game: Any, layout: Layout, seed: int) -> Iterator[list[Callable[[], SpielPoint]]]:
    rng = random.Random(f"deals {seed}")
    while True:
        state = game.new_initial_state()
        deal: list[Callable[[], SpielPoint]] = []
        while not state.is_terminal():
            legal = state.legal_actions()
            start = None if state.is_chance_node() else layout.start(state.history(), legal)
            if start is not None:
                deal.append(partial(SpielPoint, game, layout, state.clone(), start))
            state.apply_action(rng.choice(legal))
        if deal:
            yield deal
