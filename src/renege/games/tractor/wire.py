"""The questions of `renege ask` about Tractor (PROTOCOL)."""

from dataclasses import replace
from functools import lru_cache
from itertools import islice
from typing import Any, ClassVar

from renege.core.cards import Cards, Deck, kinds_in
from renege.core.game import NUMBERS, Game, LegalPlays, Turn
from renege.core.notation import NotationError, parse_cards
from renege.core.order import Order
from renege.core.position import Position
from renege.core.solution import Limits, OpenHands
from renege.core.trick import Play
from renege.games import tractor
from renege.games.tractor.bombs import answers_as_bomb, is_rainbow, leads_rainbow, rank_in
from renege.games.tractor.declare import Bank
from renege.games.tractor.follow import why_not
from renege.games.tractor.order import DECK, WideOrder, parse_declaration
from renege.games.tractor.order import phi as rank_of
from renege.games.tractor.rules import BURIED, THROW_STOPPED, Rules, StoppedThrow, ThrowTest
from renege.games.tractor.solve import MOST_HELD
from renege.games.tractor.throws import (
    beater,
    could_beat,
    counted_stop,
    holders,
    others,
    surely_led,
    surely_stopped,
    unseen,
)
from renege.games.tractor.tuples import shape_of as wide_shape_of
from renege.games.tractor.tuples import tuples_of
from renege.games.tractor.units import led_form, led_units, named_units, only_suit, served_by, shape_of, units_of
from renege.games.tractor.wire_score import (
    FriendTold,
    ScoreQuestion,
    named_friends,
    read_trick,
    rules_told,
    scored,
)
from renege.games.wire import (
    Answer,
    Limit,
    Question,
    Seat,
    SolveQuestion,
    Wire,
    first_lead,
    order_of,
    position_before,
    quote,
    read_cards,
    read_choices,
    read_hand,
    together,
)

# -- questions


class KnownQuestion(Question, kw_only=True):
    """A question that may tell the other hands, or what the table has seen."""

    declaration: str
    others: list[str] | None = None
    seen: str | None = None
    voids: list[list[str]] | None = None
    kitty: str | None = None
    grouping: list[str] | None = None


class PlaysQuestion(KnownQuestion, kw_only=True):
    hand: str
    lead: str | None = None
    limit: Limit = 1000
    packs: int | None = None
    seats: int | None = None
    friends: list[FriendTold] | None = None


class LegalQuestion(KnownQuestion, kw_only=True):
    hand: str
    play: str
    lead: str | None = None
    packs: int | None = None
    seats: int | None = None
    friends: list[FriendTold] | None = None


class ThrowQuestion(KnownQuestion, kw_only=True):
    cards: str
    hand: str | None = None
    packs: int | None = None
    seats: int | None = None
    friends: list[FriendTold] | None = None


class WinnerQuestion(Question, kw_only=True):
    declaration: str
    plays: list[str]
    grouping: list[str] | None = None
    packs: int | None = None
    seats: int | None = None
    friends: list[FriendTold] | None = None


class SolveQuestionTractor(SolveQuestion, kw_only=True):
    banker: Seat
    kitty: str
    packs: int | None = None
    seats: int | None = None
    friends: list[FriendTold] | None = None


class CardsQuestion(Question, kw_only=True):
    declaration: str
    cards: str
    packs: int | None = None
    seats: int | None = None
    friends: list[FriendTold] | None = None


class MatchQuestion(Question, kw_only=True):
    declaration: str
    lead: str
    play: str
    grouping: list[str] | None = None
    packs: int | None = None
    seats: int | None = None
    friends: list[FriendTold] | None = None


def read_pile(deck: Deck, text: str, what: str) -> Cards:
    """A pile that is not empty."""
    pile = read_cards(deck, text)
    if not pile:
        raise NotationError(f"{what!r} has no cards: {quote(text)}")
    return pile


def read_grouping(deck: Deck, texts: list[str] | None) -> tuple[Cards, ...]:
    """The units as a leader names them."""
    return tuple(read_pile(deck, text, "grouping") for text in texts or ())


