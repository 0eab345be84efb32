"""The table of a question about Tractor: house rules, a declaration, what is told of the hands, and a trick."""

from dataclasses import dataclass, replace
from functools import lru_cache

from renege.core.cards import Cards, Hidden, kinds_in
from renege.core.game import SEATS, Game, Turn
from renege.core.house_rules import read_rules
from renege.core.notation import NotationError, parse_cards
from renege.core.order import Order
from renege.core.trick import Play, Trick
from renege.games import tractor
from renege.games.tractor.declare import Bank
from renege.games.tractor.follow import why_not
from renege.games.tractor.memory import Memory
from renege.games.tractor.order import DECK, parse_declaration
from renege.games.tractor.rules import BURIED, Rules, StoppedThrow, ThrowTest
from renege.games.tractor.units import named_units
from renege.games.wire import Question, quote, read_cards, read_choices

HAND_SIZE = 25
OTHERS = len(SEATS) - 1
AROUND = tuple(SEATS)
PARTNER = 2


# -- the table: house rules and a declaration, set up once and kept


@dataclass(frozen=True, slots=True)
class Table:
    """What a question about a trick is judged by.

    On the wire a throw is legal if it stands. `open` is the game where all hands are told, and `public` the one where
    only what the leader knows may prove it.
    """

    rules: Rules
    open: Game
    public: Game
    contract: Bank
    order: Order

    def game(self, *, told: bool) -> Game:
        return self.open if told and self.rules.throw_test is not ThrowTest.PUBLIC_INFO else self.public

    @property
    def rivals(self) -> tuple[int, ...]:
        """The seats that may stop a throw of seat 0."""
        return tuple(seat for seat in AROUND[1:] if seat != PARTNER or not self.partner_aside)

    @property
    def partner_aside(self) -> bool:
        """Does the partner's hand stop nothing?"""
        return self.rules.throw_test is ThrowTest.OPPONENTS


@lru_cache(maxsize=256)
def set_table(rules: bytes, declaration: str) -> Table:
    """The table for these house rules and this declaration; seat 0 leads, and knows the kitty if that is told."""
    house: Rules = read_rules(Rules(), read_choices(rules))
    suit, level = parse_declaration(declaration)
    contract = Bank(f"{suit or 'NT'}{level}", 0, 0)
    by_hands = ThrowTest.TRUE_HANDS if house.throw_test is ThrowTest.PUBLIC_INFO else house.throw_test
    return Table(
        house,
        tractor.game(replace(house, throw_test=by_hands, stopped_throw=StoppedThrow.REFUSED)),
        tractor.game(replace(house, throw_test=ThrowTest.PUBLIC_INFO)),
        contract,
        tractor.game(house).order(house, contract),
    )


@dataclass(frozen=True, slots=True)
class Known:
    """What is told of the cards besides a hand: the three other hands, or what the table has seen."""

    others: tuple[Cards, ...]
    memory: Memory
    kitty: Cards | None
    all_seen: bool = True  # is what is out known? not of a hand in the middle of a deal of which nothing is told

    def turn(self, table: Table, hand: Cards, trick: Trick) -> Turn:
        others = self.others or (Hidden(len(hand)),) * OTHERS
        memory = self.memory
        if table.partner_aside:  # a hand that stops nothing might as well have none of any suit
            every = (1 << len(table.order.suits)) - 1
            memory = replace(memory, voids=tuple(every if seat == PARTNER else memory.voids[seat] for seat in SEATS))
        return Turn(
            rules=table.game(told=bool(self.others)).rules,
            contract=table.contract,
            order=table.order,
            seat=trick.seats[len(trick.plays)],
            hand=hand,
            trick=trick,
            number=0,
            memory=memory,
            hands=(hand, *others),
            kitty=Hidden(BURIED) if self.kitty is None else self.kitty,
        )


class KnownQuestion(Question, kw_only=True):
    """A question that may tell the other hands, or what the table has seen."""

    declaration: str
    others: list[str] | None = None
    seen: str | None = None
    voids: list[list[str]] | None = None
    kitty: str | None = None
    grouping: list[str] | None = None


