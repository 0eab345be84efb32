"""Vane: eight tricks, and the seven turns with the wind.

Thirty-two cards, four seats, partners opposite. The seat after the dealer names a suit as trumps and leads. Cards rank
ace, king, queen, jack, ten, nine, eight, seven; but the seven of trumps, the vane, is the highest card of all. A trick
is a point, and so is the vane. Five of the nine points keep the wind: the namers win what they have above five, or lose
what they are short of it.
"""

from dataclasses import dataclass
from functools import cache

from renege.core.cards import Deck
from renege.core.game import Contract, Game, Result, Standing
from renege.core.house_rules import HouseRules, asking
from renege.core.order import Order
from renege.core.position import Evidence, Position, View
from renege.core.solution import OpenHands
from renege.core.verdict import Rule
from renege.games import kit
from renege.games.encoding import Encoding
from renege.games.strategy import Advice, Strategy

SUITS, RANKS, NOUNS = "CDHS", "789TJQKA", ("clubs", "diamonds", "hearts", "spades")
DECK = Deck("vane", tuple(suit + rank for suit in SUITS for rank in RANKS))
ONE = Rule("vane.one-card", "A play is one card.")
FOLLOW = Rule("vane.follow-suit", "Who holds cards of the led suit plays one.")


@dataclass(frozen=True, slots=True)
class Rules(HouseRules):
    """The house rules of a table."""

    target: int = asking("The points that win a game.", 12)


PRESETS = {"default": Rules()}


@cache
def order(trump: int) -> Order:
    """Trumps beat every other suit, and their seven beats them all."""
    cards, suits = range(len(DECK.names)), range(len(SUITS))
    rank = [card % 8 + 1 if card // 8 != trump else 18 if card % 8 == 0 else card % 8 + 10 for card in cards]
    strength = tuple(tuple(rank[card] if card // 8 in (suit, trump) else 0 for card in cards) for suit in suits)
    vane = tuple(int(rank[card] == 18) for card in cards)
    follow = tuple(0xFF << 8 * suit for suit in suits)
    return Order(DECK, tuple(SUITS), NOUNS, tuple(card // 8 for card in cards), follow, strength, vane, trick_points=1)


def order_of(rules: Rules, contract: Contract) -> Order:
    return order(NOUNS.index(contract.declaration))


def score(position: Position) -> Result:
    assert position.contract is not None and position.contract.declarer is not None
    namer, total = position.contract.declarer, position.game.hand_size + 1
    over = sum(position.points[namer % 2 :: 2]) - (total // 2 + 1)
    paid = tuple(over if (seat - namer) % 2 == 0 else -over for seat in range(4))
    return Result(paid, over >= 0, f"the namers have {over + total // 2 + 1} of {total} points")


def advance(position: Position, result: Result | None) -> Standing:
    assert result is not None  # no deal is thrown in
    before = position.standing
    return Standing((before.dealer + 1) % 4, tuple(before.score[side] + max(0, result.score[side]) for side in (0, 1)))


def winner(rules: Rules, standing: Standing) -> int | None:
    return next((side for side in (0, 1) if standing.score[side] >= rules.target), None)


def rulebook(view: View) -> Advice:
    """Name the longest suit; take a trick as cheaply as it goes, else throw the lowest card."""
    if view.position.talking:
        lengths = [len(view.hand.only(0xFF << 8 * suit)) for suit in range(4)]
        return Advice(NOUNS[lengths.index(max(lengths))], "the longest suit")
    turn = view.position.turn_to_play()
    strength = turn.order.strength[NOUNS.index(turn.contract.declaration)]
    plays = sorted(view.legal_plays, key=lambda play: [(strength[card], card % 8) for card in play.cards])
    if turn.trick.lead is None:
        return Advice(plays[-1], "the highest")
    taking = [play for play in plays if view.game.beats(turn, turn.trick.plays[turn.trick.best], play)]
    return Advice(taking[0], "it takes the trick") if taking else Advice(plays[0], "the lowest")


@cache
def game(rules: Rules | None = None) -> Game:
    return Game(
        "vane", version=1, deck=DECK, rules=rules or Rules(), rule_list=(ONE, FOLLOW), hand_size=8,
        talk=lambda rules, standing: kit.Naming((standing.dealer + 1) % 4, NOUNS), order=order_of,
        lead=(kit.one_card(ONE),), follow=(kit.one_card(ONE), kit.follow_suit(FOLLOW)), score=score,
        read_contract=kit.read_contract(NOUNS), write_contract=kit.write_contract,
        opening=Standing(3, (0, 0)), advance=advance, winner=winner,
        facets={
            "Evidence": Evidence(kit.voids(FOLLOW)), "OpenHands": OpenHands(kit.solve_partners),
            "Strategy": Strategy(rulebook, search=kit.search_partners(rulebook)),
            "Encoding": lambda game: Encoding(game, NOUNS),
        },
    )  # fmt: skip
