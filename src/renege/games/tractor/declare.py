"""Naming trumps in Tractor, and the kitty.

While the cards are drawn any seat may show cards of the level: one names its suit, two alike overrule one, as many
little jokers overrule those and name no trump suit, big jokers overrule those; with more packs three alike overrule
any two, and so on. Who has shown may strengthen that suit alone. Where nobody has shown, a house rule lets the kitty
name trumps, and another lets an attacker with a poor hand ask for a new deal. When all are content the banker takes up
the kitty and buries as many cards, face down, and leads. In the first deal of a game the bank goes to the seat that
named trumps. In Finding Friends it names friends besides, after burying.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

from renege.core.cards import Cards, Deck, Hand, Hidden, kinds_in
from renege.core.deal_state import Act
from renege.core.game import KITTY, Contract, Move, Standing, Talk
from renege.core.message import say
from renege.core.notation import NotationError, parse_cards
from renege.core.order import Order
from renege.core.position import Course, KittyTaken
from renege.core.record import Record
from renege.core.verdict import Objection
from renege.games.tractor.deck import BIG, DECK, LITTLE, RANKS
from renege.games.tractor.friends import Friend, format_friends, object_to, parse_friends, usual
from renege.games.tractor.order import TRUMP, order_of, parse_declaration, printed_suit, rank_of
from renege.games.tractor.rules import (
    BURY,
    FRIENDS_NAMED,
    NEW_DEAL,
    SHOW,
    TURN_UP,
    FirstBanker,
    Mode,
    NewDeal,
    NoCall,
    Overruling,
    OwnShowing,
    Rules,
)

BY_SUIT = "DCHS"  # the lowest suit first, where suits overrule


@dataclass(frozen=True, slots=True)
class Bank(Contract):
    """The contract: trumps and level (`S2`, `NT2`), the banker, who leads, and the friends that were named."""

    declarer: int
    friends: tuple[Friend, ...] = ()


def read_contract(rules: Rules, text: str) -> Bank:
    """`trump S2 by 1`, `trump S2 by 1 friends HA 2, SK 1`; without a seat, by seat 0, without friends, alone."""
    by, friends = rf"(?: by ([0-{rules.seats - 1}]))?", r"(?: friends (.+))?" if rules.friend_count else "()"
    found = re.fullmatch(rf"(?:trump )?(\S+){by}{friends}", " ".join(text.split()), re.IGNORECASE)
    if found is None:
        raise NotationError(say("{quoted} is no contract; write it like 'trump S2 by 1'", repr(text)))
    suit, level = parse_declaration(found[1])
    banker = int(found[2] or 0)
    bank = Bank(f"{suit or 'NT'}{level}", banker, banker, parse_friends(found[3] or ""))
    if bank.friends and (no := object_to(rules, order_of(rules, bank.declaration), bank.friends)):
        raise NotationError(no.why)
    return bank


def write_contract(contract: Bank) -> str:
    friends = f" friends {format_friends(contract.friends)}" if contract.friends else ""
    return f"trump {contract.declaration} by {contract.declarer}{friends}"


@dataclass(frozen=True)
class Drawing(Talk):
    """Cards are drawn and shown; then the kitty is taken up and buried. Any seat may speak until all have passed."""

    rules: Rules
    dealer: int
    levels: tuple[int, ...]  # of both sides or, with friends, of every seat
    first: bool  # the first deal of a game, which has no banker yet
    calls_made: tuple[tuple[int, str], ...] = ()
    floor: int | None = None  # who breaks in, where it is not the turn of that seat

    @property
    def said(self) -> tuple[str, ...]:
        return tuple(f"{seat}: {call}" for seat, call in self.calls_made)

    @property
    def deck(self) -> Deck:
        return self.rules.deck

    @cached_property
    def shown(self) -> tuple[int, Cards] | None:
        """The strongest showing so far, which is the last: who, and what."""
        shows = [(seat, call) for seat, call in self.calls_made if call.startswith("show ")]
        return (shows[-1][0], parse_cards(self.deck, shows[-1][1].removeprefix("show "))) if shows else None

    @cached_property
    def named(self) -> Cards | None:
        """The cards that name trumps: those shown, or the one turned up."""
        turned = next((call for _, call in self.calls_made if call.startswith("turn ")), None)
        if turned is not None:
            return parse_cards(self.deck, turned.removeprefix("turn "))
        return None if self.shown is None else self.shown[1]

    @property
    def on_kitty(self) -> bool:
        return self._stage == "turn"

    @property
    def speakers(self) -> tuple[int, ...]:
        if self._stage != "show":
            return super().speakers
        return self._waiting if self.shown is None else (*self._waiting, self.shown[0])

    @property
    def _waiting(self) -> tuple[int, ...]:
        """The seats that have neither shown last nor passed since: they are asked in turn."""
        last = max((i for i, (_, call) in enumerate(self.calls_made) if call != "pass"), default=-1)
        content = {seat for seat, _ in self.calls_made[max(last, 0) :]}
        return tuple(seat for seat in self._around(self.dealer) if seat not in content)

    def _around(self, seat: int) -> tuple[int, ...]:
        """All seats in turn, from one on."""
        return tuple((seat + i) % self.rules.seats for i in range(self.rules.seats))

    @property
    def turn(self) -> int | None:
        if self.floor is not None:
            return self.floor
        stage = self._stage
        if stage == "show":
            return self._waiting[0]
        if stage == "ask":  # the second after the first has passed
            return self._askers[self._passes]
        return None if stage == "done" else self.banker

    @property
    def banker(self) -> int:
        """Whose bank it is: in the first deal, of the seat that named trumps."""
        if not self.first or self.shown is None:
            return self.dealer
        if self.rules.first_banker is FirstBanker.LAST_TO_SHOW:
            return self.shown[0]
        return next(seat for seat, call in self.calls_made if call.startswith("show "))

    @property
    def level(self) -> str:
        """The level that is played: that of the banker's side, equal in the first deal."""
        return RANKS[self.levels[self.dealer % len(self.levels)] - 2]

    @cached_property
    def _stage(self) -> str:
        calls = [call for _, call in self.calls_made]
        if any(call.startswith("bury") for call in calls):
            named = not self.rules.friend_count or calls[-1].startswith("friends")
            return "done" if named else "friends"
        if "take" in calls:
            return "bury"
        if "redeal" in calls:
            return "done"
        if self._passes < 0:
            return "show"
        if self.named is None and self.rules.no_call is not NoCall.NO_TRUMP:
            return "done" if self.rules.no_call is NoCall.REDEAL else "turn"
        return "ask" if self._passes < len(self._askers) else "take"

    @cached_property
    def _passes(self) -> int:
        """How many have passed since trumps were named; below 0 while somebody may still show."""
        calls = [call for _, call in self.calls_made]
        passes = next((i for i, call in enumerate(reversed(calls)) if call != "pass"), len(calls))
        if any(call.startswith("turn") for call in calls):
            return passes
        return passes - self.rules.seats + (len(calls) > passes)  # who has shown need not pass

    @property
    def _askers(self) -> tuple[int, ...]:
        """The attackers, who may ask for a new deal one after the other; with friends, all but the banker."""
        if self.rules.new_deal is NewDeal.NOBODY:
            return ()
        return self._around(self.banker)[1 :: 2 if self.rules.mode is Mode.TEAMS else 1]

    @property
    def asking(self) -> bool:
        """May the seat whose turn it is ask for a new deal, if its hand is poor enough?"""
        return self._stage == "ask"

    @property
    def stage(self) -> str:
        """What comes next: show, turn, ask, take, bury or friends; done at the end."""
        return self._stage

    @property
    def contract(self) -> Bank | None:
        redealt = any(call == "redeal" for _, call in self.calls_made)
        if self._stage != "done" or redealt or (self.named is None and self.rules.no_call is NoCall.REDEAL):
            return None
        last = self.calls_made[-1][1]
        friends = parse_friends(last.removeprefix("friends ")) if last.startswith("friends ") else ()
        return Bank(self.declaration, self.banker, self.banker, friends)

    @property
    def declaration(self) -> str:
        """The trumps that have been named so far, and the level."""
        suit = None if self.named is None else printed_suit(next(iter(self.named)))
        return f"{suit or 'NT'}{self.level}"

    def by(self, seat: int) -> "Drawing":
        if seat not in self.speakers:
            raise ValueError(say("{seat} has no right to speak now", seat))
        return replace(self, floor=seat) if self._stage == "show" else self

    def read(self, text: str) -> str:
        words = " ".join(text.split())
        if words.lower() in ("pass", "take", "redeal"):
            return words.lower()
        if words.lower() == f"bury {self.rules.buried} cards":
            return words.lower()
        verb, _, cards = words.partition(" ")
        if verb.lower() == "friends" and self.rules.friend_count:
            return f"friends {format_friends(parse_friends(cards))}"
        if verb.lower() not in ("show", "turn", "bury") or not cards:
            why = "{quoted} is no call: pass, show S2, turn S2, redeal, take, bury and the cards"
            raise NotationError(say(why, repr(text.strip())))
        return f"{verb.lower()} {parse_cards(self.deck, cards)}"

    def calls(self, hand: Hand) -> Iterator[str]:
        stage = self._stage
        if stage == "show":
            shows = self._shows(hand) if isinstance(hand, Cards) else ()
            yield from (call for call in ("pass", *shows) if self.objection(call, hand) is None)
        elif stage == "turn":
            yield from (f"turn {self.deck.names[card]}" for card in kinds_in(self._turned_up(hand)))
        elif stage == "ask":
            yield "pass"
            if isinstance(hand, Cards) and self.objection("redeal", hand) is None:
                yield "redeal"
        elif stage == "take":
            yield "take"
        elif stage == "bury":
            # one of the many ways: the lowest cards; any eight may be buried
            low = sorted(hand)[: self.rules.buried] if isinstance(hand, Cards) else []
            yield f"bury {self.deck.cards(low)}" if low else f"bury {self.rules.buried} cards"
        elif stage == "friends":
            # some of the many ways: the highest cards of the plain suits
            ways = combinations(usual(self.rules, self.order), self.rules.friend_count)
            yield from (f"friends {format_friends(friends)}" for friends in ways)

    @property
    def order(self) -> Order:
        """The order under the trumps that have been named so far."""
        return order_of(self.rules, self.declaration)

    def _shows(self, hand: Cards) -> Iterator[str]:
        for card in kinds_in(hand.kinds):
            if rank_of(card) == self.level or card in (LITTLE, BIG):
                fewest = 1 if card < LITTLE else self.rules.fewest_jokers
                for copies in range(fewest, hand.count(card) + 1):
                    yield f"show {self.deck.cards([card] * copies)}"

    def objection(self, call: str, hand: Hand) -> Objection | None:
        stage = self._stage
        verb = call.split()[0]
        if stage not in {"pass": ("show", "ask"), "redeal": ("ask",)}.get(verb, (verb,)):
            known = {"take": BURY, "bury": BURY, "turn": TURN_UP, "ask": NEW_DEAL, "friends": FRIENDS_NAMED}
            what = "name friends" if verb == "friends" else verb
            return Objection(known.get(stage, SHOW), f"it is not the time to {what}")
        if verb == "redeal":
            return self._object_to_redeal(hand)
        if verb == "pass" and stage == "show" and self.shown is not None and self.turn == self.shown[0]:
            return Objection(SHOW, say("{seat} has shown last and has nothing to pass", self.turn))
        if verb == "show":
            return self._object_to_show(parse_cards(self.deck, call.removeprefix("show ")), hand)
        if verb == "turn":
            card = parse_cards(self.deck, call.removeprefix("turn "))
            if card.single() is None or not card.kinds & self._turned_up(hand):
                return Objection(TURN_UP, say("{cards} is not the card that the kitty names trumps by", card))
        if verb == "bury":
            return self._object_to_bury(call, hand)
        if verb == "friends":
            return object_to(self.rules, self.order, parse_friends(call.removeprefix("friends")))
        return None

    def _object_to_redeal(self, hand: Hand) -> Objection | None:
        if not isinstance(hand, Cards):
            return None
        rules, table = self.rules, self.order
        points, trumps = table.worth(hand), len(table.in_suit(hand, TRUMP))
        few_points, few_trumps = points <= rules.few_points, trumps <= rules.few_trumps
        if rules.new_deal is NewDeal.FEW_POINTS and not few_points:
            return Objection(NEW_DEAL, say("the hand has {n} points, and {n2} are few", points, rules.few_points))
        if rules.new_deal is NewDeal.FEW_TRUMPS and not few_trumps:
            return Objection(NEW_DEAL, say("the hand has {n} trumps, and {n2} are few", trumps, rules.few_trumps))
        if not few_points and not few_trumps:
            why = "the hand has {n} points and {n2} trumps; {n3} points or {n4} trumps are few"
            return Objection(NEW_DEAL, say(why, points, trumps, rules.few_points, rules.few_trumps))
        return None

    def _turned_up(self, kitty: Hand) -> int:
        """The kinds of which one names trumps; which comes first is chance, so each of equal rank may."""
        names_trumps = self.deck.kinds & ~(1 << LITTLE | 1 << BIG)
        if isinstance(kitty, Hidden):
            return names_trumps
        cards = list(kinds_in(kitty.kinds & names_trumps))
        level = [card for card in cards if rank_of(card) == self.level]
        ranks = {card: card % len(RANKS) for card in cards}
        highest = [card for card in cards if ranks[card] == max(ranks.values())]
        return sum(1 << card for card in level or highest)

    def _object_to_show(self, cards: Cards, hand: Hand) -> Objection | None:
        if isinstance(hand, Cards) and not cards <= hand:
            raise NotationError(say("{cards} is not in the hand {cards2}", cards, hand))
        strength = self._strength(cards)
        if not strength:
            return Objection(SHOW, self._names_nothing(cards))
        if self.shown is None:
            return None
        seat, before = self.shown
        if strength <= self._strength(before):
            return Objection(SHOW, say("{cards} does not overrule {cards2}", cards, before))
        strengthens = self.rules.own_showing is OwnShowing.STRENGTHEN
        if strengthens and seat == self.turn and cards.kinds != before.kinds:
            return Objection(SHOW, say("{seat} has shown {cards} and may strengthen that alone", seat, before))
        return None

    def _names_nothing(self, cards: Cards) -> str:
        """Why these cards name no trumps, and what would."""
        fewest, packs = self.rules.fewest_jokers, self.rules.packs
        if fewest > packs:
            why = "{cards} names no trumps at level {rank}: show one of it, or more alike; jokers name nothing here"
        elif fewest != 2:
            why = "{cards} names no trumps at level {rank}: show one of it, more alike, or like jokers, at least {n}"
            return say(why, cards, self.level, fewest)
        elif packs > 2:
            why = "{cards} names no trumps at level {rank}: show one of it, more alike, or like jokers from two on"
        else:
            why = "{cards} names no trumps at level {rank}: show one of it, two alike, or two jokers"
        return say(why, cards, self.level)

    def _strength(self, cards: Cards) -> tuple[int, ...]:
        """How strong a showing is: by its cards; of as many by jokers or suit, as the table says. Else nothing."""
        if cards.kinds.bit_count() != 1:
            return ()
        card, size, rule = next(kinds_in(cards.kinds)), len(cards), self.rules.overruling
        joker = (card >= LITTLE) + (card == BIG)
        if size < self.rules.fewest_jokers if joker else rank_of(card) != self.level:
            return ()
        if rule is Overruling.LENGTH_ALONE:
            return (size,)
        suit = BY_SUIT.index(printed_suit(card) or BY_SUIT[0])
        return size, joker, suit if rule is Overruling.JOKERS_OR_SUIT and size > 1 and not joker else 0

    def _object_to_bury(self, call: str, hand: Hand) -> Objection | None:
        if call == f"bury {self.rules.buried} cards":
            if isinstance(hand, Cards):
                raise NotationError(say("{quoted} does not say which cards of {cards}", repr(call), hand))
            return None
        cards = parse_cards(self.deck, call.removeprefix("bury "))
        if isinstance(hand, Cards) and not cards <= hand:
            raise NotationError(say("{cards} is not in the hand {cards2}", cards, hand))
        if len(cards) != self.rules.buried:
            return Objection(BURY, say("{n} cards are buried, and the kitty has {n2}", len(cards), self.rules.buried))
        return None

    def after(self, call: str) -> "Drawing":
        assert self.turn is not None
        return replace(self, calls_made=(*self.calls_made, (self.turn, call)), floor=None)

    def heard(self, call: str, listener: int, *, over: bool = False) -> str:
        return f"bury {self.rules.buried} cards" if call.startswith("bury") and not over else call

    def moves(self, call: str) -> tuple[Move, ...]:
        if call == "take":
            return (Move(KITTY, self.banker),)
        if call.startswith("bury "):
            told = call != f"bury {self.rules.buried} cards"
            cards: Hand = parse_cards(self.deck, call.removeprefix("bury ")) if told else Hidden(self.rules.buried)
            return (Move(self.banker, KITTY, cards),)
        return ()


