"""Play one deal of a data set, and record every decision.

A decision is a whole call or play, as a player makes it; what it comes to in numbers may be several actions, one card
after the other (`renege.games.encoding`). The table is that of the environments: a seat that may say something beside
its play says it in its turn.
"""

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from renege.agents import Searcher, parse_agent
from renege.belief import Belief
from renege.core.game import KITTY
from renege.core.position import View
from renege.core.record import Record
from renege.core.view import Onlooker
from renege.games.encoding import Moment, encoding_of
from renege.games.strategy import Option
from renege.native.arrays import U8
from renege.search import Findings, weigh
from renege.selfplay.plan import SelfplayPlan, deal_seed


@dataclass(frozen=True, slots=True)
class OptionValue:
    """The value of an option: its actions and text, the mean payoff, and over how many worlds."""

    actions: tuple[int, ...]
    text: str
    mean: float | None
    worlds: int


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of a deal; `docs/selfplay.md` says what each field is."""

    decision: int
    seat: int
    phase: str
    observation: U8
    legal: tuple[int, ...]
    legal_texts: tuple[str, ...]
    choice: tuple[int, ...]
    choice_text: str
    odds: NDArray[np.float32] | None
    odds_exact: bool | None
    options: tuple[OptionValue, ...] | None
    result: int = 0


def play_deal(plan: SelfplayPlan, deal: int) -> list[Decision]:
    """All decisions of a deal, in order."""
    return _Deal(plan, deal).played()


class _Deal:
    """A deal at play: each seat has a stream of its own."""

    def __init__(self, plan: SelfplayPlan, deal: int) -> None:
        game = plan.table()
        self.plan, self.deal, self.encoding = plan, deal, encoding_of(game)
        self.agent = parse_agent(plan.agent)
        self.streams = [random.Random(f"selfplay:{plan.seed}:{deal}:{seat}") for seat in game.all_seats]
        self.moment = self.encoding.deal(deal_seed(plan, deal), replace(game.opening, dealer=deal % game.players))
        # the views are kept up act by act: each read from the start would replay the deal
        self.seen = [Onlooker(Record(self.moment.start), seat) for seat in game.all_seats]

    def played(self) -> list[Decision]:
        found = list(self._decisions())
        return [replace(one, result=self.moment.rewards[one.seat]) for one in found]

    def _decisions(self) -> Iterator[Decision]:
        number = 0
        while (seat := self.moment.turn) is not None:
            moment, view = self.moment, self.seen[seat].view
            try:
                what, worth = self._choose(moment, view, seat, number)
                yield self._told(moment, view, seat, number, what, worth)
                self._act(what)
            except ValueError as wrong:
                raise ValueError(f"deal {self.deal}, decision {number}, {self.agent.name}: {wrong}") from wrong
            number += 1

    def _act(self, what: Option) -> None:
        before, self.moment = self.moment.position, self.moment.act(what)
        record = Record(self.moment.start, self.moment.acts)
        for onlooker in self.seen:
            onlooker.follow(before, record)

    def _choose(self, moment: Moment, view: View, seat: int, number: int) -> tuple[Option, Findings | None]:
        """What the seat does, and what was found out about its options where that is to be told."""
        position, stream, talk = moment.position, self.streams[seat], moment.position.talk
        if position.talking and talk is not None and talk.on_kitty:
            return position.legal_calls[0], None  # nobody's choice: the kitty decides
        if not position.talking and seat in position.speakers:
            said = self.agent.interject(view, stream)
            if said is not None:
                return said.what, None
        worlds = self.plan.values
        if worlds is not None and isinstance(self.agent, Searcher) and self.agent.worlds == worlds:
            found = self.agent.search(view, stream)  # its own search tells
            return self.agent.advise(found).what, found
        advice = self.agent.choose(view, stream)
        if worlds is None:
            return advice.what, None
        seed = random.Random(f"values:{self.plan.seed}:{self.deal}:{number}").getrandbits(63)
        return advice.what, weigh(view, worlds=worlds, seed=seed)

    def _told(
        self, moment: Moment, view: View, seat: int, number: int, what: Option, found: Findings | None
    ) -> Decision:
        belief = Belief(view) if self.plan.odds else None
        return Decision(
            number,
            seat,
            "talk" if moment.position.talking else "play",
            moment.observe(seat),
            moment.legal,
            tuple(self.encoding.actions[action] for action in moment.legal),
            moment.numbers(what),
            moment.position.spell(what),
            None if belief is None else odds_from(belief, seat),
            None if belief is None else belief.exact,
            None if found is None else tuple(_worths(moment, found)),
        )


def odds_from(belief: Belief, seat: int) -> NDArray[np.float32]:
    """`float32[seats + 1, cards]`: the copies of each card expected in each hand, from a seat on, and in the kitty."""
    game = belief.view.game
    cards = len(game.deck.names)
    found = np.zeros((game.players + 1, cards), np.float32)
    for card in range(cards):
        for pile, copies in belief.odds(card).items():
            found[KITTY if pile == KITTY else (pile - seat) % game.players, card] = copies
    return found


def _worths(moment: Moment, found: Findings) -> Iterator[OptionValue]:
    for one in found.estimates:
        mean = None if math.isnan(one.mean) else one.mean
        yield OptionValue(moment.numbers(one.option), moment.position.spell(one.option), mean, one.worlds)
