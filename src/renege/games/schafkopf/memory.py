"""What the table remembers of the tricks before, and who plays with whom, as far as that shows.

It remembers who led the called suit, where its ace is or is not, and the trumps: only what everybody saw, so that all
seats remember the same. Who led the called suit and holds its ace has run; who led it without has searched; each knows
which it was, and the others learn it from the trick. The holder of the called ace is the declarer's partner, and says
nothing.
"""

import re
from dataclasses import dataclass, replace
from enum import Enum

from renege.core.cards import Card, Cards
from renege.core.deal_state import replaced
from renege.core.facts import Fact, Holds, Lacks
from renege.core.game import SEATS, Turn, by_strength
from renege.core.message import say
from renege.core.notation import NotationError
from renege.core.position import Position, Recalled
from renege.core.trick import Play
from renege.games.schafkopf.contract import Bargain
from renege.games.schafkopf.order import LONG, RANKS, TRUMP, parse_declaration
from renege.games.schafkopf.rules import ANSWER_SEARCH, RamschTie


@dataclass(frozen=True, slots=True)
class Memory:
    """Public knowledge. Masks of seats, and for each seat what it has played or taken."""

    leaders: int = 0  # seats that have led the called suit
    ace: int | None = None  # the seat that played the called ace
    ran: int | None = None  # the seat that led its suit from under it, as the others showed
    without: int = 0  # seats that do not hold it, as their play has shown
    trumps: tuple[tuple[str, ...], ...] = ((), (), (), ())  # played by each seat
    taken: tuple[int, ...] = (0, 0, 0, 0)  # trumps in the tricks of each seat; by their height, where that is asked

    def __str__(self) -> str:
        parts = [f"leaders {_seats(self.leaders)}" if self.leaders else ""]
        parts += [f"{key} {seat}" for key, seat in (("ace", self.ace), ("ran", self.ran)) if seat is not None]
        parts.append(f"without {_seats(self.without)}" if self.without else "")
        played = [f"{seat} {' '.join(cards)}" for seat, cards in enumerate(self.trumps) if cards]
        parts.append(f"trumps {', '.join(played)}" if played else "")
        parts.append(f"taken {' '.join(map(str, self.taken))}" if any(self.taken) else "")
        return "; ".join(filter(None, parts)) or "nothing"


def _seats(mask: int) -> str:
    return "".join(str(seat) for seat in SEATS if mask >> seat & 1)


def read_memory(text: str) -> Memory:
    memory = Memory()
    for part in filter(None, (part.strip() for part in text.split(";"))):
        key, _, rest = part.partition(" ")
        if key in ("leaders", "without") and re.fullmatch("[0-3]+", rest):
            memory = replace(memory, **{key: sum(1 << seat for seat in {int(digit) for digit in rest})})
        elif key in ("ace", "ran") and re.fullmatch("[0-3]", rest):
            memory = replace(memory, **{key: int(rest)})
        elif key == "trumps":
            memory = replace(memory, trumps=_read_trumps(rest))
        elif key == "taken" and re.fullmatch(r"[0-9]{1,2}( [0-9]{1,2}){3}", rest):
            memory = replace(memory, taken=tuple(map(int, rest.split())))
        elif part != "nothing":
            raise NotationError(say("{quoted} is nothing that Schafkopf remembers", repr(part)))
    return memory


def _read_trumps(text: str) -> tuple[tuple[str, ...], ...]:
    played: list[tuple[str, ...]] = [(), (), (), ()]
    for entry in text.split(","):
        seat, *cards = entry.split() or [""]
        if seat not in ("0", "1", "2", "3") or not cards or any(card not in LONG.spellings for card in cards):
            raise NotationError(say("{quoted} is no list of trumps; write it like '2 EO H7'", repr(entry.strip())))
        played[int(seat)] = tuple(cards)
    return tuple(played)


@dataclass(frozen=True, slots=True)
class Called:
    """The called ace, or ten, in one deal: its suit, itself, and the cards of the suit that are no trumps."""

    suit: int
    ace: Card
    plain: int


def called_ace(turn: Turn) -> Called | None:
    """The called ace, or the called ten of a Renonce, if there is one: it has the same duties."""
    called = parse_declaration(turn.contract.declaration).called
    if called is None:
        return None
    order = turn.order
    suit = order.suits.index(called[0])
    return Called(suit, order.deck.spellings[called], order.follow[suit])


def recall(position: Position) -> Recalled:
    """What the table knows of the tricks before the one on it: the trumps that were played, and of the called ace."""
    trick, order, memory = position.trick, position.order, position.memory
    assert trick is not None and order is not None and isinstance(memory, Memory)
    deck, number = order.deck, sum(position.tricks)
    laid = trick.cards if trick.plays else deck.none
    on_table = set(str(laid).split())
    trumps = tuple(tuple(card for card in cards if card not in on_table) for cards in memory.trumps)
    gone = deck.cards(deck.spellings[card] for cards in trumps for card in cards)
    memory = replace(memory, trumps=trumps)
    called = parse_declaration(position.contract.declaration).called if position.contract else None
    if called is None:
        return Recalled(memory, gone)
    ace = deck.cards([deck.spellings[called]])
    if ace <= laid:
        memory = replace(memory, ace=None)
    if memory.ace is not None:
        return Recalled(memory, gone + ace)
    facts: list[Fact] = [Lacks(seat, number, ANSWER_SEARCH, ace) for seat in SEATS if memory.without >> seat & 1]
    if memory.ran is not None:
        facts.append(Holds(memory.ran, number, ANSWER_SEARCH, ace, 1))
    return Recalled(memory, gone, tuple(facts), unplayed=ace.kinds)


