"""Tractor on the wire: what `renege ask` may be asked about it (PROTOCOL)."""

from functools import partial
from itertools import islice

from renege.core.cards import Cards, kinds_in
from renege.core.game import Turn
from renege.core.notation import NotationError, parse_cards
from renege.core.order import Order
from renege.core.trick import Play, Trick
from renege.games.tractor.order import DECK, parse_declaration, phi
from renege.games.tractor.rules import BURIED, THROW_STOPPED, Rules, StoppedThrow, ThrowTest
from renege.games.tractor.throws import Stop, beater, could_beat, smallest_stop, smallness, stops, top_of, unseen
from renege.games.tractor.units import counts, cut, led_shape, led_units, serve, shape_of
from renege.games.tractor.wire_score import ScoreQuestion, scored
from renege.games.tractor.wire_solve import SolveQuestionTractor, solved
from renege.games.tractor.wire_table import (
    AROUND,
    HAND_SIZE,
    PARTNER,
    Known,
    KnownQuestion,
    Table,
    best_of,
    read_grouping,
    read_known,
    read_lead,
    read_pile,
    read_trick,
    set_table,
    suits_of,
    why_excluded,
)
from renege.games.wire import Answer, Limit, Question, Wire, judged, quote, read_cards, read_choices, read_hand

# -- legal, legal_plays


class PlaysQuestion(KnownQuestion, kw_only=True):
    hand: str
    lead: str | None = None
    limit: Limit = 1000


class LegalQuestion(KnownQuestion, kw_only=True):
    hand: str
    play: str
    lead: str | None = None


def legal(question: LegalQuestion) -> Answer:
    table = set_table(bytes(question.rules), question.declaration)
    turn, known = _turn(table, question)
    game = table.game(told=bool(known.others))
    leads = turn.trick.lead is None
    play = Play(read_cards(DECK, question.play), units=read_grouping(question.grouping) if leads else ())
    answer = judged(game, turn, play, partial(_fine, aside=table.partner_aside))
    if known.others or table.rules.throw_test is ThrowTest.PUBLIC_INFO or answer["rule"] != THROW_STOPPED.id:
        return answer
    if known.all_seen and surely_stopped(turn, play, _with_partner(table, known)):
        return answer | {"why": "however the cards that are out lie, a hand beats a unit of it"}
    return {"legal": None, "rule": None, "why": f"the other hands decide: {answer['why']}"}


def legal_plays(question: PlaysQuestion) -> Answer:
    """How many plays there are, and the first of them.

    With more than `limit` they are the first that the engine makes: those with most pairs first, each by the order of
    the cards in hand. A lead is listed if `legal` says true of it.
    """
    table = set_table(bytes(question.rules), question.declaration)
    turn, known = _turn(table, question)
    if turn.trick.lead is None and question.grouping:
        raise NotationError(f"there is no lead that 'grouping' could group: {question.grouping}")
    game = table.game(told=bool(known.others))
    plays = game.legal(game, turn)
    return {"count": plays.count(), "plays": sorted(str(play) for play in islice(plays, question.limit))}


def _turn(table: Table, question: LegalQuestion | PlaysQuestion) -> tuple[Turn, Known]:
    led = (question.lead or "").strip()
    trick = Trick(AROUND)
    on_table = DECK.none
    if led:
        lead = read_lead(table.order, led, question.grouping)
        trick, on_table = trick.with_play(lead, ahead=True), lead.cards
    hand = read_hand(DECK, question.hand, HAND_SIZE, on_table=on_table)
    if len(hand) < len(on_table):
        raise NotationError(f"{len(on_table)} cards were led, and the hand {quote(question.hand)} has {len(hand)}")
    known = read_known(table, question, hand, on_table)
    return known.turn(table, hand, trick), known


def _fine(turn: Turn, play: Play, *, aside: bool) -> str:
    """Why a legal play is one; `aside`: a partner stops no throw."""
    order = turn.order
    if turn.trick.lead is None:
        if not led_shape(order, play).is_throw:
            return f"{play} is one unit"
        units = " + ".join(map(str, led_units(order, play)))
        if aside:
            return f"neither opponent can beat a unit of {units}"
        return f"no other hand can beat a unit of {units}"
    assert turn.led is not None
    noun = order.nouns[turn.led]
    given = order.in_suit(play.cards, turn.led)
    if given == play.cards:
        return f"{play} follows {noun} and gives all that is owed"
    if given:
        return f"{given} is all that the hand has of {noun}, and the rest may be anything"
    return f"the hand holds no {noun}, so any {len(play.cards)} will do"


# -- throw


class ThrowQuestion(KnownQuestion, kw_only=True):
    cards: str
    hand: str | None = None


