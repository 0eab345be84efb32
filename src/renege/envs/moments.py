"""Environments of games that the kernel does not step: the same arrays, filled by the Python rules."""

import json
import random
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise, takewhile
from typing import Any, NamedTuple

import numpy as np

from renege.core.cards import Cards, Deck, kinds_in, known_cards
from renege.core.game import Standing
from renege.core.house_rules import write_rules
from renege.core.notation import NotationError
from renege.core.world import World, piles_of
from renege.games.encoding import Encoding, Moment
from renege.games.small import gains
from renege.native.arrays import F32, I32, U8, U64

PAYOFFS = ("score", "difference")


@dataclass(frozen=True, slots=True)
class Terms:
    """What deals are played for: where they begin (drawn, where rows are of version 1), and how they are paid."""

    score: tuple[int, ...] | None = None
    difference: bool = False

    def paid(self, moment: Moment) -> tuple[float, ...]:
        """What a deal that is over is worth to each seat."""
        differs = self.difference and not moment.encoding.seats_pay
        return gains(moment.rewards, sides=moment.encoding.has_sides) if differs else tuple(map(float, moment.rewards))


def terms_of(encoding: Encoding, score: tuple[int, ...] | None, payoff: str) -> Terms:
    """The terms that were asked for; `ValueError` if there are none such."""
    if payoff not in PAYOFFS:
        raise ValueError(f"reward is {payoff!r}; it may be {' or '.join(PAYOFFS)}")
    if score is not None:
        numbers = len(encoding.game.opening.score)
        if not encoding.rows.version:
            raise ValueError("deals of version 0 begin as a new game does: a score is for those of version 1")
        if len(score) != numbers:
            raise ValueError(f"score is {score}; that of {encoding.game.name} has {numbers} numbers")
        encoding.told_standing(Standing(0, score), score)
    return Terms(score, payoff == "difference")


def told_standings(encoding: Encoding, standings: Sequence[Standing], score: tuple[int, ...] | None) -> U8:
    """`uint8[n, numbers]`: standings as the kernel has them; `ValueError` names the lane where one is none."""
    told = list[tuple[int, ...]]()
    for lane, standing in enumerate(standings):
        try:
            told.append(encoding.told_standing(standing, score))
        except ValueError as wrong:
            raise ValueError(f"lane {lane}: {wrong}") from None
    return np.array(told, np.uint8)


def deal(encoding: Encoding, seed: int, number: int, terms: Terms) -> Moment:
    """Deal `number` of a lane with this seed."""
    rng = random.Random(f"deal {seed} {number}")
    cards = rng.getrandbits(62)
    return encoding.deal(cards, encoding.standing(rng, terms.score) if encoding.rows.version else None)


def dealt_piles(moment: Moment) -> U64:
    """`uint64[seats + 1, layers]`: the piles before anybody has acted."""
    return piles_of([World(tuple(map(known_cards, moment.start.hands)), known_cards(moment.start.kitty))])[0]


def begun(encoding: Encoding, standing: Standing, piles: U64) -> Moment:
    """A deal from outside; `ValueError` if it is none."""
    game = encoding.game
    *hands, kitty = (_pile(game.deck, layers) for layers in piles.tolist())
    whole = sum((Counter(list(pile)) for pile in (*hands, kitty)), Counter[int]())
    sizes = [*map(len, hands), len(kitty)]
    if sizes != [game.hand_size] * game.players + [game.kitty_size] or whole != Counter(_whole(game.deck)):
        raise ValueError("these are not the cards of a deal")
    return encoding.begin(hands, kitty, standing)


def _whole(deck: Deck) -> list[int]:
    return [card for card in kinds_in(deck.kinds) for _ in range(deck.copies)]


def _pile(deck: Deck, layers: list[int]) -> Cards:
    if not nested(deck, layers):
        raise ValueError("these are not the cards of a deal")
    return Cards(deck, tuple(mask for mask in layers if mask))


def nested(deck: Deck, layers: list[int]) -> bool:
    """Are these the layers of a pile: the kinds in it, of these those in it twice, and so on?"""
    return not any(more & ~fewer for fewer, more in pairwise((deck.kinds, *layers)))


def _is_action(action: int) -> bool:
    return action >= 0


class Shown(NamedTuple):
    """The arrays of a call, in the order in which the kernel takes them, and its threads, which nobody needs here."""

    observation: U8 | None
    hidden: U8 | None
    mask: U8
    mover: U8
    reward: F32
    done: U8
    threads: int = 1


