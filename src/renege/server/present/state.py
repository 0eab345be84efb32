"""What the page shows of a table: a seat's view, or a spectator's, as one `State`.

Nothing enters but that view and the `Setting`, which everybody at the table knows; so nothing can leave that a seat has
not seen. Only `result_shown` and `ending_of` are given a whole record, when a deal is over and all hands are shown.
Every sentence is built in English and goes through a `Speech`, which turns it into the listener's language and puts the
players' names in.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from renege.core.cards import Card, Cards
from renege.core.deal_state import Act
from renege.core.game import Game, Result, Standing, Talk
from renege.core.house_rules import write_rules
from renege.core.judge import judge
from renege.core.order import Order
from renege.core.position import Course, Position
from renege.core.record import Record
from renege.core.trick import Play
from renege.core.verdict import WrongPhase
from renege.games.words import Words, words_of
from renege.i18n import Speech, join, say
from renege.server import messages
from renege.server.people import PeopleShown
from renege.server.present.hand import barred, held, held_text, order_of, sorting

MOST_LINES = 60  # of the score sheet, the last ones
NOBODY = PeopleShown()
CHOSEN = ("bury", "give")  # the calls that name cards of one's own hand


@dataclass(frozen=True, slots=True)
class Setting:
    """What everybody at the table knows besides the cards: who sits there, the sheet, and how the deal ended."""

    table: str
    number: int  # of the last event
    deal: int
    phase: messages.Phase
    places: tuple[messages.Place, ...]
    lines: tuple[messages.SheetLine, ...] = ()
    may_undo: bool = False
    may_claim: bool = True  # as far as this seat's claims so far go
    result: messages.ResultShown | None = None
    fair: messages.FairShown | None = None
    people: PeopleShown = NOBODY
    bots: str = ""  # how strong bots play
    hurried: str = ""  # that bots had no time


def state(view: Course, me: int | None, setting: Setting, speech: Speech) -> messages.State:
    """All that a seat is shown, from its own view; for a spectator `me` is None and the view is `seen_by_all`."""
    position, game, words = view.position, view.game, words_of(view.game)
    waiting = setting.phase == "waiting"
    talk = None if waiting else _floor(position, me)
    calls = [] if talk is None else _calls(talk, _hand(position, me))
    choose, compose = _choose(game, calls, speech), _compose(words, talk, calls, speech)
    turn = None if waiting else position.turn
    kitty = position.kitty or view.start.kitty  # as it lies there, or as it was taken up and is not buried yet
    return messages.State(
        table=setting.table,
        game=game.name,
        title=title_of(game, speech),
        number=setting.number,
        deal=setting.deal,
        me=me,
        phase=setting.phase,
        turn=turn,
        asked=me is not None and turn == me and (not position.talking or talk is not None),
        may_call=bool(calls),
        seats=_seats(view, setting, speech),
        hand=_hand_shown(position, me, {} if waiting else _barred(position, me, talk if choose else None), speech),
        kitty=len(position.kitty),
        kitty_cards=held_text(order_of(position), kitty) if isinstance(kitty, Cards) else [],
        calls=[] if choose or compose else [_call(words, call, speech) for call in calls],
        asks=words.asks(calls) if calls else None,
        choose=choose,
        compose=compose,
        so_far=" · ".join(map(speech.say, words.so_far(position))),
        contract=contract_shown(position, speech, names=False),
        named=named_shown(position),
        trick=trick_shown(position),
        last_trick=last_trick_shown(view),
        attackers=words.attackers(position) if setting.result is None else setting.result.attackers,
        enough=words.enough(game),
        score=score_of(game, view.start.standing, setting.lines, setting.deal),
        result=setting.result,
        may_undo=setting.may_undo,
        may_claim=setting.may_claim and turn is not None and turn == me and words.may_claim(position, turn),
        rules=write_rules(game.rules),
        look=words.look,
        fair=setting.fair,
        people=setting.people,
        bots=setting.bots,
        hurried=setting.hurried,
    )


def _call(words: Words, call: str, speech: Speech) -> messages.Call:
    button = words.button(call)
    return messages.Call(
        what=call,
        text=speech.say(words.call(call)),
        group=button.group,
        seldom=button.seldom,
        cards=list(button.cards),
        suit=button.suit,
    )


# -- the hand, and what may be done with it


def _hand(position: Position, me: int | None) -> Cards:
    hand = None if me is None else position.hands[me]
    return hand if isinstance(hand, Cards) else position.game.deck.none


def _hand_shown(position: Position, me: int | None, why: dict[Card, str], speech: Speech) -> list[messages.HandCard]:
    """The seat's own hand; `why` has the cards that cannot be played or given now."""
    hand, order = _hand(position, me), order_of(position)
    how = sorting(order)
    leads_as = _leads_as(position, me, hand)
    nouns = {suit: speech.say(order.nouns[suit]) for suit in {order.led_suit[card] for card in hand}}
    return [
        messages.HandCard(
            card=order.deck.names[card],
            suit=order.suits[suit := order.led_suit[card]],
            noun=nouns[suit],
            trump=suit == how.trump,
            step=how.step[card],
            points=order.points[card],
            leads_as=leads_as.get(card, []),
            playable=card not in why,
            why=speech.say(why[card]) if card in why else "",
        )
        for card in held(order, hand)
    ]