def beside(turned: Cards, level: str) -> int:
    """The kinds that may lie in a kitty that names trumps by this card."""
    card = next(kinds_in(turned.kinds))
    if rank_of(card) == level:
        return DECK.kinds
    highest = card % len(RANKS)
    return sum(
        1 << other
        for other in kinds_in(DECK.kinds)
        if other >= LITTLE or (rank_of(other) != level and other % len(RANKS) <= highest)
    )


def drawing(rules: Rules, standing: Standing) -> Drawing:
    *levels, deals = standing.score
    return Drawing(rules, standing.dealer, tuple(levels), first=deals == 0)


def unwind(course: Course, hands: tuple[Cards, ...], kitty: Cards) -> Record:
    """The record in which the banker buried this kitty; what it took up is any cards that the talk allows."""
    took = kitty_taken(course)
    if took is None:
        return Record(replace(course.start, hands=hands, kitty=kitty), course.acts)
    acts = tuple(
        Act(act.seat, f"bury {kitty}") if isinstance(act.what, str) and act.what.startswith("bury") else act
        for act in course.acts
    )
    dealt, taken = course.start.hands[took.seat], course.start.kitty
    if not (isinstance(dealt, Cards) and isinstance(taken, Cards)):
        both = hands[took.seat] + kitty
        taken = _any_kitty(took, both, kitty, course.game.kitty_size)
        dealt = both - taken
    told = tuple(dealt if seat == took.seat else hand for seat, hand in enumerate(hands))
    return Record(replace(course.start, hands=told, kitty=taken), acts)


