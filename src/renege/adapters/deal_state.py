"""The state of a deal from the first card that is dealt on: all that a state of OpenSpiel holds.

A `DealState` is immutable. In version 1 chance says first who deals, and at which levels. While cards are dealt it has
those dealt so far; then it has a `Moment`, and with it each act as each seat heard it. A seat knows the order in which
it picked the cards of its own play; the others see the whole play.
"""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import factorial
from typing import Any

import numpy as np

from renege.belief import Belief
from renege.core.cards import Cards, Hand, known_cards
from renege.core.game import KITTY, Game, Standing
from renege.core.house_rules import write_rules
from renege.core.record import Record
from renege.core.trick import Play
from renege.core.view import heard_by_all
from renege.core.world import World
from renege.envs import find
from renege.games.encoding import Encoding, Moment, encoding_of
from renege.games.rows import Rows
from renege.native.arrays import U8
from renege.search.regret.expand import every_deal

ALL = -1  # stands for who hears what everybody hears, behind all seats
CHANCE, OVER = -1, -4  # who acts while cards are dealt, and at the end; as OpenSpiel numbers them
DEALS = ("cards", "whole")
MOST_DEALS = 200_000


class GameSetup:
    """A game and how it is dealt: card by card, a hand after the other, or all at once where deals can be listed."""

    def __init__(self, encoding: Encoding, deal: str = DEALS[0]) -> None:
        if deal not in DEALS:
            raise ValueError(f"deal is {deal!r}; it is one of {' '.join(DEALS)}")
        self.encoding, self.deal = encoding, deal
        self.game: Game = encoding.game
        self.draws = encoding.rows.version > 0
        """Does chance say first where a deal stands?"""
        self.dealt = self.game.players * self.game.hand_size  # the kitty is what is left
        if deal == "whole" and (least := _fewest_deals(self.game)) > MOST_DEALS:
            raise ValueError(f"{self.game.name} has {least} deals or more: too many for one chance node; deal cards")

    @cached_property
    def every(self) -> tuple[tuple[Moment, float], ...]:
        """All deals, each with how likely it is."""
        found = [
            (self.encoding.begin(list(map(known_cards, start.hands)), known_cards(start.kitty)), weight)
            for start, weight in every_deal(self.game)
        ]
        total = sum(weight for _, weight in found)
        return tuple((moment, weight / total) for moment, weight in found)

    @cached_property
    def numbers(self) -> dict[tuple[Hand, ...], int]:
        """The number of a deal, by its hands."""
        return {moment.start.hands: number for number, (moment, _) in enumerate(self.every)}

    def start(self) -> "DealState":
        """Before the first card."""
        return DealState(self, (), ())

    def weights(self, draws: Sequence[int]) -> tuple[int, ...]:
        """How likely each number is that says where the deal stands, after these."""
        weights = self.encoding.draws(draws)
        assert not isinstance(weights, Standing)
        return weights

    @cached_property
    def most_draws(self) -> tuple[int, int]:
        """How many numbers say where a deal stands, and how many each may be, at most."""
        draws, most = list[int](), 0
        while self.draws and not isinstance(weights := self.encoding.draws(draws), Standing):
            draws.append(len(weights) - 1)  # what comes last goes on longest
            most = max(most, len(weights))
        return len(draws), most

    def chances(
        self, dealt: Sequence[int], draws: Sequence[int] = (), *, stands: bool = True
    ) -> list[tuple[int, float]]:
        """What chance may do next, and how likely it is: first where the deal stands, if that is drawn."""
        if not stands:
            weights = self.weights(draws)
            return [(number, weight / sum(weights)) for number, weight in enumerate(weights)]
        if self.deal == "whole":
            return [(number, chance) for number, (_, chance) in enumerate(self.every)]
        left = self.game.deck.all - self.game.deck.cards(dealt)
        return [(card, left.count(card) / len(left)) for card in sorted(set(left))]

    def dealings(self, start: Sequence[Cards], standing: Standing | None = None) -> tuple[int, ...]:
        """The chances by which these hands are dealt, in a deal that stands so."""
        first = self.encoding.drawn_by(standing) if self.draws and standing is not None else ()
        if self.deal == "whole":
            return (*first, self.numbers[tuple(start)])
        return (*first, *(card for hand in start for card in hand))

    def __reduce__(self) -> tuple[Any, ...]:
        return _table, (self.game.name, write_rules(self.game.rules), self.deal, self.encoding.rows.version)


def _fewest_deals(game: Game) -> int:
    """No more than there are: as if every two copies of a card always lay apart."""
    deck, size = game.deck, game.hand_size
    labelled = factorial(len(deck)) // (factorial(size) ** game.players * factorial(game.kitty_size))
    return labelled // factorial(deck.copies) ** deck.kinds.bit_count()


def _table(name: str, choices: dict[str, str], deal: str, version: int) -> GameSetup:
    return GameSetup(encoding_of(find(name, choices), Rows(version)), deal)


