"""The questions of `renege ask` about Schafkopf (PROTOCOL)."""

from dataclasses import replace
from typing import Annotated, Any

import msgspec

from renege.core.cards import Cards, Deck
from renege.core.deal_state import Act
from renege.core.game import SEATS, Game, Turn
from renege.core.house_rules import read_rules
from renege.core.notation import NotationError
from renege.core.position import Course, Position, begin
from renege.core.trick import Play
from renege.core.verdict import Breach
from renege.games import schafkopf
from renege.games.schafkopf.contract import RAISES, Bargain
from renege.games.schafkopf.declare import need_of
from renege.games.schafkopf.follow import ace_stays, head_trick
from renege.games.schafkopf.memory import Memory, called_ace
from renege.games.schafkopf.order import Declaration, parse_declaration
from renege.games.schafkopf.rules import MONEY, March, Played, Precedence, RenegePenalty, Rules, Virgins
from renege.games.schafkopf.score import Outcome, outcome, penalty, runners_rule
from renege.games.wire import (
    Answer,
    Limit,
    Question,
    Seat,
    SolveQuestion,
    Wire,
    broken,
    first_lead,
    quote,
    read_cards,
    read_choices,
    read_deal,
    to_play,
)

# PROTOCOL prices a deal as it was played and knows no more of a Ramsch than who has most points. Virgins, a march or a
# penalty count on the wire where the rules of a question name them.
HOUSE = Rules(virgins=Virgins.NOTHING, march=March.NONE, renege_penalty=RenegePenalty.NONE)
MOST_DOUBLINGS = 20


class TableQuestion(Question, kw_only=True):
    """A question under a declaration; a Hochzeit may say who the partner is, which changes no verdict."""

    declaration: str
    partner: Seat | None = None


def read_in_order(deck: Deck, text: str) -> tuple[Play, ...]:
    """The cards of a trick as they were played, each by one seat."""
    read_cards(deck, text)  # none of them twice
    return tuple(Play(read_cards(deck, word)) for word in text.replace(",", " ").split())


def _named(position: Position) -> Declaration:
    assert isinstance(position.contract, Bargain)
    return position.contract.named


def _spell(field: msgspec.Struct) -> str:
    return quote(msgspec.json.encode(field).decode())


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
    before = WIRE.start(question)
    hands = read_deal(before.game, question.hands)
    contract = _contract(before, question, hands)
    game = replace(before.game, rules=_priced(before, question))
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
        "renege": broken(breach),
    }


def _contract(before: Position, question: ScoreQuestion, hands: tuple[Cards, ...]) -> Bargain:
    """The contract. A Hochzeit names the partner; in a Rufspiel the called ace does, and one that is named must fit."""
    named, declarer, partner = _named(before), question.declarer, question.partner
    if (named.kind == "ramsch") != (declarer is None):
        needs = "a Ramsch has no declarer" if declarer is not None else f"{str(named)!r} needs a 'declarer'"
        raise NotationError(f"{needs}; {msgspec.json.encode(declarer).decode()} was given")
    if named.kind == "rufspiel":
        ace = str(named.called)
        holder = next(seat for seat in SEATS if ace in hands[seat])
        if holder == declarer:
            raise NotationError(f"seat {declarer} calls {ace} and holds it: {quote(question.hands[holder])}")
        if partner not in (None, holder):
            why = f"seat {partner} is no partner of seat {declarer}: seat {holder} holds the called {ace}"
            raise NotationError(why)
        partner = None
    elif named.kind == "hochzeit" and partner in (None, declarer):
        given = msgspec.json.encode(partner).decode()
        raise NotationError(f"a Hochzeit of seat {declarer} needs another seat as 'partner'; {given} was given")
    need = _need(before.game.rules, named, question)
    return Bargain(str(named), declarer, question.leader, partner, question.doubled, need=need)


def _need(rules: Rules, named: Declaration, question: ScoreQuestion) -> int:
    """The points that a solo was raised to."""
    need = question.need
    if not need:
        return 0
    if rules.precedence is not Precedence.RAISING:
        raise NotationError(f"'need' is {need}, and solos are raised by points only with precedence=raising")
    if not need_of(question.declaration, need):
        raise NotationError(f"'need' is {need}, and {str(named)!r} is not raised by points: a solo is, no Tout")
    if need not in RAISES:
        raise NotationError(f"'need' is 71, 81, 91, 101 or 111, and not {need}")
    return need


