"""The encoding of Tractor at larger tables: more packs, more seats, friends, and house rules that came later.

Tables of two packs and four seats in teams keep the rows that they have (`encoding`); every other table has these. The
layout depends on the table: on its packs, its seats, its mode and how many friends are named. Of what all games share,
points are told in fives, so that a byte holds them. Showings are named without the level: `show SSS` is three spades of
it. Friends are named step by step, a card and then `copy 2`, the second of it to be played.

    level     [13]             1 for the level that is played, from 2 up to the ace
    levels    [2] or [seats]   2 to 14: of both sides, one's own first; with friends, of each seat
    banker    [seats]          1 for the banker, once the kitty is taken up
    named     [5]              1 for what names trumps so far: clubs, diamonds, hearts, spades; last, no suit
    voids     [seats, 5]       1 for each suit that a seat has shown to be out of
    ahead     [seats]          1 for who would take the trick as it lies
    units     [packs, 16]      of the lead: how many units have so many equal cards, and so many steps
    stopped   [2] or [seats]   throws that were stopped: of both sides, one's own first; with friends, of each seat

and with friends

    wanted    [packs, cards]   1 for each friend that was named: this copy of this card
    awaited   [packs, cards]   of these, while the place is open: how many copies from now on, until it is taken
    joined    [friends, seats] 1 for who has taken the place of a friend, friends in the order of their cards
    sides     [seats, 2]       1 in the first for who shows to be with the banker, in the second for who is against

and in rows of version 1

    led       [seats, 5]       1 for each suit that a seat has led
    first     [1]              1 in the first deal of a game, whose banker is who shows
    short     [seats, 5, packs - 1]  1 where a seat has followed suit with fewer pairs (or triples, ...) than were led

Deals of version 1 begin with any dealer and at any levels, drawn with the cards; one in 16 is a first deal at level 2.
"""

from collections.abc import Iterator, Sequence
from functools import cache

from renege.core.cards import Card, Cards, kinds_in
from renege.core.game import Game, Standing
from renege.core.house_rules import write_rules
from renege.core.order import Order
from renege.core.position import Position
from renege.core.trick import Play
from renege.games.encoding import Encoding, Moment
from renege.games.rows import told_rules
from renege.games.tractor.declare import Bank
from renege.games.tractor.encoding import (
    FIRST_IN,
    LEVELS,
    NOT_TOLD,
    EncodingTractor,
    is_taken,
    named_suit,
    talk_of,
)
from renege.games.tractor.friends import (
    ATTACKERS,
    BANKERS,
    Friend,
    format_friends,
    is_open,
    open_to,
    parse_friends,
    team,
)
from renege.games.tractor.order import PRINTED, RANKS, SUITS, order_of
from renege.games.tractor.plays import picks
from renege.games.tractor.rules import BURIED, DoubleFriend, NewDeal, NoCall, Rules, StoppedThrow, ThrowTest
from renege.games.tractor.units import led_units
from renege.native.arrays import U8

STEPS = 16  # of the longest suit, which is trumps
NOT_FELT = frozenset({"renege_found"})
TOLD = {
    "throw_comparison", "shorter_runs", "follow_duty", "trump_throws", "throw_test", "stopped_throw", "throw_penalty",
    "kitty_multiplier", "level_gap", "no_trump", "no_call", "new_deal", "few_points", "few_trumps", "must_defend",
    "packs", "kitty", "duty_family", "tractor_width", "tractor_length", "seats", "mode", "friends", "friend_cards",
    "double_friend", "level_step", "turnover", "dead_zone", "nothing_taken", "small_team", "overruling",
    "jokers_shown", "own_showing", "first_banker", "bombs", "rainbows", "jack_back",
}  # fmt: skip


def has_usual_rows(rules: Rules) -> bool:
    """Do the rows tell of such a table that were made for two packs and four seats?"""
    later = any(name in NOT_TOLD and name != "kitty" for name in write_rules(rules))
    return rules.is_four_in_teams and rules.buried == BURIED and rules.new_deal is NewDeal.NOBODY and not later


def tractor_encoding(game: Game) -> Encoding:
    """The encoding of a table, by its house rules."""
    return EncodingTractor(game) if has_usual_rows(game.rules) else EncodingWide(game)


