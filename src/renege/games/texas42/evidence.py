"""Facts proved by bids, declarations and plays of Texas 42: doubles, voids, and in sevens what was not nearer."""

from collections.abc import Iterator

from renege.core.cards import Card
from renege.core.facts import TALK, Fact, Holds, Lacks, Void
from renege.core.position import Course, Position
from renege.core.trick import Play
from renege.games.texas42.contract import NEEDED_DOUBLES, Hand42, Kind
from renege.games.texas42.declare import SAYS, exposed_in
from renege.games.texas42.order import ALL_DOUBLES, CALLED, DECK, PIPS, TILES, TRUMPS, pips
from renege.games.texas42.rules import (
    DECLARE_SEVENS,
    EXCHANGE,
    EXPOSED_TILE,
    FOLLOW_SUIT,
    NEAREST_SEVEN,
    OPENING_TRUMP,
    PLUNGE,
    SPLASH,
    UNSAID_TRUMP,
    OpeningLead,
    Sevens,
)
from renege.games.unwind import swapped

SEVEN_PIPS = DECK.cards(tile for tile in TILES if sum(pips(tile)) == 7)


def evidence(course: Course) -> Iterator[Fact]:
    """What everybody learns of the hands, in order."""
    for act, position in course.steps():
        if isinstance(act.what, Play):
            yield from _play(position, act.seat, act.what)
        elif act.what in NEEDED_DOUBLES:
            yield _doubles(act.seat, act.what)
        elif act.what.startswith(SAYS):
            yield Holds(act.seat, position.tricks_played, EXPOSED_TILE, DECK.of(1 << exposed_in(act.what)), 1)
    yield from swapped(course, EXCHANGE)
    position, contract, rules = course.position, course.position.contract, course.game.rules
    if not isinstance(contract, Hand42):
        return
    if contract.bid.word in NEEDED_DOUBLES:
        yield _doubles(contract.declarer, contract.bid.word)
    if contract.kind is Kind.SEVENS and rules.sevens is not Sevens.ON:
        yield Holds(contract.declarer, TALK, DECLARE_SEVENS, SEVEN_PIPS, 1)
    assert position.trick is not None
    if contract.opening is not None and not position.tricks_played and position.trick.lead is None:
        # until the lead is made, everybody knows which tile it will be
        yield Holds(contract.leader, 0, UNSAID_TRUMP, DECK.of(1 << contract.opening), 1)


# How much likelier a tile is with a seat than by chance, once trumps are named, from the declarer on around the table:
# 3,574 hands that our rulebook players bid and declared.
_LEANING = {
    "trump double": (3.448, 0.179, 0.191, 0.181),
    "trump": (1.707, 0.770, 0.758, 0.765),
    "double": (1.216, 0.953, 0.931, 0.900),
    "plain": (0.468, 1.165, 1.178, 1.189),
}


def leaning(course: Course) -> dict[tuple[int, Card], float]:
    """What the bid makes likelier, as a weight for each seat and tile: a rough guide, and proof of nothing."""
    contract = course.position.contract
    if not isinstance(contract, Hand42) or contract.declaration not in TRUMPS[: len(PIPS)]:
        return {}
    trump = int(contract.declaration)
    weights: dict[tuple[int, Card], float] = {}
    for tile in TILES:
        high, low = pips(tile)
        kind = ("trump double" if high == low else "trump") if trump in (high, low) else "double"
        row = _LEANING[kind if high == low or trump in (high, low) else "plain"]
        for around in range(4):
            weights[(contract.declarer + around) % 4, tile] = row[around]
    return weights


def _doubles(seat: int, jump: str) -> Holds:
    return Holds(seat, TALK, PLUNGE if jump == "plunge" else SPLASH, DECK.of(ALL_DOUBLES), NEEDED_DOUBLES[jump])


def _play(position: Position, seat: int, play: Play) -> Iterator[Fact]:
    turn, card = position.turn_to_play(play.cards), play.cards.single()
    if card is None:  # in a record, where anything may lie
        return
    contract, order, trick = turn.contract, turn.order, turn.number
    if contract.kind is Kind.SEVENS:
        nearness = order.strength[CALLED]
        nearer = DECK.cards(tile for tile in TILES if nearness[tile] > nearness[card])
        if nearer:
            yield Lacks(seat, trick, NEAREST_SEVEN, nearer)
    elif turn.led is not None:
        if not order.follow[turn.led] >> card & 1:
            yield Void(seat, trick, FOLLOW_SUIT, turn.led)
    elif not trick and turn.rules.opening_lead is OpeningLead.TRUMP and contract.declaration in TRUMPS:
        yield from () if order.led_suit[card] == CALLED else (Void(seat, trick, OPENING_TRUMP, CALLED),)