def throw(question: ThrowQuestion) -> Answer:
    table = set_table(bytes(question.rules), question.declaration)
    order = table.order
    lead = read_lead(order, question.cards, question.grouping)
    if question.others is None and question.hand is None:
        raise NotationError("'throw' needs the 'others', or the 'hand' and what the table has seen")
    hand = lead.cards if question.hand is None else read_hand(DECK, question.hand, HAND_SIZE, on_table=DECK.none)
    if not lead.cards <= hand:
        raise NotationError(f"{quote(question.cards)} is not in the hand {quote(question.hand or '')}")
    known = read_known(table, question, hand, DECK.none)
    suit = order.suit_of(lead.cards)
    assert suit is not None
    hands = [(seat, hand) for seat, hand in enumerate(known.others, start=1) if seat in table.rivals]
    turn = known.turn(table, hand, Trick(AROUND))
    units = led_units(order, lead)
    if known.others:
        found = list(stops(order, lead, hands))
        beating = [_beaters(order, suit, unit, [hand for _, hand in hands]) for unit in units]
    else:
        found, beating = [], [could_beat(order, suit, unit, unseen(turn), turn.memory.voids[1:]) for unit in units]
    answer: Answer = {
        "units": [
            {"cards": str(unit), "safe": not kinds, "beaten_by": str(DECK.of(kinds))}
            for unit, kinds in zip(units, beating, strict=True)
        ]
    }
    if len(units) == 1 or not any(beating):
        return {"stands": True, "led": str(lead), "stopped_by": None} | answer
    if not known.others:
        return _by_public_knowledge(table.rules, turn, lead, _with_partner(table, known)) | answer
    stop = _stop(table.rules, order, lead, hands, found)
    led = None if table.rules.stopped_throw is StoppedThrow.REFUSED else str(stop.unit)
    return {"stands": False, "led": led, "stopped_by": stop.seat} | answer


def _stop(rules: Rules, order: Order, lead: Play, hands: list[tuple[int, Cards]], found: list[Stop]) -> Stop:
    """The stop that counts at this table."""
    if rules.stopped_throw is StoppedThrow.FIRST_FOUND:
        hands = [(seat, hand) for seat, hand in hands if seat == found[0].seat]
    stop = smallest_stop(order, lead, hands)
    assert stop is not None
    return stop


def _beaters(order: Order, suit: int, unit: Cards, others: list[Cards]) -> int:
    """The kinds that beat a unit in one of these hands."""
    kinds = 0
    for hand in others:
        if beater(order, suit, unit, hand) is not None:
            kinds |= could_beat(order, suit, unit, hand, [0])
    return kinds


def _with_partner(table: Table, known: Known) -> int:
    """The suits that a partner may hold whose hand stops nothing."""
    return ~known.memory.voids[PARTNER] if table.partner_aside else 0


def _by_public_knowledge(rules: Rules, turn: Turn, lead: Play, aside: int) -> Answer:
    """What is certain of a throw that is not proved safe: that it falls, to which unit, and by whom."""
    if not surely_stopped(turn, lead, aside):
        return {"stands": None, "led": None, "stopped_by": None}
    seats = _holders(turn, lead)
    led = _surely_led(rules, turn, lead, len(seats))
    return {"stands": False, "led": led and str(led), "stopped_by": seats[0] if len(seats) == 1 else None}


def _surely_led(rules: Rules, turn: Turn, lead: Play, holders: int) -> Cards | None:
    """The unit that is led instead, where it is the same however the unseen cards lie.

    It is the smallest unit that is not proved safe, if that is beaten for certain; else a greater one may be. Where the
    first seat that stops anything decides, no other unit may fall to a hand that does not beat this one: of several
    hands only singles are beaten for certain, so it is a single, and who beats a higher unit beats it.
    """
    if rules.stopped_throw is StoppedThrow.REFUSED or rules.throw_test is ThrowTest.PUBLIC_INFO:
        return None
    order, suit, out, voids = turn.order, turn.order.suit_of(lead.cards), unseen(turn), turn.memory.voids[1:]
    assert suit is not None
    doubtful = [unit for unit in led_units(order, lead) if could_beat(order, suit, unit, out, voids)]
    smallest = min(doubtful, key=lambda unit: smallness(order, suit, unit))
    if not surely_stopped(turn, Play(smallest)):
        return None
    lowest = min(top_of(order, suit, unit) for unit in doubtful)
    first_decides = rules.stopped_throw is StoppedThrow.FIRST_FOUND and holders > 1
    return None if first_decides and lowest < top_of(order, suit, smallest) else smallest


def _holders(turn: Turn, lead: Play) -> list[int]:
    """The seats that may hold the suit of a lead."""
    suit = turn.order.suit_of(lead.cards)
    assert suit is not None
    return [seat for seat, void in enumerate(turn.memory.voids) if seat and not void >> suit & 1]