def shows(packs: int) -> tuple[str, ...]:
    """All that may be shown with so many packs."""
    many = range(1, packs + 1)
    suits = tuple(f"show {suit * copies}" for suit in PRINTED for copies in many)
    return (*suits, *(f"show {' '.join([joker] * copies)}" for joker in ("LJ", "BJ") for copies in many))


class EncodingWide(Encoding):
    """A table of any packs and seats, in teams or with friends."""

    rules_not_felt = NOT_FELT
    point = 5

    def __init__(self, game: Game) -> None:
        _check(game)
        rules: Rules = game.rules
        self.has_sides = not rules.friend_count
        packs, seats, cards, friends = rules.packs, rules.seats, len(game.deck.names), rules.friend_count
        adds = [("level", len(RANKS)), ("levels", rules.sides), ("banker", seats), ("named", len(SUITS))]
        adds += [("voids", seats * len(SUITS)), ("ahead", seats), ("units", packs * STEPS), ("stopped", rules.sides)]
        if friends:
            adds += [("wanted", packs * cards), ("awaited", packs * cards)]
            adds += [("joined", friends * seats), ("sides", seats * 2)]
        more = [("led", seats * len(SUITS)), ("first", 1), ("short", seats * len(SUITS) * (packs - 1))]
        calls = ("pass", "take", "redeal", *shows(packs))
        steps = tuple(f"copy {nth}" for nth in range(1, packs + 1)) if friends else ()
        super().__init__(
            game, calls, several=True, gives=True, adds=adds, more=more, acts=_most_told(rules), steps=steps
        )

    def rules_told(self) -> Iterator[tuple[str, int]]:
        return told_rules(self.game.rules, frozenset(Rules.__dataclass_fields__) - TOLD)

    # -- actions

    def call_of(self, position: Position, name: str) -> str:
        if not name.startswith("show ") or "J" in name:
            return name
        level, suits = talk_of(position).level, name.removeprefix("show ")
        return f"show {' '.join(suit + level for suit in suits)}"

    def name_of(self, position: Position, call: str) -> str:
        if not call.startswith("show ") or "LJ" in call or "BJ" in call:
            return call
        return f"show {''.join(card[0] for card in call.split()[1:])}"

    def asked(self, position: Position) -> tuple[str, int] | None:
        rules: Rules = self.game.rules
        return ("bury", rules.buried) if talk_of(position).stage == "bury" else None

    def steps_open(self, position: Position, begun: tuple[int, ...]) -> tuple[int, ...] | None:
        talk = talk_of(position)
        if talk.stage != "friends":
            return None
        packs, named = talk.rules.packs, self.friends_begun(begun)
        if len(begun) % 2:
            taken = {friend.nth for friend in named if friend.card == begun[-1]}
            return tuple(self.first_step + nth - 1 for nth in range(1, packs + 1) if nth not in taken)
        cards = [friend.card for friend in named]
        return tuple(card for card in _may_name(talk.rules, talk.declaration) if cards.count(card) < packs)

    def stepped_call(self, position: Position, begun: tuple[int, ...]) -> str | None:
        rules: Rules = self.game.rules
        return f"friends {format_friends(self.friends_begun(begun))}" if len(begun) == 2 * rules.friend_count else None

    def parts_of(self, position: Position, call: str) -> tuple[tuple[int, ...], ...] | None:
        if not call.startswith("friends "):
            return None
        named = parse_friends(call.removeprefix("friends "))
        return tuple((friend.card, self.first_step + friend.nth - 1) for friend in named)

    def friends_begun(self, begun: Sequence[int]) -> tuple[Friend, ...]:
        """The friends that steps have named so far, in the order of their cards."""
        pairs = zip(begun[::2], begun[1::2], strict=False)
        return tuple(sorted(Friend(card, step - self.first_step + 1) for card, step in pairs))

    def picks(self, position: Position, chosen: Cards) -> tuple[int, bool]:
        return picks(position.turn_to_play(), chosen)

    def needs_done(self, position: Position) -> bool:
        return position.trick is not None and position.trick.lead is None

    def longest(self) -> int:
        rules: Rules = self.game.rules
        tricks = sum(thrown + 1 + rules.seats - 1 for thrown in range(1, rules.hand_size + 1))
        return _most_talk(rules) + tricks

    def worth(self) -> tuple[int, int]:
        """From the level of two past the ace."""
        return 0, len(RANKS)

    # -- where deals begin

    @property
    def _by_person(self) -> bool:
        return self.game.rules.friend_count > 0

    def standings(self) -> tuple[tuple[Standing, int], ...]:
        """All of them, where there are sides; with friends they are too many to be listed."""
        if self._by_person:
            raise ValueError("with friends every seat has a level: where a deal begins is drawn number by number")
        return _drawn(self.game.players)

    def draws(self, drawn: Sequence[int]) -> tuple[int, ...] | Standing:
        """With friends: who deals, whether it is a first deal, and then the level of each seat."""
        if not self._by_person:
            return super().draws(drawn)
        seats = self.game.players
        if len(drawn) < 2:
            return (1, FIRST_IN - 1) if drawn else (1,) * seats
        dealer, later, *levels = drawn
        if not later:
            return Standing(dealer, (*(LEVELS[0],) * seats, 0))
        if len(levels) < seats:
            return (1,) * len(LEVELS)
        return Standing(dealer, (*(LEVELS[level] for level in levels), 1))

    def drawn_by(self, standing: Standing) -> tuple[int, ...]:
        if not self._by_person:
            return super().drawn_by(standing)
        *levels, deals = standing.score
        return (standing.dealer, 1, *(level - LEVELS[0] for level in levels)) if deals else (standing.dealer, 0)

    @property
    def told_numbers(self) -> int:
        return 2 + self.game.rules.sides

    def standing_of(self, told: Sequence[int], score: tuple[int, ...] | None = None) -> Standing:
        dealer, *levels, first = told
        return Standing(dealer, (*levels, int(not first)))

    def told_standing(self, standing: Standing, score: tuple[int, ...] | None = None) -> tuple[int, ...]:
        dealer, *_ = super().told_standing(standing)
        *levels, deals = standing.score
        if not all(level in LEVELS for level in levels):
            raise ValueError(f"a level is {LEVELS[0]}..{LEVELS[-1]}")
        return dealer, *levels, int(deals == 0)

    # -- rows

    marked = ("voids", "led", "short")

    def marks(self, order: Order, lead: Play | None, play: Play) -> Iterator[tuple[str, int]]:
        yield from super().marks(order, lead, play)
        if lead is None or not lead.cards.at_least(2):
            return
        packs, suit = self.game.rules.packs, order.suit_of(lead.cards)
        if suit is None or len(order.in_suit(play.cards, suit)) < len(lead.cards):
            return  # it is out of the suit
        for width in range(2, packs + 1):
            if play.cards.at_least(width).bit_count() < lead.cards.at_least(width).bit_count():
                yield "short", suit * (packs - 1) + width - 2

    def add(self, moment: Moment, seat: int | None, row: U8) -> None:
        _Added(self, moment, seat, row).fill()