@dataclass(frozen=True, slots=True)
class HeardAct:
    """An act: what its seat did, by number, and what everybody heard of it."""

    seat: int
    picked: tuple[int, ...]  # in the order in which the seat picked them
    shown: tuple[int, ...]  # as others see them: a play lies on the table all at once
    back: Cards  # of a throw that was stopped, taken back
    heard: tuple[str, ...]  # by each seat, and by all
    hidden: tuple[bool, ...]  # is that less than all of it?

    def order_for(self, seat: int) -> tuple[int, ...]:
        """The numbers as a seat knows them: its own in the order in which it picked them."""
        return self.picked if seat == self.seat else self.shown

    def seen_by(self, seat: int) -> "HeardAct":
        """The act with nothing in it that this seat does not know."""
        return self if len(self.picked) == 1 or seat == self.seat else replace(self, picked=self.shown)


@dataclass(frozen=True, slots=True, eq=False)
class DealState:
    """The state of a deal; immutable."""

    table: GameSetup
    history: tuple[tuple[int, int], ...]  # who did what, chance being CHANCE
    dealt: tuple[int, ...]
    moment: Moment | None = None
    told: tuple[HeardAct, ...] = ()
    picked: tuple[int, ...] = ()  # by the seat to act, for the play or call under way
    drawn: Standing | None = None  # where the deal stands, while its cards are dealt
    draws: tuple[int, ...] = ()  # the numbers that say so, as far as they are drawn
    _beliefs: dict[int, Belief] = field(default_factory=dict[int, Belief])  # by seat, made when they are asked for
    _rows: dict[int | None, U8] = field(default_factory=dict[int | None, U8])

    @property
    def player(self) -> int:
        if self.moment is None:
            return CHANCE
        return OVER if self.moment.turn is None else self.moment.turn

    def after(self, action: int) -> "DealState":
        if self.moment is None:
            return self._dealt(action)
        moment = self.moment.after(action)
        history = (*self.history, (self.player, action))
        picked = (*self.picked, action)
        if len(moment.acts) == len(self.moment.acts):
            return DealState(self.table, history, (), moment, self.told, picked)
        return DealState(self.table, history, (), moment, (*self.told, _told_of(self.moment, moment, picked)))

    @property
    def standing(self) -> Standing | None:
        """Where the deal stands, once that is drawn."""
        return self.drawn if self.moment is None else self.moment.start.standing

    @property
    def chances(self) -> list[tuple[int, float]]:
        """What chance may do now, and how likely it is."""
        return self.table.chances(self.dealt, self.draws, stands=self.stands)

    @property
    def stands(self) -> bool:
        """Is it drawn where the deal stands, or need it not be?"""
        return not self.table.draws or self.standing is not None

    def _dealt(self, action: int) -> "DealState":
        table, history = self.table, (*self.history, (CHANCE, action))
        if not self.stands:
            if not 0 <= action < (many := len(table.weights(self.draws))):
                raise ValueError(f"no deal stands at {action}: they run from 0 to {many - 1}")
            draws = (*self.draws, action)
            then = table.encoding.draws(draws)
            return DealState(table, history, (), drawn=then if isinstance(then, Standing) else None, draws=draws)
        if table.deal == "whole":
            if not 0 <= action < len(table.every):
                raise ValueError(f"there is no deal {action}: they run from 0 to {len(table.every) - 1}")
            moment = table.every[action][0]
            if self.drawn is not None:
                hands, kitty = list(map(known_cards, moment.start.hands)), known_cards(moment.start.kitty)
                moment = table.encoding.begin(hands, kitty, self.drawn)
            return DealState(table, history, (), moment)
        pack = table.game.deck
        if not (0 <= action < len(pack.names) and pack.kinds >> action & 1 and self.dealt.count(action) < pack.copies):
            raise ValueError(f"card {action} cannot be dealt now")
        dealt = (*self.dealt, action)
        if len(dealt) < table.dealt:
            return DealState(table, history, dealt, drawn=self.drawn)
        deck, size = table.game.deck, table.game.hand_size
        hands = [deck.cards(dealt[seat * size : seat * size + size]) for seat in table.game.all_seats]
        return DealState(table, history, (), table.encoding.begin(hands, deck.all - deck.cards(dealt), self.drawn))

    def hand(self, seat: int) -> Cards:
        """The cards that a seat was dealt, so far."""
        if self.moment is not None:
            return known_cards(self.moment.start.hands[seat])
        size = self.table.game.hand_size
        return self.table.game.deck.cards(self.dealt[seat * size : seat * size + size])

    def row(self, seat: int | None) -> U8:
        """What a seat sees, or everybody, as `Moment.observe` has it; while cards are dealt, the hand so far."""
        row = self._rows.get(seat)
        if row is None:
            row = self._rows[seat] = self._row(seat) if self.moment is None else self.moment.observe(seat)
        return row

    def _row(self, seat: int | None) -> U8:
        encoding = self.table.encoding
        row = np.zeros(encoding.width, np.uint8)
        for card in () if seat is None else self.hand(seat):
            row[encoding.sections["hand"].start + card] += 1
        return row

    # -- the same to a seat, with other cards where it cannot see

    def resampled(self, seat: int, seed: int) -> "DealState":
        """A state that this seat cannot tell from this one, by a deal drawn from its belief.

        Cards that another seat has picked for a play are in its hand again: nobody has seen them.
        """
        if self.moment is None:
            return self._redealt(seat, random.Random(seed))
        belief = self._beliefs.get(seat)
        if belief is None:
            belief = self._beliefs[seat] = Belief(self.moment.view(seat))
        (world,) = belief.draw(1, seed)
        return self._laid(seat, world, belief.record(world))

    def _laid(self, seat: int, world: World, record: Record) -> "DealState":
        """The same acts in another world; what seats heard differently there is recomputed."""
        assert self.moment is not None
        encoding, here, none = self.table.encoding, self.moment, self.table.game.deck.none
        hands, kitty = list(map(known_cards, record.start.hands)), known_cards(record.start.kitty)
        standing = here.start.standing
        dealt = tuple((CHANCE, action) for action in self.table.dealings(hands, standing))
        place = DealState(self.table, dealt, (), encoding.begin(hands, kitty, standing))
        cut = max((i + 1 for i, told in enumerate(self.told) if len(set(told.heard)) > 1), default=0)
        if cut and here.position.talk is not None:  # which holds what was said
            cut = len(self.told)
        for heard, act in zip(self.told[:cut], record.acts, strict=False):
            assert place.moment is not None
            for action in place.moment.numbers(act.what) if heard.hidden[seat] else heard.order_for(seat):
                place = place.after(action)
        moment = place.moment
        assert moment is not None
        rest = tuple(told.seen_by(seat) for told in self.told[cut:])
        if rest:
            now = replace(here.position, hands=world.hands, kitty=world.kitty)
            acts, said = (*moment.acts, *here.acts[cut:]), (*moment.said, *here.said[len(moment.said) :])
            listed = (*moment.told, *here.told[len(moment.told) :])
            moment = Moment(encoding, moment.start, now, acts, here.chosen, said=said, told=listed)
        elif not cut:
            now = replace(here.position, hands=world.hands, kitty=world.kitty)
            moment = replace(moment, position=now)
        mine = here.turn == seat
        moment = replace(moment, chosen=here.chosen, begun=here.begun) if mine else replace(moment, chosen=none)
        picked = self.picked if mine else ()
        history = [*place.history, *((told.seat, action) for told in rest for action in told.picked)]
        history += [(seat, action) for action in picked]
        return DealState(self.table, tuple(history), (), moment, (*place.told, *rest), picked)

    def _redealt(self, seat: int, rng: random.Random) -> "DealState":
        """As many cards dealt, and to this seat the same."""
        size, deck = self.table.game.hand_size, self.table.game.deck
        mine = range(seat * size, seat * size + size)
        rest = list(deck.all - self.hand(seat))
        rng.shuffle(rest)
        dealt = tuple(card if place in mine else rest.pop() for place, card in enumerate(self.dealt))
        first = self.history[: len(self.history) - len(dealt)]
        return DealState(self.table, (*first, *((CHANCE, card) for card in dealt)), dealt, drawn=self.drawn)

    # -- copied and kept

    def __deepcopy__(self, memo: Any) -> "DealState":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _place, (self.table, tuple(action for _, action in self.history))


def _place(table: GameSetup, actions: Iterable[int]) -> DealState:
    place = table.start()
    for action in actions:
        place = place.after(action)
    return place


def _told_of(before: Moment, after: Moment, picked: tuple[int, ...]) -> HeardAct:
    """The act that was made of what was picked, as each heard it."""
    act, position, none = after.acts[-1], before.position, before.encoding.game.deck.none
    if isinstance(act.what, Play):
        text = position.spell(act.what)
        back = none if act.what.tried is None else act.what.tried - act.what.cards
        ears = position.game.players + 1  # each seat, and all
        return HeardAct(act.seat, picked, tuple(sorted(picked)), back, (text,) * ears, (False,) * ears)
    talk = position.floor(act.seat)
    heard = [act.what if seat == act.seat else talk.heard(act.what, seat) for seat in position.game.all_seats]
    heard.append(heard_by_all(position, act.seat, act.what))
    hidden = tuple(text != act.what for text in heard)
    for move in talk.moves(act.what):
        if move.giver == KITTY and move.taker != KITTY and move.cards is None:
            heard[move.taker] += f" {position.kitty}"
    return HeardAct(act.seat, picked, before.numbers(act.what), none, tuple(heard), hidden)
