"""Schafkopf on the wire: what `renege ask` may be asked about it (PROTOCOL)."""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Annotated, Any

import msgspec

from renege.core.cards import Card, Cards, Deck
from renege.core.game import SEATS, Game, Turn
from renege.core.house_rules import read_rules
from renege.core.notation import NotationError, parse_cards
from renege.core.order import Order
from renege.core.position import Act, Position, begin
from renege.core.trick import Play, Trick
from renege.core.verdict import Breach
from renege.core.view import Course
from renege.games import schafkopf
from renege.games.schafkopf.declare import RAISES, Bargain, need_of
from renege.games.schafkopf.follow import ace_stays, head_trick
from renege.games.schafkopf.memory import Memory, called_ace
from renege.games.schafkopf.order import DECKS, TRUMP, Declaration, parse_declaration
from renege.games.schafkopf.rules import MONEY, March, Played, Precedence, RenegePenalty, Rules, Virgins
from renege.games.schafkopf.score import Outcome, outcome, penalty, runners_rule
from renege.games.schafkopf.solve import solve
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

# PROTOCOL prices a deal as it was played and knows no more of a Ramsch than who has most points. Virgins, a march or a
# penalty count on the wire where the rules of a question name them.
HOUSE = Rules(virgins=Virgins.NOTHING, march=March.NONE, renege_penalty=RenegePenalty.NONE)
MOST_DOUBLINGS = 20
AROUND = tuple(SEATS)


# -- the table: house rules and a declaration, set up once and kept


@dataclass(frozen=True, slots=True)
class Table:
    """What a question about a trick is judged by."""

    game: Game
    named: Declaration
    contract: Bargain
    order: Order

    @property
    def deck(self) -> Deck:
        return self.game.deck

    def turn(self, hand: Cards, plays: tuple[Play, ...], memory: Memory) -> Turn:
        return Turn(
            rules=self.game.rules,
            contract=self.contract,
            order=self.order,
            seat=AROUND[len(plays)],
            hand=hand,
            trick=Trick(AROUND, plays),
            number=self.game.hand_size - len(hand),
            memory=memory,
            hands=(),
            kitty=self.deck.none,
        )


@lru_cache(maxsize=256)
def set_table(rules: bytes, declaration: str) -> Table:
    """The table for these house rules and this declaration; seat 0 leads."""
    house: Rules = read_rules(HOUSE, read_choices(rules))
    named = parse_declaration(declaration)
    for word in (named.kind, *(("tout",) if named.tout else ())):
        if getattr(house, word, None) is Played.NO:
            raise NotationError(f"this table does not play {word}: {quote(declaration)}")
    game = schafkopf.game(house)
    contract = Bargain(str(named), None if named.kind == "ramsch" else 0, 0)
    return Table(game, named, contract, game.order(house, contract))


class TableQuestion(Question, kw_only=True):
    """A question under a declaration; a Hochzeit may say who the partner is, which changes no verdict."""

    declaration: str
    partner: Seat | None = None


def find_table(question: TableQuestion, partners: tuple[str, ...] = ("hochzeit",)) -> Table:
    """The table of a question; a partner is named in these kinds of game alone."""
    table = set_table(bytes(question.rules), question.declaration)
    if question.partner is not None and table.named.kind not in partners:
        raise NotationError(f"no partner is named in {quote(question.declaration)}, and this names {question.partner}")
    return table


def read_in_order(deck: Deck, text: str) -> tuple[Play, ...]:
    """The cards of a trick as they were played, each by one seat."""
    read_cards(deck, text)  # none of them twice
    return tuple(Play(read_cards(deck, word)) for word in text.replace(",", " ").split())


# -- legal, legal_plays


class CalledState(msgspec.Struct, forbid_unknown_fields=True):
    """What the tricks before told of the called ace: its suit was led by another, or by this hand from under it."""

    searched: bool = False
    ran: bool = False