def _leads_as(position: Position, me: int | None, hand: Cards) -> dict[Card, list[str]]:
    """The suits that a card may be led for besides its own; none where plays have several cards."""
    trick, found = position.trick, dict[Card, list[str]]()
    if me is None or position.turn != me or trick is None or trick.lead is not None or not hand:
        return found
    if not words_of(position.game).look.several:
        turn = position.turn_to_play(hand)
        for play in position.game.legal(position.game, turn):
            if play.suit is not None:
                found.setdefault(next(iter(play.cards)), []).append(turn.order.suits[play.suit])
    return found


def _barred(position: Position, me: int | None, giving: Talk | None) -> dict[Card, str]:
    """The cards that the seat cannot play now, or give where the talk asks for one, each with the reason."""
    hand = _hand(position, me)
    if giving is not None:
        if not next(giving.calls(hand), "").startswith("give "):
            return {}  # any may be buried
        objections = ((card, giving.objection(f"give {hand.deck.names[card]}", hand)) for card in set(hand))
        return {card: no.why for card, no in objections if no is not None}
    if me is None or position.turn != me or position.order is None or not hand:
        return {}
    return barred(position, position.turn_to_play(hand))


def _floor(position: Position, me: int | None) -> Talk | None:
    """The talk with this seat to speak; None where it may not, or where the kitty speaks for it."""
    if me is None or me not in position.speakers:
        return None
    talk = position.floor(me)
    return None if talk.on_kitty else talk


def _calls(talk: Talk, hand: Cards) -> list[str]:
    return [call for call in talk.calls(hand) if talk.objection(call, hand) is None] if hand else []


def _choose(game: Game, calls: list[str], speech: Speech) -> messages.Choose | None:
    verb, _, cards = calls[0].partition(" ") if calls else ("", "", "")
    if verb not in CHOSEN:
        return None
    count = len(cards.split())
    what = say("bury {n} cards", count) if verb == "bury" else f"give a {game.deck.noun}"
    return messages.Choose(verb=verb, count=count, text=speech.say(what))


def _compose(words: Words, talk: Talk | None, calls: list[str], speech: Speech) -> messages.Compose | None:
    naming = None if talk is None else words.naming(talk, calls)
    if naming is None:
        return None
    text = speech.say(naming.what)
    return messages.Compose(
        verb=naming.verb, count=naming.count, cards=list(naming.cards), copies=naming.copies, text=text
    )


# -- what is said at the table


def plain(wrong: ValueError) -> str:
    """What was out of its time, without the position that an error may quote: that has all hands."""
    return wrong.why if isinstance(wrong, WrongPhase) else str(wrong).partition(": ")[0]


def title_of(game: Game, speech: Speech) -> str:
    return speech.say(words_of(game).title(game))


def event_text(position: Position, act: Act, speech: Speech, shows: Sequence[str] | None = None) -> str:
    """An act as one who saw it would tell it, from the position before it: `seat 2 bids 31`, `seat 1 plays 6-4`.

    What a play shows beyond its cards is asked of the position, if it is not given: that may be of another trick.
    """
    if isinstance(act.what, str):
        told = words_of(position.game).called(position, act.seat, act.what)
        return speech.say(join(": ", told))
    if shows is None:
        shows = words_of(position.game).shows(position, act.seat, act.what)
    return speech.say(join(", ", (_laid_text(position, act.seat, act.what), *shows)))


def _laid_text(position: Position, seat: int, play: Play) -> str:
    if play.tried is not None:
        return say("{seat} shows {cards} and may lead only {cards2}", seat, play.tried, play.cards)
    verb = "leads" if position.trick is None or position.trick.lead is None else "plays"
    cards = " + ".join(map(str, play.units)) or play.cards
    if play.suit is None or position.order is None:
        return say(f"{{seat}} {verb} {{cards}}", seat, cards)
    return say(f"{{seat}} {verb} {{cards}} as {{suit}}", seat, cards, position.order.nouns[play.suit])


def contract_shown(position: Position, speech: Speech, names: bool = True) -> messages.ContractShown | None:
    """What is played, with the cards that it names or without; None while the seats still talk."""
    contract = position.contract
    if contract is None:
        return None
    words = words_of(position.game)
    parts, trump = words.contract(contract, position.game.rules)
    parts += words.contract_names(contract) if names else []
    return messages.ContractShown(
        what=position.game.write_contract(contract),
        text=speech.say(join(", ", parts)),
        trump=speech.say(trump) if trump else "",
        declarer=contract.declarer,
    )


def named_shown(position: Position) -> list[messages.NamedShown]:
    """The cards that were named with the contract, and what has become of them."""
    return [
        messages.NamedShown(
            card=one.card, nth=one.nth, played=one.played, copies=one.copies, seat=one.seat, open=one.is_open
        )
        for one in words_of(position.game).named(position)
    ]


# -- the seats


