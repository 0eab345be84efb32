"""Ring: as many seats as there are people, one card left over, and the one who took it names trumps.

Four to eight seats. All get the same number of cards, and one is left over. The seat after the dealer takes that up,
lays a card away face down, names a suit as trumps and leads. Cards of a suit rank from the ace down, and trumps beat
the others. A trick is a point. With an even number of seats every other one is a partner, and a side wins what it has
more than the other; with an odd number everybody plays alone, and wins what it has above the mean, as many times as
there are seats.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from renege.core.cards import Cards, Deck, Hand, Hidden
from renege.core.game import KITTY, Contract, Game, Move, Result, Standing, Talk
from renege.core.house_rules import HouseRules, asking
from renege.core.message import say
from renege.core.notation import NotationError, parse_cards
from renege.core.order import Order
from renege.core.position import Course, Evidence, Position, View
from renege.core.record import Record
from renege.core.trick import Play
from renege.core.verdict import Objection, Rule, Ruling
from renege.games import kit
from renege.games.encoding import Encoding
from renege.games.strategy import Advice, Strategy

SUITS, RANKS, NOUNS = "CDHS", "23456789TJQKA", ("clubs", "diamonds", "hearts", "spades")
HELD = {4: 6, 5: 5, 6: 4, 7: 4, 8: 3}  # cards of a hand, by the number of seats
ONE = Rule("ring.one-card", "A play is one card.")
FOLLOW = Rule("ring.follow-suit", "Who holds cards of the led suit plays one.")
BURY = Rule("ring.bury", "Who took up the card that was left lays one away.")
UNSEEN = "bury 1 cards"  # as others hear it


@dataclass(frozen=True, slots=True)
class Rules(HouseRules):
    """The house rules of a table."""

    seats: int = asking("How many play.", 5, least=4, most=8)
    target: int = asking("The points that win a game.", 10)


PRESETS = {"default": Rules(), "eight": Rules(seats=8)}


@cache
def deck(players: int) -> Deck:
    """As many of the highest cards as are dealt and one more, the suits in turn."""
    size = players * HELD[players] + 1
    ranked = [suit + rank for rank in reversed(RANKS) for suit in SUITS][:size]
    return Deck("ring", tuple(suit + rank for suit in SUITS for rank in RANKS if suit + rank in ranked))


@cache
def order(players: int, trump: int) -> Order:
    cards = deck(players)
    suit_of = tuple(SUITS.index(name[0]) for name in cards.names)
    rank = [RANKS.index(name[1]) + 1 + 20 * (suit == trump) for name, suit in zip(cards.names, suit_of, strict=True)]
    follow = tuple(sum(1 << card for card, own in enumerate(suit_of) if own == suit) for suit in range(4))
    strength = tuple(
        tuple(rank[card] if suit_of[card] in (suit, trump) else 0 for card in range(len(rank))) for suit in range(4)
    )
    return Order(cards, tuple(SUITS), NOUNS, suit_of, follow, strength, (0,) * len(rank), trick_points=1)


@dataclass(frozen=True)
class Taking(Talk):
    """One seat takes up the card that is left, lays one away, and names trumps."""

    deck: Deck
    seat: int
    made: tuple[str, ...] = ()

    @property
    def said(self) -> tuple[str, ...]:
        return self.made

    @property
    def turn(self) -> int | None:
        return self.seat if len(self.made) < 3 else None

    @property
    def contract(self) -> Contract | None:
        return Contract(self.made[2], self.seat, self.seat) if len(self.made) == 3 else None

    def read(self, text: str) -> str:
        words = " ".join(text.split())
        if len(self.made) == 1 and words.startswith("bury ") and words != UNSEEN:
            return f"bury {parse_cards(self.deck, words.removeprefix('bury '))}"
        if words not in (("take",), (UNSEEN,), NOUNS)[min(2, len(self.made))]:
            raise NotationError(say("{quoted} is no call here", repr(text.strip())))
        return words

    def calls(self, hand: Hand) -> Iterator[str]:
        if len(self.made) == 1:
            yield from (f"bury {card}" for card in str(hand).split()) if isinstance(hand, Cards) else (UNSEEN,)
        else:
            yield from NOUNS if self.made else ("take",)

    def objection(self, call: str, hand: Hand) -> Objection | None:
        if not call.startswith("bury ") or call == UNSEEN:
            return None
        laid = parse_cards(self.deck, call.removeprefix("bury "))
        if isinstance(hand, Cards) and not laid <= hand:
            raise NotationError(say("{cards} is not in the hand {cards2}", laid, hand))
        why = say("{cards} is not the one card that is laid away", laid)
        return None if laid.single() is not None else Objection(BURY, why, Ruling.ILLEGAL)

    def after(self, call: str) -> "Taking":
        return replace(self, made=(*self.made, call))

    def heard(self, call: str, listener: int, *, over: bool = False) -> str:
        return UNSEEN if call.startswith("bury ") and not over else call

    def moves(self, call: str) -> tuple[Move, ...]:
        if call == "take":
            return (Move(KITTY, self.seat),)
        if not call.startswith("bury "):
            return ()
        laid = Hidden(1) if call == UNSEEN else parse_cards(self.deck, call.removeprefix("bury "))
        return (Move(self.seat, KITTY, laid),)


def unwind(course: Course, hands: tuple[Cards, ...], kitty: Cards) -> Record:
    """A whole deal behind what was seen: which card was taken up nobody but the taker knows, and any may have been."""
    start, talk = course.start, [act for act in course.acts if isinstance(act.what, str)]
    acts = tuple(replace(act, what=f"bury {kitty}") if act.what == UNSEEN else act for act in course.acts)
    if not talk:
        return Record(replace(start, hands=hands, kitty=kitty), acts)
    taker = talk[0].seat
    held = hands[taker] + kitty
    taken = start.kitty if isinstance(start.kitty, Cards) else course.game.deck.of(held.kinds & -held.kinds)
    dealt = tuple(held - taken if seat == taker else hand for seat, hand in enumerate(hands))
    return Record(replace(start, hands=dealt, kitty=taken), acts)


def sides(players: int) -> int:
    """How many there are: two or, of an odd number of seats, each."""
    return 2 if players % 2 == 0 else players


def score(position: Position) -> Result:
    points, players = position.points, len(position.hands)
    if sides(players) == 2:
        ahead = sum(points[::2]) - sum(points[1::2])
        paid = tuple(ahead if seat % 2 == 0 else -ahead for seat in range(players))
    else:
        paid = tuple(players * own - sum(points) for own in points)
    assert position.contract is not None and position.contract.declarer is not None
    return Result(paid, paid[position.contract.declarer] > 0, f"{' '.join(map(str, points))} tricks by seat")


def advance(position: Position, result: Result | None) -> Standing:
    assert result is not None  # no deal is thrown in
    before, players = position.standing, len(position.hands)
    after = tuple(old + max(0, result.score[side]) for side, old in enumerate(before.score))
    return Standing((before.dealer + 1) % players, after)


def winner(rules: Rules, standing: Standing) -> int | None:
    best = max(standing.score)
    return standing.score.index(best) if best >= rules.target and standing.score.count(best) == 1 else None


def rulebook(view: View) -> Advice:
    """Lay away the lowest card, name the longest suit, take a trick as cheaply as it goes."""
    position, names = view.position, view.game.deck.names
    if position.talking:
        calls = view.legal_calls
        if calls[0] == "take":
            return Advice("take", "nobody else may")
        if calls[0].startswith("bury "):
            return Advice(min(calls, key=lambda call: RANKS.index(call[-1])), "the lowest")
        suits = [names[card][0] for card in view.hand]
        return Advice(NOUNS[max(range(4), key=lambda suit: suits.count(SUITS[suit]))], "the longest suit")
    turn = position.turn_to_play()
    strength = turn.order.strength[NOUNS.index(turn.contract.declaration)]
    rank = [(strength[card], RANKS.index(name[1])) for card, name in enumerate(names)]
    plays = sorted(view.legal_plays, key=lambda play: [rank[card] for card in play.cards])
    best = None if turn.trick.lead is None else turn.trick.plays[turn.trick.best]
    taking: list[Play] = [] if best is None else [play for play in plays if view.game.beats(turn, best, play)]
    if best is None:
        return Advice(plays[-1], "the highest")
    return Advice(taking[0], "it takes the trick") if taking else Advice(plays[0], "the lowest")


class RingEncoding(Encoding):
    """Calls, and the card that is laid away by its own number."""

    def __init__(self, game: Game) -> None:
        super().__init__(game, ("take", *NOUNS), gives=True)

    def asked(self, position: Position) -> tuple[str, int] | None:
        return ("bury", 1) if position.talk is not None and len(position.talk.said) == 1 else None


@cache
def game(rules: Rules | None = None) -> Game:
    rules = rules or Rules()
    cards, n = deck(rules.seats), rules.seats
    return Game(
        "ring", version=1, deck=cards, rules=rules, rule_list=(ONE, FOLLOW, BURY), hand_size=HELD[n],
        talk=lambda rules, standing: Taking(cards, (standing.dealer + 1) % n),
        order=lambda rules, contract: order(n, NOUNS.index(contract.declaration)),
        lead=(kit.one_card(ONE),), follow=(kit.one_card(ONE), kit.follow_suit(FOLLOW)), score=score,
        read_contract=kit.read_contract(NOUNS, n), write_contract=kit.write_contract,
        opening=Standing(n - 1, (0,) * sides(n)), advance=advance, winner=winner,
        players=n, kitty_size=1,
        facets={
            "Evidence": Evidence(kit.voids(FOLLOW), unwind=unwind), "Strategy": Strategy(rulebook),
            "Encoding": RingEncoding,
        },
    )  # fmt: skip
