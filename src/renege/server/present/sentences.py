"""What is said at the table: calls, acts, contracts and results as sentences, in the words of each game.

Every sentence is built in English, of a seat and cards as text, and goes through a `Speech`, which turns it into the
listener's language and puts the players' names in. `SENTENCES` are those that no game has to itself.
"""

from collections.abc import Iterable
from typing import Protocol

from renege.core.game import Game, Result
from renege.core.position import Act, Position
from renege.core.trick import Play
from renege.games.words import words_of
from renege.server.messages import ContractShown

UNITS = ("card", "pair", "run")
GROUPS = ("a bid", "a call", "a declaration", "a showing", "cards to bury", "a tile to give", "a card to give")

# As the phrasebook names its slots: {n} and {numbers} stay, and so do {cards} and {rank}; {seat} is "seat 2". What
# stands in another slot is a word or a sentence by itself: a {suit} as an order names it, a {kind} of game, a {bid}
# ("31", "1 mark", "splash"), a {tile} ("tile" or "card"), what is chosen ({what}), a {call} as `Words.call` has it.
SENTENCES = (
    "dealer", "player",
    ", ", ": ", "; ",  # between clauses
    # calls
    "pass", "{n}", "give {cards}", "give a tile", "give a card",
    # acts
    "{seat} passes", "{seat} bids {bid}", "{seat} declares", "{seat} gives {cards}", "{seat} gives a tile",
    "{seat} gives a card", "{seat} leads {cards}", "{seat} leads {cards} as {suit}", "{seat} plays {cards}",
    # results
    "thrown in", "the deal comes to nothing", "renege by {seat}",
    # a check
    "{what} is legal", "no other seat has {suit}", "no {tile} that beats it is left",
    "what was seen leaves no other hand a {tile} that beats it",
    *(f"no higher {unit} of {{suit}} is left" for unit in UNITS),
    *(f"what was seen leaves no other hand a higher {unit} of {{suit}}" for unit in UNITS),
    "{seat} may have {cards}", "{seat} or {seat2} may have {cards}", "{seat}, {seat2} or {seat3} may have {cards}",
    # a hint, and a belief
    *GROUPS, "on average better than {call}, which the rule of thumb would choose", "nothing has to be said",
    "it is not the turn of {seat}", "nobody chooses now, for the kitty names trumps",
    "no deal that fits has it with {seat}", "no deal that fits has it with the kitty",
    "every deal that fits has it with {seat}", "every deal that fits has it with the kitty",
    "there are more deals here than can be counted",
    # a review
    "the open hands could not be worked out in time", "by the open hands the declarer loses every trick",
    "by the open hands the declarer does not lose every trick",
)  # fmt: skip


class Speech(Protocol):
    """How a listener is spoken to."""

    def say(self, english: str) -> str:
        """A sentence in the listener's language, with names for seats."""
        ...


def clauses(parts: Iterable[str], speech: Speech) -> str:
    """Parts of a sentence, each told by itself, with the comma of the listener's language between them."""
    return speech.say(", ").join(map(speech.say, parts))


def plain(wrong: ValueError) -> str:
    """What was out of its time, without the position that an error may quote: that has all hands."""
    return str(wrong).partition(": ")[0]


def title_of(game: Game, speech: Speech) -> str:
    return speech.say(words_of(game).title(game))


def event_text(position: Position, act: Act, speech: Speech) -> str:
    """An act as one who saw it would tell it, from the position before it: `seat 2 bids 31`, `seat 1 plays 6-4`."""
    if isinstance(act.what, str):
        told = words_of(position.game).called(position, act.seat, act.what)
        return speech.say(": ").join(map(speech.say, told))
    return speech.say(f"seat {act.seat} {_play_told(position, act.what)}")


def _play_told(position: Position, play: Play) -> str:
    if play.tried is not None:
        return f"shows {play.tried} and may lead only {play.cards}"
    leads = position.trick is None or position.trick.lead is None
    named = "" if play.suit is None or position.order is None else f" as {position.order.nouns[play.suit]}"
    return f"{'leads' if leads else 'plays'} {' + '.join(map(str, play.units)) or play.cards}{named}"


def contract_shown(position: Position, speech: Speech) -> ContractShown | None:
    """What is played; None while the seats still talk."""
    contract = position.contract
    if contract is None:
        return None
    parts, trump = words_of(position.game).contract(contract, position.game.rules)
    return ContractShown(
        what=position.game.write_contract(contract),
        text=clauses(parts, speech),
        trump=speech.say(trump) if trump else "",
        declarer=contract.declarer,
    )


def so_far_text(position: Position, speech: Speech) -> str:
    """What stands before there is a contract: in Tractor the level that is played, and what names trumps so far."""
    return " · ".join(map(speech.say, words_of(position.game).so_far(position)))


def result_text(game: Game, result: Result, speech: Speech) -> str:
    """How a deal ended, from the words of the score: `31 by seat 2 made with 35 points, 1-0`."""
    return clauses(words_of(game).result(result), speech)
