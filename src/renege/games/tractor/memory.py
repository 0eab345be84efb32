"""What the table remembers of the tricks before: the cards played, who showed a void, and the last lead."""

import re
from dataclasses import dataclass, replace

from renege.core.cards import Cards
from renege.core.facts import Void
from renege.core.game import Turn
from renege.core.message import say
from renege.core.notation import NotationError, parse_cards
from renege.core.position import Position, Recalled
from renege.core.trick import Play
from renege.games.tractor.bombs import is_rainbow, tells_nothing
from renege.games.tractor.declare import Bank
from renege.games.tractor.follow import beats
from renege.games.tractor.friends import Joined, joined_after, joined_before
from renege.games.tractor.order import DECK, SUITS, rank_of
from renege.games.tractor.rules import FOLLOW_SUIT, JackBack, Mode, Rules
from renege.games.tractor.units import led_form

USUAL = Rules()


@dataclass(frozen=True, slots=True)
class Memory:
    """Public knowledge. `voids[seat]` is a mask of suits; `last` the cards of the longest unit of the last lead, which
    had `last_pairs` pairs (or wider tuples) and `last_lead` cards in all."""

    seen: Cards = DECK.none
    voids: tuple[int, ...] = (0, 0, 0, 0)
    last: int = 0
    last_pairs: int = 0
    stopped: tuple[int, ...] = (0, 0)  # throws that were stopped, of each side or, with friends, of each seat
    last_lead: int = 0
    joined: Joined = ()  # in Finding Friends the seats that took the places of the friends
    jack: bool = False  # is the play that is ahead, or that took the last trick, such a jack as throws a team back?

    def __str__(self) -> str:
        empty = [f"{seat} {_suits(void)}" for seat, void in enumerate(self.voids) if void]
        parts = [f"seen {self.seen}" if self.seen else "", f"void {', '.join(empty)}" if empty else ""]
        several = f" {self.last_lead}" if self.last_lead != self.last else ""  # units were led together
        parts.append(f"last {self.last} {self.last_pairs}{several}" if self.last else "")
        parts.append(f"stopped {' '.join(map(str, self.stopped))}" if any(self.stopped) else "")
        places = ("-" if seat is None else str(seat) for seat in self.joined)
        parts.append(f"joined {' '.join(places)}" if self.joined else "")
        parts.append("jack" if self.jack else "")
        return "; ".join(filter(None, parts)) or "nothing"


def _suits(mask: int) -> str:
    return "".join(name for suit, name in enumerate(SUITS) if mask >> suit & 1)


def read_memory(text: str, rules: Rules = USUAL) -> Memory:
    deck, seats = rules.deck, rules.seats
    seen, voids, last, last_pairs, last_lead = deck.none, [0] * seats, 0, 0, 0
    stopped, joined, jack = (0,) * rules.sides, (), False
    throws = rf"stopped ([0-9]{{1,2}}(?: [0-9]{{1,2}}){{{rules.sides - 1}}})"
    for part in filter(None, (part.strip() for part in text.split(";"))):
        key, _, rest = part.partition(" ")
        if key == "seen":
            seen = parse_cards(deck, rest)
        elif key == "void":
            for entry in rest.split(","):
                named = re.fullmatch(rf"([0-{seats - 1}]) ([TSHCD]+)", entry.strip())
                if named is None:
                    raise NotationError(say("{quoted} is no void; write it like '2 HS'", repr(entry.strip())))
                voids[int(named[1])] = sum(1 << SUITS.index(suit) for suit in set(named[2]))
        elif numbers := re.fullmatch(r"last ([0-9]{1,2}) ([0-9]{1,2})(?: ([0-9]{1,2}))?", part):
            last, last_pairs, last_lead = int(numbers[1]), int(numbers[2]), int(numbers[3] or numbers[1])
        elif numbers := re.fullmatch(throws, part):
            stopped = tuple(map(int, numbers[1].split()))
        elif rules.friend_count and re.fullmatch(rf"joined(?: (?:-|[0-{seats - 1}])){{{rules.friend_count}}}", part):
            joined = tuple(None if place == "-" else int(place) for place in rest.split())
        elif part == "jack" and rules.jack_back is not JackBack.OFF:
            jack = True
        elif part != "nothing":
            raise NotationError(say("{quoted} is nothing that Tractor remembers", repr(part)))
    return Memory(seen, tuple(voids), last, last_pairs, stopped, last_lead, joined, jack)