def _priced(before: Position, question: ScoreQuestion) -> Rules:
    """The house rules with the prices of the tariff."""
    rules: Rules = before.game.rules
    choices = read_choices(bytes(question.rules))
    tariff: dict[str, Any] = msgspec.to_builtins(question.tariff or Tariff())
    tariff |= _runners_from(_named(before), tariff.pop("runners_from", {}), choices)
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
                led = f"tricks[{number}] is {quote(text)}, led by seat {leader}"
                raise NotationError(f"{led}, and {play} is not in the hand of seat {turn.seat}: {turn.hand}")
            no = game.objection(turn, play) if breach is None else None
            if no is not None:
                breach = Breach(number, turn.seat, str(play), no.rule, no.why)
            acts.append(Act(turn.seat, play))
            position = position.put(play)
    return position, tuple(acts), breach


# -- legal, legal_plays, winner, solve


class CalledState(msgspec.Struct, forbid_unknown_fields=True):
    """What the tricks before told of the called ace: its suit was led by another, or by this hand from under it."""

    searched: bool = False
    ran: bool = False

    def leaders(self, seat: int) -> int:
        """The seats that have led the called suit: who searched is one of the others, whichever."""
        return self.ran << seat | self.searched << (seat + 1) % len(SEATS)


class TrickQuestion(TableQuestion, kw_only=True):
    hand: str
    trick: str | list[str] | None = None
    called: CalledState | None = None


class LegalQuestion(TrickQuestion, kw_only=True):
    play: str


class PlaysQuestion(TrickQuestion, kw_only=True):
    limit: Limit = 1000


class WinnerQuestion(TableQuestion, kw_only=True):
    plays: list[str]


class SolveQuestionSchafkopf(SolveQuestion, kw_only=True):
    declarer: Seat | None = None
    partner: Seat | None = None
    called: CalledState | None = None


