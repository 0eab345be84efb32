"""Naming trumps in Tractor, and the kitty.

While the cards are drawn any seat may show cards of the level: one names its suit, two alike overrule one, as many
little jokers overrule those and name no trump suit, big jokers overrule those; with more packs three alike overrule
any two, and so on. Who has shown may strengthen that suit alone. Where nobody has shown, a house rule lets the kitty
name trumps, and another lets an attacker with a poor hand ask for a new deal. When all are content the banker takes up
the kitty and buries as many cards, face down, and leads. In the first deal of a game the bank goes to the seat that
named trumps. In Finding Friends it names friends besides, after burying.

Where the kitty may be stolen, all are asked again after it is buried: who overrules the showing that is ahead takes it
up and buries, and so on until nobody does. The bank stays where it was.
"""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

from renege.core.cards import Cards, Deck, Hand, Hidden, kinds_in
from renege.core.game import KITTY, Contract, Move, Standing, Talk
from renege.core.message import say
from renege.core.notation import NotationError, parse_cards
from renege.core.order import Order
from renege.core.verdict import Objection
from renege.games.tractor.deck import BIG, LITTLE, RANKS
from renege.games.tractor.friends import Friend, format_friends, object_to, parse_friends, usual
from renege.games.tractor.order import TRUMP, order_of, parse_declaration, printed_suit, rank_of
from renege.games.tractor.rules import (
    ACE,
    BURY,
    FRIENDS_NAMED,
    NEW_DEAL,
    SHOW,
    TURN_UP,
    FirstBanker,
    KittyTheft,
    Mode,
    NewDeal,
    NoCall,
    Rules,
    TakeBack,
)
from renege.games.tractor.showing import (
    Showing,
    names_nothing,
    showings,
    shown_cards,
    strength,
    taken_back,
    why_not_over,
)


@dataclass(frozen=True, slots=True)
class Bank(Contract):
    """The contract: trumps and level (`S2`, `NT2`), the banker, who leads, the friends that were named, and who has
    buried the kitty where that is another seat."""

    declarer: int
    friends: tuple[Friend, ...] = ()
    thief: int | None = None

    @property
    def knows_kitty(self) -> int:
        return self.declarer if self.thief is None else self.thief


def read_contract(rules: Rules, text: str) -> Bank:
    """`trump S2 by 1`, `trump S2 by 1 friends HA 2, SK 1`; without a seat, by seat 0, without friends, alone.

    Where the kitty may be stolen `trump S2 by 1 kitty 3` says that seat 3 has buried it.
    """
    by, friends = rf"(?: by ([0-{rules.seats - 1}]))?", r"(?: friends (.+))?" if rules.friend_count else "()"
    kitty = rf"(?: kitty ([0-{rules.seats - 1}]))?" if rules.kitty_theft is KittyTheft.ON else "()"
    found = re.fullmatch(rf"(?:trump )?(\S+){by}{kitty}{friends}", " ".join(text.split()), re.IGNORECASE)
    if found is None:
        raise NotationError(say("{quoted} is no contract; write it like 'trump S2 by 1'", repr(text)))
    suit, level = parse_declaration(found[1])
    banker = int(found[2] or 0)
    thief = int(found[3]) if found[3] and int(found[3]) != banker else None
    bank = Bank(f"{suit or 'NT'}{level}", banker, banker, parse_friends(found[4] or ""), thief)
    if bank.friends and (no := object_to(rules, order_of(rules, bank.declaration), bank.friends)):
        raise NotationError(no.why)
    return bank