def read_lead(start: Position, text: str, grouping: list[str] | None = None, *, of_one: bool = False) -> Play:
    """A lead that lies on the table, which must be one, and where it is asked for of one suit."""
    order = order_of(start)
    lead = Play(read_pile(order.deck, text, "lead"), units=read_grouping(order.deck, grouping))
    if order.suit_of(lead.cards) is None and (of_one or not is_rainbow(start.game.rules, order, lead.cards)):
        raise NotationError(f"{quote(text)} cannot have been led: it is of {suits_of(order, lead.cards)}")
    if lead.units and named_units(order, lead) is None:
        raise NotationError(f"{' + '.join(map(str, lead.units))!r} is no grouping of {quote(text)} into units")
    return lead


def suits_of(order: Order, cards: Cards) -> str:
    return " and ".join(sorted({order.nouns[order.led_suit[card]] for card in cards}))


def _read_voids(start: Position, question: KnownQuestion) -> list[int]:
    """Masks of the suits that each seat is void in, from the seat to play on, which says nothing of itself."""
    order, others = order_of(start), start.game.players - 1
    suits = [{order.suit_named(name) for name in names} for names in question.voids or [[]] * others]
    voids = [sum(1 << suit for suit in named) for named in suits]
    if len(voids) != others:
        seats = f"the next {NUMBERS[others]} seats"
        raise NotationError(f"'voids' has a list of suits for each of {seats}, and there are {len(voids)}")
    return [0, *voids]


def _check_voids(order: Order, voids: list[int], out: Cards) -> None:
    """Cards that are neither seen nor buried are in some hand."""
    for suit in range(len(order.suits)):
        left = order.in_suit(out, suit)
        if left and all(void >> suit & 1 for void in voids):
            seats = f"all {NUMBERS[len(voids)]} seats"
            raise NotationError(f"{seats} are void in {order.suits[suit]!r}, and {quote(str(left))} is nowhere")


# -- what is certain of a throw


def _beaters(order: Order, suit: int, unit: Cards, others: list[Cards]) -> int:
    """The kinds that beat a unit in one of these hands."""
    kinds = 0
    for hand in others:
        if beater(order, suit, unit, hand) is not None:
            kinds |= could_beat(order, suit, unit, hand, [0])
    return kinds


def _by_public_knowledge(rules: Rules, turn: Turn, lead: Play, aside: int) -> Answer:
    """What is certain of a throw that is not proved safe: that it falls, to which unit, and by whom."""
    if not surely_stopped(turn, lead, aside):
        return {"stands": None, "led": None, "stopped_by": None}
    seats = holders(turn, lead)
    led = surely_led(rules, turn, lead, len(seats))
    return {"stands": False, "led": led and str(led), "stopped_by": seats[0] if len(seats) == 1 else None}


# -- the answers


@lru_cache(maxsize=1 << 9)
def strict(wire: Wire, rules: bytes, declaration: str, told: bool) -> Position:
    """The table where a throw that does not stand is illegal, as it is on the wire.

    Whether it stands is asked of the other hands where they are told, and else of what the leader can know.
    """
    start = position_before(wire, rules, declaration)
    house: Rules = start.game.rules
    by_hands = told and house.throw_test is not ThrowTest.PUBLIC_INFO
    refused = {"stopped_throw": StoppedThrow.REFUSED} if by_hands else {"throw_test": ThrowTest.PUBLIC_INFO}
    return replace(start, game=tractor.game(replace(house, **refused)))