def _seats(view: Course, setting: Setting, speech: Speech) -> list[messages.SeatShown]:
    position = view.position
    said = {act.seat: act.what for act in view.acts if isinstance(act.what, str)}
    words = words_of(view.game)
    roles = list(words.roles(position))
    return [
        messages.SeatShown(
            place=setting.places[seat],
            cards=len(position.hands[seat]),
            tricks=position.tricks[seat],
            points=position.points[seat],
            side=position.side(seat),
            role=speech.say(join(", ", (role for role, whose in roles if whose == seat))),
            said=speech.say(words.call(said[seat])) if seat in said else "",
            out=seat not in position.active,
        )
        for seat in view.game.all_seats
    ]


# -- tricks


def trick_shown(position: Position) -> messages.TrickShown | None:
    """The trick that is played; its plays are none where somebody is to lead."""
    trick, order = position.trick, position.order
    if trick is None or order is None or position.over:
        return None
    plays = list(zip(trick.seats, trick.plays, strict=False))
    winner = trick.winner if plays else None
    return laid_shown(order, position.tricks_played + 1, plays, winner, trick.leader)


def last_trick_shown(course: Course) -> messages.TrickShown | None:
    """The last trick that was completed."""
    position = course.position
    trick, order = position.trick, position.order
    if trick is None or order is None or not any(position.tricks):
        return None
    plays: list[tuple[int, Play]] = []
    skip, wanted = len(trick.plays), len(position.active)
    for act in reversed(course.acts):
        if isinstance(act.what, Play):
            plays.append((act.seat, act.what))
            if len(plays) == skip + wanted:
                break
    return laid_shown(order, position.tricks_played, plays[skip:][::-1], trick.leader)


def laid_shown(
    order: Order, number: int, plays: list[tuple[int, Play]], winner: int | None, leader: int | None = None
) -> messages.TrickShown:
    """A trick of these plays, in order; the leader is named where none is made yet."""
    worth = sum(order.points[card] for _, play in plays for card in play.cards)
    return messages.TrickShown(
        number=number,
        leader=plays[0][0] if leader is None else leader,
        plays=[
            messages.PlayShown(
                seat=seat,
                cards=held_text(order, play.cards),
                tried=[] if play.tried is None else held_text(order, play.tried),
            )
            for seat, play in plays
        ],
        winner=winner,
        points=worth + (order.trick_points if plays else 0),
    )


# -- the score sheet, and the end


def score_of(game: Game, standing: Standing, lines: tuple[messages.SheetLine, ...], deal: int) -> messages.Score:
    """The score sheet during a deal, or after it where its line is on the sheet."""
    over, words = bool(lines) and lines[-1].deal >= deal, words_of(game)
    sheet = words.sheet(game)
    return messages.Score(
        form=sheet.form,
        dealer=standing.dealer,
        score=lines[-1].score if over else words.columns(game, standing),
        target=sheet.target,
        lines=list(lines),
    )


@dataclass(frozen=True, slots=True)
class Ending:
    """How a deal ended: its result or, without one, the reason; what each seat gained, and the score after it."""

    result: Result | str
    gained: tuple[int, ...]
    score: tuple[int, ...]


def sheet_line(game: Game, deal: int, ending: Ending, speech: Speech) -> messages.SheetLine:
    text = _ending_text(game, ending, speech)
    return messages.SheetLine(deal=deal, text=text, score=list(ending.score), gained=list(ending.gained))


def result_shown(record: Record, ending: Ending, winner: int | None, speech: Speech) -> messages.ResultShown:
    """How a finished deal ended, with all hands as they were dealt, and the kitty as it lay there at the end."""
    order, words = order_of(record.position), words_of(record.game)
    return messages.ResultShown(
        text=_ending_text(record.game, ending, speech),
        gained=list(ending.gained),
        hands=[held_text(order, hand) for hand in record.start.hands],
        kitty=held_text(order, record.position.kitty),
        kitty_text=speech.say(worth) if (worth := words.kitty(record.position)) else "",
        attackers=words.attackers_at_end(ending.result) if isinstance(ending.result, Result) else None,
        winner=winner,
    )


def ending_of(record: Record) -> Ending:
    """How a finished deal ended. The judge reads all of it again for that, so it is worth keeping."""
    position = record.position
    result = judge(record).result
    after = record.game.advance(position, result)
    score = tuple(words_of(record.game).columns(record.game, after))
    if result is not None:
        return Ending(result, tuple(result.score), score)
    text = "thrown in" if position.contract is None else "the deal comes to nothing"
    seats = record.game.players
    own = seats <= len(after.score)  # where each seat has its own score, it may pay for a deal thrown in
    paid = tuple(new - old for new, old in zip(after.score, position.standing.score, strict=True))
    return Ending(text, paid[:seats] if own else (0,) * seats, score)


def _ending_text(game: Game, ending: Ending, speech: Speech) -> str:
    """How a deal ended, from the words of the score: `31 by seat 2 made with 35 points, 1-0`."""
    told = ending.result
    return speech.say(told if isinstance(told, str) else join(", ", words_of(game).result(told)))
