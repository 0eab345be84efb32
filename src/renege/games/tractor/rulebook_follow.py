"""Following by rules of thumb, node by node after the flowchart: same suit (A), ruff (B), other suits.

A1  has the hand any of the led suit? if not, B1
A2  as many as were led? if not, all of it goes, filled up from other suits
A3  as many pairs as were led? if not, A5
A4  runs to match the led tractors? then the led units are matched; if not, A5
A5  the best lawful play of the suit: points for a partner who wins, as little as possible for a foe
B1  has it trumps?  B2  enough?  B3  enough pairs?  B4  runs to match? if not, other suits go, by who is winning
B5  the choice: a other suits after all, b a ruff, c a higher ruff
"""

from collections.abc import Iterator

from renege.core.cards import Card, Cards, kinds_in
from renege.core.game import Turn
from renege.core.message import join, say
from renege.core.trick import Play
from renege.games.tractor.follow import beats, owed
from renege.games.tractor.order import TRUMP
from renege.games.tractor.rulebook_table import Price, RulebookStep, TableKnowledge
from renege.games.tractor.units import Runs, can_cut, counts, led_shape, only_suit

TRICK = 2.0  # what it is worth to be next to lead
TO_COME = 3.0  # the points that each seat still to play is thought to bring, for each card led
EMPTIED = 6.0  # how much cheaper the cards of a suit are when it is to be emptied
RESCUE = 0.2  # how often the partner, still to play, takes a trick that a foe is winning
WHY_NOT = {
    "A3": "too few pairs",
    "A4": "no such tractor",
    "B1": "no trumps",
    "B2": "too few trumps",
    "B3": "too few pairs of trumps",
    "B4": "no such tractor of trumps",
}


def follow(turn: Turn) -> RulebookStep:
    if turn.led is None:
        return _anything(turn)
    return _Follower(turn).follow()


def follows(turn: Turn) -> list[Cards]:
    """Follows that are worth a thought: with and without points, every way to win, and what empties a suit."""
    if turn.led is None:
        return [_cheapest(turn.hand, len(turn.trick.plays[0].cards), TableKnowledge(turn).price(1.0))]
    follower = _Follower(turn)
    return sorted(set(follower.tried()), key=follower.gain, reverse=True)


def _anything(turn: Turn) -> RulebookStep:
    """To a lead of several suits, which only a record can hold, nothing is owed and nothing wins."""
    assert turn.trick.lead is not None
    pile = _cheapest(turn.hand, len(turn.trick.lead.cards), TableKnowledge(turn).price(1.0))
    strategy = "cross-suit-dispose"
    node = f"A1 {strategy}"
    why = say("{node}: {why}", node, "the lead has no suit to follow")
    return RulebookStep(Play(pile), why, ("A1",), strategy, can_beat=False)


