"""Facts proved by the talk and the plays of Schafkopf: voids, and where the called ace is or is not."""

from collections.abc import Iterator

from renege.core.cards import Card, Cards
from renege.core.facts import TALK, Among, AtMost, Came, Fact, Holds, Lacks, OneOf, Void, Way
from renege.core.game import SEATS, Move, Turn
from renege.core.order import Order
from renege.core.position import Course, Position
from renege.core.trick import Play
from renege.games.schafkopf.contract import Bargain
from renege.games.schafkopf.declare import OLD
from renege.games.schafkopf.follow import above_the_trick, heads
from renege.games.schafkopf.memory import called_ace, too_few_to_run
from renege.games.schafkopf.order import CALLED_SUITS, TRUMP, Declaration, order, trumps
from renege.games.schafkopf.rules import (
    ANSWER_SEARCH,
    CALL_ACE,
    FOLLOW_SUIT,
    HEAD_TRICK,
    HOCHZEIT,
    NO_RUNNING,
    OLD_MUST,
    SIE,
    STOSS,
    HochzeitReturn,
    Rules,
)
from renege.games.unwind import gifts, swapped


def evidence(course: Course) -> Iterator[Fact]:
    """What everybody learns of the hands, in order."""
    contract = course.position.contract
    bargain = contract if isinstance(contract, Bargain) else None
    given = [move for _, move in gifts(course)]
    couples = [given[i : i + 2] for i in range(0, len(given), 2)]  # who gave a trump, and what came back for it
    married = {seat for trump, *_ in couples for seat in (trump.giver, trump.taker)}
    memory = course.position.memory
    open_search = memory is not None and memory.ace is None and memory.ran is None
    for act, position in course.steps():
        if isinstance(act.what, Play):
            yield from _play(position, act.seat, act.what, open_search=open_search)
        elif position.contract is not None:
            yield from _stoss(position, act.seat)
        elif not act.what.startswith("give "):
            yield from _call(position.game.rules, act.seat, act.what, bargain, married=act.seat in married)
    yield from swapped(course, HOCHZEIT)
    for couple in couples:
        yield from _couple(course.game.rules, couple, playing=bargain is not None)
    if bargain is not None:
        yield from _contract(course.game.rules, bargain, married)


def _contract(rules: Rules, contract: Bargain, married: set[int]) -> Iterator[Fact]:
    """What the contract alone proves, at the first trick; of who swapped cards before our eyes that is told already."""
    declarer, named = contract.declarer, contract.named
    table = order(contract.declaration, rules.deck)
    if declarer is None:
        return
    if named.renonce:
        yield from _renonce(table, declarer, named)
    elif named.called is not None:
        ace, plain = _ace_and_others(table, str(named.suit))
        yield Lacks(declarer, 0, CALL_ACE, ace)
        yield Holds(declarer, 0, CALL_ACE, plain, 1)
    elif named.kind == "hochzeit" and contract.partner is not None and declarer not in married:
        yield from _swapped_unseen(rules, declarer, contract.partner)
    elif named.kind == "sie":
        yield _sie(rules, declarer)


def _ace_and_others(table: Order, suit: str) -> tuple[Cards, Cards]:
    """The ace of a suit, and its other plain cards."""
    ace = table.deck.of(1 << table.deck.spellings[f"{suit}A"])
    return ace, table.deck.of(table.follow[table.suits.index(suit)]) - ace


def _renonce(table: Order, declarer: int, named: Declaration) -> Iterator[Fact]:
    """Who plays a Renonce lacks the suit of the ace that he calls, or holds all aces and lacks the ten."""
    deck = table.deck
    aces = deck.cards(deck.spellings[f"{suit}A"] for suit in CALLED_SUITS)
    if named.ten:
        yield Holds(declarer, 0, OLD_MUST, aces, len(aces))
        yield Lacks(declarer, 0, OLD_MUST, deck.of(1 << deck.spellings[str(named.called)]))
        return
    yield Void(declarer, 0, OLD_MUST, table.suits.index(str(named.suit)))
    for suit in CALLED_SUITS:  # of each other suit the hand has the ace, or no plain card at all
        if suit != named.suit:
            ace, plain = _ace_and_others(table, suit)
            yield OneOf(declarer, 0, OLD_MUST, (Way(deck.none, ace, 1), Way(plain, deck.none)))


