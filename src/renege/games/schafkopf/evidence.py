"""What the talk and each play prove of a hand: voids, and where the called ace is or is not."""

from renege.facts import Fact, Holds, Lacks, Void
from renege.game import SEATS, Turn
from renege.games.schafkopf.declare import Bargain
from renege.games.schafkopf.memory import RUN_FROM, called_ace, cards_left
from renege.games.schafkopf.order import TRUMP, order, trumps
from renege.games.schafkopf.rules import ANSWER_SEARCH, CALL_ACE, FOLLOW_SUIT, HOCHZEIT, NO_RUNNING, SIE, Rules
from renege.order import Order
from renege.trick import Play


def told(rules: Rules, contract: Bargain) -> tuple[Fact, ...]:
    """What the contract alone proves, at the first trick."""
    declarer, named = contract.declarer, contract.named
    table = order(contract.declaration, rules.deck)
    if declarer is None:
        return ()
    if named.kind == "rufspiel":
        suit = table.suits.index(str(named.suit))
        ace = table.deck.of(1 << table.deck.spellings[f"{named.suit}A"])
        plain = table.deck.of(table.follow[suit]) - ace
        return Lacks(declarer, 0, CALL_ACE, ace), Holds(declarer, 0, CALL_ACE, plain, 1)
    if named.kind == "hochzeit":
        return (Void(declarer, 0, HOCHZEIT, TRUMP),)  # the one trump was given away
    if named.kind == "sie":
        size = len(table.deck) // len(SEATS)
        top = table.deck.of(sum(1 << card for card in trumps("sie", rules.deck)[:size]))
        return (Holds(declarer, 0, SIE, top, size),)
    return ()


def proves(turn: Turn, play: Play) -> tuple[Fact, ...]:
    """What one play proves, of its seat or, when the trick is full, of its leader."""
    card = play.cards.single()
    if card is None:  # in a record, where anything may lie
        return ()
    facts: list[Fact] = []
    if turn.led is not None and turn.order.led_suit[card] != turn.led:
        facts.append(Void(turn.seat, turn.number, FOLLOW_SUIT, turn.led))
    return (*facts, *_of_the_ace(turn, play))


def _of_the_ace(turn: Turn, play: Play) -> list[Fact]:
    called = called_ace(turn)
    if called is None or turn.memory.ace is not None or called.ace in play.cards:
        return []
    order: Order = turn.order
    ace, number = order.deck.of(1 << called.ace), turn.number
    if turn.trick.lead is None:
        runs = play.cards.kinds & called.plain and cards_left(turn) >= RUN_FROM
        searches = play.cards.kinds & called.plain and not runs
        return [Lacks(turn.seat, number, NO_RUNNING, ace)] if searches else []
    if turn.led != called.suit:
        return []
    facts: list[Fact] = []
    if not turn.memory.leaders >> turn.seat & 1:  # who ran need not answer
        facts.append(Lacks(turn.seat, number, ANSWER_SEARCH, ace))
    if len(turn.trick.plays) == len(SEATS) - 1 and turn.memory.ran is None and called.ace not in turn.trick.cards:
        runner = turn.trick.leader
        suit = order.deck.of(called.plain)
        facts += [Holds(runner, number, ANSWER_SEARCH, ace, 1), Holds(runner, number, NO_RUNNING, suit, RUN_FROM)]
    return facts