class TrickQuestion(TableQuestion, kw_only=True):
    hand: str
    trick: str | list[str] | None = None
    called: CalledState | None = None


class LegalQuestion(TrickQuestion, kw_only=True):
    play: str


class PlaysQuestion(TrickQuestion, kw_only=True):
    limit: Limit = 1000


def legal(question: LegalQuestion) -> Answer:
    table = find_table(question)
    return judged(table.game, _turn(table, question), Play(read_cards(table.deck, question.play)), _fine)


def legal_plays(question: PlaysQuestion) -> Answer:
    table = find_table(question)
    return listed(table.game, _turn(table, question), question.limit)


def _turn(table: Table, question: TrickQuestion) -> Turn:
    text = question.trick if isinstance(question.trick, str) else " ".join(question.trick or ())
    plays = read_in_order(table.deck, text)
    if len(plays) >= len(SEATS):
        raise NotationError(f"before a play at most three cards lie on the table, and {quote(text)} has {len(plays)}")
    on_table = read_cards(table.deck, text)
    hand = read_hand(table.deck, question.hand, table.game.hand_size, on_table=on_table)
    return table.turn(hand, plays, Memory(leaders=_leaders(table, question.called, len(plays))))


def _leaders(table: Table, called: CalledState | None, seat: int) -> int:
    """The seats that have led the called suit: who searched is one of the others, whichever.

    The trick on the table needs no word here: its lead searches by itself. That nothing was searched is true of every
    game, that something was only where an ace is called.
    """
    state = called or CalledState()
    if (state.searched or state.ran) and table.named.kind != "rufspiel":
        raise NotationError(f"no ace is called in {str(table.named)!r}, so nobody searched or ran: {_spell(state)}")
    return state.ran << seat | state.searched << (seat + 1) % len(SEATS)


def _spell(field: msgspec.Struct) -> str:
    return quote(msgspec.json.encode(field).decode())


def _fine(turn: Turn, play: Play) -> str:
    """Why a legal play is one."""
    order, called = turn.order, called_ace(turn)
    card = "ace" if called is None or order.deck.names[called.ace].endswith("A") else "ten"
    if turn.led is None:
        suit = order.suit_of(play.cards)
        assert suit is not None
        under = called is not None and suit == called.suit and called.ace in turn.hand and called.ace not in play.cards
        return f"{play} leads {order.nouns[suit]}{f' from under the called {card}' if under else ''}"
    if not play.cards.kinds & ~order.follow[turn.led]:
        answers = called is not None and called.ace in play.cards
        return f"{play}{f', the called {card},' if answers else ''} follows {order.nouns[turn.led]}"
    if any(head_trick(turn, Play(turn.hand.deck.of(1 << other))) for other in turn.hand):
        return f"the hand holds no {order.nouns[turn.led]}, and {play} heads the trick"
    stays = called is not None and ace_stays(turn, Play(turn.hand.deck.of(1 << called.ace))) is not None
    free = f"any card but the called {card}" if stays else "any card"
    return f"the hand holds no {order.nouns[turn.led]}, so {free} will do"


# -- winner


class WinnerQuestion(TableQuestion, kw_only=True):
    plays: list[str]


def winner(question: WinnerQuestion) -> Answer:
    table = find_table(question)
    shown = ", ".join(question.plays)
    if len(question.plays) != len(SEATS):
        raise NotationError(f"a trick has four plays, and {quote(shown)} has {len(question.plays)}")
    cards = [read_cards(table.deck, text).single() for text in question.plays]
    plain = [card for card in cards if card is not None]
    if len(plain) < len(cards):
        raise NotationError(f"a play is one card, and {quote(question.plays[cards.index(None)])} is not")
    read_cards(table.deck, " ".join(question.plays))  # none of them twice
    led = table.order.led_suit[plain[0]]
    return {
        "winner": best_of(table.order, plain),
        "points": sum(table.order.points[card] for card in plain),
        "excluded": [_why_excluded(table, led, card) for card in plain],
    }