class MomentEnv:
    """What an `Env` of the kernel does, over `Moment`s. Arrays are those of `Shown`."""

    def __init__(self, encoding: Encoding, lanes: int, terms: Terms) -> None:
        self.encoding, self.lanes, self.terms = encoding, lanes, terms
        self.seeds: list[int] = []
        self.deals = [0] * lanes
        self.steps = [0] * lanes
        self.taken: list[list[int]] = []  # the actions of the deal under way
        self.given: list[Any] = []  # that deal, where it came from outside: its standing and its piles
        self.moments: list[Moment] = []

    def one(self) -> "MomentTable":
        return MomentTable(self.encoding, self.terms)

    def reset(self, seeds: U64, *shown: Any) -> None:
        self.seeds = [int(seed) for seed in seeds]
        self.deals, self.steps = [0] * self.lanes, [0] * self.lanes
        self.taken, self.given = [[] for _ in range(self.lanes)], [None] * self.lanes
        self.moments = [self._dealt(lane) for lane in range(self.lanes)]
        for lane in range(self.lanes):
            self._show(lane, *shown)

    def step(self, actions: I32, *arrays: Any) -> None:
        self.play(np.zeros((self.lanes, self.encoding.game.deck.layers), np.uint64), actions, *arrays)

    def play(self, piles: U64, actions: I32, *arrays: Any) -> None:
        shown = Shown(*arrays)
        self._must_have_begun()
        wholes = [self._whole(lane, pile) if any(pile) else None for lane, pile in enumerate(piles.tolist())]
        for lane, (action, whole) in enumerate(zip(actions.tolist(), wholes, strict=True)):
            if whole is None and action not in self.moments[lane].legal:
                raise ValueError(f"lane {lane}: action {action} is not open")
        asked = list(zip(self.moments, actions.tolist(), wholes, strict=True))
        after = [moment.after(action) if whole is None else moment.act(whole) for moment, action, whole in asked]
        shown.reward[:] = 0
        shown.done[:] = 0
        for lane, (moment, action, whole) in enumerate(asked):
            taken = self.taken[lane]
            if whole is None:
                taken.append(action)
            else:  # what was picked before is put back
                del taken[len(taken) - len(moment.chosen) - len(moment.begun) :]
                taken.extend(moment.numbers(whole))
            self._settle(lane, after[lane], shown)

    def _whole(self, lane: int, layers: list[int]) -> str | Cards:
        """A whole play, or what is buried; `ValueError` if it is neither."""
        position, deck = self.moments[lane].position, self.encoding.game.deck
        if nested(deck, layers):
            cards = Cards(deck, tuple(mask for mask in layers if mask))
            asked = self.encoding.asked(position) if position.talking else None
            fits = asked is not None and len(cards) == asked[1] if position.talking else True
            whole = cards if asked is None else f"{asked[0]} {cards}"
            with suppress(NotationError):  # it is not in the hand
                if fits and position.judge(whole):
                    return whole
        raise ValueError(f"lane {lane}: these cards are no legal play")

    def _settle(self, lane: int, moment: Moment, shown: Shown) -> None:
        """What follows from a step that was made."""
        self.steps[lane] += 1
        if moment.over:
            shown.reward[lane], shown.done[lane] = self.terms.paid(moment), 1
            moment = self._dealt(lane)
        self.moments[lane] = moment
        self._show(lane, *shown)

    def observe(self, seats: U8, rows: U8) -> None:
        self._must_have_begun()
        for lane, seat in enumerate(seats.tolist()):
            rows[lane] = self.moments[lane].observe(seat)

    def dealt(self, piles: U64) -> None:
        self._must_have_begun()
        for lane, moment in enumerate(self.moments):
            piles[lane] = dealt_piles(moment)

    def standings(self, out: U8) -> None:
        self._must_have_begun()
        for lane, moment in enumerate(self.moments):
            out[lane] = self.encoding.told_standing(moment.start.standing, self.terms.score)

    def begin(self, standings: U8, piles: U64, actions: I32, *shown: Any) -> None:
        self._must_have_begun()
        moments, given = list[Moment](), zip(standings.tolist(), piles, actions.tolist(), strict=True)
        for lane, (standing, dealt, asked) in enumerate(given):
            try:
                moments.append(self._begun(standing, dealt, asked))
            except ValueError as wrong:
                raise ValueError(f"lane {lane}: {wrong}") from None
        self.moments = moments
        self.given = list(zip(standings.tolist(), piles.tolist(), strict=True))
        self.taken = [list(takewhile(_is_action, asked)) for asked in actions.tolist()]
        for lane in range(self.lanes):
            self._show(lane, *shown)

    def _begun(self, standing: list[int], dealt: U64, actions: list[int]) -> Moment:
        moment = begun(self.encoding, self.encoding.standing_of(standing, self.terms.score), dealt)
        for action in takewhile(_is_action, actions):
            if action not in moment.legal:
                raise ValueError(f"action {action} is not open")
            moment = moment.after(action)
            if moment.over:
                raise ValueError(f"action {action} ends the deal")
        return moment

    def choose(self, mask: U8, actions: I32, salt: int, threads: int) -> None:
        self._must_have_begun()
        for lane, row in enumerate(mask):
            (is_open,) = row.nonzero()
            rng = random.Random(f"choice {self.seeds[lane]} {salt} {self.steps[lane]}")
            actions[lane] = rng.choice(is_open.tolist()) if len(is_open) else -1

    def run(self, steps: int, salt: int, *arrays: Any) -> int:
        shown = Shown(*arrays)
        self._must_have_begun()
        over = 0
        actions = np.empty(self.lanes, np.int32)
        for _ in range(steps):
            for lane, moment in enumerate(self.moments):
                shown.mask[lane] = moment.mask
            self.choose(shown.mask, actions, salt, shown.threads)
            self.step(actions, *shown)
            over += int(shown.done.sum())
        return over

    def save(self) -> bytes:
        self._must_have_begun()
        lanes = [list(lane) for lane in zip(self.seeds, self.deals, self.steps, self.taken, self.given, strict=True)]
        return json.dumps([*self._name, lanes]).encode()

    def load(self, saved: bytes, *shown: Any) -> None:
        try:
            *name, lanes = json.loads(saved)
        except ValueError:
            raise ValueError("saved: these bytes were changed, or saved by another kind of environment") from None
        if name != self._name:
            raise ValueError("saved: another game, or other rules")
        if len(lanes) != self.lanes:
            raise ValueError(f"saved: {len(lanes)} lanes, and there are {self.lanes}")
        self.moments = [self._replayed(seed, deals, taken, given) for seed, deals, _, taken, given in lanes]
        self.seeds, self.deals, self.steps, self.taken, self.given = (list(part) for part in zip(*lanes, strict=True))
        for lane in range(self.lanes):
            self._show(lane, *shown)

    @property
    def _name(self) -> list[object]:
        game, rows, terms = self.encoding.game, self.encoding.rows, self.terms
        score = None if terms.score is None else list(terms.score)
        return [game.name, write_rules(game.rules), rows.version, rows.history, score, terms.difference]

    def _replayed(self, seed: int, deals: int, taken: list[int], given: Any) -> Moment:
        if given is None:
            moment = deal(self.encoding, seed, deals - 1, self.terms)
        else:
            return self._begun(given[0], np.array(given[1], np.uint64), taken)
        for action in taken:
            moment = moment.after(action)
        return moment

    def _must_have_begun(self) -> None:
        if not self.moments:
            raise ValueError("nothing is dealt yet: reset first")

    def _dealt(self, lane: int) -> Moment:
        moment = deal(self.encoding, self.seeds[lane], self.deals[lane], self.terms)
        self.deals[lane] += 1
        self.taken[lane], self.given[lane] = [], None
        return moment

    def _show(self, lane: int, observation: U8 | None, hidden: U8 | None, mask: U8, mover: U8, *_: object) -> None:
        moment = self.moments[lane]
        assert moment.turn is not None
        mask[lane], mover[lane] = moment.mask, moment.turn
        if observation is not None:
            observation[lane] = moment.observe(moment.turn)
        if hidden is not None:
            hidden[lane] = moment.hidden(moment.turn)


