"""The protocol of `renege ask` for a game: its questions, and the answers that all games share.

A question is a `msgspec` struct, so that a field that is unknown, missing or of the wrong type is refused before
anyone looks at it. It is read into a `Position`, which says what is legal, as everywhere. A game whose questions have
fields or words of their own offers a `Wire` as a facet; of one that offers none no more is known than `Game` says: a
declaration is its contract as a position writes it (`spades by 1`), and a trick is a list of plays.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Annotated, Any, ClassVar

import msgspec

from renege.core.cards import Cards, Deck
from renege.core.game import MOST, NUMBERS, Contract, Game, LegalPlays, Turn, by_strength, led_suit
from renege.core.notation import NotationError, parse_cards
from renege.core.order import Order
from renege.core.position import Position, begin
from renege.core.registry import find_game
from renege.core.solution import UNLIMITED, Limits, OpenHands
from renege.core.trick import Play
from renege.core.verdict import Breach

Answer = dict[str, Any]
Limit = Annotated[int, msgspec.Meta(ge=0)]
Seat = Annotated[int, msgspec.Meta(ge=0, le=3)]  # in games for four
AnySeat = Annotated[int, msgspec.Meta(ge=0, le=MOST - 1)]
NOTHING = msgspec.Raw(b"{}")
POINTS = "points"


class Question(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """What all questions about a game have: which one it is, the game, its house rules, and an id to repeat.

    House rules stay as they were written: the text is the key under which a table that was set up is kept.
    """

    ask: str
    game: str
    id: msgspec.Raw = NOTHING
    rules: msgspec.Raw = NOTHING


class PlaysQuestion(Question, kw_only=True):
    """`lead` is what was led, `trick` all that lies on the table, `memory` that of a position, if the game has one."""

    declaration: str
    hand: str
    lead: str | None = None
    trick: list[str] | None = None
    memory: str | None = None
    limit: Limit = 1000


class LegalQuestion(Question, kw_only=True):
    declaration: str
    hand: str
    play: str
    lead: str | None = None
    trick: list[str] | None = None
    memory: str | None = None


class WinnerQuestion(Question, kw_only=True):
    declaration: str
    plays: list[str]
    memory: str | None = None


class SolveQuestion(Question, kw_only=True):
    """What the question `solve` has in every game: open hands, a trick, an objective."""

    declaration: str
    hands: list[str]
    leader: Seat
    trick: tuple[str, ...] = ()
    objective: str = POINTS


class Wire:
    """A game on the wire: its questions by name, and how each becomes a position.

    A method answers the question of its name. The others are hooks, for what is a game's own.
    """

    extras: ClassVar[dict[str, str]] = {}  # what `rules` takes besides the house rules
    limits: ClassVar[Limits] = UNLIMITED  # of `solve`

    def __init__(self, game: str, **kinds: type[Question]) -> None:
        """`kinds` are the fields of each question, by its name."""
        self.game = game
        self.questions: dict[str, tuple[type[Question], Callable[[Any], Answer]]] = {
            ask: (kind, getattr(self, ask)) for ask, kind in kinds.items()
        }

    # -- the table: house rules and a declaration, set up once and kept

    def house(self, rules: bytes) -> Game:
        """The game under the house rules of a question."""
        return find_game(self.game, read_choices(rules))

    def set_up(self, rules: bytes, declaration: str) -> Position:
        """The position at the first lead, of which no hand is told."""
        game = self.house(rules)
        return first_lead(game, game.read_contract(game.rules, declaration))

    def order(self, rules: bytes, declaration: str) -> Order:
        return order_of(position_before(self, rules, declaration))

    def start(self, question: Any) -> Position:
        return position_before(self, bytes(question.rules), question.declaration)

    # -- legal, legal_plays

    def legal(self, question: Any) -> Answer:
        position = self.position(question)
        play = self.read_play(question, position)
        if not play.cards <= position.hand:  # type: ignore[operator]
            raise NotationError(f"{quote(str(play))} is not in the hand {quote(str(position.hand))}")
        return self.judge(question, position, play)

    def judge(self, question: Any, position: Position, play: Play) -> Answer:
        verdict = position.judge(play)
        rule = verdict.rule.id if verdict.rule else None
        why = verdict.why or self.fine(question, position.turn_to_play(), play)
        answer: Answer = {"legal": verdict.legal, "rule": rule, "why": why}
        return answer if verdict.instead is None else answer | {"instead": verdict.instead}

    def legal_plays(self, question: Any) -> Answer:
        position = self.position(question)
        return self.listed(position.legal_plays, order_of(position), question.limit)

    def listed(self, plays: LegalPlays, order: Order, limit: int) -> Answer:
        texts = sorted(plays.game.write_play(play, order) for play in plays)
        return {"count": len(texts), "plays": texts[:limit]}

    def position(self, question: Any) -> Position:
        """The position of a seat to play, from what lies on the table and what its hand has."""
        start = self.start(question)
        plays = self.on_table(question, start)
        hand = read_hand(start.game, question.hand, plays)
        return self.position_told(question, start, plays, hand)

    def on_table(self, question: Any, start: Position) -> tuple[Play, ...]:
        if question.lead is not None and question.trick is not None:
            raise NotationError("'lead' is what was led, 'trick' all that lies on the table: one of them is enough")
        led: list[str] = question.trick or list(filter(str.strip, [question.lead or ""]))
        if len(led) >= len(start.active):
            said = quote(", ".join(led))
            raise NotationError(f"{len(led)} plays lie on the table, and the trick is over with them: {said}")
        return _read_trick(led, start)

    def position_told(self, question: Any, start: Position, plays: tuple[Play, ...], hand: Cards) -> Position:
        """The position, with what else the question tells."""
        return to_play(start, plays, hand, self.memory(question, start))

    def read_play(self, question: Any, position: Position) -> Play:
        return position.game.read_play(question.play, order_of(position))

    def fine(self, question: Any, turn: Turn, play: Play) -> str:
        """Why a legal play is one, as far as suits tell."""
        order = turn.order
        if turn.trick.lead is None:
            suit = led_suit(order, play)
            return f"{play} may be led" if suit is None else f"{play} leads {order.nouns[suit]}"
        if turn.led is None:
            return f"{play} breaks no rule"
        noun = order.nouns[turn.led]
        if not play.cards.kinds & ~order.follow[turn.led]:
            return f"{play} follows {noun}"
        if turn.hand.kinds & order.follow[turn.led]:
            return f"{play} breaks no rule"
        return f"the hand holds no {noun}"

    # -- winner

    def winner(self, question: Any) -> Answer:
        start = self.start(question)
        memory, plays, order = self.memory(question, start), self.trick(question, start), order_of(start)
        trick, _ = start.laid(plays, memory=start.memory if memory is None else memory)
        points = sum(order.worth(play.cards) for play in plays) + order.trick_points
        excluded = [self.excluded(start, plays[0], play) for play in plays]
        return {"winner": trick.best, "points": points, "excluded": excluded}

    def trick(self, question: Any, start: Position) -> tuple[Play, ...]:
        """The plays of a whole trick."""
        if len(question.plays) != len(start.active):
            said = quote(", ".join(question.plays))
            raise NotationError(f"a trick here has {len(start.active)} plays, and {said} has {len(question.plays)}")
        return _read_trick(question.plays, start)

    def memory(self, question: Any, start: Position) -> Any:
        """What the game remembers, if the question tells it."""
        text = getattr(question, "memory", None)
        return None if text is None else start.game.read_memory(text)

    def excluded(self, start: Position, lead: Play, play: Play) -> str | None:
        """Why a play cannot win, however low the others are; None if it might, or if the order does not tell."""
        return not_following(start, lead, play) if start.game.beats is by_strength else None

    # -- solve

    def solve(self, question: Any) -> Answer:
        start = self.start(question)
        start = start.begun(self.contract(question, start), question.leader)
        hands, plays = _read_open_hands(question, start, self.most_held(start.game))
        position = _lay(self.opened(question, start, hands), plays)
        solution = position.solve(parse_objective(question.objective), self.limits)
        return solution.answer(start.spell)

    def contract(self, question: Any, start: Position) -> Contract:
        assert start.contract is not None
        return start.contract

    def most_held(self, game: Game) -> int:
        """The cards of the largest hands that are solved."""
        return game.hand_size

    def opened(self, question: Any, start: Position, hands: tuple[Cards, ...]) -> Position:
        """The position with these hands, before the trick; who took those before is nobody's business here."""
        done = start.game.hand_size - max(map(len, hands))
        tricks = (done, *[0] * (start.game.players - 1))
        return start.resume(hands=dict(enumerate(hands)), tricks=tricks, memory=self.memory(question, start))