def best_of(order: Order, cards: list[Card]) -> int:
    """The place of the card that takes the trick."""
    strength = order.strength[order.led_suit[cards[0]]]
    return max(range(len(cards)), key=lambda place: strength[cards[place]])


def _why_excluded(table: Table, led: int, card: Card) -> str | None:
    """Why a card cannot win this trick, however low the others are; None if it might."""
    if table.order.strength[led][card]:
        return None
    trumps = led != TRUMP and table.order.follow[TRUMP]
    follows = f"{table.deck.names[card]} does not follow {table.order.nouns[led]}"
    return f"{follows} and is no trump" if trumps else follows


# -- score

Price = Annotated[int, msgspec.Meta(ge=0, le=MONEY)]


class RunnersFrom(msgspec.Struct, forbid_unknown_fields=True):
    """The fewest runners that count, by contract. A Bettel and a Ramsch have none."""

    rufspiel: Price | msgspec.UnsetType = msgspec.UNSET
    hochzeit: Price | msgspec.UnsetType = msgspec.UNSET
    solo: Price | msgspec.UnsetType = msgspec.UNSET
    wenz: Price | msgspec.UnsetType = msgspec.UNSET
    geier: Price | msgspec.UnsetType = msgspec.UNSET
    farbwenz: Price | msgspec.UnsetType = msgspec.UNSET
    farbgeier: Price | msgspec.UnsetType = msgspec.UNSET
    sie: Price | msgspec.UnsetType = msgspec.UNSET


class Tariff(msgspec.Struct, forbid_unknown_fields=True):
    """The prices of a deal. What is left out is as the rules of the question say, or as usual."""

    base: Price | msgspec.UnsetType = msgspec.UNSET
    solo: Price | msgspec.UnsetType = msgspec.UNSET
    extra: Price | msgspec.UnsetType = msgspec.UNSET
    schneider: Price | msgspec.UnsetType = msgspec.UNSET
    schwarz: Price | msgspec.UnsetType = msgspec.UNSET
    runner: Price | msgspec.UnsetType = msgspec.UNSET
    runners_from: Price | RunnersFrom | msgspec.UnsetType = msgspec.UNSET
    ramsch: Price | msgspec.UnsetType = msgspec.UNSET


class ScoreQuestion(TableQuestion, kw_only=True):
    hands: list[str]
    leader: Seat
    tricks: list[str]
    declarer: Seat | None = None
    tariff: Tariff | None = None
    need: int = 0  # the points above 61 that were promised, where solos are raised by points
    doubled: Annotated[int, msgspec.Meta(ge=0, le=MOST_DOUBLINGS)] = 0


def scored(question: ScoreQuestion) -> Answer:
    """A whole deal, as it was played; the hands are those that are played from, a Hochzeit's exchange behind them.

    What was called is taken as it is, since `renege` is about the tricks, unless nobody could be paid by it.
    """
    table = find_table(question, partners=("hochzeit", "rufspiel"))
    hands = _hands(table, question.hands)
    contract = _contract(table, question, hands)
    game = replace(table.game, rules=_priced(table, question))
    start = begin(game, contract, hands)
    end, acts, breach = _play_out(start, question.tricks)
    settled = outcome(end)
    if breach is not None and game.rules.renege_penalty is not RenegePenalty.NONE:
        punished = penalty(Course(start, acts), (breach,))
        assert punished is not None  # all cards are played, so that all sides show
        settled = Outcome(punished.score, settled.points)  # nothing else is in the price
    return {
        "payouts": list(settled.payouts),
        "points": list(settled.points),
        "schneider": settled.schneider,
        "schwarz": settled.schwarz,
        "runners": settled.runners,
        "renege": breach and {"trick": breach.trick, "seat": breach.seat, "rule": breach.rule.id, "why": breach.why},
    }