def read_known(table: Table, question: KnownQuestion, hand: Cards, on_table: Cards) -> Known:
    """What is told; no card may come more often than the deck has it, and nobody holds a suit that he is void in.

    The cards on the table have been seen, whether `seen` has them or not.
    """
    others = tuple(read_cards(DECK, text) for text in question.others or ())
    if question.others is not None and len(others) != OTHERS:
        raise NotationError(f"'others' are the hands of the next three seats, and there are {len(others)}")
    seen = read_cards(DECK, question.seen or "")
    kitty = None if question.kitty is None else read_cards(DECK, question.kitty)
    if kitty is not None and len(kitty) > BURIED:
        raise NotationError(f"the kitty has {BURIED} cards, and {quote(question.kitty or '')} has {len(kitty)}")
    voids = [_suits(table.order, names) for names in question.voids or [[]] * OTHERS]
    if len(voids) != OTHERS:
        raise NotationError(f"'voids' has a list of suits for each of the next three seats, and there are {len(voids)}")
    for seat, (pile, void) in enumerate(zip(others, voids, strict=False), start=1):
        for suit in kinds_in(void):
            if held := table.order.in_suit(pile, suit):
                raise NotationError(f"hand {seat} of 'others' is void in {table.order.suits[suit]!r} and has {held}")
    piles = [hand, *others, seen | on_table, *([] if kitty is None else [kitty])]
    accounted = parse_cards(DECK, " ".join(map(str, piles)))  # refuses more copies than there are
    if not others and kitty is not None and len(kitty) == BURIED:
        _check_voids(table.order, voids, DECK.all - accounted)
    told = any(field is not None for field in (question.others, question.seen, question.voids, question.kitty))
    return Known(others, Memory(seen, (0, *voids)), kitty, told or len(hand) == HAND_SIZE)


def _check_voids(order: Order, voids: list[int], out: Cards) -> None:
    """Cards that are neither seen nor buried are in some hand."""
    for suit in range(len(order.suits)):
        left = order.in_suit(out, suit)
        if left and all(void >> suit & 1 for void in voids):
            raise NotationError(f"all three seats are void in {order.suits[suit]!r}, and {quote(str(left))} is nowhere")


def _suits(order: Order, names: list[str]) -> int:
    mask = 0
    for name in names:
        mask |= 1 << order.suit_named(name)
    return mask


def read_pile(text: str, what: str) -> Cards:
    """A pile that is not empty."""
    pile = read_cards(DECK, text)
    if not pile:
        raise NotationError(f"{what!r} has no cards: {quote(text)}")
    return pile


def read_grouping(texts: list[str] | None) -> tuple[Cards, ...]:
    """The units as a leader names them."""
    return tuple(read_pile(text, "grouping") for text in texts or ())


def read_lead(order: Order, text: str, grouping: list[str] | None = None) -> Play:
    """A lead that lies on the table, which must be one."""
    lead = Play(read_pile(text, "lead"), units=read_grouping(grouping))
    if order.suit_of(lead.cards) is None:
        raise NotationError(f"{quote(text)} cannot have been led: it is of {suits_of(order, lead.cards)}")
    if lead.units and named_units(order, lead) is None:
        raise NotationError(f"{' + '.join(map(str, lead.units))!r} is no grouping of {quote(text)} into units")
    return lead


def suits_of(order: Order, cards: Cards) -> str:
    return " and ".join(sorted({order.nouns[order.led_suit[card]] for card in cards}))


# -- a trick


def read_trick(texts: list[str], name: str = "a trick") -> list[Play]:
    plays = [Play(read_cards(DECK, text)) for text in texts]
    if len(plays) != len(SEATS) or not all(play.cards for play in plays):
        missing = len(SEATS) - sum(bool(play.cards) for play in plays)
        short = f"; {missing} {'is' if missing == 1 else 'are'} missing" if missing > 0 else ""
        raise NotationError(f"{name} has a play of each of four seats{short}: {quote(', '.join(texts))}")
    return plays


def why_excluded(order: Order, lead: Play, play: Play) -> str | None:
    """Why a follow cannot win, whatever it meets; nothing beats a lead across suits, as nothing follows it."""
    if len(play.cards) != len(lead.cards):
        return f"{play} has another number of cards than {lead}"
    if order.suit_of(lead.cards) is None:
        return f"{lead} is of {suits_of(order, lead.cards)}, which nothing follows"
    return why_not(order, lead, play)


def best_of(table: Table, plays: list[Play], barred: list[bool]) -> int:
    """The play that takes the trick, of those that are not barred."""
    trick = Trick(AROUND, (plays[0],))
    turn = Known((), Memory(), None).turn(table, plays[0].cards, trick)
    best = 0
    for i, play in enumerate(plays[1:], start=1):
        if not barred[i] and table.open.beats(turn, plays[best], play):
            best = i
    return best