def surely_stopped(turn: Turn, lead: Play, aside: int = 0) -> bool:
    """Is a throw beaten however the unseen cards lie? How many cards a hand may hold is not asked.

    Two hands that may hold the suit can always share its pairs between them, so that only singles are in danger; one
    hand alone holds all that is not in the kitty. Cards of the suits that are `aside` may lie where they stop nothing.
    """
    order = turn.order
    suit = order.suit_of(lead.cards)
    assert suit is not None
    holders = len(_holders(turn, lead))
    if not holders or aside >> suit & 1:
        return False
    out = order.in_suit(unseen(turn), suit)
    room = BURIED - len(turn.kitty) if isinstance(turn.kitty, Cards) else BURIED
    units = [_unit(order, suit, unit) for unit in led_units(order, lead)]
    singles = min((top for length, top in units if not length), default=len(order.steps[suit]))
    bury = sum(out.count(card) for step in order.steps[suit][singles + 1 :] for card in kinds_in(step))
    if holders == 1:
        # above a single all copies are buried; below, one copy of a pair is enough
        pairs = counts(order, suit, out)
        bury += _fewest([pairs[i] for i in range(min(singles + 1, len(pairs)))], [unit for unit in units if unit[0]])
    return bury > room


def _unit(order: Order, suit: int, unit: Cards) -> tuple[int, int]:
    """The length of a unit in pairs, 0 for a single, and its top step."""
    return len(unit) // 2, top_of(order, suit, unit)


def _fewest(pairs: list[int], units: list[tuple[int, int]]) -> int:
    """The fewest pairs to break so that no run is left that beats a unit (its length, its top step)."""
    windows = {
        (top - length + 1, top)
        for length, least in units
        for top in range(least + 1, len(pairs))
        if top - length + 1 >= 0
    }
    cost = {-1: 0}  # by the highest step that is broken: the fewest pairs so far
    for step, there in enumerate(pairs):
        cost[step] = min(cost.values()) + there
        for low, top in windows:
            if top == step:
                cost = {last: pairs_broken for last, pairs_broken in cost.items() if last >= low}
    return min(cost.values())


# -- winner


class WinnerQuestion(Question, kw_only=True):
    declaration: str
    plays: list[str]
    grouping: list[str] | None = None


def winner(question: WinnerQuestion) -> Answer:
    table = set_table(bytes(question.rules), question.declaration)
    plays = read_trick(question.plays)
    parse_cards(DECK, " ".join(question.plays))  # refuses more copies than there are
    if question.grouping:
        plays[0] = read_lead(table.order, question.plays[0], question.grouping)
    excluded = [None, *(why_excluded(table.order, plays[0], play) for play in plays[1:])]
    points = sum(table.order.worth(play.cards) for play in plays)
    barred = [why is not None for why in excluded]
    return {"winner": best_of(table, plays, barred), "points": points, "excluded": excluded}


# -- shape, match


class ShapeQuestion(Question, kw_only=True):
    declaration: str
    cards: str


class MatchQuestion(Question, kw_only=True):
    declaration: str
    lead: str
    play: str
    grouping: list[str] | None = None


def shape(question: ShapeQuestion) -> Answer:
    order = set_table(bytes(question.rules), question.declaration).order
    pile = read_pile(question.cards, "cards")
    suit = order.suit_of(pile)
    if suit is None:
        raise NotationError(
            f"{quote(question.cards)} is of {suits_of(order, pile)}: only cards of one suit have a shape"
        )
    found = shape_of(order, suit, pile)
    return {"suit": order.suits[suit], "runs": list(found.runs), "pairs": found.pairs, "singles": found.singles}


def match(question: MatchQuestion) -> Answer:
    order = set_table(bytes(question.rules), question.declaration).order
    lead = read_lead(order, question.lead, question.grouping)
    pile = read_pile(question.play, "play")
    parse_cards(DECK, f"{lead} {pile}")  # refuses more copies than there are
    suit, led = order.suit_of(pile), led_shape(order, lead)
    served = serve(order, suit, pile, led) if suit is not None and len(pile) == led.cards else None
    if served is None or suit is None:
        return {"conforms": False, "units": [], "degraded": []}
    whole = cut(order, suit, pile)
    degraded = [unit for unit in served if any(unit <= own and len(unit) < len(own) for own in whole)]
    return {"conforms": True, "units": [str(unit) for unit in served], "degraded": [str(unit) for unit in degraded]}


# -- phi


class PhiQuestion(Question, kw_only=True):
    declaration: str
    cards: str


def rank_map(question: PhiQuestion) -> Answer:
    """The paper's rank map, which knows one table: house rules about level cards or trumps do not reach it."""
    if read_choices(bytes(question.rules)):
        raise NotationError(f"phi is the paper's own map, without house rules: {quote(bytes(question.rules).decode())}")
    parse_declaration(question.declaration)
    pile = read_pile(question.cards, "cards")
    return {"phi": {DECK.names[card]: phi(card, question.declaration) for card in kinds_in(pile.kinds)}}


WIRE = Wire(
    questions={
        "legal": (LegalQuestion, legal),
        "legal_plays": (PlaysQuestion, legal_plays),
        "winner": (WinnerQuestion, winner),
        "shape": (ShapeQuestion, shape),
        "match": (MatchQuestion, match),
        "throw": (ThrowQuestion, throw),
        "solve": (SolveQuestionTractor, solved),
        "score": (ScoreQuestion, scored),
        "phi": (PhiQuestion, rank_map),
    },
    order=lambda rules, declaration: set_table(rules, declaration).order,
    deck=lambda rules: DECK,
)
