"""Finding Friends: by which cards the banker names friends, who has become one, and on which side a seat is.

A friend is a card and a number: who plays that copy of it, counted over all that lie on the table since the first lead,
whoever plays them. The banker's own copies count as anybody's. What a seat holds nobody knows, so until its card comes
a friend is of neither side; once no place is open the others are attackers.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple, cast

from renege.core.cards import Card, Cards
from renege.core.game import Turn
from renege.core.message import say
from renege.core.notation import NotationError, parse_cards
from renege.core.order import Order
from renege.core.position import Position, Seeking, Sought
from renege.core.verdict import Objection
from renege.games.tractor.deck import DECK, NAMES
from renege.games.tractor.order import TRUMP
from renege.games.tractor.rules import FRIENDS_NAMED, DoubleFriend, FriendCards, Mode, Rules

BANKERS, ATTACKERS = 0, 1  # the sides


class Friend(NamedTuple):
    """Who plays the `nth` copy of a card."""

    card: Card
    nth: int

    def __str__(self) -> str:
        return f"{NAMES[self.card]} {self.nth}"


Joined = tuple[int | None, ...]  # for each friend the seat that took the place; nothing while all are open


def parse_friends(text: str) -> tuple[Friend, ...]:
    """`HA 2, SK 1`: the second ace of hearts and the first king of spades; without a number, the first."""
    words = " ".join(text.replace(",", " ").split())
    if not re.fullmatch(r"(?:(?:^| )[A-Za-z\u4e00-\u9fff]\S*(?: [0-9]{1,2})?)*", words):
        raise NotationError(say("{quoted} names no friends; write cards and numbers, like 'HA 2, SK 1'", repr(text)))
    named = re.findall(r"([^0-9 ]\S*)(?: ([0-9]{1,2}))?", words)
    return tuple(sorted(Friend(next(iter(parse_cards(DECK, name))), int(nth or 1)) for name, nth in named))


def format_friends(friends: Sequence[Friend]) -> str:
    return ", ".join(map(str, friends))


# -- which may be named


def open_to(rules: Rules, order: Order, card: Card) -> bool:
    """May friends be named by this card?"""
    return why_closed(rules, order, card) is None


def why_closed(rules: Rules, order: Order, card: Card) -> str | None:
    """Why friends may not be named by this card; None if they may."""
    suit, policy = order.led_suit[card], rules.friend_cards
    if not order.deck.kinds >> card & 1:
        return say("{cards} is not in the packs that are played with", NAMES[card])
    if policy is FriendCards.TRUMPS_TOO:
        return None
    if suit == TRUMP:
        return say("{cards} is a trump, and friends are named by other cards", NAMES[card])
    highest = bool(order.steps[suit][-1] >> card & 1)
    if policy is FriendCards.NOT_HIGHEST and highest:
        return say(
            "{cards} is the highest of {suit}, and friends are named by lower cards", NAMES[card], order.nouns[suit]
        )
    if policy is FriendCards.NO_POINTS and order.points[card] and not highest:
        return say("{cards} counts points, and friends are named by other cards", NAMES[card])
    return None


def usual(rules: Rules, order: Order) -> tuple[Friend, ...]:
    """What tables name most: of every plain suit the highest card that may be named, each of its copies."""
    found: list[Friend] = []
    for suit in range(1, len(order.suits)):
        cards = [card for step in order.steps[suit] for card in range(len(NAMES)) if step >> card & 1]
        best = next((card for card in reversed(cards) if open_to(rules, order, card)), None)
        found += [Friend(best, nth) for nth in range(1, rules.packs + 1)] if best is not None else []
    return tuple(sorted(found))


def object_to(rules: Rules, order: Order, friends: Sequence[Friend]) -> Objection | None:
    """The first thing that is wrong with friends that a banker names."""
    if len(friends) != rules.friend_count:
        why = say("{n} friends are named, and this table has {n2}", len(friends), rules.friend_count)
        return Objection(FRIENDS_NAMED, why)
    for friend, other in zip(friends, (*friends[1:], None), strict=True):
        if friend == other:
            return Objection(FRIENDS_NAMED, say("{rest} is named twice; each friend is another", str(friend)))
        if not 1 <= friend.nth <= rules.packs:
            why = say("there are {n} of {cards}, and number {n2} is none", rules.packs, NAMES[friend.card], friend.nth)
            return Objection(FRIENDS_NAMED, why)
        if (why := why_closed(rules, order, friend.card)) is not None:
            return Objection(FRIENDS_NAMED, why)
    return None


# -- who has joined


def joined_after(
    rules: Rules, banker: int, friends: Sequence[Friend], joined: Joined, seen: Cards, seat: int, cards: Cards
) -> Joined:
    """Who holds the places of the friends after a seat has laid cards; `seen` is what lay before.

    Of several cards in one play the lowest counts first. Where nobody may be two friends, a place that one of the team
    would take stays open for whoever plays the next copy.
    """
    if not friends or not any(cards.kinds >> friend.card & 1 for friend in friends):
        return joined
    places = list(joined or (None,) * len(friends))
    laid = {friend.card: seen.count(friend.card) for friend in friends}
    for card in sorted(cards):
        if card not in laid:
            continue
        laid[card] += 1
        for i, friend in enumerate(friends):
            if friend.card != card or places[i] is not None or laid[card] < friend.nth:
                continue
            if rules.double_friend is DoubleFriend.ALLOWED or seat not in team(banker, places):
                places[i] = seat
    return tuple(places) if any(place is not None for place in places) else ()


def joined_before(
    rules: Rules, banker: int, friends: Sequence[Friend], now: Joined, plays: "Laid", seen: Cards
) -> Joined:
    """Who held the places before a trick whose plays lie on the table; `seen` is what lay before it.

    Where that may have come in two ways, as many as can had joined before.
    """
    if not now:
        return now
    laid = {seat for seat, _ in plays}
    fresh = [i for i, seat in enumerate(now) if seat in laid]
    for taken in sorted(range(1 << len(fresh)), key=lambda mask: (mask.bit_count(), mask)):
        gone = {place for n, place in enumerate(fresh) if taken >> n & 1}
        before: Joined = tuple(None if i in gone else seat for i, seat in enumerate(now))
        before = before if any(seat is not None for seat in before) else ()
        then, lies = before, seen
        for seat, cards in plays:
            then, lies = joined_after(rules, banker, friends, then, lies, seat, cards), lies + cards
        if then == now:
            return before
    return now  # a text that no deal comes to


Laid = Sequence[tuple[int, Cards]]


def team(banker: int, joined: Sequence[int | None]) -> set[int]:
    """The banker and who has joined."""
    return {banker, *(seat for seat in joined if seat is not None)}


def friends_shown(
    rules: Rules, friends: Sequence[Friend], joined: Joined, seen: Cards
) -> Iterator[tuple[Friend, int | None, bool]]:
    """Each friend with the seat that took the place, and whether somebody may still take it: not once the copies that
    would do have all been played."""
    allowed = rules.double_friend is DoubleFriend.ALLOWED
    for friend, place in zip(friends, joined or (None,) * len(friends), strict=True):
        copies = friend.nth if allowed else rules.packs
        yield friend, place, place is None and seen.count(friend.card) < copies


def is_open(rules: Rules, friends: Sequence[Friend], joined: Joined, seen: Cards) -> bool:
    """May somebody still join?"""
    return any(still for _, _, still in friends_shown(rules, friends, joined, seen))


def side(position: Position, seat: int) -> int | None:
    """0 with the banker, 1 against; None while it does not show."""
    contract, memory, rules = position.contract, position.memory, position.game.rules
    if contract is None or contract.declarer is None:
        return None
    if seat in team(contract.declarer, memory.joined):
        return BANKERS
    friends = cast(tuple[Friend, ...], getattr(contract, "friends", ()))
    return ATTACKERS if position.over or not is_open(rules, friends, memory.joined, memory.seen) else None


def seeking(position: Position) -> Seeking | None:
    """The banker's team while somebody may still join it."""
    contract, memory, rules = position.contract, position.memory, position.game.rules
    friends = cast(tuple[Friend, ...], getattr(contract, "friends", ()))
    if contract is None or contract.declarer is None or position.over:
        return None
    if not is_open(rules, friends, memory.joined, memory.seen):
        return None
    places = tuple(
        Sought(str(friend), friend.card, max(1, friend.nth - memory.seen.count(friend.card)))
        for friend, place in zip(friends, memory.joined or (None,) * len(friends), strict=True)
        if place is None and memory.seen.count(friend.card) < rules.packs
    )
    ours = tuple(sorted(team(contract.declarer, memory.joined)))
    return Seeking(ours, places, rules.double_friend is DoubleFriend.ALLOWED)


def plays_with(turn: Turn, other: int) -> bool:
    """Does the seat to play take another for its partner?

    With friends it counts itself to the banker's team if it holds a card that would let it join. Of the others it
    knows the banker and who has joined; who has not is taken for a foe, until nobody can join any more.
    """
    rules, contract, memory = turn.rules, turn.contract, turn.memory
    if rules.mode is Mode.TEAMS:
        return (other - turn.seat) % 2 == 0
    ours, friends = team(contract.declarer, memory.joined), contract.friends
    if turn.seat in ours or _may_join(turn):
        return other in ours or other == turn.seat
    return other not in ours and not is_open(rules, friends, memory.joined, memory.seen)


def _may_join(turn: Turn) -> bool:
    """Does the seat hold a card by which it would become a friend, if others do not play theirs before?"""
    friends, joined, seen = turn.contract.friends, turn.memory.joined, turn.memory.seen
    return any(
        place is None and turn.hand.count(friend.card) and seen.count(friend.card) < turn.rules.packs
        for friend, place in zip(friends, joined or (None,) * len(friends), strict=True)
    )