def remember(turn: Turn, play: Play) -> Memory:
    """What the table knows after a play."""
    old: Memory = turn.memory
    card = play.cards.single()
    if card is None:  # in a record, where anything may lie
        return old
    memory = old
    if turn.order.led_suit[card] == TRUMP:
        trumps = (*old.trumps[turn.seat], turn.order.deck.names[card])
        memory = replace(memory, trumps=replaced(old.trumps, turn.seat, trumps))
    called = called_ace(turn)
    if called is not None:
        memory = _remember_called(turn, card, called, memory)
    if turn.contract.declarer is None and len(turn.trick.plays) == len(SEATS) - 1:
        memory = replace(memory, taken=_taken(turn, play, memory.taken))
    return memory


def _remember_called(turn: Turn, card: Card, called: Called, memory: Memory) -> Memory:
    seat = 1 << turn.seat
    if card == called.ace:
        return replace(memory, ace=turn.seat)
    if turn.trick.lead is None:
        if not called.plain >> card & 1:
            return memory
        few = too_few_to_run(turn) and memory.ran is None  # and nobody has run: it is a search
        return replace(memory, leaders=memory.leaders | seat, without=memory.without | (seat if few else 0))
    if turn.led != called.suit:
        return memory
    if not memory.leaders & seat:  # who ran need not answer
        memory = replace(memory, without=memory.without | seat)
    full = len(turn.trick.plays) == len(SEATS) - 1
    if full and memory.ran is None and memory.ace is None:  # the ace did not come: the leader has it
        memory = replace(memory, ran=turn.trick.leader)
    return memory


def too_few_to_run(turn: Turn) -> bool:
    """Had nobody, when this trick began, as many cards left as it takes to lead from under the called ace?"""
    return len(turn.order.deck) // len(SEATS) - turn.number < turn.rules.run_from


def _taken(turn: Turn, last: Play, before: tuple[int, ...]) -> tuple[int, ...]:
    """The trumps that each seat has taken once a trick is full: how many, or how high the highest is."""
    trick = turn.trick
    ahead = by_strength(turn, trick.plays[trick.best], last)
    taker = turn.seat if ahead else trick.winner
    trumps = turn.order.in_suit(trick.cards + last.cards, TRUMP)
    if turn.rules.ramsch_tie is not RamschTie.HIGHEST_TAKEN:
        return replaced(before, taker, before[taker] + len(trumps))
    # 1 for the lowest trump, and one more for each above it
    highest = max((turn.order.strength[TRUMP][card] - len(RANKS) for card in trumps), default=0)
    return replaced(before, taker, max(before[taker], highest))


class Team(Enum):
    """What is known of a seat's side."""

    DECLARERS = "declarers"
    DEFENDERS = "defenders"
    POSSIBLE = "possible"  # it may be the declarer's partner, or not
    NONE = "none"  # there are no sides: no contract yet, or a Ramsch


def partners(position: Position) -> tuple[int, ...]:
    """The seats that may be the declarer's partner, for all that this position tells; one, when it is known."""
    contract = position.contract
    if not isinstance(contract, Bargain) or contract.declarer is None:
        return ()
    called = contract.named.called
    if called is None or position.memory.ace is not None:
        return public_partners(contract, position.memory)
    ace = position.game.deck.spellings[called]
    told = {seat: ace in hand for seat, hand in enumerate(position.hands) if isinstance(hand, Cards)}
    holder = tuple(seat for seat, holds in told.items() if holds)  # before what only lawful play would show
    return holder or tuple(seat for seat in public_partners(contract, position.memory) if seat not in told)


def public_partners(contract: Bargain, memory: Memory) -> tuple[int, ...]:
    """The same, for all that everybody has seen."""
    if contract.named.kind != "rufspiel":
        return () if contract.partner is None else (contract.partner,)
    shown = [seat for seat in (memory.ace, memory.ran, contract.answered) if seat is not None]
    if shown:
        return (shown[0],)
    out = {contract.declarer, *contract.raised[::2]}
    return tuple(seat for seat in SEATS if seat not in out and not memory.without >> seat & 1)


def team(position: Position, seat: int) -> Team:
    """The side of a seat, as far as this position tells."""
    contract = position.contract
    if contract is None or contract.declarer is None:
        return Team.NONE
    could = partners(position)
    if seat == contract.declarer or could == (seat,):
        return Team.DECLARERS
    return Team.POSSIBLE if seat in could else Team.DEFENDERS


def side(position: Position, seat: int) -> int | None:
    """0 with the declarer, 1 against; None while it does not show. In a Ramsch everybody is a side."""
    known = team(position, seat)
    if known is Team.NONE:
        return None if position.contract is None else seat
    return {Team.DECLARERS: 0, Team.DEFENDERS: 1, Team.POSSIBLE: None}[known]