def _couple(rules: Rules, couple: list[Move], *, playing: bool) -> Iterator[Fact]:
    """What two who swap prove: the first gave its only trump, and the other, if it has done so yet, a card for it."""
    table, (giver, taker) = order("hochzeit", rules.deck), (couple[0].giver, couple[0].taker)
    high, back = table.deck.of(table.follow[TRUMP]), couple[1].cards if len(couple) > 1 else None
    plain = rules.hochzeit_return is HochzeitReturn.PLAIN
    if back is None and plain:
        yield Holds(taker, 0, HOCHZEIT, table.deck.all - high, 1)  # to give for it
    if back is None or plain:
        yield Void(giver, 0, HOCHZEIT, TRUMP) if playing else Lacks(giver, 0, HOCHZEIT, high)
        yield Holds(taker, 0, HOCHZEIT, high, 1)
        if not isinstance(couple[0].cards, Cards):
            yield Came(taker, 0, HOCHZEIT, high)
    elif isinstance(back, Cards):  # besides what came back there is no trump
        yield Lacks(giver, 0, HOCHZEIT, high - high.only(back.kinds))
    else:
        yield from _swapped_unseen(rules, giver, taker)
        yield Came(taker, 0, HOCHZEIT, high, giver)


def _swapped_unseen(rules: Rules, giver: int, taker: int) -> Iterator[Fact]:
    """What is known of two who have swapped, whatever it was."""
    table = order("hochzeit", rules.deck)
    high = table.deck.of(table.follow[TRUMP])
    if rules.hochzeit_return is HochzeitReturn.PLAIN:
        yield Void(giver, 0, HOCHZEIT, TRUMP)
        yield Holds(taker, 0, HOCHZEIT, high, 1)
    else:  # it may have come back, or another
        yield AtMost(giver, 0, HOCHZEIT, high, 1)
        yield Among(giver, 0, HOCHZEIT, taker, high, 1)


def _sie(rules: Rules, seat: int) -> Holds:
    table = order("sie", rules.deck)
    size = len(table.deck) // len(SEATS)
    top = sum(1 << card for card in trumps("sie", rules.deck)[:size])
    return Holds(seat, TALK, SIE, table.deck.of(top), size)


def _call(rules: Rules, seat: int, call: str, contract: Bargain | None, *, married: bool) -> Iterator[Fact]:
    """What a call before the first lead proves, besides what the contract and the trump of a Hochzeit will.

    `married`: it has given the trump, or got it, which says more.
    """
    table = order("hochzeit", rules.deck)
    deck, high = table.deck, table.deck.of(table.follow[TRUMP])
    kept = contract is not None and contract.declarer == seat and contract.named.kind == call
    if call == "sie":
        yield _sie(rules, seat)
    elif call == "rufspiel" and not kept:
        # of some suit the hand had no ace and a plain card, so that there was an ace to call
        yield OneOf(seat, TALK, CALL_ACE, tuple(Way(*_ace_and_others(table, suit), 1) for suit in CALLED_SUITS))
    elif call in ("hochzeit", "offer") and not married:
        yield Holds(seat, TALK, HOCHZEIT, high, 1)
        yield AtMost(seat, TALK, HOCHZEIT, high, 1)
    elif call == "accept" and not married and rules.hochzeit_return is HochzeitReturn.PLAIN:
        yield Holds(seat, TALK, HOCHZEIT, deck.all - high, 1)
    elif call == "old":
        yield Holds(seat, TALK, OLD_MUST, deck.of(1 << deck.spellings[OLD]), 1)
    elif call == "no":
        yield Lacks(seat, TALK, OLD_MUST, deck.of(1 << deck.spellings[OLD]))


def _stoss(position: Position, seat: int) -> Iterator[Fact]:
    """Who raises against the declarer of a Rufspiel lacks the called ace; who answers for him holds it."""
    contract = position.contract
    assert isinstance(contract, Bargain)
    known = (position.memory.ace, position.memory.ran)
    if contract.named.kind != "rufspiel" or seat == contract.declarer or known != (None, None):
        return
    deck = position.game.deck
    ace, trick = deck.of(1 << deck.spellings[str(contract.named.called)]), position.tricks_played
    yield Holds(seat, trick, STOSS, ace, 1) if len(contract.raised) % 2 else Lacks(seat, trick, STOSS, ace)


