"""Readers of other programs' records: the deal is replayed here, and its result compared with what the text states.

`netschafkopf` and `sauspiel` read two such formats. Each hands the cards, the calls and the plays to a `RecordWriter`,
and the stated result to `compare`.
"""

from collections.abc import Collection, Mapping, Sequence

from renege.core.cards import Cards
from renege.core.deal_state import Act
from renege.core.game import SEATS, Game, Standing
from renege.core.judge import judge
from renege.core.message import say
from renege.core.notation import NotationError, parse_cards
from renege.core.position import Position, deal_position
from renege.core.record import Record
from renege.games.schafkopf.contract import Bargain
from renege.games.schafkopf.declare import Bidding, bid_of
from renege.games.schafkopf.order import parse_declaration, trumps
from renege.games.schafkopf.score import outcome, partner_of

Facts = Mapping[str, object]


class RecordWriter:
    """Writes a deal down as it is played again. Nothing is judged here; only what is no play at all is refused."""

    def __init__(self, game: Game, standing: Standing, hands: Sequence[Cards]) -> None:
        self.position = self._start = deal_position(game, standing, tuple(hands))
        self._acts: list[Act] = []

    @property
    def record(self) -> Record:
        return Record(self._start, tuple(self._acts))

    @property
    def leader(self) -> int | None:
        """Who is to lead the next trick."""
        trick = self.position.trick
        return None if trick is None or trick.plays else trick.leader

    def act(self, what: str, seat: int | None = None) -> None:
        act = self.position.read(what, seat)
        self.position = self.position.then(act)
        self._acts.append(act)

    def double(self, doublers: Collection[int]) -> None:
        """Each seat is asked in turn."""
        while isinstance(self.position.talk, Bidding) and self.position.talk.step == "double":
            self.act("double" if self.position.turn in doublers else "pass")

    def name(self, declaration: str, declarer: int | None) -> None:
        """The shortest talk that ends in a contract: one seat bids its kind and names it, or all pass."""
        named = parse_declaration(declaration)
        for _ in SEATS:
            bids = self.position.turn == declarer
            self.act(bid_of(self.position.game.rules, named) if bids else "pass")
        if declarer is not None:
            self.act(declaration)

    def play(self, card: str) -> None:
        seat, hand = self.position.turn, self.position.hand
        assert isinstance(hand, Cards)
        if not parse_cards(hand.deck, card) <= hand:
            raise NotationError(say("{seat} plays {cards}, and has {cards2} left", seat, card, hand))
        self.act(card)


def read_hand(game: Game, cards: str) -> Cards:
    """A hand as it was dealt, whole."""
    hand = parse_cards(game.deck, cards)
    if len(hand) != game.hand_size:
        raise NotationError(say("a hand has {n} cards, and {quoted} are {n2}", game.hand_size, repr(cards), len(hand)))
    return hand


def quote(text: str, names: Sequence[str]) -> str:
    """Someone's text for an error, wherever a name stands in it a seat instead."""
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, f"seat {names.index(name)}")
    return repr(text)


def compare(record: Record, stated: Facts) -> tuple[str, ...]:
    """Every breach of a rule, and everything that is stated otherwise than it came out."""
    breaches = tuple(map(str, judge(record).breaches))
    found = _found(record.position)
    known = [(name, value, found.get(name)) for name, value in stated.items()]
    return breaches + tuple(f"{name}: stated {said}, found {ours}" for name, said, ours in known if said != ours)


def _found(position: Position) -> dict[str, object]:
    """What a text may say of a deal, as we find it; names and values as `compare` prints them."""
    contract, end = position.contract, outcome(position)
    assert isinstance(contract, Bargain)
    if contract.declarer is None:
        virgins = tuple(seat for seat in SEATS if not position.tricks[seat])
        return {
            "payouts": end.payouts,
            "price": max(map(abs, end.payouts)) // (len(SEATS) - 1),  # the most that one seat pays another
            "losers": tuple(seat for seat in SEATS if end.payouts[seat] < 0),
            "points of the loser": max(end.points),
            "virgins": virgins,
            "number of virgins": len(virgins),
        }
    partner, top = partner_of(position), trumps(contract.declaration, position.game.rules.deck)[0]
    held = [position.memory.trumps[seat] for seat in SEATS if seat in (contract.declarer, partner)]
    return {
        "payouts": end.payouts,
        "price": min(map(abs, end.payouts)),
        "game": contract.declaration,
        "declarer": contract.declarer,
        "partner": partner,
        "result": "won" if end.won else "lost",
        "points": end.points[0],
        "points of the others": end.points[1],
        "Schneider": end.schneider,
        "Schwarz": end.schwarz,
        "runners": end.runners,
        # of the declarer's side, so that its runners are "with" and not "without"
        "with the highest trump": any(position.game.deck.names[top] in names for names in held),
    }