def _hands(table: Table, texts: list[str]) -> tuple[Cards, ...]:
    if len(texts) != len(SEATS):
        raise NotationError(f"four hands are dealt, and there are {len(texts)}")
    hands = tuple(read_cards(table.deck, text) for text in texts)
    for seat, hand in enumerate(hands):
        if len(hand) != table.game.hand_size:
            raise NotationError(f"seat {seat} has {len(hand)} cards, not {table.game.hand_size}: {quote(texts[seat])}")
    parse_cards(table.deck, " ".join(texts))  # each card once
    return hands


def _contract(table: Table, question: ScoreQuestion, hands: tuple[Cards, ...]) -> Bargain:
    """The contract. A Hochzeit names the partner; in a Rufspiel the called ace does, and one that is named must fit."""
    named, declarer, partner = table.named, question.declarer, question.partner
    if (named.kind == "ramsch") != (declarer is None):
        needs = "a Ramsch has no declarer" if declarer is not None else f"{str(named)!r} needs a 'declarer'"
        raise NotationError(f"{needs}; {msgspec.json.encode(declarer).decode()} was given")
    if named.kind == "rufspiel":
        ace = str(named.called)
        holder = next(seat for seat in SEATS if table.deck.spellings[ace] in hands[seat])
        if holder == declarer:
            raise NotationError(f"seat {declarer} calls {ace} and holds it: {quote(question.hands[holder])}")
        if partner not in (None, holder):
            raise NotationError(
                f"seat {partner} is no partner of seat {declarer}: seat {holder} holds the called {ace}"
            )
        partner = None
    elif named.kind == "hochzeit" and partner in (None, declarer):
        given = msgspec.json.encode(partner).decode()
        raise NotationError(f"a Hochzeit of seat {declarer} needs another seat as 'partner'; {given} was given")
    return Bargain(str(named), declarer, question.leader, partner, question.doubled, need=_need(table, question))


def _need(table: Table, question: ScoreQuestion) -> int:
    """The points that a solo was raised to."""
    need = question.need
    if not need:
        return 0
    if table.game.rules.precedence is not Precedence.RAISING:
        raise NotationError(f"'need' is {need}, and solos are raised by points only with precedence=raising")
    if not need_of(question.declaration, need):
        raise NotationError(f"'need' is {need}, and {str(table.named)!r} is not raised by points: a solo is, no Tout")
    if need not in RAISES:
        raise NotationError(f"'need' is 71, 81, 91, 101 or 111, and not {need}")
    return need


def _priced(table: Table, question: ScoreQuestion) -> Rules:
    """The house rules with the prices of the tariff."""
    rules: Rules = table.game.rules
    choices = read_choices(bytes(question.rules))
    tariff: dict[str, Any] = msgspec.to_builtins(question.tariff or Tariff())
    tariff |= _runners_from(table.named, tariff.pop("runners_from", {}), choices)
    for name, price in tariff.items():
        if name in choices and getattr(rules, name) != price:
            raise NotationError(f"{name} is {getattr(rules, name)} in the rules and {price} in the tariff")
    try:
        return replace(rules, **tariff)
    except ValueError as clash:
        raise NotationError(f"{clash}: {_spell(question.tariff or Tariff())}") from None


def _runners_from(named: Declaration, told: int | dict[str, int], choices: dict[str, Any]) -> dict[str, int]:
    """What a tariff says of runners, by house rule: one number for all games without one of their own, or by game."""
    if isinstance(told, dict):
        return {runners_rule(named.kind): told[named.kind]} if named.kind in told else {}
    own = {} if "runners_from_wenz" in choices else {"runners_from_wenz": told}
    return {"runners_from": told} | own