class _Follower:
    def __init__(self, turn: Turn) -> None:
        lead, led = turn.trick.lead, turn.led
        assert lead is not None and led is not None
        self.turn, self.table, self.order = turn, TableKnowledge(turn), turn.order
        self.led, self.shape, self.size = led, led_shape(turn.order, lead), len(lead.cards)
        self.held = turn.order.in_suit(turn.hand, led)
        self.best = turn.trick.plays[turn.trick.best]
        self.partner_ahead = turn.trick.winner == self.table.partner
        later = turn.trick.seats[len(turn.trick.plays) + 1 :]
        self.foes = [seat for seat in later if seat % 2 != turn.seat % 2]
        self.partner_to_come = self.table.partner in later
        self.stake = sum(turn.order.worth(play.cards) for play in turn.trick.plays) + TO_COME * len(later) * self.size
        self.standing = 1 - self._risk(self.best.cards) if self.partner_ahead else 0.0

    # -- the flowchart

    def follow(self) -> RulebookStep:
        path, matches = self._asked("A", self.led, self.held)
        if path[-1] == "A1":
            return self._ruff_or_not()
        if path[-1] == "A2":
            pile = self.held + self._fill(self.turn.hand - self.held, self.size - len(self.held))
            return self._step(
                pile, path, "exhaust-and-fill", say("all {suit} go, and others", self.order.nouns[self.led])
            )
        if len(self.held) == self.size:
            pile = self.held
        else:
            pile = max([self._lawful(1.0), self._lawful(-1.0), *self._winners()], key=self.gain)
        if matches:
            return self._step(pile, path, "same-suit-match", "the led units are matched")
        return self._step(pile, (*path, "A5"), f"same-suit-{self._giving}", WHY_NOT[path[-1]])

    def tried(self) -> Iterator[Cards]:
        """Plays that a careful player would compare."""
        if len(self.held) >= self.size:
            yield from (self._lawful(1.0), self._lawful(-1.0), self._lawful(0.0), *self._winners())
            return
        rest, size = self.turn.hand - self.held, self.size - len(self.held)
        for points in (1.0, -1.0):
            yield self.held + _cheapest(rest, size, self.table.price(points))
            for suit in range(1, len(self.order.suits)):
                yield self.held + _cheapest(rest, size, self._emptying(suit, points))
        if not self.held and self._asked("B", TRUMP, self.table.trumps)[1]:
            yield from self._ruffs()

    def _emptying(self, suit: int, points: float) -> Price:
        """Prices at which the cards of a suit go first."""
        price, led_suit = self.table.price(points), self.order.led_suit
        return lambda card: price(card) - (EMPTIED if led_suit[card] == suit else 0.0)

    def _ruff_or_not(self) -> RulebookStep:
        other = self._fill(self.turn.hand, self.size)
        asked, matches = self._asked("B", TRUMP, self.table.trumps)
        path = ("A1", *asked)
        if not matches:
            return self._step(other, path, f"cross-suit-{self._giving}", WHY_NOT[path[-1]])
        pile = max([other, *self._ruffs()], key=self.gain)
        if not self._beats(pile):
            return self._step(other, (*path, "B5a"), f"cross-suit-{self._giving}", "a ruff would not pay")
        if self.order.suit_of(self.best.cards) == TRUMP:
            return self._step(pile, (*path, "B5c"), "over-ruff", "a higher ruff takes it")
        return self._step(pile, (*path, "B5b"), "ruff", "a ruff takes it")

    def _asked(self, section: str, suit: int, pile: Cards) -> tuple[tuple[str, ...], bool]:
        """The questions that a section asks of a pile, up to the first answered no, and whether none was."""
        pairs = counts(self.order, suit, pile)
        answers = (
            bool(pile),
            len(pile) >= self.size,
            sum(pairs) >= self.shape.led_pairs,
            can_cut(pairs, self.shape.units),
        )
        asked = answers.index(False) + 1 if False in answers else len(answers)
        return tuple(f"{section}{i}" for i in range(1, asked + 1)), all(answers)

    def _step(self, pile: Cards, path: tuple[str, ...], strategy: str, why: str) -> RulebookStep:
        can_beat = self._beats(pile)
        ahead = "it is ahead" if can_beat else "the partner is ahead" if self.partner_ahead else "a foe is ahead"
        why = say("{node}: {why}", f"{path[-1]} {strategy}", join("; ", (why, ahead)))
        return RulebookStep(Play(pile), why, path, strategy, can_beat)

    @property
    def _giving(self) -> str:
        return "contribute" if self._giving_points else "dispose"

    @property
    def _giving_points(self) -> bool:
        """Is the partner ahead, and likely to stay so?"""
        return self.standing > 0.5

    # -- what a play comes to

    def gain(self, pile: Cards) -> float:
        """The points that a play is thought to bring, less what it costs to part with its cards."""
        ours = 1 - self._risk(pile) if self._beats(pile) else self.standing
        if self.partner_to_come:
            ours += (1 - ours) * RESCUE
        table = self.table
        return (2 * ours - 1) * (self.stake + table.points(pile) + TRICK) - table.cost(pile)

    def _risk(self, pile: Cards) -> float:
        return self.table.risk(self.foes, only_suit(self.order, pile), pile, self.shape, self.led)

    def _beats(self, pile: Cards) -> bool:
        return beats(self.turn, self.best, Play(pile))

    # -- plays that keep to the rules

    def _fill(self, pile: Cards, size: int) -> Cards:
        """Cards of any suit: points if our side takes the trick, else the cheapest."""
        return _cheapest(pile, size, self.table.price(-1.0 if self._giving_points else 1.0))

    def _lawful(self, points: float) -> Cards:
        """The cheapest play of the led suit that gives the pairs and runs that are owed."""
        price = self.table.price(points)
        taken, left = self.held.deck.none, self.held
        due, match = owed(self.turn.rules, self.order, self.led, self.held, self.shape)
        runs = tuple(filter(None, match))
        for i, length in enumerate(runs):
            window = min(self._windows(self.led, left, length, runs[i + 1 :]), key=lambda run: _sum(run, price))
            taken, left = taken + window, left - window
        pairs = sorted(kinds_in(left.at_least(2)), key=lambda card: (price(card), card))[: due - sum(runs)]
        mask = sum(1 << card for card in pairs)
        whole = Cards(left.deck, (mask, mask) if mask else ())
        taken, left = taken + whole, left - whole
        return taken + _cheapest(left, self.size - len(taken), price)

    def _windows(self, suit: int, pile: Cards, length: int, rest: Runs) -> Iterator[Cards]:
        """Every run of so many pairs that leaves room for the rest; of pairs side by side the cheapest."""
        steps, pairs, worth = self.order.steps[suit], pile.at_least(2), self.table.worth
        kinds = [min(kinds_in(pairs & step), key=lambda card: (worth[card], card), default=None) for step in steps]
        on = counts(self.order, suit, pile)
        for low in range(len(steps) - length + 1):
            run = [card for card in kinds[low : low + length] if card is not None]
            if len(run) == length:
                left = (*on[:low], *(count - 1 for count in on[low : low + length]), *on[low + length :])
                if can_cut(left, rest):
                    mask = sum(1 << card for card in run)
                    yield Cards(pile.deck, (mask, mask))

    def _winners(self) -> Iterator[Cards]:
        """The units of the led suit that beat the best so far; a throw is beaten by none."""
        if self.shape.is_throw or self.order.suit_of(self.best.cards) != self.led:
            return iter(())
        if self.shape.longest:
            units: Iterator[Cards] = self._windows(self.led, self.held, self.shape.longest, ())
        else:
            units = (self.held.deck.of(1 << card) for card in kinds_in(self.held.kinds))
        return (unit for unit in units if self._beats(unit))

    def _ruffs(self) -> Iterator[Cards]:
        """Trumps cut into the led shape that beat the best so far: for each longest unit the cheapest with it, the one
        with most points, and the highest, as some tables compare every unit."""
        prices: tuple[Price, ...] = self.table.price(0.0), self.table.price(-1.0), lambda card: -self.table.worth[card]
        trumps, units = self.table.trumps, self.shape.units
        firsts = (trumps.deck.of(1 << card) for card in kinds_in(trumps.kinds))
        for first in self._windows(TRUMP, trumps, units[0], units[1:]) if units else firsts:
            for price in prices if self.size > len(first) else prices[:1]:
                pile = self._ruff_with(first, price)
                if pile is not None and self._beats(pile):
                    yield pile

    def _ruff_with(self, first: Cards, price: Price) -> Cards | None:
        """A ruff with this as one of its longest units and the rest at the least price."""
        units, singles = self.shape.units[1:], self.shape.singles - (not self.shape.units)
        taken, left = first, self.table.trumps - first
        for i, length in enumerate(units):
            windows = list(self._windows(TRUMP, left, length, units[i + 1 :]))
            if not windows:
                return None
            window = min(windows, key=lambda run: _sum(run, price))
            taken, left = taken + window, left - window
        return taken + _cheapest(left, singles, price) if len(left) >= singles else None


def _sum(cards: Cards, price: Price) -> float:
    return sum(map(price, cards))


def _cheapest(pile: Cards, size: int, price: Price) -> Cards:
    """So many cards of a pile, the cheapest first."""
    if not size:
        return pile.deck.none
    dear: list[Card] = sorted(pile, key=lambda card: (price(card), card))
    return pile.deck.cards(dear[:size])