class _Added:
    """The sections that larger tables add to a row."""

    def __init__(self, encoding: EncodingWide, moment: Moment, seat: int | None, row: U8) -> None:
        self.encoding, self.moment, self.seat, self.row = encoding, moment, seat, row
        self.me, self.seats = seat or 0, encoding.game.players
        self.rules: Rules = encoding.game.rules

    def fill(self) -> None:
        position = self.moment.position
        standing, sides = position.standing, self.rules.sides
        self._one("level", standing.score[standing.dealer % sides] - LEVELS[0])
        self._by_side("levels", standing.score)
        if position.contract is not None or is_taken(position):
            contract = position.contract
            banker = contract.declarer if isinstance(contract, Bank) else talk_of(position).banker
            self._one("banker", self._from_me(banker))
        if (suit := named_suit(position)) is not None:
            self._one("named", suit)
        if position.memory is not None:
            self._by_side("stopped", position.memory.stopped)
            for other, void in enumerate(position.memory.voids):
                for suit in kinds_in(void):
                    self._one("voids", self._from_me(other) * len(SUITS) + suit)
        self._trick(position)
        if self.rules.friend_count:
            self._friends(position)
        if self.encoding.rows.version:
            self.row[self.encoding.sections["first"]] = standing.score[-1] == 0

    def _trick(self, position: Position) -> None:
        trick, order = position.trick, position.order
        if trick is None or trick.lead is None or order is None:
            return
        self._one("ahead", self._from_me(trick.winner))
        if order.suit_of(trick.lead.cards) is None:
            return
        first = self.encoding.sections["units"].start
        for unit in led_units(order, trick.lead):
            width, length = len(unit) // unit.kinds.bit_count(), unit.kinds.bit_count()
            self.row[first + (width - 1) * STEPS + length - 1] += 1

    def _friends(self, position: Position) -> None:
        contract, memory, cards = position.contract, position.memory, self.encoding.cards
        if not isinstance(contract, Bank):
            if self.seat is not None and self.seat == self.moment.turn and (begun := self.moment.begun):
                for friend in self.encoding.friends_begun(begun):
                    self._one("wanted", (friend.nth - 1) * cards + friend.card)
                if len(begun) % 2:
                    self._one("chosen", begun[-1])
            return
        joined = memory.joined or (None,) * len(contract.friends)
        for i, (friend, place) in enumerate(zip(contract.friends, joined, strict=True)):
            at = (friend.nth - 1) * cards + friend.card
            self._one("wanted", at)
            if place is not None:
                self._one("joined", i * self.seats + self._from_me(place))
            else:
                self._one("awaited", at, _still_to_come(self.rules, friend, memory.seen.count(friend.card)))
        ours = team(contract.declarer, joined)
        settled = position.over or not is_open(self.rules, contract.friends, memory.joined, memory.seen)
        for other in range(self.seats):
            if other in ours or settled:
                self._one("sides", self._from_me(other) * 2 + (BANKERS if other in ours else ATTACKERS))

    def _one(self, section: str, place: int, value: int = 1) -> None:
        self.row[self.encoding.sections[section].start + place] = value

    def _by_side(self, section: str, values: Sequence[int]) -> None:
        sides = self.rules.sides
        for who in range(sides):
            self._one(section, (who - self.me) % sides, values[who])

    def _from_me(self, seat: int) -> int:
        return (seat - self.me) % self.seats