def _play(position: Position, seat: int, play: Play, *, open_search: bool) -> Iterator[Fact]:
    """What one play proves, of its seat or, when the trick is full, of its leader."""
    turn, card = position.turn_to_play(play.cards), play.cards.single()
    if card is None:  # in a record, where anything may lie
        return
    if turn.led is not None and turn.order.led_suit[card] != turn.led:
        yield Void(seat, turn.number, FOLLOW_SUIT, turn.led)
    if turn.led is not None and heads(turn.rules, turn.contract.declaration):
        above = above_the_trick(turn, follows=turn.order.led_suit[card] == turn.led)
        if above and not above >> card & 1:  # who must head the trick and did not holds no card that would have
            yield Lacks(seat, turn.number, HEAD_TRICK, turn.order.deck.of(above))
    yield from _of_the_ace(turn, play, open_search=open_search)


def _of_the_ace(turn: Turn, play: Play, *, open_search: bool) -> Iterator[Fact]:
    """Who leads the called suit lacks its ace or had enough of it to run; who follows it without the ace lacks it. When
    all have followed the leader had it, which says more: `open_search` is over.
    """
    called = called_ace(turn)
    if called is None or turn.memory.ace is not None or called.ace in play.cards:
        return
    deck, number, enough = turn.order.deck, turn.number, turn.rules.run_from
    ace, suit = deck.of(1 << called.ace), deck.of(called.plain)
    if turn.trick.lead is None:
        searches = play.cards.kinds & called.plain and not turn.memory.leaders
        if searches and too_few_to_run(turn):
            yield Lacks(turn.seat, number, NO_RUNNING, ace)
        elif searches and open_search:
            yield OneOf(turn.seat, number, NO_RUNNING, (Way(ace, deck.none), Way(deck.none, suit, enough)))
        return
    if turn.led != called.suit:
        return
    if not turn.memory.leaders >> turn.seat & 1:  # who ran need not answer
        yield Lacks(turn.seat, number, ANSWER_SEARCH, ace)
    if len(turn.trick.plays) == len(SEATS) - 1 and turn.memory.ran is None and called.ace not in turn.trick.cards:
        yield Holds(turn.trick.leader, number, ANSWER_SEARCH, ace, 1)
        yield Holds(turn.trick.leader, number, NO_RUNNING, suit, enough)


# how much rather the declarer holds a card than another seat does, from 3,000 deals that the rulebook bid
_LEANING: dict[str, dict[str, float]] = {
    "rufspiel": {"best": 2.2, "O": 1.5, "U": 1.1, "trump": 1.2, "A": 2.0, "Z": 0.8, "plain": 0.8},
    "solo": {"best": 60.0, "O": 12.0, "U": 2.5, "trump": 3.0, "A": 0.65, "Z": 0.15, "plain": 0.1},
    "wenz": {"best": 20.0, "U": 8.0, "A": 11.0, "Z": 1.2, "plain": 0.25},
    "geier": {"best": 20.0, "O": 8.0, "A": 11.0, "Z": 1.2, "plain": 0.25},
    "farbwenz": {"best": 20.0, "U": 12.0, "trump": 3.0, "A": 2.2, "Z": 0.25, "plain": 0.17},
    "farbgeier": {"best": 40.0, "O": 8.0, "trump": 3.0, "A": 2.5, "Z": 0.3, "plain": 0.15},
}


def leaning(course: Course) -> dict[tuple[int, Card], float]:
    """What the game makes likelier, as a weight for each seat and card; those not named weigh 1."""
    contract, rules = course.position.contract, course.game.rules
    if not isinstance(contract, Bargain) or contract.declarer is None or contract.named.kind not in _LEANING:
        return {}
    weights, table = _LEANING[contract.named.kind], order(contract.declaration, rules.deck)
    best = max(range(len(table.points)), key=lambda card: table.strength[TRUMP][card])
    return {
        (contract.declarer, card): weights[_kind(name, card == best, table.led_suit[card] == TRUMP, weights)]
        for card, name in enumerate(table.deck.names)
    }


def _kind(name: str, best: bool, trump: bool, weights: dict[str, float]) -> str:
    if best:
        return "best"
    if trump:
        return name[1] if name[1] in "OU" and name[1] in weights else "trump"
    return name[1] if name[1] in "AZ" else "plain"
