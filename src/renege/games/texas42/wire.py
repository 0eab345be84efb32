"""The questions of `renege ask` about Texas 42 (PROTOCOL)."""

import re
from dataclasses import replace
from functools import lru_cache
from typing import Any, ClassVar

from renege.core.arbiter import judge
from renege.core.cards import Cards
from renege.core.deal_state import Act
from renege.core.game import SEATS, Game, Standing, Turn
from renege.core.house_rules import read_rules
from renege.core.notation import NotationError, parse_play
from renege.core.position import Position, deal_position
from renege.core.record import Record
from renege.core.trick import Play
from renege.games import texas42
from renege.games.texas42.contract import LEADS, Bid, Hand42, format_declaration, table_doubles
from renege.games.texas42.order import DECK, DECLARATIONS, doubles_policy, order
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
from renege.games.wire import (
    Answer,
    Limit,
    Question,
    Seat,
    SolveQuestion,
    Wire,
    broken,
    first_lead,
    not_following,
    quote,
    read_cards,
    read_choices,
    read_deal,
    to_play,
)

ASIDE = re.compile(r"([0-3]) says (.+)")
"""What is said beside the play, among the tiles of a whole hand."""

SUITS = order("0").suits
UNSAID = "unsaid"  # a declaration of `score`: the first tile tells trumps
ANYTHING = Bid("bid", marks=1)  # a follow and a winner do not depend on the bid


# -- the table


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
        "renege": broken(next(iter(judgement.breaches), None)),
    }
    if house.scoring is Scoring.MARKS:
        return answer
    start = _under(record.start, replace(as_marks, scoring=Scoring.POINTS))
    in_points = judge(Record(start, record.acts)).result or score(_under(position, start.game.rules))
    return answer | _points_game(house, list(in_points.score[:2])) | {"made": in_points.made}


def _points_game(house: Rules, pays: list[int]) -> dict[str, Any]:
    return {"score": pays} if house.scoring is Scoring.POINTS else {}


def _under(position: Position, house: Rules) -> Position:
    return replace(position, game=texas42.game(house))


def _replay(game: Game, question: ScoreQuestion, house: Rules, said: Doubles | None) -> Record:
    """The hand as it was bid and played; bids must be legal, plays need not be."""
    record = Record(deal_position(game, Standing(question.dealer, game.opening.score), read_deal(game, question.hands)))
    if len(question.bids) != len(SEATS):
        raise NotationError(f"four seats bid, and there are {len(question.bids)} bids: {question.bids}")
    for text in question.bids:
        record = _say(record, text)
    tiles = question.plays.split() if isinstance(question.plays, str) else question.plays
    if record.position.turn is None:
        if question.declaration or tiles:
            raise NotationError("all passed and the hand is thrown in: there is nothing to declare or play")
        return record
    if question.declaration is None:
        raise NotationError(f"the declaration of seat {record.position.turn} is missing")
    declared = question.declaration
    if declared == UNSAID:
        led = next((text for text in tiles if not ASIDE.fullmatch(text.strip())), None)
        if led is None:
            raise NotationError("trumps are 'unsaid', and no tile is led that would tell them")
        record = _say(record, f"{LEADS}{led}")
    else:
        said_so = format_declaration(declared, stand_of_doubles(house, declared, said))
        record = _say(record, said_so)
    for number, text in enumerate(tiles, start=1):
        aside, position = ASIDE.fullmatch(text.strip()), record.position
        act = _read_aside(position, int(aside[1]), aside[2]) if aside else _read_play_of(position, text, number)
        record = record.with_act(act)
    return record


def _say(record: Record, text: str) -> Record:
    position = record.position
    seat, verdict = position.turn, position.judge(text)
    if not verdict:
        broken = f"this breaks {verdict.rule}: {verdict.why}; {verdict.instead!r} would do"
        raise NotationError(f"seat {seat} says {quote(text)}: {broken}")
    return record.with_act(position.read(text))


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


# -- legal, legal_plays, winner, solve


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


class WinnerQuestion(Question, kw_only=True):
    declaration: str
    plays: list[str]


class SolveQuestion42(SolveQuestion, kw_only=True):
    declarer: Seat | None = None


