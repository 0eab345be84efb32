"""The question `score` of `renege ask`: the result of a deal of Tractor, and the first rule broken in it."""

from dataclasses import replace
from typing import Any

import msgspec

from renege.core.cards import Cards, Deck
from renege.core.deal_state import seats_from
from renege.core.game import SEATS, Game
from renege.core.notation import NotationError, parse_cards
from renege.core.order import Order
from renege.core.position import Position
from renege.core.trick import Play, Trick
from renege.core.verdict import Breach
from renege.games.tractor.declare import Bank
from renege.games.tractor.order import DECK, RANKS
from renege.games.tractor.rules import RenegeFound
from renege.games.tractor.score import fine, multiplier, outcome
from renege.games.tractor.units import led_form
from renege.games.wire import Answer, Question, Seat, broken, quote, read_cards, read_choices


class ScoreQuestion(Question, kw_only=True):
    declaration: str
    banker: Seat
    levels: list[str]
    kitty: str
    leader: Seat
    tricks: list[list[str]]
    packs: int | None = None


def rules_told(question: Any) -> bytes:
    """The house rules of a question as they were written, with the packs that it names beside them."""
    rules, packs = bytes(question.rules), question.packs
    if packs is None:
        return rules
    choices = read_choices(rules)
    if str(choices.get("packs", packs)) != str(packs):
        raise NotationError(f"'packs' is {packs}, and 'rules' says {choices['packs']}")
    return rules if packs == DECK.copies and "packs" not in choices else msgspec.json.encode(choices | {"packs": packs})


def read_trick(deck: Deck, texts: list[str], name: str = "a trick") -> list[Play]:
    plays = [Play(read_cards(deck, text)) for text in texts]
    if len(plays) != len(SEATS) or not all(play.cards for play in plays):
        missing = len(SEATS) - sum(bool(play.cards) for play in plays)
        short = f"; {missing} {'is' if missing == 1 else 'are'} missing" if missing > 0 else ""
        raise NotationError(f"{name} has a play of each of four seats{short}: {quote(', '.join(texts))}")
    return plays


def scored(question: ScoreQuestion, table: Position) -> Answer:
    """A whole deal, as it was played. Who leads a trick took the one before by the cards alone.

    What a broken duty costs is a house rule, renege_found: by default such a follow wins no points, yet the next lead
    stays where it was. At the `table` a throw that does not stand breaks one.
    """
    rules, banker = table.game.rules, question.banker
    levels = _levels(question.levels)
    deck = table.game.deck
    kitty = read_cards(deck, question.kitty)
    plays = [read_trick(deck, texts, f"trick {number}") for number, texts in enumerate(question.tricks)]
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
    lost = [trick for trick, taker in zip(tricks, takers, strict=True) if taker % 2 != banker % 2]
    attackers = sum(start.order.worth(trick.cards) for trick in lost)
    if first is not None:
        attackers = max(0, attackers + fine(rules.renege_found, first.seat, banker))
    times = multiplier(rules, *_last(start.order, plays[-1][0].cards))
    buried = start.order.worth(kitty) if takers[-1] % 2 != banker % 2 else 0
    end = outcome(rules, levels, banker, attackers, buried, times)
    return {
        "attackers": end.attackers,
        "multiplier": times,
        "levels": [RANKS[level - 2] for level in end.levels],
        "banker": end.banker,
        "winner": end.winner,
        "renege": broken(first),
    }


def _levels(texts: list[str]) -> tuple[int, int]:
    ranks = [text.strip().upper().replace("10", "T") for text in texts]
    if len(ranks) != 2 or not all(len(rank) == 1 and rank in RANKS for rank in ranks):
        raise NotationError(f"'levels' has a rank for each side, like ['2', 'A']; {texts} has not")
    return RANKS.index(ranks[0]) + 2, RANKS.index(ranks[1]) + 2


def _check_deck(question: ScoreQuestion, game: Game, kitty: Cards, tricks: list[list[Play]]) -> None:
    """Every card is played or buried, and just once."""
    if len(kitty) != game.kitty_size:
        raise NotationError(f"the kitty has {game.kitty_size} cards, and {quote(question.kitty)} has {len(kitty)}")
    parse_cards(game.deck, " ".join([str(kitty), *(str(play) for plays in tricks for play in plays)]))
    played = sum(len(play.cards) for plays in tricks for play in plays)
    if played != len(SEATS) * game.hand_size:
        raise NotationError(f"four hands of {game.hand_size} cards are played, and the tricks have {played} cards")


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
    hands = dict.fromkeys(SEATS, game.deck.none)
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


def _last(order: Order, lead: Cards) -> tuple[int, int, int]:
    """The cards of the longest unit of the last lead, all its pairs, and all its cards."""
    parts = [part for suit in range(len(order.suits)) if (part := order.in_suit(lead, suit))]
    shapes = [led_form(order, Play(part)) for part in parts]
    return max(found.longest_cards for found in shapes), sum(found.led_pairs for found in shapes), len(lead)
