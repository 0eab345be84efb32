"""Beliefs: every deal that is consistent with what a seat saw, counted, listed, drawn and explained.

    belief = Belief(view)
    belief.count(), belief.odds("SA"), belief.draw(100, seed=1), belief.explain("SA")

All deals are equally likely as they were dealt; nothing is assumed about why others played as they did. Cards that
changed hands face down since are counted in: a world is as likely as the dealt hands behind it are many. Where an act
says more than the counting can hold (`exact` is False) the count is an upper bound, which its text says too, and drawn
deals are asked whether they allow it, so that none is ever wrong.
"""

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property
from itertools import count, islice
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from renege.belief.checks import chances
from renege.belief.compile import Compiled, compile_facts
from renege.belief.conflict import violator
from renege.belief.picks import with_picks
from renege.belief.seen import NoWorldLeft
from renege.belief.worlds import Table, TooManyStates, Worlds, wants_pools
from renege.core.cards import Card, Cards
from renege.core.deal_state import Act
from renege.core.facts import TALK, Fact, Lacks, format_fact
from renege.core.game import KITTY
from renege.core.message import join, say
from renege.core.notation import NotationError
from renege.core.position import Course, Position, View, evidence_of
from renege.core.record import Record
from renege.core.trick import Play
from renege.core.verdict import WrongPhase
from renege.core.view import heard_by_all
from renege.core.world import Drawn, World

BATCH = 64  # deals drawn at a time where each is asked whether it allows what was done
SMALL_BLOCK = 16  # the same where few are asked for at a time
LARGE_BLOCK = 4096
MOST_TRIES = 200_000
QUICK_EDGES = 3e6  # by a rough estimate, of a table that is made within some 20 ms


class Draw(Protocol):
    """How deals are drawn: `Worlds.draw`, or something else that draws the same."""

    def __call__(self, worlds: Worlds, n: int, seed: int, *, first_lane: int) -> NDArray[np.uint64]: ...


class Count(int):
    """A number of deals; where it is not `exact` it is an upper bound, and its text says so: `at most 1,200`."""

    exact: bool

    def __new__(cls, number: int, *, exact: bool = True) -> Self:
        count = super().__new__(cls, number)
        count.exact = exact
        return count

    def __format__(self, spec: str) -> str:
        return f"{'' if self.exact else 'at most '}{format(int(self), spec)}"

    def __str__(self) -> str:
        return format(self)

    __repr__ = __str__