def plain_wire(game: str) -> Wire:
    """The wire form of a game that offers none of its own."""
    solves: dict[str, type[Question]] = {"solve": PlainSolveQuestion} if find_game(game).facet(OpenHands) else {}
    return Wire(game, legal=LegalQuestion, legal_plays=PlaysQuestion, winner=WinnerQuestion, **solves)


class PlainSolveQuestion(SolveQuestion, kw_only=True):
    leader: AnySeat
    memory: str | None = None


def broken(breach: Breach | None) -> Answer | None:
    """The first broken duty of a deal, as `score` tells it."""
    return breach and {"trick": breach.trick, "seat": breach.seat, "rule": breach.rule.id, "why": breach.why}


def order_of(position: Position) -> Order:
    assert position.order is not None
    return position.order


@lru_cache(maxsize=1 << 10)
def position_before(wire: Wire, rules: bytes, declaration: str) -> Position:
    """The position at the first lead under house rules, as they were written, and a declaration."""
    return wire.set_up(rules, declaration)


def first_lead(game: Game, contract: Contract) -> Position:
    """The position at the first lead under a contract; nothing is told of the hands and the kitty."""
    hands = (game.deck.hidden(game.hand_size),) * game.players
    return replace(begin(game, contract, hands), kitty=game.deck.hidden(game.kitty_size))


