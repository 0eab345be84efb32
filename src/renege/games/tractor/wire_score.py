"""The question `score` of `renege ask`: the result of a deal of Tractor, and the first rule broken in it."""

from dataclasses import replace
from typing import Any

import msgspec

from renege.core.cards import Card, Cards, Deck
from renege.core.deal_state import seats_from
from renege.core.game import NUMBERS, Game
from renege.core.notation import NotationError, parse_cards
from renege.core.order import Order
from renege.core.position import Position
from renege.core.trick import Play, Trick
from renege.core.verdict import Breach
from renege.games.tractor.bombs import is_rainbow
from renege.games.tractor.declare import Bank
from renege.games.tractor.friends import Friend, joined_after, object_to, team
from renege.games.tractor.memory import has_jack
from renege.games.tractor.order import DECK
from renege.games.tractor.rules import FEWEST_SEATS, Mode, RenegeFound, Rules
from renege.games.tractor.score import fine, is_at_jack, multiplier, outcome, rank_name
from renege.games.tractor.units import led_form
from renege.games.wire import Answer, AnySeat, Question, broken, quote, read_cards, read_choices

USUAL = {"packs": DECK.copies, "seats": FEWEST_SEATS}  # what a question may name beside the declaration


class FriendTold(msgspec.Struct, forbid_unknown_fields=True):
    """Who plays the `nth` copy of a card."""

    card: str
    nth: int = 1


class ScoreQuestion(Question, kw_only=True):
    declaration: str
    banker: AnySeat
    levels: list[str]
    kitty: str
    leader: AnySeat
    tricks: list[list[str]]
    packs: int | None = None
    seats: int | None = None
    friends: list[FriendTold] | None = None


def rules_told(question: Any) -> bytes:
    """The house rules of a question as they were written, with the packs, seats and friends that it names besides."""
    rules = bytes(question.rules)
    named: dict[str, Any] = {name: number for name in USUAL if (number := getattr(question, name)) is not None}
    if question.friends is not None:
        named |= {"mode": Mode.FRIENDS.value}
    if not named:
        return rules
    choices = read_choices(rules)
    for name, number in named.items():
        if str(choices.get(name, number)) != str(number):
            raise NotationError(f"{name!r} is {number}, and 'rules' says {choices[name]}")
    more = {name: number for name, number in named.items() if number != USUAL.get(name) or name in choices}
    return msgspec.json.encode(choices | more) if more else rules


def read_trick(game: Game, texts: list[str], name: str = "a trick") -> list[Play]:
    plays = [Play(read_cards(game.deck, text)) for text in texts]
    if len(plays) != game.players or not all(play.cards for play in plays):
        missing = game.players - sum(bool(play.cards) for play in plays)
        short = f"; {missing} {'is' if missing == 1 else 'are'} missing" if missing > 0 else ""
        seats = f"{NUMBERS[game.players]} seats"
        raise NotationError(f"{name} has a play of each of {seats}{short}: {quote(', '.join(texts))}")
    return plays


def scored(question: ScoreQuestion, table: Position) -> Answer:
    """A whole deal, as it was played. Who leads a trick took the one before by the cards alone.

    What a broken duty costs is a house rule, renege_found: by default such a follow wins no points, yet the next lead
    stays where it was. At the `table` a throw that does not stand breaks one.
    """
    rules, banker = table.game.rules, question.banker
    for name, seat in (("banker", banker), ("leader", question.leader)):
        if seat >= rules.seats:
            raise NotationError(f"{name!r}: expected `int` <= {rules.seats - 1}: {str(seat)!r}")
    levels = _levels(question.levels, rules)
    kitty = read_cards(table.game.deck, question.kitty)
    plays = [read_trick(table.game, texts, f"trick {number}") for number, texts in enumerate(question.tricks)]
    _check_deck(question, table.game, kitty, plays)
    assert isinstance(table.contract, Bank)
    start = table.begun(replace(table.contract, declarer=banker, leader=banker), question.leader)
    assert start.order is not None
    tricks = _tricks(start, question.leader, plays)
    breaches = _breaches(replace(start, kitty=kitty).resume(hands=_hands(table.game, tricks)), tricks)
    first = breaches[0] if breaches else None
    if first is not None and rules.renege_found is RenegeFound.REFUSED:
        why = f"this is no deal: seat {first.seat} breaks {first.rule.id} in trick {first.trick}: {first.why}"
        raise NotationError(why)
    barred = breaches if rules.renege_found is RenegeFound.CANNOT_WIN else []
    takers = [
        _taker(start, trick, [breach.seat for breach in barred if breach.trick == number])
        for number, trick in enumerate(tricks)
    ]
    ours = _team(question, start, tricks)
    lost = [trick for trick, taker in zip(tricks, takers, strict=True) if taker not in ours]
    attackers = sum(start.order.worth(trick.cards) for trick in lost)
    if first is not None:
        attackers = max(0, attackers + fine(rules.renege_found, attacks=first.seat not in ours))
    times = multiplier(rules, *_last(rules, start.order, plays[-1][0].cards))
    buried = start.order.worth(kitty) if takers[-1] not in ours else 0
    back = takers[-1] not in ours and is_at_jack(levels, banker) and _is_taken_by_jack(rules, tricks[-1], takers[-1])
    end = outcome(rules, levels, banker, attackers, buried, times, ours, thrown_back=back)
    joined: Answer = {"team": sorted(ours)} if rules.friend_count else {}
    return joined | {
        "attackers": end.attackers,
        "multiplier": times,
        "levels": [rank_name(level) for level in end.levels],
        "banker": end.banker,
        "winner": end.winner,
        "renege": broken(first),
    }