class WireSchafkopf(Wire):
    """Schafkopf, where the tricks before may have told of the called ace."""

    score = staticmethod(scored)

    def house(self, rules: bytes) -> Game:
        return schafkopf.game(read_rules(HOUSE, read_choices(rules)))

    def set_up(self, rules: bytes, declaration: str) -> Position:
        game, named = self.house(rules), parse_declaration(declaration)
        for word in (named.kind, *(("tout",) if named.tout else ())):
            if getattr(game.rules, word, None) is Played.NO:
                raise NotationError(f"this table does not play {word}: {quote(declaration)}")
        return first_lead(game, Bargain(str(named), None if named.kind == "ramsch" else 0, 0))

    def start(self, question: TableQuestion | SolveQuestionSchafkopf) -> Position:
        """The table of a question; a partner is named in some kinds of game alone."""
        start, partner = super().start(question), question.partner
        named = ("hochzeit", "rufspiel") if question.ask == "score" else ("hochzeit",)
        if partner is not None and question.ask != "solve" and _named(start).kind not in named:
            raise NotationError(f"no partner is named in {quote(question.declaration)}, and this names {partner}")
        return start

    def on_table(self, question: TrickQuestion, start: Position) -> tuple[Play, ...]:
        text = question.trick if isinstance(question.trick, str) else " ".join(question.trick or ())
        plays = read_in_order(start.game.deck, text)
        if len(plays) >= len(SEATS):
            laid = f"{quote(text)} has {len(plays)}"
            raise NotationError(f"before a play at most three cards lie on the table, and {laid}")
        return plays

    def position_told(self, question: TrickQuestion, start: Position, plays: tuple[Play, ...], hand: Cards) -> Position:
        """The trick on the table needs no word in the memory: its lead searches by itself.

        That nothing was searched is true of every game, that something was only where an ace is called.
        """
        state = question.called or CalledState()
        if (state.searched or state.ran) and _named(start).kind != "rufspiel":
            named = f"{str(_named(start))!r}, so nobody searched or ran"
            raise NotationError(f"no ace is called in {named}: {_spell(state)}")
        return to_play(start, plays, hand, Memory(leaders=state.leaders(len(plays))))

    def read_play(self, question: LegalQuestion, position: Position) -> Play:
        return Play(read_cards(position.game.deck, question.play))

    def fine(self, question: LegalQuestion, turn: Turn, play: Play) -> str:
        order, called, usual = turn.order, called_ace(turn), super().fine(question, turn, play)
        card = "ace" if called is None or order.deck.names[called.ace].endswith("A") else "ten"
        if turn.led is None:
            own = 0 if called is None or called.ace not in turn.hand else called.plain & ~(1 << called.ace)
            under = play.cards.kinds & own
            return f"{usual}{f' from under the called {card}' if under else ''}"
        if not play.cards.kinds & ~order.follow[turn.led]:
            answers = called is not None and called.ace in play.cards
            return f"{play}{f', the called {card},' if answers else ''} follows {order.nouns[turn.led]}"
        if any(head_trick(turn, Play(turn.hand.deck.of(1 << other))) for other in turn.hand):
            return f"{usual}, and {play} heads the trick"
        stays = called is not None and ace_stays(turn, Play(turn.hand.deck.of(1 << called.ace))) is not None
        return f"{usual}, so {f'any card but the called {card}' if stays else 'any card'} will do"

    def trick(self, question: WinnerQuestion, start: Position) -> tuple[Play, ...]:
        texts, deck = question.plays, start.game.deck
        if len(texts) != len(SEATS):
            raise NotationError(f"a trick has four plays, and {quote(', '.join(texts))} has {len(texts)}")
        plays = tuple(Play(read_cards(deck, text)) for text in texts)
        for text, play in zip(texts, plays, strict=True):
            if play.cards.single() is None:
                raise NotationError(f"a play is one card, and {quote(text)} is not")
        read_cards(deck, " ".join(texts))  # none of them twice
        return plays

    def contract(self, question: SolveQuestionSchafkopf, start: Position) -> Bargain:
        named = _named(start)
        if named.kind == "ramsch":
            raise NotationError("'declaration': a Ramsch has no sides whose points could be worked out")
        if question.declarer is None:
            raise NotationError(f"'declarer' is missing: whose points are counted in {str(named)!r}?")
        partner = question.partner if named.kind == "hochzeit" else None
        return Bargain(str(named), question.declarer, question.leader, partner)

    def opened(self, question: SolveQuestionSchafkopf, start: Position, hands: tuple[Cards, ...]) -> Position:
        return replace(super().opened(question, start, hands), memory=_told_by_tricks(_named(start), question, hands))


def _told_by_tricks(named: Declaration, question: SolveQuestionSchafkopf, hands: tuple[Cards, ...]) -> Memory:
    """What the tricks before have told: who has had the called ace, and whether its suit was led."""
    kind, declarer, partner = named.kind, question.declarer, question.partner
    if kind != "rufspiel":
        if (kind == "hochzeit") != (partner is not None) or (partner is not None and partner == declarer):
            given = "nobody" if partner is None else f"seat {partner}"
            raise NotationError(f"'partner' is another seat in a Hochzeit and nobody elsewhere; {given} was given")
        if question.called is not None and (question.called.searched or question.called.ran):
            raise NotationError(f"'called': no ace is called in {str(named)!r}")
        return Memory()
    name = str(named.called)
    holder = next((seat for seat in SEATS if name in hands[seat]), None)
    if declarer == holder:
        raise NotationError(f"'declarer': seat {declarer} called {name}, and has it: {hands[holder or 0]}")
    if holder is None and partner in (None, declarer):
        raise NotationError(f"'partner' is missing: {name} is in no hand, so which other seat has had it?")
    if None not in (holder, partner) and partner != holder:
        raise NotationError(f"'partner' is seat {partner}, and seat {holder} has the called {name}")
    state = question.called or CalledState()
    if holder is None:
        return Memory(ace=partner)
    return Memory(leaders=state.leaders(holder))


WIRE = WireSchafkopf(
    "schafkopf",
    legal=LegalQuestion,
    legal_plays=PlaysQuestion,
    winner=WinnerQuestion,
    solve=SolveQuestionSchafkopf,
    score=ScoreQuestion,
)
