"""Leading by rules of thumb: what is provably unbeatable first, all of a suit together, then the best bet.

L1  is there a suit that all others are void in? all of it is led
L2  are there units that nothing out can beat? all of them from the suit that has most
L3  does it pay to pull trumps?
L4  is there a unit that is likely to hold, or that the partner may ruff?
L5  else what costs least
"""

from collections.abc import Iterator
from dataclasses import dataclass

from renege.core.cards import Cards
from renege.core.game import SEATS, Turn
from renege.core.message import say
from renege.core.trick import Play
from renege.games.tractor.order import TRUMP
from renege.games.tractor.rulebook_table import RulebookStep, TableKnowledge
from renege.games.tractor.rules import TrumpThrows
from renege.games.tractor.units import cut, shape_of

RUFFED = 0.25  # a bundle that is more likely than this to be ruffed stays in the hand
LIKELY = 0.4  # a unit less likely than this to be beaten is led to win
OTHERS = 4.0  # the points that the others are thought to add to each card led
RESCUE, PARTNER_RUFFS = 0.25, 0.6  # how often the partner takes what a foe would have; where the partner may ruff


@dataclass(frozen=True, slots=True)
class LeadUnit:
    """Cards that may be led, and what is thought of that."""

    suit: int
    cards: Cards
    sure: bool  # nothing that is out beats it in its suit
    risk: float  # that a foe takes it
    gain: float


def lead(turn: Turn) -> RulebookStep:
    return _Leader(turn).lead()


def leads(turn: Turn) -> Iterator[Cards]:
    """Leads that are worth a thought, one for each of a kind: what is sure, runs, high and low pairs and singles."""
    leader = _Leader(turn)
    kinds: dict[tuple[int, int], list[LeadUnit]] = {}
    for suit in range(len(turn.order.suits)):
        if (bundle := leader.bundle(suit)) is not None:
            yield bundle.cards
    for unit in leader.units:
        kinds.setdefault((unit.suit, len(unit.cards)), []).append(unit)
    for (suit, _), units in kinds.items():
        units.sort(key=lambda unit: leader.table.top(suit, unit.cards))
        yield from (unit.cards for unit in (units[-1], units[0], max(units, key=lambda unit: unit.gain)))


class _Leader:
    def __init__(self, turn: Turn) -> None:
        self.table = TableKnowledge(turn)
        self.turn, self.order = turn, turn.order
        self.foes = [seat for seat in SEATS if seat % 2 != turn.seat % 2]
        self.units = [self._weigh(suit, cards) for suit in range(len(self.order.suits)) for cards in self._cut(suit)]

    def lead(self) -> RulebookStep:
        bundles = [bundle for suit in range(len(self.order.suits)) if (bundle := self.bundle(suit)) is not None]
        free = [bundle for bundle in bundles if bundle.risk <= RUFFED]
        all_void = [bundle for bundle in free if self.table.all_void(bundle.suit)]
        if all_void:
            best = max(all_void, key=_size)
            return self._step(best, ("L1",), "all-void", say("no other seat has {suit}", self.order.nouns[best.suit]))
        if free:
            best = max(free, key=_size)
            strategy = "bundle" if shape_of(self.order, best.suit, best.cards).is_throw else "top"
            return self._step(best, ("L1", "L2"), strategy, "nothing that is out beats it")
        best = max(self.units, key=lambda unit: (unit.gain, -unit.cards.kinds))
        if best.suit == TRUMP and len(self.order.in_suit(self.turn.hand, TRUMP)) < len(self.turn.hand):
            return self._step(best, ("L1", "L2", "L3"), "pull-trumps", "trumps are worth pulling")
        if not best.sure and self._partner_ruffs(best.suit):
            return self._step(best, ("L1", "L2", "L3", "L4"), "to-partner", "the partner may ruff it")
        if best.risk < LIKELY:
            return self._step(best, ("L1", "L2", "L3", "L4"), "top", "it is likely to hold")
        return self._step(best, ("L1", "L2", "L3", "L4", "L5"), "low", "it costs least")

    def _step(self, unit: LeadUnit, path: tuple[str, ...], strategy: str, why: str) -> RulebookStep:
        return RulebookStep(
            Play(unit.cards), say("{node}: {why}", f"{path[-1]} {strategy}", why), path, strategy, unit.sure
        )

    # -- units and bundles

    def _cut(self, suit: int) -> Iterator[Cards]:
        """The units of a suit that are worth a thought: as it is cut, each pair of a run too, low singles last."""
        held = self.order.in_suit(self.turn.hand, suit)
        if not held:
            return
        for unit in cut(self.order, suit, held):
            yield unit
            if len(unit) > 2:
                yield from (Cards(held.deck, (1 << card, 1 << card)) for card in set(unit))

    def bundle(self, suit: int) -> LeadUnit | None:
        """All units of a suit that nothing beats; of trumps only if there is nothing else, and one if they owe it."""
        held = self.order.in_suit(self.turn.hand, suit)
        if not held or (suit == TRUMP and len(held) < len(self.turn.hand)):
            return None
        sure = [unit for unit in cut(self.order, suit, held) if not self.table.beatable(suit, unit)]
        if not sure:
            return None
        pile = held.deck.none
        for unit in sure:
            pile = pile + unit
        alone = suit == TRUMP and self.turn.rules.trump_throws is TrumpThrows.FORBIDDEN
        if alone or any(self.table.beatable(suit, unit) for unit in cut(self.order, suit, pile)):
            pile = max(sure, key=len)  # no throw, or one that would be read as other units than were proved
        return self._weigh(suit, pile)

    def _weigh(self, suit: int, cards: Cards) -> LeadUnit:
        table, shape = self.table, shape_of(self.order, suit, cards)
        rescue = 0.0 if shape.cards > 2 else PARTNER_RUFFS if self._partner_ruffs(suit) else RESCUE
        risk = table.risk(self.foes, suit, cards, shape, suit) * (1 - rescue)
        gain = (1 - 2 * risk) * (table.points(cards) + OTHERS * len(cards)) - table.cost(cards)
        return LeadUnit(suit, cards, shape.is_throw or not table.beatable(suit, cards), risk, gain)

    def _partner_ruffs(self, suit: int) -> bool:
        """Has the partner shown to have none of a suit, and may have trumps?"""
        partner = self.table.partner
        return suit != TRUMP and not self.table.may_hold(partner, suit) and self.table.may_hold(partner, TRUMP)


def _size(bundle: LeadUnit) -> tuple[int, float]:
    return len(bundle.cards), bundle.gain
