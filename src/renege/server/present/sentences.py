"""What is said at the table: calls, acts, contracts and results as sentences.

Every sentence is built in English, of a seat and cards as text, and goes through a `Speech`, which turns it into the
listener's language and puts the players' names in. `SENTENCES` are all there are besides the arbiter's own reasons.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Protocol

from renege.core.cards import Cards
from renege.core.game import Game, Result
from renege.core.position import Act, Position
from renege.core.trick import Play
from renege.games.schafkopf.declare import Bargain
from renege.games.schafkopf.order import SUIT_WORDS
from renege.games.schafkopf.order import TRUMPS as RULING_RANKS
from renege.games.schafkopf.order import parse_declaration as parse_game
from renege.games.schafkopf.rules import Rules
from renege.games.schafkopf.score import times_raised
from renege.games.texas42.declare import Hand42
from renege.games.texas42.declare import parse_declaration as parse_called
from renege.games.texas42.order import PLURALS
from renege.games.texas42.rules import Doubles
from renege.games.tractor.declare import Bank, Drawing
from renege.games.tractor.order import NOUNS, SUITS
from renege.games.tractor.order import parse_declaration as parse_trumps
from renege.games.tractor.score import ENOUGH, attackers_points, multiplier
from renege.server.messages import ContractShown

TITLES = {"texas42": "Texas 42", "tractor": "Tractor", "schafkopf": "Schafkopf"}
DOUBLES = {
    Doubles.HIGH: "doubles high",
    Doubles.LOW: "doubles low",
    Doubles.OWN: "doubles a suit of their own",
    Doubles.OWN_INVERTED: "doubles a suit of their own, the blank high",
}
KINDS = {  # of games in Schafkopf, as they are bid and named
    "rufspiel": "Rufspiel", "hochzeit": "Hochzeit", "bettel": "Bettel", "farbgeier": "Farbgeier", "geier": "Geier",
    "farbwenz": "Farbwenz", "wenz": "Wenz", "solo": "Solo", "sie": "Sie", "ramsch": "Ramsch",
}  # fmt: skip
ROLES = ("shaker", "dealer", "banker", "declarer", "player", "partner", "Stoss")

# A call as one would say it; where the text of the call is not already that.
CALLS = {
    "take": "take up the kitty",
    "redeal": "ask for a new deal",
    "double": "double the stakes",
    "accept": "accept the Hochzeit",
    "offer": "offer a second Hochzeit",
    "old": "I have the Eichel-Ober",
    "no": "I do not have the Eichel-Ober",
    "stoss": "raise the stakes",
}
# A call as others tell it of a seat.
ACTS = {
    "pass": "passes",
    "take": "takes up the kitty",
    "redeal": "asks for a new deal",
    "double": "doubles the stakes",
    "accept": "accepts the Hochzeit",
    "offer": "offers a second Hochzeit",
    "old": "has the Eichel-Ober",
    "no": "does not have the Eichel-Ober",
    "stoss": "raises the stakes",
}
VERBS = {"show": "shows", "bury": "buries", "give": "gives", "expose": "exposes"}
UNITS = ("card", "pair", "run")
GROUPS = ("a bid", "a call", "a declaration", "a showing", "cards to bury", "a tile to give", "a card to give")
_POINTS = ("1 point", "{n} points")

# As the phrasebook names its slots: {n} and {numbers} stay, and so do {cards} and {rank}; {seat} is "seat 2". What
# stands in another slot is a word or a sentence by itself: a {suit} as an order names it, a {kind} of KINDS, a {bid}
# ("31", "1 mark", "splash"), a {tile} ("tile" or "card"), what is chosen ({what}), a {call} as `call_text` has it.
SENTENCES = (
    *TITLES.values(), *ROLES, *KINDS.values(), *DOUBLES.values(), *CALLS.values(),
    ", ", ": ", "; ",  # between clauses
    # calls
    "pass", "{n}", "1 mark", "{n} marks", "splash", "plunge", "nello", "sevens", "{suit} are trumps",
    *(f"{how}, {doubles}" for how in ("follow me", "nello") for doubles in DOUBLES.values()),
    "{kind} Tout", "{suit} {kind}", "{suit} {kind} Tout", "Rufspiel on the {suit} ace", "{kind} for {n} points",
    "Renonce on the {suit} ace", "Renonce on the {suit} ten",
    "show {cards}", "turn {cards}", "bury {cards}", "bury {n} cards", "give {cards}", "give a tile", "give a card",
    # acts
    *(f"{{seat}} {told}" for told in ACTS.values()),
    "{seat} bids {bid}", "{seat} bids {kind} Tout", "{seat} declares", "{seat} shows {cards}",
    "the kitty shows {cards}",
    "{seat} buries {cards}", "{seat} buries {n} cards", "{seat} gives {cards}", "{seat} gives a tile",
    "{seat} gives a card", "{seat} leads {cards}", "{seat} leads {cards} as {suit}", "{seat} plays {cards}",
    "{seat} shows {cards} and may lead only {cards2}", "{seat} names no trumps and leads {cards}",
    "{seat} exposes {cards}",
    "lead {cards}, trumps unsaid",
    # contracts
    "{bid} by {seat}", "plunge for {n} marks by {seat}", "splash for {n} marks by {seat}",
    "{suit} are trumps at level {rank}", "no trump suit at level {rank}", "{seat} has the bank",
    "level {rank}", "{cards} shown by {seat}",
    "by {seat}", "with {seat}", "{n} points are promised", "the stakes are {n} times as high",
    "Ober", "Unter", "{suit}",
    # results
    "thrown in", "the deal comes to nothing",
    *(f"{{bid}} by {{seat}} {end} with {taken}, {{numbers}}" for end in ("made", "set") for taken in _POINTS),
    "renege by {seat}", "renege by {seat}, two marks, {numbers}", "renege by {seat} against a bid of {bid}, {numbers}",
    "renege by {seat}, the hand and a mark, {numbers}", "renege by {seat}, the hand and two marks, {numbers}",
    "{seat} and {seat2} keep the bank, the attackers have {n} of 80 points",
    "the attackers {seat} and {seat2} take the bank with {n} points",
    "{seat} and {seat2} go up to level {rank}", "nobody goes up", "{seat} has the bank next",
    "{seat} and {seat2} win the game", "{n} points", "{n} points, {n2} times for the attackers",
    *(f"{end} by {who} with {{n}} points" for end in ("won", "lost") for who in ("{seat}", "{seat} and {seat2}")),
    "Schneider", "Schwarz", "{n} runners", "points {numbers}",
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
    return speech.say(TITLES.get(game.name, game.name.title()))


# -- calls


def call_text(game: Game, call: str) -> str:
    """A call in table words: `31`, `fives are trumps`, `Rufspiel on the Eichel ace`, `show S2`."""
    if call in CALLS:
        return CALLS[call]
    if game.name == "texas42" and call.startswith(("trump ", "follow-me", "nello", "sevens")):
        return _called(*parse_called(call))
    if game.name == "texas42" and call.startswith("lead "):
        return f"{call}, trumps unsaid"
    if game.name == "schafkopf" and call.split()[0] in KINDS:
        return _named(call)
    return call


def _called(name: str, doubles: Doubles) -> str:
    if name.isdigit():
        return f"{PLURALS[int(name)]} are trumps"
    if name in ("follow-me", "nello"):  # doubles stand in different ways
        return f"{name.replace('-', ' ')}, {DOUBLES[doubles]}"
    return "doubles are trumps" if name == "doubles" else name


def _named(call: str) -> str:
    """A game of Schafkopf, or the kind of one."""
    kind, *more = call.split()
    suit = next((SUIT_WORDS[word[0]] for word in more if word[0] in SUIT_WORDS), None)
    if kind == "rufspiel" and suit:
        game, card = "Renonce" if "renonce" in more or "Z" in call else "Rufspiel", "ten" if "Z" in call else "ace"
        return f"{game} on the {suit} {card}"
    if more and more[0].isdigit():
        return f"{KINDS[kind]} for {more[0]} points"
    return " ".join(filter(None, (suit, KINDS[kind], "Tout" if "tout" in more else None)))


def _call_told(position: Position, seat: int, call: str, speech: Speech) -> str:
    verb, _, rest = call.partition(" ")
    if call in ACTS:
        return speech.say(f"seat {seat} {ACTS[call]}")
    if verb == "turn":
        return speech.say(f"the kitty shows {rest}")  # nobody's choice
    if verb == "lead":
        return speech.say(f"seat {seat} names no trumps and leads {rest}")
    if verb in VERBS:
        return speech.say(f"seat {seat} {VERBS[verb]} {rest}")
    words = call_text(position.game, call)
    if _is_bid(position, call):
        return speech.say(f"seat {seat} bids {words}")
    return speech.say(": ").join(map(speech.say, (f"seat {seat} declares", words)))


def _is_bid(position: Position, call: str) -> bool:
    if position.game.name == "schafkopf":
        return getattr(position.talk, "step", "") == "bid"
    return call[:1].isdigit() or call in ("splash", "plunge")


def event_text(position: Position, act: Act, speech: Speech) -> str:
    """An act as one who saw it would tell it, from the position before it: `seat 2 bids 31`, `seat 1 plays 6-4`."""
    if isinstance(act.what, str):
        return _call_told(position, act.seat, act.what, speech)
    return speech.say(f"seat {act.seat} {_play_told(position, act.what)}")


def _play_told(position: Position, play: Play) -> str:
    if play.tried is not None:
        return f"shows {play.tried} and may lead only {play.cards}"
    leads = position.trick is None or position.trick.lead is None
    named = "" if play.suit is None or position.order is None else f" as {position.order.nouns[play.suit]}"
    return f"{'leads' if leads else 'plays'} {' + '.join(map(str, play.units)) or play.cards}{named}"


# -- contracts


def contract_shown(position: Position, speech: Speech) -> ContractShown | None:
    """What is played; None while the seats still talk."""
    contract = position.contract
    if isinstance(contract, Hand42):
        parts, trump = _hand(contract)
    elif isinstance(contract, Bank):
        parts, trump = _bank(contract)
    elif isinstance(contract, Bargain):
        parts, trump = _bargain(contract, position.game.rules)
    elif contract is not None:  # of a game that was added
        parts, trump = [call_text(position.game, contract.declaration)], ""
        parts += [] if contract.declarer is None else [f"by seat {contract.declarer}"]
    else:
        return None
    return ContractShown(
        what=position.game.write_contract(contract),
        text=clauses(parts, speech),
        trump=speech.say(trump) if trump else "",
        declarer=contract.declarer,
    )


def so_far_text(position: Position, speech: Speech) -> str:
    """In Tractor, before the first lead: the level that is played, and what names trumps so far."""
    talk = position.talk
    if not isinstance(talk, Drawing) or position.contract is not None:
        return ""
    parts = [f"level {talk.level}"]
    if talk.shown is not None:
        seat, cards = talk.shown
        parts.append(f"{cards} shown by seat {seat}")
    elif talk.named is not None:
        parts.append(f"the kitty shows {talk.named}")
    return " · ".join(map(speech.say, parts))


def _hand(contract: Hand42) -> tuple[list[str], str]:
    bid, name = contract.bid, contract.declaration
    amount = bid.amount if bid.word == "bid" else f"{bid.word} for {bid.amount}"
    trump = PLURALS[int(name)] if name.isdigit() else name if name == "doubles" else ""
    return [_called(name, contract.doubles), f"{amount} by seat {contract.declarer}"], trump


def _bank(contract: Bank) -> tuple[list[str], str]:
    suit, level = parse_trumps(contract.declaration)
    noun = "" if suit is None else NOUNS[SUITS.index(suit)]
    named = f"{noun} are trumps" if noun else "no trump suit"
    return [f"{named} at level {level}", f"seat {contract.declarer} has the bank"], noun


def _bargain(contract: Bargain, rules: Rules) -> tuple[list[str], str]:
    parts = [_named(contract.declaration)]
    parts += [f"{contract.need} points are promised"] if contract.need else []
    parts += [] if contract.declarer is None else [f"by seat {contract.declarer}"]
    parts += [] if contract.partner is None else [f"with seat {contract.partner}"]
    times = times_raised(rules, contract)
    parts += [f"the stakes are {times} times as high"] if times > 1 else []
    return parts, _ruling(contract.declaration)


def _ruling(declaration: str) -> str:
    """The suit that is trump; where none is, the rank that is."""
    named = parse_game(declaration)
    ranks, suit = RULING_RANKS[named.kind]
    suit = named.suit if suit is None else suit
    return SUIT_WORDS[suit] if suit else {"U": "Unter", "O": "Ober"}.get(ranks, "")


# -- results

_HAND_END = re.compile(r"(.+) by ([0-3]) (made|set) with (.+)")
_BANK_END = re.compile(r"attackers ([0-9]+), levels (\S+) (\S+), next banker ([0-3])(?:, side ([01]) has won)?")
_GAME_END = re.compile(r"(.+?) by ([0-3])(?: with ([0-3]))? (won|lost) with ([0-9]+)((?:, [^:]+)*): .*")
_RAMSCH_END = re.compile(r"ramsch, points ([0-9 ]+): .*")
_RENEGE = re.compile(r"renege by ([0-3])(.*)")


def result_text(result: Result, speech: Speech) -> str:
    """How a deal ended, from the words of the score: `31 by seat 2 made with 35 points, 1-0`."""
    return clauses(_result_parts(result.text, result.score), speech)


def _result_parts(text: str, gained: Sequence[int]) -> list[str]:
    if found := _RENEGE.fullmatch(text):
        return _renege_parts(found[1], found[2], gained)
    if found := _HAND_END.fullmatch(text):
        return [f"{found[1]} by seat {found[2]} {found[3]} with {found[4]}"]
    if found := _BANK_END.fullmatch(text):
        points, levels, banker, won = int(found[1]), (found[2], found[3]), int(found[4]), found[5]
        return [_bank_end(points, banker), _levels_end(levels, gained, won), *_next_end(banker, won)]
    if found := _GAME_END.fullmatch(text):
        who = f"seat {found[2]}" + ("" if found[3] is None else f" and seat {found[3]}")
        extras = [extra for extra in found[6].split(", ") if extra]
        return [_named(found[1]), f"{found[4]} by {who} with {found[5]} points", *extras]
    if found := _RAMSCH_END.fullmatch(text):
        return ["Ramsch", f"points {found[1]}"]
    return [text]


def _bank_end(points: int, banker: int) -> str:
    """Who won the deal: the next banker is of that side."""
    side = _side(banker)
    if points < ENOUGH:
        return f"{side} keep the bank, the attackers have {points} of {ENOUGH} points"
    return f"the attackers {side} take the bank with {points} points"


def _levels_end(levels: tuple[str, str], gained: Sequence[int], won: str | None) -> str:
    """Who goes up to which level; who has won goes past the ace."""
    if won is not None:
        return f"{_side(int(won))} win the game"
    risen = next((side for side in (0, 1) if gained[side] > 0), None)
    return "nobody goes up" if risen is None else f"{_side(risen)} go up to level {levels[risen]}"


def _next_end(banker: int, won: str | None) -> list[str]:
    return [f"seat {banker} has the bank next"] if won is None else []


def _side(seat: int) -> str:
    return f"seat {seat % 2} and seat {seat % 2 + 2}"


def kitty_text(position: Position, speech: Speech) -> str:
    """In Tractor what the buried cards were worth, and how often that counted: only if the attackers took the last."""
    found = _buried(position)
    if found is None:
        return ""
    worth, times = found
    return speech.say(f"{worth} points, {times} times for the attackers" if times else f"{worth} points")


def attackers_so_far(position: Position) -> int | None:
    """In Tractor the points of the attackers without the kitty; None before there is a banker."""
    return attackers_points(position) if isinstance(position.contract, Bank) else None


def attackers_at_end(result: Result) -> int | None:
    """In Tractor the points of the attackers with everything, from the words of the score."""
    found = _BANK_END.search(result.text)
    return None if found is None else int(found[1])


def _buried(position: Position) -> tuple[int, int] | None:
    """What the buried cards are worth, and how often the attackers count that; None where none are told."""
    contract, order, kitty, trick = position.contract, position.order, position.kitty, position.trick
    if not isinstance(contract, Bank) or order is None or trick is None or not isinstance(kitty, Cards):
        return None
    worth = order.worth(kitty)
    if trick.leader % 2 == contract.declarer % 2:  # who takes the last trick would lead the next
        return worth, 0
    memory = position.memory
    return worth, multiplier(position.game.rules, memory.last, memory.last_pairs, memory.last_lead)


def _renege_parts(seat: str, rest: str, gained: Sequence[int]) -> list[str]:
    if not rest.startswith(":"):
        return [f"renege by seat {seat}{rest}"]
    inner = rest.removeprefix(": ")
    paid = re.fullmatch(r"[-+0-9 ]+", inner) is not None
    return [f"renege by seat {seat}", *([] if paid else _result_parts(inner, gained))]
