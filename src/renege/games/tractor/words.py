"""Tractor at a table: what is said, and how it looks."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from renege.core.cards import Cards
from renege.core.game import Game, Result, Talk
from renege.core.message import join, say
from renege.core.order import Order
from renege.core.position import Position
from renege.core.trick import Play
from renege.games.tractor.deck import NAMES
from renege.games.tractor.declare import Bank, Drawing
from renege.games.tractor.friends import ATTACKERS, friends_shown, joined_after, open_to, parse_friends, team
from renege.games.tractor.order import NOUNS, SUITS, order_of, parse_declaration, printed_suit
from renege.games.tractor.rules import Mode
from renege.games.tractor.score import ENOUGH, attackers_points, bankers_team, enough, multiplier
from renege.games.words import Asks, Button, Look, Named, Naming, Sheet, Terms, Words

_END = re.compile(
    r"attackers (?P<points>[0-9]+)(?: of (?P<enough>[0-9]+))?(?:, team (?P<team>[0-9 ]+))?"
    r"(?:, thrown back to (?P<back>[0-9T]))?, levels (?P<levels>[^,]+), "
    r"next banker (?P<banker>[0-9])(?:, side (?P<side>[01]) has won|, won by (?P<won>[0-9 ]+))?"
)


class TractorWords(Words):
    look = Look(clockwise=False, several=True, dealt_slowly=True, review="known")
    picture = ("BJ", "LJ", "S2")
    calls: Mapping[str, tuple[str, str]] = {
        "take": ("take up the kitty", "{seat} takes up the kitty"),
        "redeal": ("ask for a new deal", "{seat} asks for a new deal"),
        "withdraw": ("take it back", "{seat} takes the showing back"),
    }
    verbs: Mapping[str, tuple[str, str]] = {**Words.verbs, "turn": ("turn {cards}", "the kitty shows {cards}")}

    def called(self, position: Position, seat: int, call: str) -> tuple[str, ...]:
        if call.startswith("turn "):
            return (say("the kitty shows {cards}", call.removeprefix("turn ")),)  # nobody's choice
        if call.startswith("friends "):
            return (say("{seat} names friends", seat), _named(call))
        return super().called(position, seat, call)

    def call(self, call: str) -> str:
        return _named(call) if call.startswith("friends ") else super().call(call)

    def call_group(self, position: Position, call: str) -> str:
        groups = {"show": "a showing", "friends": "naming friends"}
        return groups.get(call.partition(" ")[0]) or super().call_group(position, call)

    def button(self, call: str) -> Button:
        if call in ("redeal", "withdraw"):
            return Button("say")
        if call.startswith("friends "):
            named = parse_friends(call.removeprefix("friends "))
            return Button("show", cards=tuple(NAMES[friend.card] for friend in named))
        verb, _, cards = call.partition(" ")
        return Button(verb if verb in ("show", "turn") else "pass", cards=tuple(cards.split()))

    def asks(self, calls: Sequence[str]) -> Asks:
        if calls[0].startswith("friends "):
            return "call"
        return "take" if "take" in calls else "call" if "redeal" in calls else "show"

    def naming(self, talk: Talk, calls: Sequence[str]) -> Naming | None:
        if not isinstance(talk, Drawing) or not calls or not calls[0].startswith("friends "):
            return None
        rules, order = talk.rules, talk.order
        cards = tuple(name for card, name in enumerate(NAMES) if open_to(rules, order, card))
        what = say("name {n} friends", rules.friend_count) if rules.friend_count > 1 else "name a friend"
        return Naming("friends", rules.friend_count, cards, rules.packs, what)

    def so_far(self, position: Position) -> Sequence[str]:
        talk = position.talk
        if not isinstance(talk, Drawing) or position.contract is not None:
            return ()
        level = say("level {rank}", talk.level or "NT")
        if talk.shown is not None:
            seat, cards = talk.shown
            return level, say("{cards} shown by {seat}", cards, seat)
        return (level,) if talk.named is None else (level, say("the kitty shows {cards}", talk.named))

    def contract(self, contract: Bank, rules: Any) -> tuple[list[str], str]:
        suit, level = parse_declaration(contract.declaration)
        noun = "" if suit is None else NOUNS[SUITS.index(suit)]
        named = say("no trump suit at level {rank}", level or "NT")
        named = say("{suit} are trumps at level {rank}", noun, level) if noun else named
        kitty = [] if contract.thief is None else [say("{seat} has buried the kitty", contract.thief)]
        return [named, say("{seat} has the bank", contract.declarer), *kitty], noun

    def contract_names(self, contract: Bank) -> list[str]:
        return [say("a friend plays copy {n} of {cards}", who.nth, NAMES[who.card]) for who in contract.friends]

    def roles(self, position: Position) -> Iterator[tuple[str, int | None]]:
        talk = position.talk
        declarer = None if position.contract is None else position.contract.declarer
        if isinstance(talk, Drawing) and not (talk.first and talk.shown is None):
            declarer = talk.banker
        yield "banker", declarer
        if isinstance(position.contract, Bank) and position.game.rules.mode is Mode.FRIENDS:
            yield from (("friend", seat) for seat in bankers_team(position) if seat != declarer)
            yield from (("attacker", seat) for seat in position.game.all_seats if position.side(seat) == ATTACKERS)

    def named(self, position: Position) -> Sequence[Named]:
        contract, memory, packs = position.contract, position.memory, position.game.rules.packs
        if not isinstance(contract, Bank):
            return ()
        shown = friends_shown(position.game.rules, contract.friends, memory.joined, memory.seen)
        return [
            Named(NAMES[friend.card], friend.nth, memory.seen.count(friend.card), packs, seat, is_open)
            for friend, seat, is_open in shown
        ]

    def shows(self, position: Position, seat: int, play: Play) -> Sequence[str]:
        contract, memory = position.contract, position.memory
        if not isinstance(contract, Bank) or not contract.friends:
            return ()
        bank, rules = contract.declarer, position.game.rules
        after = joined_after(rules, bank, contract.friends, memory.joined, memory.seen, seat, play.cards)
        joins = seat in team(bank, after) and seat not in team(bank, memory.joined)
        return (say("{seat} is a friend", seat),) if joins else ()

    def hand_order(self, position: Position) -> Order:
        """By the trumps that were shown last."""
        talk, rules = position.talk, position.game.rules
        if not isinstance(talk, Drawing):
            return super().hand_order(position)
        suit = None if talk.named is None else printed_suit(next(iter(talk.named)))
        return order_of(rules, f"{suit or 'NT'}{talk.level}")

    def result_parts(self, text: str, gained: Sequence[int]) -> list[str]:
        found = _END.fullmatch(text)
        if found is None:
            return super().result_parts(text, gained)
        points, enough, banker = int(found["points"]), int(found["enough"] or ENOUGH), int(found["banker"])
        seats, ranks = range(len(gained)), found["levels"].split()
        side = _sides_of(banker, seats, found["team"])  # the next banker is of the side that won the deal
        names = _together(side)
        if points < enough:
            bank = say("{side} keep the bank, the attackers have {n} of {n2} points", names, points, enough)
        else:
            bank = say("the attackers {side} take the bank with {n} points", names, points)
        back = [] if found["back"] is None else [_thrown_back(found["back"], side, seats, held=points < enough)]
        if found["side"] or found["won"]:  # who has won goes past the last level
            past = [int(seat) for seat in (found["won"] or "").split()]
            return [bank, *back, say("{side} win the game", _together(past or side))]
        risen = [seat for seat in side if gained[seat] > 0]
        if len(ranks) == 2:
            up = [say("{side} go up to level {rank}", names, ranks[side[0] % 2])] if risen else []
        else:
            up = [_go_up(seats, rank) for rank, seats in _by_rank(risen, ranks).items()]
        return [bank, *back, *(up or ["nobody goes up"]), say("{seat} has the bank next", banker)]

    def kitty(self, position: Position) -> str:
        """What the buried cards were worth, and how often that counted: only if the attackers took the last trick."""
        contract, kitty, trick = position.contract, position.kitty, position.trick
        if not isinstance(contract, Bank) or position.order is None or trick is None or not isinstance(kitty, Cards):
            return ""
        worth, memory = position.order.worth(kitty), position.memory
        if trick.leader in bankers_team(position):  # who takes the last trick would lead the next
            return say("{n} points", worth)
        times = multiplier(position.game.rules, memory.last, memory.last_pairs, memory.last_lead)
        return say("{n} points, {n2} times for the attackers", worth, times)

    def attackers(self, position: Position) -> int | None:
        return attackers_points(position) if isinstance(position.contract, Bank) else None

    def enough(self, game: Game) -> int | None:
        return enough(game.rules)

    def attackers_at_end(self, result: Result) -> int | None:
        found = _END.search(result.text)
        return None if found is None else int(found["points"])

    def sheet(self, game: Game) -> Sheet:
        return Sheet("levels", game.rules.last_level, game.rules.sides)  # the score counts the deals besides

    def terms(self, game: Game) -> Terms:
        # all at level 2 and not the first deal of a game, so that nobody has to race for the bank
        return Terms("levels", "round", (*game.opening.score[:-1], 1))


def _named(call: str) -> str:
    """The friends of a call, one after the other."""
    friends = parse_friends(call.removeprefix("friends "))
    return join(", ", (say("copy {n} of {cards}", friend.nth, NAMES[friend.card]) for friend in friends))


def _sides_of(seat: int, seats: Sequence[int], team: str | None) -> list[int]:
    """Those that play with a seat, and itself; with friends the team tells."""
    if team is None:
        return [other for other in seats if other % 2 == seat % 2]
    ours = [int(other) for other in team.split()]
    return ours if seat in ours else [other for other in seats if other not in ours]


def _by_rank(seats: Sequence[int], ranks: Sequence[str]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for seat in seats:
        found.setdefault(ranks[seat], []).append(seat)
    return found


def _go_up(seats: Sequence[int], rank: str) -> str:
    if len(seats) == 1:
        return say("{seat} goes up to level {rank}", seats[0], rank)
    return say("{side} go up to level {rank}", _together(seats), rank)


def _thrown_back(level: str, winners: Sequence[int], seats: Sequence[int], *, held: bool) -> str:
    """Whom a jack has thrown back: the banker's side, whoever won the deal."""
    whose = winners if held else [seat for seat in seats if seat not in winners]
    return say("a jack throws {side} back to level {rank}", _together(whose), level)


def _together(seats: Sequence[int]) -> str:
    *first, last = (say("{seat}", seat) for seat in seats)
    if len(first) == 1:
        return say("{seat} and {seat2}", *seats)
    return join(" and ", [join(", ", first), last]) if first else last


WORDS = TractorWords()
