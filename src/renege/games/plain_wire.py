"""What `renege ask` can be asked about any game: verdicts, the plays that are open, who wins, and hidden hands.

The three games have a wire form of their own. A game that another package adds has this one, which knows no more of it
than `Game` says: a declaration is its contract as a position writes it (`spades by 1`), and a trick is a list of plays.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from renege.core.cards import Cards
from renege.core.game import SEATS, Contract, Game, Turn, by_strength
from renege.core.notation import NotationError, parse_cards
from renege.core.order import Order
from renege.core.position import seats_from
from renege.core.trick import Play, Trick
from renege.games.wire import Answer, Limit, Question, Wire, judged, listed, quote, read_choices, read_hand

FindGame = Callable[[str, dict[str, Any]], Game]  # by name, under house rules given as text


@dataclass(frozen=True, slots=True)
class Table:
    """What a question about a trick is judged by."""

    game: Game
    contract: Contract
    order: Order

    @property
    def seats(self) -> tuple[int, ...]:
        """Those who take part, from the leader on."""
        return seats_from(self.contract.leader, self.game.seats(self.contract))

    def turn(self, hand: Cards, trick: Trick, memory: Any) -> Turn:
        """The seat to play, of which nothing is told but its hand."""
        seat = trick.seats[len(trick.plays)]
        hidden = self.game.deck.hidden(len(hand))
        return Turn(
            rules=self.game.rules,
            contract=self.contract,
            order=self.order,
            seat=seat,
            hand=hand,
            trick=trick,
            number=self.game.hand_size - len(hand),
            memory=memory,
            hands=tuple(hand if other == seat else hidden for other in SEATS),
            kitty=self.game.deck.hidden(self.game.kitty_size),
        )

    def laid(self, texts: list[str], memory: Any) -> Trick:
        """A trick of these plays; who wins it so far is found on the way."""
        trick = Trick(self.seats)
        for text in texts:
            play = self.game.read_play(text, self.order)
            if not play.cards or len(play.cards) != len((trick.lead or play).cards):
                raise NotationError(f"{quote(text)} is no play in a trick: each has as many cards as the lead")
            turn = self.turn(play.cards, trick, memory)
            ahead = not trick.plays or self.game.beats(turn, trick.plays[trick.best], play)
            trick = trick.with_play(play, ahead=ahead)
        parse_cards(self.game.deck, " ".join(str(play.cards) for play in trick.plays))  # refuses too many copies
        return trick


class TableQuestion(Question, kw_only=True):
    declaration: str


class PlaysQuestion(TableQuestion, kw_only=True):
    """`lead` is what was led, `trick` all that lies on the table, `memory` that of a position, if the game has one."""

    hand: str
    lead: str | None = None
    trick: list[str] | None = None
    memory: str | None = None
    limit: Limit = 1000


class LegalQuestion(TableQuestion, kw_only=True):
    hand: str
    play: str
    lead: str | None = None
    trick: list[str] | None = None
    memory: str | None = None


class WinnerQuestion(TableQuestion, kw_only=True):
    plays: list[str]
    memory: str | None = None


def plain_wire(find: FindGame, name: str) -> Wire:
    """The wire form of a game that has none of its own."""

    @lru_cache(maxsize=64)
    def house(rules: bytes) -> Game:
        return find(name, read_choices(rules))

    @lru_cache(maxsize=64)
    def table(rules: bytes, declaration: str) -> Table:
        game = house(rules)
        contract = game.read_contract(game.rules, declaration)
        return Table(game, contract, game.order(game.rules, contract))

    def legal(question: LegalQuestion) -> Answer:
        at = table(bytes(question.rules), question.declaration)
        return judged(at.game, _turn(at, question), at.game.read_play(question.play, at.order), _fine)

    def legal_plays(question: PlaysQuestion) -> Answer:
        at = table(bytes(question.rules), question.declaration)
        return listed(at.game, _turn(at, question), question.limit)

    def winner(question: WinnerQuestion) -> Answer:
        at = table(bytes(question.rules), question.declaration)
        if len(question.plays) != len(at.seats):
            said = quote(", ".join(question.plays))
            raise NotationError(f"a trick here has {len(at.seats)} plays, and {said} has {len(question.plays)}")
        trick = at.laid(question.plays, _memory(at.game, question.memory))
        points = sum(at.order.worth(play.cards) for play in trick.plays) + at.order.trick_points
        return {"winner": trick.best, "points": points, "excluded": _excluded(at, trick)}

    return Wire(
        questions={
            "legal": (LegalQuestion, legal),
            "legal_plays": (PlaysQuestion, legal_plays),
            "winner": (WinnerQuestion, winner),
        },
        order=lambda rules, declaration: table(rules, declaration).order,
        deck=lambda rules: house(rules).deck,
    )


def _excluded(table: Table, trick: Trick) -> list[str | None]:
    """For each play why it cannot win, however low the others are; None if it might, or if the game has its own way to
    compare plays, of which the order says nothing."""
    order, lead = table.order, trick.lead
    assert lead is not None
    led = order.suit_of(lead.cards) if lead.suit is None else lead.suit
    if led is None or table.game.beats is not by_strength:
        return [None] * len(trick.plays)
    trumps = " and is no trump" if order.trumps & ~order.follow[led] else ""
    return [
        None
        if (card := play.cards.single()) is None or order.strength[led][card]
        else f"{play.cards} does not follow {order.nouns[led]}{trumps}"
        for play in trick.plays
    ]


def _memory(game: Game, text: str | None) -> Any:
    return game.memory if text is None else game.read_memory(text)


def _turn(table: Table, question: LegalQuestion | PlaysQuestion) -> Turn:
    if question.lead is not None and question.trick is not None:
        raise NotationError("'lead' is what was led, 'trick' all that lies on the table: one of them is enough")
    led = question.trick if question.trick is not None else [question.lead] if (question.lead or "").strip() else []
    if len(led) >= len(table.seats):
        said = quote(", ".join(filter(None, led)))
        raise NotationError(f"{len(led)} plays lie on the table, and the trick is over with them: {said}")
    memory = _memory(table.game, question.memory)
    trick = table.laid([text or "" for text in led], memory)
    deck = table.game.deck
    on_table = parse_cards(deck, " ".join(str(play.cards) for play in trick.plays))
    return table.turn(read_hand(deck, question.hand, table.game.hand_size, on_table=on_table), trick, memory)


def _fine(turn: Turn, play: Play) -> str:
    """Why a legal play is one, as far as suits tell."""
    order = turn.order
    if turn.trick.lead is None:
        suit = order.suit_of(play.cards) if play.suit is None else play.suit
        return f"{play} may be led" if suit is None else f"{play} leads {order.nouns[suit]}"
    if turn.led is None:
        return f"{play} breaks no rule"
    noun = order.nouns[turn.led]
    if not play.cards.kinds & ~order.follow[turn.led]:
        return f"{play} follows {noun}"
    if turn.hand.kinds & order.follow[turn.led]:
        return f"{play} breaks no rule"
    return f"the hand holds no {noun}"
