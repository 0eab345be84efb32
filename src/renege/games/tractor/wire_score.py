"""`score` on the wire: a whole deal of Tractor, and the first duty that was broken in it."""

from dataclasses import dataclass

from renege.core.cards import Cards
from renege.core.game import SEATS, Turn
from renege.core.notation import NotationError, parse_cards
from renege.core.order import Order
from renege.core.position import seats_from
from renege.core.trick import Play, Trick
from renege.games.tractor.declare import Bank
from renege.games.tractor.memory import Memory, remember
from renege.games.tractor.order import DECK, RANKS
from renege.games.tractor.rules import BURIED, RenegeFound
from renege.games.tractor.score import fine, multiplier, outcome
from renege.games.tractor.units import shape_of
from renege.games.tractor.wire_table import AROUND, HAND_SIZE, Table, best_of, read_trick, set_table, why_excluded
from renege.games.wire import Answer, Question, Seat, quote, read_cards


class ScoreQuestion(Question, kw_only=True):
    declaration: str
    banker: Seat
    levels: list[str]
    kitty: str
    leader: Seat
    tricks: list[list[str]]


@dataclass(frozen=True, slots=True)
class Breach:
    """A duty that was broken: where, by whom, and the place of the play in its trick."""

    trick: int
    seat: int
    place: int
    rule: str
    why: str


def scored(question: ScoreQuestion) -> Answer:
    """A whole deal, as it was played. Who leads a trick took the one before by the cards alone.

    What a broken duty costs is a house rule, renege_found: by default such a follow wins no points, yet the next lead
    stays where it was.
    """
    table = set_table(bytes(question.rules), question.declaration)
    order, rules = table.order, table.rules
    levels = _levels(question.levels)
    kitty = read_cards(DECK, question.kitty)
    tricks = [read_trick(texts, f"trick {number}") for number, texts in enumerate(question.tricks)]
    _check_deck(question, kitty, tricks)
    seats = _seats(table, question.leader, tricks)
    hands = _hands(seats, tricks)
    breaches = _breaches(table, question.banker, kitty, seats, tricks, hands)
    first = breaches[0] if breaches else None
    renege = first and {"trick": first.trick, "seat": first.seat, "rule": first.rule, "why": first.why}
    if first is not None and rules.renege_found is RenegeFound.REFUSED:
        raise NotationError(
            f"this is no deal: seat {first.seat} breaks {first.rule} in trick {first.trick}: {first.why}"
        )
    attackers, taker = 0, question.leader
    for number, plays in enumerate(tricks):
        barred = [bool(why_excluded(order, plays[0], play)) for play in plays]
        for breach in breaches:
            barred[breach.place] |= breach.trick == number and rules.renege_found is RenegeFound.CANNOT_WIN
        taker = seats[number][best_of(table, plays, [False, *barred[1:]])]
        if taker % 2 != question.banker % 2:
            attackers += sum(order.worth(play.cards) for play in plays)
    if first is not None:
        attackers = max(0, attackers + fine(rules.renege_found, first.seat, question.banker))
    times = multiplier(rules, *_last(order, tricks[-1][0].cards))
    buried = order.worth(kitty) if taker % 2 != question.banker % 2 else 0
    end = outcome(rules, levels, question.banker, attackers, buried, times)
    return {
        "attackers": end.attackers,
        "multiplier": times,
        "levels": [RANKS[level - 2] for level in end.levels],
        "banker": end.banker,
        "winner": end.winner,
        "renege": renege,
    }


def _levels(texts: list[str]) -> tuple[int, int]:
    ranks = [text.strip().upper().replace("10", "T") for text in texts]
    if len(ranks) != 2 or not all(len(rank) == 1 and rank in RANKS for rank in ranks):
        raise NotationError(f"'levels' has a rank for each side, like ['2', 'A']; {texts} has not")
    return RANKS.index(ranks[0]) + 2, RANKS.index(ranks[1]) + 2


def _check_deck(question: ScoreQuestion, kitty: Cards, tricks: list[list[Play]]) -> None:
    """Every card is played or buried, and just once."""
    if len(kitty) != BURIED:
        raise NotationError(f"the kitty has {BURIED} cards, and {quote(question.kitty)} has {len(kitty)}")
    parse_cards(DECK, " ".join([str(kitty), *(str(play) for plays in tricks for play in plays)]))
    played = sum(len(play.cards) for plays in tricks for play in plays)
    if played != len(SEATS) * HAND_SIZE:
        raise NotationError(f"four hands of {HAND_SIZE} cards are played, and the tricks have {played} cards")


def _seats(table: Table, leader: int, tricks: list[list[Play]]) -> list[tuple[int, ...]]:
    """Who played, trick by trick, from the leader on."""
    seats: list[tuple[int, ...]] = []
    for plays in tricks:
        seats.append(seats_from(leader, AROUND))
        barred = [bool(why_excluded(table.order, plays[0], play)) for play in plays]
        leader = seats[-1][best_of(table, plays, barred)]
    return seats


def _hands(seats: list[tuple[int, ...]], tricks: list[list[Play]]) -> list[Cards]:
    """What each seat was dealt: what it played."""
    hands = [DECK.none] * len(SEATS)
    for who, plays in zip(seats, tricks, strict=True):
        for seat, play in zip(who, plays, strict=True):
            hands[seat] = hands[seat] + play.cards
    for seat, hand in enumerate(hands):
        if len(hand) != HAND_SIZE:
            raise NotationError(f"seat {seat} has played {len(hand)} cards, not {HAND_SIZE}: {quote(str(hand))}")
    return hands


def _breaches(
    table: Table,
    banker: int,
    kitty: Cards,
    seats: list[tuple[int, ...]],
    tricks: list[list[Play]],
    hands: list[Cards],
) -> list[Breach]:
    game = table.game(told=True)
    left, memory, found = list(hands), Memory(), list[Breach]()
    for number, (who, plays) in enumerate(zip(seats, tricks, strict=True)):
        trick = Trick(who)
        for place, (seat, play) in enumerate(zip(who, plays, strict=True)):
            turn = Turn(
                rules=game.rules,
                contract=Bank(table.contract.declaration, banker, banker),
                order=table.order,
                seat=seat,
                hand=left[seat],
                trick=trick,
                number=number,
                memory=memory,
                hands=tuple(left),
                kitty=kitty,
            )
            objection = game.objection(turn, play)
            if objection is not None:
                found.append(Breach(number, seat, place, objection.rule.id, objection.why))
            memory, trick = remember(turn, play), trick.with_play(play, ahead=False)
            left[seat] = left[seat] - play.cards
    return found


def _last(order: Order, lead: Cards) -> tuple[int, int, int]:
    """The cards of the longest unit of the last lead, all its pairs, and all its cards."""
    shapes = [shape_of(order, suit, part) for suit in range(len(order.suits)) if (part := order.in_suit(lead, suit))]
    return max(max(1, 2 * found.longest) for found in shapes), sum(found.led_pairs for found in shapes), len(lead)