def kitty_taken(course: Course) -> KittyTaken | None:
    """What was seen of the kitty that the banker took up: not what it had shown lay there, but what was turned up."""
    banker = next((act.seat for act in course.acts if act.what == "take"), None)
    if banker is None:
        return None
    calls = [(act.seat, act.what.partition(" ")) for act in course.acts if isinstance(act.what, str)]
    deck = course.game.deck
    shown = deck.none
    for seat, (verb, _, cards) in calls:
        if verb == "show" and seat == banker:
            shown = shown | parse_cards(deck, cards)
    turned = next((parse_cards(deck, cards) for _, (verb, _, cards) in calls if verb == "turn"), deck.none)
    kinds = deck.kinds
    if turned:
        assert isinstance(course.start.talk, Drawing)
        kinds = beside(turned, course.start.talk.level)
    return KittyTaken(banker, turned, shown, kinds)


def _any_kitty(took: KittyTaken, both: Cards, buried: Cards, size: int) -> Cards:
    """Cards that may have been in the kitty, out of what the banker had with it; what is buried comes first."""
    free = (both - took.held - took.seen).only(took.kinds)
    taken = list(took.seen)
    for pile in (buried & free, free - (buried & free)):
        taken += list(pile)[: size - len(taken)]
    if len(taken) < size:
        raise ValueError(say("{cards} leaves no kitty in which {cards2} names trumps", both, took.seen))
    return both.deck.cards(taken)
