"""Texas 42 on the wire: what `renege ask` may be asked about it (PROTOCOL)."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from renege.core.arbiter import Judgement, judge
from renege.core.cards import Card, Cards
from renege.core.game import SEATS, Game, Standing, Turn, led_suit
from renege.core.house_rules import read_rules
from renege.core.notation import NotationError, parse_play
from renege.core.order import Order
from renege.core.position import Act, Position, begin, deal_position
from renege.core.record import Record
from renege.core.trick import Play, Trick
from renege.core.verdict import Verdict
from renege.games import texas42
from renege.games.texas42.declare import LEADS, Bid, Hand42, format_declaration, table_doubles
from renege.games.texas42.follow import small_end
from renege.games.texas42.order import CALLED, DECK, DECLARATIONS, TRUMPS, doubles_policy, order
from renege.games.texas42.rules import (
    Doubles,
    EarlyEnd,
    NelloExchange,
    RenegePenalty,
    Rules,
    Scoring,
    SevensTie,
)
from renege.games.texas42.score import over, score
from renege.games.texas42.solve import solve
from renege.games.wire import (
    Answer,
    Limit,
    Question,
    Seat,
    Wire,
    judged,
    listed,
    quote,
    read_cards,
    read_choices,
    read_hand,
)
from renege.games.wire_solve import SolveQuestion, lay, parse_objective, read_open_hands, tricks_before

ASIDE = re.compile(r"([0-3]) says (.+)")
"""What is said beside the play, among the tiles of a whole hand."""

HAND_SIZE = 7
SUITS = order("0").suits
UNSAID = "unsaid"  # a declaration of `score`: the first tile tells trumps
ANYTHING = Bid("bid", marks=1)  # a follow and a winner do not depend on the bid


# -- the table: house rules and a declaration, set up once and kept


@dataclass(frozen=True, slots=True)
class Table:
    """What a question about a trick is judged by."""

    game: Game
    contract: Hand42
    order: Order
    seats: tuple[int, ...]

    def turn(self, hand: Cards, trick: Trick, number: int) -> Turn:
        return Turn(
            rules=self.game.rules,
            contract=self.contract,
            order=self.order,
            seat=trick.seats[len(trick.plays)],
            hand=hand,
            trick=trick,
            number=number,
            memory=None,
            hands=(),
            kitty=DECK.none,
        )


@lru_cache(maxsize=256)
def set_table(rules: bytes, declaration: str) -> Table:
    """The table for these house rules and this declaration.

    Seat 0 leads and is of the declarers: in sevens the leader is always one of them until they are set.
    """
    house, said = read_house(rules)
    doubles = stand_of_doubles(house, declaration, said)
    game = texas42.game(house)
    contract = Hand42(declaration, 0, 0, ANYTHING, doubles)
    return Table(game, contract, game.order(house, contract), game.seats(contract))


def read_house(rules: bytes) -> tuple[Rules, Doubles | None]:
    """The house rules, and how doubles stand if that is said: it belongs to the declaration."""
    choices = read_choices(rules)
    unsaid = "doubles" not in choices
    said = choices.pop("doubles", None)
    known = {doubles.value: doubles for doubles in Doubles}
    if not unsaid and (not isinstance(said, str) or said not in known):
        raise NotationError(f"doubles is one of {' '.join(known)}; {quote(str(said))} is not")
    return read_rules(Rules(), choices), None if unsaid else known[str(said)]


def stand_of_doubles(house: Rules, declaration: str, said: Doubles | None) -> Doubles:
    """As the question says, else as the table always plays it, else as usual."""
    if declaration not in DECLARATIONS:
        raise NotationError(f"{quote(declaration)} is no declaration: {' '.join(DECLARATIONS)}")
    fixed = table_doubles(house, declaration)
    doubles = doubles_policy(declaration, fixed if said is None else said)
    if fixed not in (None, doubles):
        raise NotationError(f"doubles are {fixed.value!r} in {declaration} at this table, not {doubles.value!r}")
    return doubles


@lru_cache(maxsize=1 << 12)
def read_play(text: str) -> Play:
    """A play of tiles; its leader may name a suit, and no more."""
    play = parse_play(DECK, SUITS, text)
    if play.units or play.tried is not None:
        raise NotationError(f"{quote(text)} is no play of tiles; write it like '6-4'")
    return play


def read_tile(text: str) -> Play:
    """One tile, where nothing else can lie on the table."""
    play = read_play(text)
    if play.cards.single() is None:
        raise NotationError(f"one tile is expected, and {quote(text)} has {len(play.cards)}")
    return play


def read_lead(table: Table, text: str, number: int) -> Trick:
    """The trick after its lead."""
    lead = read_tile(text)
    trick = Trick(table.seats)
    if lead.suit is not None and (no := small_end(table.turn(lead.cards, trick, number), lead)) is not None:
        raise NotationError(f"{quote(text)} cannot have been led: {no.why}")
    return trick.with_play(lead, ahead=True)


# -- legal, legal_plays


class PlaysQuestion(Question, kw_only=True):
    declaration: str
    hand: str
    lead: str | None = None
    exposed: str = ""
    limit: Limit = 1000


class LegalQuestion(Question, kw_only=True):
    declaration: str
    hand: str
    play: str
    lead: str | None = None
    exposed: str = ""  # tiles of the hand that lie face up


def legal(question: LegalQuestion) -> Answer:
    table = set_table(bytes(question.rules), question.declaration)
    return judged(table.game, _turn(table, question), read_play(question.play), _fine)


def legal_plays(question: PlaysQuestion) -> Answer:
    table = set_table(bytes(question.rules), question.declaration)
    return listed(table.game, _turn(table, question), question.limit)


def _turn(table: Table, question: LegalQuestion | PlaysQuestion) -> Turn:
    led = (question.lead or "").strip()
    on_table = read_tile(led).cards if led else DECK.none
    hand = read_hand(DECK, question.hand, HAND_SIZE, on_table=on_table)
    number = HAND_SIZE - len(hand)
    turn = table.turn(hand, read_lead(table, led, number) if led else Trick(table.seats), number)
    turn.contract = replace(table.contract, exposed=_exposed(table, question.exposed, turn))
    return turn


def _exposed(table: Table, text: str, turn: Turn) -> tuple[tuple[int, Card], ...]:
    tiles = read_cards(DECK, text)
    if tiles and table.game.aside is None:
        raise NotationError(f"'exposed': at this table exposed tiles are not written down: {quote(text)}")
    if not tiles <= turn.hand:
        raise NotationError(f"'exposed': {tiles} is not in the hand {turn.hand}")
    return tuple((turn.seat, tile) for tile in tiles)


def _fine(turn: Turn, play: Play) -> str:
    """Why a legal play is one."""
    order, card = turn.order, play.cards.single()
    assert card is not None
    if turn.contract.declaration == "sevens":
        return f"no tile of the hand is nearer to seven than {play}"
    if turn.led is None:
        return f"{play} leads {order.nouns[order.led_suit[card] if play.suit is None else play.suit]}"
    if order.follow[turn.led] >> card & 1:
        return f"{play} follows {order.nouns[turn.led]}"
    if any(seat == turn.seat and tile in turn.hand for seat, tile in turn.contract.exposed):
        return f"{play} lies face up and is to be played"
    return f"the hand holds no {order.nouns[turn.led]}, so any tile will do"


# -- winner


class WinnerQuestion(Question, kw_only=True):
    declaration: str
    plays: list[str]


def winner(question: WinnerQuestion) -> Answer:
    table = set_table(bytes(question.rules), question.declaration)
    plays = tuple(read_tile(text) for text in question.plays)
    if len(plays) != len(table.seats):
        needed = f"a trick of {question.declaration} has {len(table.seats)} plays"
        raise NotationError(f"{needed}, and {quote(', '.join(question.plays))} has {len(plays)}")
    trick = read_lead(table, question.plays[0], 0)
    for i, play in enumerate(plays[1:], start=1):
        turn = table.turn(play.cards, trick, 0)
        if play.suit is not None:
            raise NotationError(f"{quote(question.plays[i])} follows; only a lead names its suit")
        best = i if table.game.beats(turn, plays[trick.best], play) else trick.best
        trick = Trick(table.seats, plays[: i + 1], best)
    led = led_suit(table.order, plays[0])
    assert led is not None
    tiles = _distinct(play.cards for play in plays)
    points = sum(table.order.points[card] for card in tiles) + table.order.trick_points
    return {"winner": trick.best, "points": points, "excluded": [_excluded(table, led, card) for card in tiles]}


def _distinct(plays: Iterable[Cards]) -> list[Card]:
    """The tile of each play; none may come twice."""
    tiles = [cards.kinds.bit_length() - 1 for cards in plays]
    twice = next((tile for tile in tiles if tiles.count(tile) > 1), None)
    if twice is not None:
        raise NotationError(f"{DECK.names[twice]!r} comes twice, and there is one of each tile")
    return tiles


def _excluded(table: Table, led: int, card: Card) -> str | None:
    """Why a tile cannot win this trick, however low the others are; None if it might."""
    if table.order.strength[led][card]:
        return None
    trumps = table.contract.declaration in TRUMPS and led != CALLED
    return f"{DECK.names[card]} does not follow {table.order.nouns[led]}{' and is no trump' if trumps else ''}"


# -- score


class ScoreQuestion(Question, kw_only=True):
    hands: list[str]
    dealer: Seat
    bids: list[str]
    declaration: str | None = None
    plays: list[str] | str = ""


def scored(question: ScoreQuestion) -> Answer:
    """A whole hand. The hands are those that are played from, so a nello exchange is behind us."""
    house, said = read_house(bytes(question.rules))
    as_marks = replace(house, early_end=EarlyEnd.PLAY_ON, nello_exchange=NelloExchange.OFF, scoring=Scoring.MARKS)
    record = _replay(texas42.game(as_marks), question, house, said)
    position = record.position
    if position.contract is None:  # thrown in
        return {"points": [0, 0], "made": None, "marks": [0, 0], "renege": None} | _points_game(house, [0, 0])
    judgement = judge(record)
    punished = bool(judgement.breaches) and house.renege_penalty is not RenegePenalty.NONE
    if not punished and not over(_under(position, replace(house, early_end=EarlyEnd.STOP))):
        played = sum(isinstance(act.what, Play) for act in record.acts)
        raise NotationError(f"the result is not certain after {played} tiles: {quote(str(position))}")
    result = judgement.result or score(position)
    answer: Answer = {
        "points": [sum(position.points[side::2]) for side in (0, 1)],
        "made": result.made,
        "marks": list(result.score[:2]),
        "renege": _renege(judgement),
    }
    if house.scoring is Scoring.MARKS:
        return answer
    start = _under(record.start, replace(as_marks, scoring=Scoring.POINTS))
    in_points = judge(Record(start, record.acts)).result or score(_under(position, start.game.rules))
    return answer | _points_game(house, list(in_points.score[:2])) | {"made": in_points.made}


def _points_game(house: Rules, pays: list[int]) -> dict[str, Any]:
    return {"score": pays} if house.scoring is Scoring.POINTS else {}


def _renege(judgement: Judgement) -> dict[str, Any] | None:
    first = next(iter(judgement.breaches), None)
    return first and {"trick": first.trick, "seat": first.seat, "rule": first.rule.id, "why": first.why}


def _under(position: Position, house: Rules) -> Position:
    return replace(position, game=texas42.game(house))


def _replay(game: Game, question: ScoreQuestion, house: Rules, said: Doubles | None) -> Record:
    """The hand as it was bid and played; bids must be legal, plays need not be."""
    record = Record(deal_position(game, Standing(question.dealer, game.opening.score), _hands(question.hands)))
    if len(question.bids) != len(SEATS):
        raise NotationError(f"four seats bid, and there are {len(question.bids)} bids: {question.bids}")
    position = record.start
    for text in question.bids:
        position, record = _say(position, record, text)
    tiles = question.plays.split() if isinstance(question.plays, str) else question.plays
    if position.turn is None:
        if question.declaration or tiles:
            raise NotationError("all passed and the hand is thrown in: there is nothing to declare or play")
        return record
    if question.declaration is None:
        raise NotationError(f"the declaration of seat {position.turn} is missing")
    declared = question.declaration
    if declared == UNSAID:
        led = next((text for text in tiles if not ASIDE.fullmatch(text.strip())), None)
        if led is None:
            raise NotationError("trumps are 'unsaid', and no tile is led that would tell them")
        position, record = _say(position, record, f"{LEADS}{led}")
    else:
        said_so = format_declaration(declared, stand_of_doubles(house, declared, said))
        position, record = _say(position, record, said_so)
    for number, text in enumerate(tiles, start=1):
        aside = ASIDE.fullmatch(text.strip())
        act = _read_aside(position, int(aside[1]), aside[2]) if aside else _read_play_of(position, text, number)
        position, record = position.then(act), record.with_act(act)
    return record


def _hands(texts: list[str]) -> tuple[Cards, ...]:
    hands = tuple(read_cards(DECK, text) for text in texts)
    if len(hands) != len(SEATS):
        raise NotationError(f"four hands are dealt, and there are {len(hands)}")
    for seat, hand in enumerate(hands):
        if len(hand) != HAND_SIZE:
            raise NotationError(f"seat {seat} has {len(hand)} tiles, not {HAND_SIZE}: {quote(texts[seat])}")
    read_cards(DECK, " ".join(map(str, hands)))  # each tile once
    return hands


def _say(position: Position, record: Record, text: str) -> tuple[Position, Record]:
    seat, verdict = position.turn, position.judge(text)
    if not verdict:
        raise NotationError(f"seat {seat} says {quote(text)}: {_refused(verdict)}")
    act = position.read(text)
    return position.then(act), record.with_act(act)


def _refused(verdict: Verdict) -> str:
    return f"this breaks {verdict.rule}: {verdict.why}; {verdict.instead!r} would do"


def _read_aside(position: Position, seat: int, text: str) -> Act:
    """A tile that a seat exposed, as records write it: `1 says expose 6-4`."""
    if position.game.aside is None or position.over:
        raise NotationError(f"seat {seat} says {quote(text)}: nothing is said beside the play here")
    return Act(seat, position.floor(seat).read(text))


def _read_play_of(position: Position, text: str, number: int) -> Act:
    play, seat = read_tile(text), position.turn
    if seat is None:
        raise NotationError(f"the hand is over before tile {number}, {quote(text)}")
    if not play.cards <= position.hands[seat]:  # type: ignore[operator]
        raise NotationError(f"tile {number}, {quote(text)}, is not in the hand of seat {seat}: {position.hands[seat]}")
    return Act(seat, play)


# -- solve


class SolveQuestion42(SolveQuestion, kw_only=True):
    declarer: Seat | None = None


def solved(question: SolveQuestion42) -> Answer:
    position = _open_hands(question)
    return solve(position, parse_objective(question.objective)).answer(position)


def _open_hands(question: SolveQuestion42) -> Position:
    """The position of a question; only nello, and ties in sevens, ask who the declarer is."""
    house, said = read_house(bytes(question.rules))
    game = texas42.game(replace(house, early_end=EarlyEnd.PLAY_ON))
    doubles = stand_of_doubles(house, question.declaration, said)
    if question.declaration == "nello" and question.declarer is None:
        raise NotationError("'declarer' is missing: in nello it says who is to lose, and whose partner sits out")
    ties = question.declaration == "sevens" and house.sevens_tie is SevensTie.DECLARERS
    if ties and question.declarer is None:
        raise NotationError("'declarer' is missing: at this table it says who wins ties in sevens")
    declarer = 0 if question.declarer is None else question.declarer
    contract = Hand42(question.declaration, declarer, declarer, ANYTHING, doubles)
    table = read_open_hands(question, DECK, contract.seats, HAND_SIZE)
    hands = table.before(question.leader, contract.seats)
    start = begin(game, contract, hands, question.leader).resume(tricks=tricks_before(game, max(map(len, hands))))
    return lay(start, table.plays)


WIRE = Wire(
    questions={
        "legal": (LegalQuestion, legal),
        "legal_plays": (PlaysQuestion, legal_plays),
        "winner": (WinnerQuestion, winner),
        "solve": (SolveQuestion42, solved),
        "score": (ScoreQuestion, scored),
    },
    order=lambda rules, declaration: set_table(rules, declaration).order,
    deck=lambda rules: DECK,
    extras={
        "doubles": "How doubles stand: high, low, own or own-inverted. Nello: any of them, own if unsaid. "
        "Follow-me: not own-inverted, high if unsaid. No choice elsewhere."
    },
)