def _still_to_come(rules: Rules, friend: Friend, seen: int) -> int:
    """How many copies of a friend's card, from now on, until the place is taken; 0 where it cannot be any more."""
    if rules.double_friend is DoubleFriend.ALLOWED:
        return max(friend.nth - seen, 0)
    return max(friend.nth - seen, 1) if seen < rules.packs else 0


@cache
def _may_name(rules: Rules, declaration: str) -> tuple[Card, ...]:
    """The cards by which friends may be named."""
    order = order_of(rules, declaration)
    return tuple(card for card in kinds_in(rules.deck.kinds) if open_to(rules, order, card))


@cache
def _drawn(seats: int) -> tuple[tuple[Standing, int], ...]:
    """Any dealer; any levels of both sides in a later deal, and in a first one the lowest."""
    later = [((low, high, 1), FIRST_IN - 1) for low in LEVELS for high in LEVELS]
    scores = [((LEVELS[0], LEVELS[0], 0), len(later)), *later]
    return tuple((Standing(dealer, score), weight) for dealer in range(seats) for score, weight in scores)


def _most_talk(rules: Rules) -> int:
    """The most actions before the first lead: showings each stronger than the last, after each of which all others
    pass, the pass of each who may ask for a new deal, the kitty, and the friends."""
    stronger = rules.packs * (len(PRINTED) + 2)
    return rules.seats * (stronger + 2) + 1 + rules.buried + 2 * rules.friend_count


def _most_told(rules: Rules) -> int:
    """The most that a history tells. All cards are laid once; and before a lead of what was a hand of so many cards, a
    throw of as many may be told and stopped, with its end and that of the lead."""
    return _most_talk(rules) + rules.seats * rules.hand_size + sum(range(3, rules.hand_size + 3))


def _check(game: Game) -> None:
    """Refuse the rules under which an action would be chance's, or what is open would tell what others hold."""
    rules: Rules = game.rules
    told = write_rules(rules)
    later = [name for name in told if name not in TOLD | NOT_FELT]
    if rules.no_call not in (NoCall.NO_TRUMP, NoCall.REDEAL):
        rule, why = "no_call", "a card that is turned up by chance is nobody's action"
    elif rules.stopped_throw is StoppedThrow.REFUSED and rules.throw_test is not ThrowTest.PUBLIC_INFO:
        rule, why = "stopped_throw", "the throws that are open would tell the leader what the others hold"
    elif later:
        rule, why = later[0], "its rows were made before this choice"
    else:
        return
    raise ValueError(f"{game.name} is not put into numbers under {rule}={told[rule]}: {why}")