class MomentTable:
    """What an `EnvOne` of the kernel does, over a `Moment`."""

    def __init__(self, encoding: Encoding, terms: Terms) -> None:
        self.encoding, self.terms = encoding, terms
        self.moment = deal(encoding, 0, 0, terms)

    @property
    def turn(self) -> int:
        """The seat to act; the number of seats when the deal is over, as the kernel says it."""
        return self.encoding.game.players if self.moment.turn is None else self.moment.turn

    def deal(self, seed: int, number: int) -> None:
        self.moment = deal(self.encoding, seed, number, self.terms)

    def begin(self, *told: *tuple[*tuple[int, ...], U64]) -> None:
        """A deal from outside: the numbers of its standing, and last its piles."""
        *standing, piles = told
        self.moment = begun(self.encoding, self.encoding.standing_of(standing, self.terms.score), piles)

    @property
    def standing(self) -> tuple[int, ...]:
        return self.encoding.told_standing(self.moment.start.standing, self.terms.score)

    def legal(self) -> list[int]:
        return list(self.moment.legal)

    def act(self, action: int) -> None:
        if action not in self.moment.legal:
            raise ValueError(f"action {action} is not open")
        self.moment = self.moment.after(action)

    def observe(self, seat: int) -> bytes:
        return self.moment.observe(seat).tobytes()

    def hidden(self, seat: int) -> bytes:
        return self.moment.hidden(seat).tobytes()

    def rewards(self) -> tuple[float, ...]:
        return self.terms.paid(self.moment)

    def dealt(self, piles: U64) -> None:
        piles[:] = dealt_piles(self.moment)

    def copy(self) -> "MomentTable":
        other = MomentTable.__new__(MomentTable)
        other.encoding, other.moment, other.terms = self.encoding, self.moment, self.terms
        return other