def write_contract(contract: Bank) -> str:
    friends = f" friends {format_friends(contract.friends)}" if contract.friends else ""
    kitty = "" if contract.thief is None else f" kitty {contract.thief}"
    return f"trump {contract.declaration} by {contract.declarer}{kitty}{friends}"


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
    def _showings(self) -> tuple[Showing, ...]:
        return showings(self.deck, self.calls_made)

    @property
    def shown(self) -> tuple[int, Cards] | None:
        """The showing that is ahead: who, and what."""
        return (self._showings[-1].seat, self._showings[-1].cards) if self._showings else None

    @cached_property
    def _round(self) -> int:
        """The calls before those that are made now: none, or those up to the last burial."""
        buried = (i for i, (_, call) in enumerate(self.calls_made, 1) if call.startswith("bury"))
        return max(buried, default=0)

    @property
    def _fresh(self) -> Showing | None:
        """The showing that is ahead, if it was made since the last burial."""
        ahead = self._showings[-1] if self._showings else None
        return ahead if ahead is not None and ahead.call >= self._round else None

    @property
    def _at_rest(self) -> int | None:
        """Who need not pass: the seat whose showing is ahead, or that has just buried."""
        if self._fresh is not None:
            return self._fresh.seat
        return self.calls_made[self._round - 1][0] if self._round else None

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
        return self._waiting if self._fresh is None else (*self._waiting, self._fresh.seat)

    @property
    def _waiting(self) -> tuple[int, ...]:
        """The seats that have neither shown last nor passed since: they are asked in turn."""
        last = max((i for i, (_, call) in enumerate(self.calls_made, 1) if call != "pass"), default=0)
        content = {self._at_rest, *(seat for seat, _ in self.calls_made[last:])}
        first = self.calls_made[self._round - 1][0] if self._round else self.dealer
        return tuple(seat for seat in self._around(first) if seat not in content)

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
        if stage in ("take", "bury", "turn"):
            return self._taker
        return None if stage == "done" else self.banker

    @cached_property
    def banker(self) -> int:
        """Whose bank it is: in the first deal, of the seat that named trumps before the kitty was taken up."""
        taken = next((i for i, (_, call) in enumerate(self.calls_made) if call == "take"), len(self.calls_made))
        shown = showings(self.deck, self.calls_made[:taken]) if self.first else ()
        if not shown:
            return self.dealer
        return shown[-1 if self.rules.first_banker is FirstBanker.LAST_TO_SHOW else 0].seat

    @property
    def _taker(self) -> int:
        """Who takes up the kitty and buries: the banker, and after that whoever steals it."""
        return self.banker if self._fresh is None or not self._round else self._fresh.seat

    @property
    def level(self) -> str:
        """The level that is played: that of the banker's side, equal in the first deal; after the ace none."""
        level = self.levels[self.dealer % len(self.levels)]
        return RANKS[level - 2] if level <= ACE else ""

    @cached_property
    def _stage(self) -> str:
        last = self.calls_made[-1][1] if self.calls_made else ""
        if last == "redeal" or last.startswith("friends "):
            return "done"
        if last == "take":
            return "bury"
        if self._round:
            return self._stage_after_burial
        if self._passes < 0:
            return "show"
        if self.named is None and self.rules.no_call is not NoCall.NO_TRUMP and self.level:
            return "done" if self.rules.no_call is NoCall.REDEAL else "turn"
        if self._passes < len(self._askers):
            return "ask"
        return "take" if self.rules.buried else self._stage_after_burial

    @property
    def _stage_after_burial(self) -> str:
        if self.rules.kitty_theft is KittyTheft.ON and self._showings:  # what nobody has shown nobody overrules
            if self._passes < 0:
                return "show"
            if self._fresh is not None:
                return "take"
        return "friends" if self.rules.friend_count else "done"

    @cached_property
    def _passes(self) -> int:
        """How many have passed since trumps were named; below 0 while somebody may still show."""
        calls = [call for _, call in self.calls_made]
        passes = next((i for i, call in enumerate(reversed(calls)) if call != "pass"), len(calls))
        if not self.level or any(call.startswith("turn") for call in calls):
            return passes
        return passes - self.rules.seats + (self._at_rest is not None)

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
        thrown_in = self.named is None and self.rules.no_call is NoCall.REDEAL and bool(self.level)
        if self._stage != "done" or redealt or thrown_in:
            return None
        last = self.calls_made[-1][1]
        friends = parse_friends(last.removeprefix("friends ")) if last.startswith("friends ") else ()
        buried = self.calls_made[self._round - 1][0] if self._round else self.banker
        return Bank(self.declaration, self.banker, self.banker, friends, None if buried == self.banker else buried)

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
        if words.lower() in ("pass", "take", "redeal", "withdraw"):
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
            yield from (call for call in ("pass", *shows, "withdraw") if self.objection(call, hand) is None)
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
                fewest = 1 if card < LITTLE else self.rules.fewest_big_jokers
                for copies in range(fewest, hand.count(card) + 1):
                    yield f"show {self.deck.cards([card] * copies)}"

    def objection(self, call: str, hand: Hand) -> Objection | None:
        stage = self._stage
        verb = call.split()[0]
        if stage not in {"pass": ("show", "ask"), "redeal": ("ask",), "withdraw": ("show",)}.get(verb, (verb,)):
            known = {"take": BURY, "bury": BURY, "turn": TURN_UP, "ask": NEW_DEAL, "friends": FRIENDS_NAMED}
            what = "name friends" if verb == "friends" else verb
            return Objection(known.get(stage, SHOW), f"it is not the time to {what}")
        if verb == "redeal":
            return self._object_to_redeal(hand)
        if verb == "pass" and stage == "show" and self._fresh is not None and self.turn == self._fresh.seat:
            return Objection(SHOW, say("{seat} has shown last and has nothing to pass", self.turn))
        if verb == "withdraw":
            return self._object_to_withdrawal()
        if verb == "show":
            return self._object_to_show(shown_cards(self.deck, call), hand)
        if verb == "turn":
            card = parse_cards(self.deck, call.removeprefix("turn "))
            if card.single() is None or not card.kinds & self._turned_up(hand):
                return Objection(TURN_UP, say("{cards} is not the card that the kitty names trumps by", card))
        if verb == "bury":
            return self._object_to_bury(call, hand)
        if verb == "friends":
            return object_to(self.rules, self.order, parse_friends(call.removeprefix("friends")))
        return None

    def chance(self, kitty: Cards, rng: random.Random) -> str:
        """Of the cards that may be the first each is as likely: one that is there twice comes twice as often."""
        return f"turn {self.deck.names[rng.choice(list(kitty.only(self._turned_up(kitty))))]}"

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
        jokers = 1 << LITTLE | 1 << BIG
        names_trumps = self.deck.kinds & ~(jokers if self.rules.no_call is NoCall.TURN_KITTY else 0)
        if isinstance(kitty, Hidden):
            return names_trumps
        cards = list(kinds_in(kitty.kinds & names_trumps))
        if self.rules.no_call is NoCall.FIRST_CARD:
            return kitty.kinds
        level = [card for card in cards if rank_of(card) == self.level or card >= LITTLE]
        ranks = {card: card % len(RANKS) for card in cards}
        highest = [card for card in cards if ranks[card] == max(ranks.values())]
        return sum(1 << card for card in level or highest)

    def _object_to_show(self, cards: Cards, hand: Hand) -> Objection | None:
        if isinstance(hand, Cards) and not cards <= hand:
            raise NotationError(say("{cards} is not in the hand {cards2}", cards, hand))
        rules, seat = self.rules, self.turn
        assert seat is not None
        if not strength(rules, self.level, cards):
            return Objection(SHOW, names_nothing(rules, self.level, cards))
        if rules.take_back is TakeBack.YES and cards in taken_back(self.deck, self.calls_made, seat):
            why = say("{seat} has taken {cards} back and does not show the same again", seat, cards)
            return Objection(SHOW, why)
        why = why_not_over(rules, self.level, self._showings, seat, cards)
        return None if why is None else Objection(SHOW, why)

    def _object_to_withdrawal(self) -> Objection | None:
        if self.rules.take_back is TakeBack.NO:
            return Objection(SHOW, "what is shown stands at this table and is not taken back")
        if self._fresh is None or self._fresh.seat != self.turn:
            return Objection(SHOW, say("nothing that {seat} has shown is ahead, to be taken back", self.turn))
        return None

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
            return (Move(KITTY, self._taker),)
        if call.startswith("bury "):
            told = call != f"bury {self.rules.buried} cards"
            cards: Hand = parse_cards(self.deck, call.removeprefix("bury ")) if told else Hidden(self.rules.buried)
            return (Move(self._taker, KITTY, cards),)
        return ()


def drawing(rules: Rules, standing: Standing) -> Drawing:
    *levels, deals = standing.score
    return Drawing(rules, standing.dealer, tuple(levels), first=deals == 0)