def to_play(start: Position, plays: tuple[Play, ...], hand: Cards, memory: Any = None) -> Position:
    """The position of the seat that is next after these plays, of which the hand is told."""
    assert start.trick is not None
    seat, done = start.trick.seats[len(plays)], start.game.hand_size - len(hand)
    tricks = (done, *[0] * (start.game.players - 1))
    return start.resume(plays, {seat: hand}, tricks=tricks, memory=memory)


def not_following(start: Position, lead: Play, play: Play) -> str | None:
    """Why a card cannot win where the strongest does: it neither follows nor is a trump; None if it might."""
    order, card = order_of(start), play.cards.single()
    led = led_suit(order, lead)
    if led is None or card is None or order.strength[led][card]:
        return None
    trumps = " and is no trump" if order.trumps & ~order.follow[led] else ""
    return f"{play.cards} does not follow {order.nouns[led]}{trumps}"


# -- reading


def quote(text: str) -> str:
    """A text in quotes, the middle left out if it is long."""
    return repr(text if len(text) <= 100 else f"{text[:70]} ... {text[-20:]}")


def read_choices(rules: bytes) -> dict[str, Any]:
    """The house rules of a question, by name, still as text."""
    try:
        return msgspec.json.decode(rules, type=dict[str, Any])
    except msgspec.ValidationError:
        raise NotationError(f"rules should be an object of house rules: {quote(rules.decode())}") from None


@lru_cache(maxsize=1 << 14)
def read_cards(deck: Deck, text: str) -> Cards:
    """A pile of cards; the same text comes again and again."""
    return parse_cards(deck, text)


def read_hand(game: Game, text: str, plays: Sequence[Play] = ()) -> Cards:
    """A hand before its play: something, not too much, and nothing that already lies on the table."""
    deck, hand = game.deck, read_cards(game.deck, text)
    if not 0 < len(hand) <= game.hand_size:
        size = f"1 to {game.hand_size} {deck.noun}s"
        raise NotationError(f"a hand before its play has {size}, and {quote(text)} has {len(hand)}")
    for play in plays:
        if hand.kinds & play.cards.kinds:
            together(deck, [together(deck, [play.cards for play in plays]), hand])
    return hand


def together(deck: Deck, piles: Sequence[Cards]) -> Cards:
    """All cards of some piles; refused if one comes more often than the deck has it."""
    pile = deck.none
    try:
        for cards in piles:
            pile = pile + cards
    except ValueError:
        return parse_cards(deck, " ".join(map(str, piles)))  # says which
    return pile