def _levels(texts: list[str], rules: Rules) -> tuple[int, ...]:
    ranks = [text.strip().upper().replace("10", "T") for text in texts]
    every = {rank_name(level): level for level in range(rules.lowest_rank, rules.last_level + 1)}
    if len(ranks) != rules.sides or not all(rank in every for rank in ranks):
        first, last = rank_name(rules.lowest_rank), rank_name(rules.last_level)
        whose = "seat" if rules.friend_count else "side"
        raise NotationError(f"'levels' has a rank for each {whose}, like ['{first}', '{last}']; {texts} has not")
    return tuple(every[rank] for rank in ranks)


def _is_taken_by_jack(rules: Rules, trick: Trick, taker: int) -> bool:
    return has_jack(rules, trick.plays[trick.seats.index(taker)])


def _team(question: ScoreQuestion, start: Position, tricks: list[Trick]) -> set[int]:
    """The banker's side or, with friends, the banker and who has joined."""
    rules, banker = start.game.rules, question.banker
    if not rules.friend_count:
        return set(range(banker % 2, rules.seats, 2))
    joined, seen, friends = (), start.game.deck.none, named_friends(question, start)
    for trick in tricks:
        for seat, play in zip(trick.seats, trick.plays, strict=True):
            joined = joined_after(rules, banker, friends, joined, seen, seat, play.cards)
            seen = seen + play.cards
    return team(banker, joined)


def named_friends(question: Any, start: Position) -> tuple[Friend, ...]:
    """The friends of a question, which must be such as a banker may name."""
    rules, order = start.game.rules, start.order
    if question.friends is None:
        return ()
    assert order is not None
    friends = tuple(sorted(Friend(read_card(order.deck, one.card), one.nth) for one in question.friends))
    if no := object_to(rules, order, friends):
        raise NotationError(f"'friends': {no.why}")
    return friends


def read_card(deck: Deck, text: str) -> Card:
    card = read_cards(deck, text).single()
    if card is None:
        raise NotationError(f"a friend is named by one card, and {quote(text)} is none")
    return card


def _check_deck(question: ScoreQuestion, game: Game, kitty: Cards, tricks: list[list[Play]]) -> None:
    """Every card is played or buried, and just once."""
    if len(kitty) != game.kitty_size:
        raise NotationError(f"the kitty has {game.kitty_size} cards, and {quote(question.kitty)} has {len(kitty)}")
    parse_cards(game.deck, " ".join([str(kitty), *(str(play) for plays in tricks for play in plays)]))
    played = sum(len(play.cards) for plays in tricks for play in plays)
    if played != game.players * game.hand_size:
        hands = f"{NUMBERS[game.players]} hands of {game.hand_size} cards"
        raise NotationError(f"{hands} are played, and the tricks have {played} cards")


def _tricks(start: Position, leader: int, tricks: list[list[Play]]) -> list[Trick]:
    """The tricks with who played in them, each led by the winner of the one before."""
    found: list[Trick] = []
    for plays in tricks:
        laid, _ = start.laid(tuple(plays), memory=start.memory)
        found.append(replace(laid, seats=seats_from(leader, start.active)))
        leader = found[-1].winner
    return found


def _hands(game: Game, tricks: list[Trick]) -> dict[int, Cards]:
    """What each seat was dealt: what it played."""
    hands = dict.fromkeys(game.all_seats, game.deck.none)
    for trick in tricks:
        for seat, play in zip(trick.seats, trick.plays, strict=True):
            hands[seat] = hands[seat] + play.cards
    for seat, hand in hands.items():
        if len(hand) != game.hand_size:
            raise NotationError(f"seat {seat} has played {len(hand)} cards, not {game.hand_size}: {quote(str(hand))}")
    return hands


def _breaches(position: Position, tricks: list[Trick]) -> list[Breach]:
    found: list[Breach] = []
    for number, trick in enumerate(tricks):
        for seat, play in zip(trick.seats, trick.plays, strict=True):
            if no := position.game.objection(position.turn_to_play(), play):
                found.append(Breach(number, seat, str(play), no.rule, no.why))
            position = position.put(play)
    return found


def _taker(start: Position, trick: Trick, barred: list[int]) -> int:
    """The seat that takes a trick if the follows of some cannot win."""
    if not barred:
        return trick.winner
    best, turn = 0, start.resume(trick.plays[:1], memory=start.memory).turn_to_play(start.game.deck.none)
    for place, play in enumerate(trick.plays):
        if place and trick.seats[place] not in barred and start.game.beats(turn, trick.plays[best], play):
            best = place
    return trick.seats[best]


def _last(rules: Rules, order: Order, lead: Cards) -> tuple[int, int, int]:
    """The cards of the longest unit of the last lead, all its pairs, and all its cards."""
    if is_rainbow(rules, order, lead):
        return len(lead), 1, len(lead)
    parts = [part for suit in range(len(order.suits)) if (part := order.in_suit(lead, suit))]
    shapes = [led_form(order, Play(part)) for part in parts]
    return max(found.longest_cards for found in shapes), sum(found.led_pairs for found in shapes), len(lead)