class Belief:
    """All deals (worlds) that are consistent with a view, or with what an onlooker saw.

    `more` are facts to assume beside it. `NoWorldLeft` if there is no such deal; it names the facts that clash. With
    `quick` a large table is left smaller, and more is asked of each deal that is drawn: for whoever wants some soon.
    """

    def __init__(self, view: Course, more: tuple[Fact, ...] = (), *, quick: bool = False) -> None:
        if isinstance(view, Position):
            raise TypeError("a belief is that of a seat: Belief(position.view(seat))")
        self.view = view
        self.more = more
        self.compiled, self.worlds = _built(compile_facts(view, (*view.facts(), *more)), quick=quick)
        if uncounted := [fact for fact in more if fact in self.compiled.loose]:
            raise ValueError(say("this cannot be counted here: {fact}", format_fact(uncounted[0], view.position.order)))
        if not self.worlds.count():
            raise self._no_world()

    @property
    def exact(self) -> bool:
        """Is the count exact? If not it is an upper bound."""
        return not self.compiled.loose

    def count(self) -> Count:
        """Return the number of deals, two copies of a card being two cards; an upper bound unless `exact`.

        Where cards changed hands face down, a world counts once for each dealt hand behind it, a factor that all worlds
        share left out.
        """
        return Count(self.worlds.count(), exact=self.exact)

    def distinct(self) -> Count:
        """Return the number of deals that differ in what can be seen: two copies of a card are the same card."""
        return Count(self.worlds.distinct(), exact=self.exact)

    def odds(self, card: Card | str) -> dict[int, float]:
        """Return the expected number of copies of a card by holder: a seat, or `KITTY` (-1)."""
        kind = self.view.game.deck.card(card) if isinstance(card, str) else card
        odds = {pile: float(hand.count(kind)) for pile, hand in self._told()}
        kinds = self.compiled.problem.kinds
        row = self._expected[kinds.index(kind)].tolist() if kind in kinds else [0.0] * len(self.compiled.piles)
        return odds | {pile: copies for pile, copies in zip(self.compiled.piles, row, strict=True) if pile >= KITTY}

    @cached_property
    def _expected(self) -> NDArray[np.float64]:
        return self.worlds.expected()

    def given(self, *facts: Fact) -> "Belief":
        """Return the belief under more facts; `NoWorldLeft` if they are impossible."""
        return Belief(self.view, (*self.more, *facts))

    def share(self, *facts: Fact) -> float:
        """Return the probability that all of these facts hold."""
        try:
            return self.given(*facts).count() / self.count()
        except NoWorldLeft:
            return 0.0

    def stands(self, throw: str | Cards | Play) -> float:
        """Return the probability that a throw by the seat to lead stands.

        Where the belief is not `exact` this is an estimate: a ratio of two upper bounds.
        """
        position, game = self.view.position, self.view.game
        needs = evidence_of(game).stands
        if needs is None or position.order is None:
            raise WrongPhase(f"no throws are led in {game.name}")
        play = game.read_play(throw, position.order) if isinstance(throw, str) else throw
        return self.share(*needs(position, Play(play) if isinstance(play, Cards) else play))

    def draw(self, n: int, seed: int, *, leaning: bool = False) -> list[World]:
        """Draw deals uniformly at random; the same seed draws the same ones.

        With `leaning` they are weighted by what the bids make likelier, where the game has such weights.
        """
        return list(islice(self.stream(seed, leaning=leaning, block=n if self.exact else BATCH), max(n, 0)))

    def stream(
        self, seed: int, *, leaning: bool = False, block: int = BATCH, until: float = math.inf
    ) -> Iterator[World]:
        """Iterate over the deals of `draw`, a block at a time, without end or until a time of `time.perf_counter`."""
        weights = self._leaning() if leaning else None
        found = 0
        for first in count(step=block):
            for row in self._kept(self.worlds.draw(block, seed, weights=weights, first_lane=first), seed, first):
                if time.perf_counter() >= until:
                    return
                found += 1
                yield self.world(row)
            self._despair(first, found)

    def supply(self, seed: int, *, until: float = math.inf, draw: Draw | None = None) -> Callable[[int], Drawn]:
        """Return a function that draws the next n deals of `stream` as arrays; fewer once the time is over.

        `draw` replaces `worlds.draw`, for example by a draw on a GPU.
        """
        deck, draws = self.view.game.deck, draw or Worlds.draw
        lane = found = 0
        left = np.zeros((0, len(self.worlds.problem.sizes), self.worlds.layers), np.uint64)  # over from the last time

        def take(n: int) -> Drawn:
            nonlocal lane, found, left
            while len(left) < n and time.perf_counter() < until:
                block = n if self.exact else min(max(2 * (n - len(left)), SMALL_BLOCK), LARGE_BLOCK)
                rows = self._kept(draws(self.worlds, block, seed, first_lane=lane), seed, lane)
                lane, found, left = lane + block, found + len(rows), np.concatenate([left, rows]) if len(left) else rows
                self._despair(lane, found)
            given, left = left[:n], left[n:]
            return Drawn(deck, self._piles(given))

        return take

    def _kept(self, rows: NDArray[np.uint64], seed: int | None = None, lane: int = 0) -> NDArray[np.uint64]:
        """Of drawn deals those that allow what the count does not hold; without a seed, of listed ones."""
        checks = self.compiled.checks
        chance = np.zeros(len(rows)) if seed is None or not checks else chances(seed, lane, len(rows))
        for check in checks:
            kept = check.keeps(rows, chance)
            rows, chance = rows[kept], chance[kept]
        if self.compiled.unchecked and len(rows):
            rows = rows[[self._keeps_loose(self.world(row)) for row in rows]]
        return rows

    def _despair(self, drawn: int, found: int) -> None:
        if drawn >= MOST_TRIES * (found + 1):
            why = say("{n} deals were drawn, and {n2} of them allow what was done", drawn, found)
            raise NoWorldLeft(why, self.compiled.loose)

    def _piles(self, rows: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """Deals of `worlds.draw` with the hands that are told among them: `[n, seats + 1, layer]`."""
        out, layers = np.empty((len(rows), *self._known.shape), np.uint64), rows.shape[2]
        out[:] = self._known
        for i, pile in enumerate(self.compiled.piles):
            if pile >= KITTY:
                out[:, pile, :layers] = rows[:, i]
        return out

    @cached_property
    def _known(self) -> NDArray[np.uint64]:
        """The hands that are told: `[seats + 1, layer]`, noughts where one is not."""
        game = self.view.game
        out = np.zeros((game.players + 1, game.deck.layers), np.uint64)
        for pile, hand in self._told():
            out[pile] = [hand.at_least(copies + 1) for copies in range(game.deck.layers)]
        return out

    def _leaning(self) -> NDArray[np.float64] | None:
        leaning = evidence_of(self.view.game).leaning
        if leaning is None:
            return None
        leans = leaning(self.view)
        kinds, piles = self.compiled.problem.kinds, self.compiled.piles
        weights = np.ones((len(kinds), len(piles)))
        for place, kind in enumerate(kinds):
            weights[place] = [leans.get((pile, kind), 1.0) for pile in piles]
        return weights

    def listed(self) -> Iterator[World]:
        """Iterate over all distinct deals; `distinct()` says how many that are."""
        yield from map(self.world, self._kept(self.worlds.listed()))

    def allows(self, world: World) -> bool:
        """Is a deal consistent with the view: everything done was legal, and looked as it was seen?"""
        try:
            record, start = self.record(world), self.view.start
            piles = zip((*record.start.hands, record.start.kitty), (*start.hands, start.kitty), strict=True)
            if any(len(one) != len(seen) or (isinstance(seen, Cards) and one != seen) for one, seen in piles):
                return False
            return all(
                _lawful(position, act) and (act == seen or self._hears(position, act) == seen)
                for act, seen, position in zip(record.acts, self.view.acts, record.positions(), strict=False)
            )
        except ValueError:  # cards that are known to be elsewhere
            return False

    def _hears(self, position: Position, act: Act) -> Act:
        """An act as whoever saw this learns of it."""
        view, what = self.view, act.what
        if isinstance(what, Play):
            return act
        over = view.position.over
        if not isinstance(view, View):
            return Act(act.seat, heard_by_all(position, act.seat, what, over=over))
        return Act(act.seat, position.floor(act.seat).heard(what, view.seat, over=over))

    def _keeps_loose(self, world: World) -> bool:
        """Does a deal allow what the count does not hold? Only the tricks and the talk of those facts are looked at."""
        tricks = {fact.trick for fact in self.compiled.unchecked}
        try:
            record = self.record(world)
        except ValueError:  # cards that are known to have gone elsewhere
            return False
        for act, position in record.steps():
            asked = (TALK if position.contract is None else position.tricks_played) in tricks
            try:
                if asked and not _lawful(position, act):
                    return False
            except NotationError:  # cards that are not there
                return False
        return True

    def record(self, world: World) -> Record:
        """Return the record of the deal from its start, for one world."""
        hands = list(world.hands)
        for act in self.view.acts:
            if isinstance(act.what, Play):
                hands[act.seat] = hands[act.seat] + act.what.cards
        unwind = evidence_of(self.view.game).unwind
        if unwind is not None:
            whole = unwind(self.view, tuple(hands), world.kitty)
            return Record(whole.start, whole.acts)
        return Record(replace(self.view.start, hands=tuple(hands), kitty=world.kitty), self.view.acts)

    def explain(self, card: Card | str) -> str:
        """Say why a card must be in one hand, or cannot be in another: a line for each reason."""
        deck = self.view.game.deck
        kind = deck.card(card) if isinstance(card, str) else card
        name, lines = deck.names[kind], list[str]()
        for pile, hand in self._told():
            if kind in hand:
                lines.append(say("{cards}: {holder} has it", name, name_pile(pile)))
        for act in self.view.acts:
            if isinstance(act.what, Play) and kind in act.what.cards:
                lines.append(say("{cards}: {seat} played it", name, act.seat))
        for fact, kinds in self.compiled.used:
            if kind in kinds:
                told = format_fact(fact, self.view.position.order)
                lines.append(say("{cards}: not with {seat}: {fact}", name, fact.seat, told))
        if kind in self.compiled.problem.kinds:
            place = self.compiled.problem.kinds.index(kind)
            odds = self.worlds.odds()[place]
            for i, pile in enumerate(self.compiled.piles):
                if pile < KITTY:
                    continue
                if odds[i, 0] <= 0:
                    why = self._because(pile, kind)
                    lines.append(say("{cards}: {holder} must have it, since {why}", name, name_pile(pile), why))
                elif odds[i, 0] >= 1 and not any(f"not with seat {pile}" in line for line in lines):
                    why = "{cards}: {holder} cannot have it, since no deal has it there"
                    lines.append(say(why, name, name_pile(pile)))
        return join("\n", lines or [say("{cards}: nothing is proved of it", name)])

    def _no_world(self) -> NoWorldLeft:
        """Why there is none: the hands that cannot be filled, and the facts that clash."""
        conflict = violator(self.compiled.problem)
        assert conflict is not None
        names, order = self.view.game.deck.names, self.view.position.order
        facts = self._clash(*self.more)
        who = [say("hand {n} is {pile}", hand, name_pile(self.compiled.piles[hand])) for hand in conflict.hands]
        known = (format_fact(fact, order) for fact in facts)
        why = (conflict.tell(lambda card: names[card]), *([join(", ", who)] if who else []), *known)
        return NoWorldLeft(say("no deal fits what was seen: {why}", join("; ", why)), facts)

    def _clash(self, *assumed: Fact) -> tuple[Fact, ...]:
        """Facts of the view that cannot all be true beside what is assumed: none of them can be left out."""
        kept = list(self.view.facts())
        for fact in list(kept):
            fewer = [other for other in kept if other is not fact]
            if _impossible(self.view, (*fewer, *assumed)):
                kept = fewer
        return tuple(kept)

    def _because(self, pile: int, kind: Card) -> str:
        """Why a pile must have a card: what clashes if it has not."""
        if pile == KITTY:
            return "no deal has it elsewhere"
        position, deck = self.view.position, self.view.game.deck
        rule = self.view.game.rule_list[0]  # an assumption has no rule of its own
        facts = self._clash(*self.more, Lacks(pile, position.tricks_played, rule, deck.of(1 << kind)))
        return join("; ", [format_fact(fact, position.order) for fact in facts] or ["no other hand has room"])

    def _told(self) -> Iterator[tuple[int, Cards]]:
        position: Position = self.view.position
        for pile, hand in (*enumerate(position.hands), (KITTY, position.kitty)):
            if isinstance(hand, Cards):
                yield pile, hand

    def world(self, row: NDArray[np.uint64]) -> World:
        """Turn a row of `worlds.draw` or `worlds.listed` into a `World`."""
        return Drawn(self.view.game.deck, self._piles(row[None]))[0]


def name_pile(pile: int) -> str:
    """A seat, or the kitty, in words."""
    return "the kitty" if pile == KITTY else say("{seat}", pile)


def _impossible(view: Course, facts: tuple[Fact, ...]) -> bool:
    try:
        return not _built(compile_facts(view, facts))[1].count()
    except NoWorldLeft:
        return True


def _lawful(position: Position, act: Act) -> bool:
    """Does an act break no rule, all hands being told?"""
    if isinstance(act.what, str):
        talk = position.floor(act.seat)
        return talk.objection(act.what, position.kitty if talk.on_kitty else position.hands[act.seat]) is None
    turn, game = position.turn_to_play(), position.game
    return game.objection(turn, act.what) is None and game.mislanded(turn, act.what) is None


def _built(compiled: Compiled, *, quick: bool = False) -> tuple[Compiled, Worlds]:
    """The table; where it would be too large, conditions are left out one by one, and their facts become loose."""
    table = None
    if quick and wants_pools(with_picks(compiled.problem)):
        compiled, table = compiled.within(QUICK_EDGES), Table.POOLS
    while True:
        try:
            return compiled, Worlds(compiled.problem, table=table)
        except TooManyStates:
            if (fewer := compiled.loosened()) is None:
                raise
            compiled = fewer