def read_deal(game: Game, texts: Sequence[str]) -> tuple[Cards, ...]:
    """The hands of a whole deal."""
    if len(texts) != game.players:
        raise NotationError(f"{NUMBERS[game.players]} hands are dealt, and there are {len(texts)}")
    hands = tuple(read_cards(game.deck, text) for text in texts)
    for seat, hand in enumerate(hands):
        if len(hand) != game.hand_size:
            size = f"{len(hand)} {game.deck.noun}s, not {game.hand_size}"
            raise NotationError(f"seat {seat} has {size}: {quote(texts[seat])}")
    parse_cards(game.deck, " ".join(texts))  # none too often
    return hands


def parse_objective(text: str) -> int | None:
    """`points`, or `make:30`: the points to get."""
    found = re.fullmatch(r"make:([0-9]{1,4})", text)
    if text == POINTS:
        return None
    if found is None:
        raise NotationError(f"'objective' is {POINTS} or make:N, like make:30; {quote(text)} is not")
    return int(found[1])


def _read_trick(texts: Sequence[str], start: Position) -> tuple[Play, ...]:
    """Plays on the table, of one size, and no card too often."""
    plays: list[Play] = []
    for text in texts:
        plays.append(start.game.read_play(text, order_of(start)))
        if not plays[-1].cards or len(plays[-1].cards) != len(plays[0].cards):
            raise NotationError(f"{quote(text)} is no play in a trick: each has as many cards as the lead")
    together(start.game.deck, [play.cards for play in plays])
    return tuple(plays)


def _read_open_hands(question: SolveQuestion, start: Position, most: int) -> tuple[tuple[Cards, ...], tuple[Play, ...]]:
    """The hands of a question before the trick, of one size, and the plays on the table; all cards must be there."""
    deck, seats, trick = start.game.deck, start.active, start.trick
    assert trick is not None
    if len(question.hands) != start.game.players:
        seats = f"{NUMBERS[start.game.players]} seats"
        raise NotationError(f"'hands' are those of {seats}, and there are {len(question.hands)}")
    hands = tuple(_pile(deck, text, "hands") for text in question.hands)
    plays = tuple(Play(_pile(deck, text, "trick")) for text in question.trick)
    if question.leader not in start.game.all_seats:
        raise NotationError(f"'leader' is a seat, 0 to {start.game.players - 1}; {question.leader} is none")
    if question.leader not in seats:
        raise NotationError(f"'leader': seat {question.leader} takes no part in {question.declaration}")
    if len(plays) >= len(seats):
        shown = quote(", ".join(question.trick))
        raise NotationError(f"'trick' has {len(plays)} plays, and it is over with {len(seats)}: {shown}")
    if odd := next((play for play in plays if len(play.cards) != len(plays[0].cards) or not play.cards), None):
        raise NotationError(f"'trick': {quote(str(odd))} cannot lie beside {quote(str(plays[0]))}")
    _pile(deck, " ".join(map(str, (*hands, *(play.cards for play in plays)))), "hands")  # none too often
    laid = dict(zip(trick.seats, plays, strict=False))
    before = tuple(hand + laid[seat].cards if seat in laid else hand for seat, hand in enumerate(hands))
    sizes = {len(before[seat]) for seat in seats}
    if len(sizes) > 1 or max(sizes) > most:
        told = ", ".join(f"seat {seat} {len(before[seat])}" for seat in seats)
        raise NotationError(f"'hands' must be of one size before the trick, at most {most} {deck.noun}s: {told}")
    for idle in (seat for seat in start.game.all_seats if seat not in seats and hands[seat]):
        raise NotationError(f"'hands': seat {idle} takes no part, so its hand is empty: {quote(str(hands[idle]))}")
    return before, plays


def _lay(position: Position, plays: Sequence[Play]) -> Position:
    """The position with these plays on the table; each must have been legal."""
    for play in plays:
        turn = position.turn_to_play()
        if no := position.game.objection(turn, play) or position.game.mislanded(turn, play):
            raise NotationError(f"'trick': seat {turn.seat} cannot have played {quote(str(play))}: {no.why}")
        position = position.put(play)
    return position


def _pile(deck: Deck, text: str, field: str) -> Cards:
    try:
        return read_cards(deck, text)
    except NotationError as wrong:
        raise NotationError(f"{field!r}: {wrong}") from None