def _play_out(start: Position, tricks: list[str]) -> tuple[Position, tuple[Act, ...], Breach | None]:
    """The end of the deal, every card with the seat that played it, and the first breach."""
    game, position = start.game, start
    if len(tricks) != game.hand_size:
        raise NotationError(f"a deal has {game.hand_size} tricks, and there are {len(tricks)}")
    acts, breach = list[Act](), None
    for number, text in enumerate(tricks):
        plays, leader = read_in_order(game.deck, text), position.turn
        if len(plays) != len(SEATS):
            raise NotationError(f"tricks[{number}] has {len(plays)} cards, not four: {quote(text)}")
        for play in plays:
            turn = position.turn_to_play()
            if not play.cards <= turn.hand:
                raise NotationError(
                    f"tricks[{number}] is {quote(text)}, led by seat {leader}, and {play} is not in the hand of "
                    f"seat {turn.seat}: {turn.hand}"
                )
            no = game.objection(turn, play) if breach is None else None
            if no is not None:
                breach = Breach(number, turn.seat, str(play), no.rule, no.why)
            acts.append(Act(turn.seat, play))
            position = position.put(play)
    return position, tuple(acts), breach


# -- solve


class SolveQuestionSchafkopf(SolveQuestion, kw_only=True):
    declarer: Seat | None = None
    partner: Seat | None = None
    called: CalledState | None = None


def solved(question: SolveQuestionSchafkopf) -> Answer:
    position = _open_hands(question)
    return solve(position, parse_objective(question.objective)).answer(position)


def _open_hands(question: SolveQuestionSchafkopf) -> Position:
    """The position of a question."""
    table = set_table(bytes(question.rules), question.declaration)
    if table.named.kind == "ramsch":
        raise NotationError("'declaration': a Ramsch has no sides whose points could be worked out")
    if question.declarer is None:
        raise NotationError(f"'declarer' is missing: whose points are counted in {str(table.named)!r}?")
    game = table.game
    laid = read_open_hands(question, game.deck, SEATS, game.hand_size)
    hands = laid.before(question.leader, SEATS)
    memory = _told_by_tricks(table, question, hands)
    contract = Bargain(
        str(table.named),
        question.declarer,
        question.leader,
        question.partner if table.named.kind == "hochzeit" else None,
    )
    start = begin(game, contract, hands, question.leader)
    start = start.resume(tricks=tricks_before(game, len(hands[0])), memory=memory)
    return lay(start, laid.plays)


def _told_by_tricks(table: Table, question: SolveQuestionSchafkopf, hands: tuple[Cards, ...]) -> Memory:
    """What the tricks before have told: who has had the called ace, and whether its suit was led."""
    kind, declarer, partner = table.named.kind, question.declarer, question.partner
    if kind != "rufspiel":
        if (kind == "hochzeit") != (partner is not None) or (partner is not None and partner == declarer):
            given = "nobody" if partner is None else f"seat {partner}"
            raise NotationError(f"'partner' is another seat in a Hochzeit and nobody elsewhere; {given} was given")
        if question.called is not None and (question.called.searched or question.called.ran):
            raise NotationError(f"'called': no ace is called in {str(table.named)!r}")
        return Memory()
    name = str(table.named.called)
    holder = next((seat for seat in SEATS if table.deck.spellings[name] in hands[seat]), None)
    if declarer == holder:
        raise NotationError(f"'declarer': seat {declarer} called {name}, and has it: {hands[holder or 0]}")
    if holder is None and partner in (None, declarer):
        raise NotationError(f"'partner' is missing: {name} is in no hand, so which other seat has had it?")
    if None not in (holder, partner) and partner != holder:
        raise NotationError(f"'partner' is seat {partner}, and seat {holder} has the called {name}")
    state = question.called or CalledState()
    if holder is None:
        return Memory(ace=partner)
    return Memory(leaders=state.ran << holder | state.searched << (holder + 1) % len(SEATS))


WIRE = Wire(
    questions={
        "legal": (LegalQuestion, legal),
        "legal_plays": (PlaysQuestion, legal_plays),
        "winner": (WinnerQuestion, winner),
        "solve": (SolveQuestionSchafkopf, solved),
        "score": (ScoreQuestion, scored),
    },
    order=lambda rules, declaration: set_table(rules, declaration).order,
    deck=lambda rules: DECKS[read_rules(HOUSE, read_choices(rules)).deck],
)