class Wire42(Wire):
    """Texas 42, where tiles may be led for their small end or lie face up."""

    extras: ClassVar[dict[str, str]] = {
        "doubles": "How doubles stand: high, low, own or own-inverted. Nello: any of them, own if unsaid. "
        "Follow-me: not own-inverted, high if unsaid. No choice elsewhere."
    }

    def house(self, rules: bytes) -> Game:
        """The game, of which every trick is played: what is bid is not told."""
        return texas42.game(replace(read_house(rules)[0], early_end=EarlyEnd.PLAY_ON))

    def set_up(self, rules: bytes, declaration: str) -> Position:
        """Seat 0 leads and is of the declarers: in sevens the leader is always one of them until they are set."""
        house, said = read_house(rules)
        doubles = stand_of_doubles(house, declaration, said)
        return first_lead(self.house(rules), Hand42(declaration, 0, 0, ANYTHING, doubles))

    def on_table(self, question: LegalQuestion | PlaysQuestion, start: Position) -> tuple[Play, ...]:
        led = (question.lead or "").strip()
        return (read_tile(led),) if led else ()

    def position_told(
        self, question: LegalQuestion | PlaysQuestion, start: Position, plays: tuple[Play, ...], hand: Cards
    ) -> Position:
        position = to_play(start, plays, hand)
        if plays and plays[0].suit is not None:
            self._check_lead(plays[0], to_play(start, (), hand), (question.lead or "").strip())
        if not question.exposed:
            return position
        tiles = read_cards(DECK, question.exposed)
        if tiles and start.game.aside is None:
            said = quote(question.exposed)
            raise NotationError(f"'exposed': at this table exposed tiles are not written down: {said}")
        if not tiles <= hand:
            raise NotationError(f"'exposed': {tiles} is not in the hand {hand}")
        assert isinstance(start.contract, Hand42)
        exposed = tuple((len(plays), tile) for tile in tiles)
        return replace(position, contract=replace(start.contract, exposed=exposed))

    def _check_lead(self, lead: Play, position: Position, text: str) -> None:
        """Refuse a lead that no hand could make legal: for a suit that the tile does not lead."""
        if lead.suit is not None and (no := position.game.objection(position.turn_to_play(lead.cards), lead)):
            raise NotationError(f"{quote(text)} cannot have been led: {no.why}")

    def read_play(self, question: LegalQuestion, position: Position) -> Play:
        return read_play(question.play)

    def fine(self, question: LegalQuestion, turn: Turn, play: Play) -> str:
        order = turn.order
        if turn.contract.declaration == "sevens":
            return f"no tile of the hand is nearer to seven than {play}"
        if turn.led is None or not play.cards.kinds & ~order.follow[turn.led]:
            return super().fine(question, turn, play)
        if any(seat == turn.seat and tile in turn.hand for seat, tile in turn.contract.exposed):
            return f"{play} lies face up and is to be played"
        return f"{super().fine(question, turn, play)}, so any tile will do"

    def trick(self, question: WinnerQuestion, start: Position) -> tuple[Play, ...]:
        texts, seats = question.plays, start.active
        plays = tuple(map(read_tile, texts))
        if len(plays) != len(seats):
            needed = f"a trick of {question.declaration} has {len(seats)} plays"
            raise NotationError(f"{needed}, and {quote(', '.join(texts))} has {len(plays)}")
        self._check_lead(plays[0], start, texts[0])
        for text, play in zip(texts[1:], plays[1:], strict=True):
            if play.suit is not None:
                raise NotationError(f"{quote(text)} follows; only a lead names its suit")
        tiles = [str(play) for play in plays]
        if twice := next((tile for tile in tiles if tiles.count(tile) > 1), None):
            raise NotationError(f"{twice!r} comes twice, and there is one of each tile")
        return plays

    def excluded(self, start: Position, lead: Play, play: Play) -> str | None:
        return not_following(start, lead, play)

    def contract(self, question: SolveQuestion42, start: Position) -> Hand42:
        """Only nello, and ties in sevens, ask who the declarer is."""
        if question.declaration == "nello" and question.declarer is None:
            raise NotationError("'declarer' is missing: in nello it says who is to lose, and whose partner sits out")
        ties = question.declaration == "sevens" and start.game.rules.sevens_tie is SevensTie.DECLARERS
        if ties and question.declarer is None:
            raise NotationError("'declarer' is missing: at this table it says who wins ties in sevens")
        assert isinstance(start.contract, Hand42)
        declarer = 0 if question.declarer is None else question.declarer
        return replace(start.contract, declarer=declarer, leader=declarer)

    score = staticmethod(scored)


WIRE = Wire42(
    "texas42",
    legal=LegalQuestion,
    legal_plays=PlaysQuestion,
    winner=WinnerQuestion,
    solve=SolveQuestion42,
    score=ScoreQuestion,
)
