"""What is said at the table: calls, acts, contracts and results as sentences, in the words of each game.

Every sentence is built in English and goes through a `Speech`, which turns it into the listener's language and puts
the players' names in.
"""

from renege.core.deal_state import Act
from renege.core.game import Game
from renege.core.position import Position
from renege.core.verdict import WrongPhase
from renege.games.words import words_of
from renege.i18n import Speech, join, say
from renege.server.messages import ContractShown


def plain(wrong: ValueError) -> str:
    """What was out of its time, without the position that an error may quote: that has all hands."""
    return wrong.why if isinstance(wrong, WrongPhase) else str(wrong).partition(": ")[0]


def title_of(game: Game, speech: Speech) -> str:
    return speech.say(words_of(game).title(game))


def event_text(position: Position, act: Act, speech: Speech) -> str:
    """An act as one who saw it would tell it, from the position before it: `seat 2 bids 31`, `seat 1 plays 6-4`."""
    if isinstance(act.what, str):
        told = words_of(position.game).called(position, act.seat, act.what)
        return speech.say(join(": ", told))
    seat, play = act.seat, act.what
    if play.tried is not None:
        return speech.say(say("{seat} shows {cards} and may lead only {cards2}", seat, play.tried, play.cards))
    verb = "leads" if position.trick is None or position.trick.lead is None else "plays"
    cards = " + ".join(map(str, play.units)) or play.cards
    if play.suit is None or position.order is None:
        return speech.say(say(f"{{seat}} {verb} {{cards}}", seat, cards))
    return speech.say(say(f"{{seat}} {verb} {{cards}} as {{suit}}", seat, cards, position.order.nouns[play.suit]))


def contract_shown(position: Position, speech: Speech) -> ContractShown | None:
    """What is played; None while the seats still talk."""
    contract = position.contract
    if contract is None:
        return None
    parts, trump = words_of(position.game).contract(contract, position.game.rules)
    return ContractShown(
        what=position.game.write_contract(contract),
        text=speech.say(join(", ", parts)),
        trump=speech.say(trump) if trump else "",
        declarer=contract.declarer,
    )