class WireTractor(Wire):
    """Tractor, where other hands, or what the table has seen, decide about throws."""

    limits: ClassVar[Limits] = Limits(100_000_000)  # about half a minute

    def set_up(self, rules: bytes, declaration: str) -> Position:
        """Seat 0 leads, and knows the kitty if that is told."""
        game, (suit, level) = self.house(rules), parse_declaration(declaration)
        return first_lead(game, Bank(f"{suit or 'NT'}{level}", 0, 0))

    def start(self, question: Any) -> Position:
        start = position_before(self, rules_told(question), question.declaration)
        named_friends(question, start)  # they decide nothing but the score, and are refused where they are none
        return start

    def strict(self, question: KnownQuestion | ScoreQuestion, *, told: bool) -> Position:
        return strict(self, rules_told(question), question.declaration, told)

    # -- legal, legal_plays

    def on_table(self, question: LegalQuestion | PlaysQuestion, start: Position) -> tuple[Play, ...]:
        led = (question.lead or "").strip()
        return (read_lead(start, led, question.grouping),) if led else ()

    def position_told(
        self, question: LegalQuestion | PlaysQuestion, start: Position, plays: tuple[Play, ...], hand: Cards
    ) -> Position:
        if plays and len(hand) < (led := len(plays[0].cards)):
            raise NotationError(f"{led} cards were led, and the hand {quote(question.hand)} has {len(hand)}")
        position = self.known(question, start, plays, hand)
        if isinstance(question, PlaysQuestion) and not plays and question.grouping:
            raise NotationError(f"there is no lead that 'grouping' could group: {question.grouping}")
        return position

    def known(self, question: KnownQuestion, start: Position, plays: tuple[Play, ...], hand: Cards) -> Position:
        """The position with what is told: the other hands, or what the table has seen.

        No card may come more often than the deck has it, and nobody holds a suit that he is void in. The cards on the
        table have been seen, whether `seen` has them or not.
        """
        order, deck, buried = order_of(start), start.game.deck, start.game.kitty_size
        others = tuple(read_cards(deck, text) for text in question.others or ())
        players = start.game.players
        if question.others is not None and len(others) != players - 1:
            seats = f"the next {NUMBERS[players - 1]} seats"
            raise NotationError(f"'others' are the hands of {seats}, and there are {len(others)}")
        seen = read_cards(deck, question.seen or "")
        kitty = None if question.kitty is None else read_cards(deck, question.kitty)
        if kitty is not None and len(kitty) > buried:
            raise NotationError(f"the kitty has {buried} cards, and {quote(question.kitty or '')} has {len(kitty)}")
        voids = _read_voids(start, question)
        for seat, (pile, void) in enumerate(zip(others, voids[1:], strict=False), start=1):
            for suit in kinds_in(void):
                if held := order.in_suit(pile, suit):
                    raise NotationError(f"hand {seat} of 'others' is void in {order.suits[suit]!r} and has {held}")
        on_table = plays[0].cards if plays else deck.none
        piles = [hand, *others, seen | on_table, *([] if kitty is None else [kitty])]
        accounted = together(deck, piles)
        if not others and kitty is not None and len(kitty) == buried:
            _check_voids(order, voids[1:], deck.all - accounted)
        if start.game.rules.throw_test is ThrowTest.OPPONENTS:
            for partner in range(2, players, 2):  # a hand that stops nothing might as well have no suit
                voids[partner] = (1 << len(order.suits)) - 1
        seats = (*range(len(plays), players), *range(len(plays)))
        known = tuple([voids[seats.index(seat)] for seat in range(players)])
        memory = replace(start.game.memory, seen=seen, voids=known)
        table = self.strict(question, told=question.others is not None)
        if kitty is not None:
            table = replace(table, kitty=kitty)
        return table.resume(plays, dict(zip(seats, (hand, *others), strict=False)), memory=memory)

    def aside(self, question: KnownQuestion) -> int:
        """The suits that partners may hold whose hands stop nothing; 0 where they may stop a throw."""
        start, beside = self.start(question), 0
        if start.game.rules.throw_test is ThrowTest.OPPONENTS:
            for void in _read_voids(start, question)[2::2]:
                beside |= ~void
        return beside

    def read_play(self, question: LegalQuestion, position: Position) -> Play:
        assert position.trick is not None
        deck = position.game.deck
        units = () if position.trick.plays else read_grouping(deck, question.grouping)
        return Play(read_cards(deck, question.play), units=units)

    def judge(self, question: LegalQuestion, position: Position, play: Play) -> Answer:
        answer, house = super().judge(question, position, play), self.start(question).game.rules
        by_hands = question.others is None and house.throw_test is not ThrowTest.PUBLIC_INFO
        if not by_hands or answer["rule"] != THROW_STOPPED.id:
            return answer
        # is what is out known? not of a hand in the middle of a deal of which nothing is told
        told = any(field is not None for field in (question.seen, question.voids, question.kitty))
        all_seen = told or len(position.hand) == position.game.hand_size
        if all_seen and surely_stopped(position.turn_to_play(), play, self.aside(question)):
            return answer | {"why": "however the cards that are out lie, a hand beats a unit of it"}
        return {"legal": None, "rule": None, "why": f"the other hands decide: {answer['why']}"}

    def fine(self, question: LegalQuestion, turn: Turn, play: Play) -> str:
        order = turn.order
        if turn.trick.lead is None:
            if is_rainbow(turn.rules, order, play.cards):
                return f"{play} is a rainbow, which is led by itself"
            if not led_form(order, play).is_throw:
                return f"{play} is one unit"
            units = " + ".join(map(str, led_units(order, play)))
            if self.aside(question):
                return f"neither opponent can beat a unit of {units}"
            return f"no other hand can beat a unit of {units}"
        if leads_rainbow(turn):
            ranked = f"{play} is of one rank, as the rainbow that was led"
            return ranked if rank_in(play.cards) is not None else f"the hand has no rank {len(play.cards)} times"
        assert turn.led is not None
        noun = order.nouns[turn.led]
        if answers_as_bomb(turn, play):
            return f"{play} is a bomb, which answers any {len(play.cards)} cards"
        given = order.in_suit(play.cards, turn.led)
        if given == play.cards:
            return f"{play} follows {noun} and gives all that is owed"
        if given:
            return f"{given} is all that the hand has of {noun}, and the rest may be anything"
        return f"the hand holds no {noun}, so any {len(play.cards)} will do"

    def listed(self, plays: LegalPlays, order: Order, limit: int) -> Answer:
        """How many plays there are, and the first of them.

        With more than `limit` they are the first that the engine makes: those with most pairs first, each by the order
        of the cards in hand. A lead is listed if `legal` says true of it.
        """
        return {"count": plays.count(), "plays": sorted(str(play) for play in islice(plays, limit))}

    # -- throw

    def throw(self, question: ThrowQuestion) -> Answer:
        start = self.start(question)
        order, rules = order_of(start), start.game.rules
        lead = read_lead(start, question.cards, question.grouping, of_one=True)
        if question.others is None and question.hand is None:
            raise NotationError("'throw' needs the 'others', or the 'hand' and what the table has seen")
        hand = lead.cards if question.hand is None else read_hand(start.game, question.hand)
        if not lead.cards <= hand:
            raise NotationError(f"{quote(question.cards)} is not in the hand {quote(question.hand or '')}")
        turn = self.known(question, start, (), hand).turn_to_play()
        suit, units, hands = only_suit(order, lead.cards), led_units(order, lead), others(turn)
        if question.others is not None:
            beating = [_beaters(order, suit, unit, [hand for _, hand in hands]) for unit in units]
        else:
            beating = [could_beat(order, suit, unit, unseen(turn), turn.memory.voids[1:]) for unit in units]
        answer: Answer = {
            "units": [
                {"cards": str(unit), "safe": not kinds, "beaten_by": str(order.deck.of(kinds))}
                for unit, kinds in zip(units, beating, strict=True)
            ]
        }
        if len(units) == 1 or not any(beating):
            return {"stands": True, "led": str(lead), "stopped_by": None} | answer
        if question.others is None:
            return _by_public_knowledge(rules, turn, lead, self.aside(question)) | answer
        stop = counted_stop(rules, order, lead, hands)
        assert stop is not None
        led = None if rules.stopped_throw is StoppedThrow.REFUSED else str(stop.unit)
        return {"stands": False, "led": led, "stopped_by": stop.seat} | answer

    # -- winner, solve, score

    def trick(self, question: WinnerQuestion, start: Position) -> tuple[Play, ...]:
        plays = read_trick(start.game, question.plays)
        parse_cards(start.game.deck, " ".join(question.plays))  # refuses more copies than there are
        if question.grouping:
            plays[0] = read_lead(start, question.plays[0], question.grouping)
        return tuple(plays)

    def excluded(self, start: Position, lead: Play, play: Play) -> str | None:
        """Why a follow cannot win, whatever it meets; nothing beats a lead across suits, as nothing follows it."""
        if play is lead:
            return None
        if len(play.cards) != len(lead.cards):
            return f"{play} has another number of cards than {lead}"
        rules, order = start.game.rules, order_of(start)
        if order.suit_of(lead.cards) is None and not is_rainbow(rules, order, lead.cards):
            return f"{lead} is of {suits_of(order, lead.cards)}, which nothing follows"
        return why_not(order, lead, play, rules)

    def contract(self, question: SolveQuestionTractor, start: Position) -> Bank:
        assert isinstance(start.contract, Bank)
        if start.game.facet(OpenHands) is None:
            raise NotationError(
                "open hands of tractor are solved with two packs, four seats, a kitty of eight and the usual units"
            )
        kitty = read_cards(DECK, question.kitty)
        if len(kitty) > BURIED:
            raise NotationError(f"'kitty' has at most {BURIED} cards, and {quote(question.kitty)} has {len(kitty)}")
        return replace(start.contract, declarer=question.banker, leader=question.banker)

    def most_held(self, game: Game) -> int:
        return MOST_HELD

    def opened(self, question: SolveQuestionTractor, start: Position, hands: tuple[Cards, ...]) -> Position:
        kitty = read_cards(DECK, question.kitty)
        try:
            parse_cards(DECK, " ".join(map(str, (*hands, kitty))))
        except NotationError as too_many:
            raise NotationError(f"'kitty': {too_many}") from None
        return replace(start, kitty=kitty).resume(hands=dict(enumerate(hands)))

    def score(self, question: ScoreQuestion) -> Answer:
        return scored(question, self.strict(question, told=True))

    # -- shape, match, phi

    def shape(self, question: CardsQuestion) -> Answer:
        order = order_of(self.start(question))
        pile = read_pile(order.deck, question.cards, "cards")
        suit = order.suit_of(pile)
        if suit is None:
            why = f"{quote(question.cards)} is of {suits_of(order, pile)}: only cards of one suit have a shape"
            raise NotationError(why)
        if isinstance(order, WideOrder):
            return {"suit": order.suits[suit], "tuples": tuples_of(wide_shape_of(order, suit, pile).forms)}
        found = shape_of(order, suit, pile)
        usual: Answer = {"runs": list(found.runs), "pairs": found.pairs, "singles": found.singles}
        forms = [*((2, run) for run in found.runs), *[(2, 1)] * found.pairs, *[(1, 1)] * found.singles]
        more: Answer = {} if question.packs is None else {"tuples": tuples_of(forms)}
        return {"suit": order.suits[suit]} | usual | more

    def match(self, question: MatchQuestion) -> Answer:
        start = self.start(question)
        order, lead = order_of(start), read_lead(start, question.lead, question.grouping, of_one=True)
        pile = read_pile(order.deck, question.play, "play")
        parse_cards(order.deck, f"{lead} {pile}")  # refuses more copies than there are
        suit, led = order.suit_of(pile), led_form(order, lead)
        served = served_by(order, suit, pile, led) if suit is not None and len(pile) == led.cards else None
        if served is None or suit is None:
            return {"conforms": False, "units": [], "degraded": []}
        whole = units_of(order, suit, pile)
        degraded = [unit for unit in served if any(unit <= own and len(unit) < len(own) for own in whole)]
        return {"conforms": True, "units": [str(unit) for unit in served], "degraded": [str(unit) for unit in degraded]}

    def phi(self, question: CardsQuestion) -> Answer:
        """The paper's rank map, which knows one table: house rules about level cards or trumps do not reach it."""
        if read_choices(told := rules_told(question)):
            rules = quote(told.decode())
            raise NotationError(f"phi is the paper's own map, without house rules: {rules}")
        parse_declaration(question.declaration)
        pile = read_pile(DECK, question.cards, "cards")
        return {"phi": {DECK.names[card]: rank_of(card, question.declaration) for card in kinds_in(pile.kinds)}}


WIRE = WireTractor(
    "tractor",
    legal=LegalQuestion,
    legal_plays=PlaysQuestion,
    winner=WinnerQuestion,
    shape=CardsQuestion,
    match=MatchQuestion,
    throw=ThrowQuestion,
    solve=SolveQuestionTractor,
    score=ScoreQuestion,
    phi=CardsQuestion,
)