def recall(position: Position) -> Recalled:
    """What the table knows of the tricks before the one on it: cards that were seen, and who had run out of what."""
    trick, order, memory = position.trick, position.order, position.memory
    assert trick is not None and order is not None and isinstance(memory, Memory)
    laid = trick.cards if trick.plays else memory.seen.deck.none
    gone = memory.seen - laid if laid <= memory.seen else memory.seen
    voids = list(memory.voids)
    if trick.lead is not None and (led := order.suit_of(trick.lead.cards)) is not None:
        for seat in trick.seats[: len(trick.plays)]:  # it may have run out of this suit just now
            voids[seat] &= ~(1 << led)
    facts = tuple(
        Void(seat, sum(position.tricks), FOLLOW_SUIT, suit)
        for seat, mask in enumerate(voids)
        for suit in range(len(SUITS))
        if mask >> suit & 1
    )
    joined = _joined_before(position, gone)
    return Recalled(replace(memory, seen=gone, voids=tuple(voids), joined=joined), gone, facts)


def _joined_before(position: Position, gone: Cards) -> Joined:
    contract, trick = position.contract, position.trick
    if not isinstance(contract, Bank) or trick is None:
        return ()
    plays = [(seat, play.cards) for seat, play in zip(trick.seats, trick.plays, strict=False)]
    return joined_before(position.game.rules, contract.declarer, contract.friends, position.memory.joined, plays, gone)


def _joined(turn: Turn, play: Play) -> Joined:
    if turn.rules.mode is Mode.TEAMS:
        return ()
    banker, friends, old = turn.contract.declarer, turn.contract.friends, turn.memory
    return joined_after(turn.rules, banker, friends, old.joined, old.seen, turn.seat, play.cards)


def remember(turn: Turn, play: Play) -> Memory:
    """What the table knows after a play."""
    old: Memory = turn.memory
    lead = turn.trick.lead
    if lead is None:
        last, pairs, lead_size = old.last, old.last_pairs, old.last_lead
        if turn.order.suit_of(play.cards) is not None:
            shape = led_form(turn.order, play)
            last, pairs, lead_size = shape.longest_cards, shape.led_pairs, shape.cards
        elif is_rainbow(turn.rules, turn.order, play.cards):
            last, pairs, lead_size = len(play.cards), 1, len(play.cards)
        failed = old.stopped
        if play.tried is not None:
            whose = turn.seat % len(failed)
            failed = tuple(count + (side == whose) for side, count in enumerate(failed))
        jack, joined = has_jack(turn.rules, play), _joined(turn, play)
        return Memory(old.seen + play.cards, old.voids, last, pairs, failed, lead_size, joined, jack)
    voids = old.voids
    short = turn.led is not None and len(turn.order.in_suit(play.cards, turn.led)) < len(lead.cards)
    if short and turn.led is not None and not tells_nothing(turn, play):
        voids = tuple(voids[seat] | (1 << turn.led if seat == turn.seat else 0) for seat in range(len(voids)))
    jack = old.jack
    if turn.rules.jack_back is not JackBack.OFF and beats(turn, turn.trick.plays[turn.trick.best], play):
        jack = has_jack(turn.rules, play)
    return replace(old, seen=old.seen + play.cards, voids=voids, joined=_joined(turn, play), jack=jack)


def has_jack(rules: Rules, play: Play) -> bool:
    """Would this play, if it took the last trick at level J, throw the banker's team back?"""
    if rules.jack_back is JackBack.OFF or (rules.jack_back is JackBack.SINGLE_JACK and len(play.cards) > 1):
        return False
    return any(rank_of(card) == "J" for card in play.cards)
