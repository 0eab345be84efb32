"""The deal that is being played, what each seat has seen of it, and why something is not done in it.

An act is judged on the position, which stays as it is, and done once it is kept. Views are made when first asked for
and then follow act by act: to read one from the record replays the deal. A refusal is in English, for the server to
translate, and quotes no hand but that of the seat which asked.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from renege.core.cards import Cards
from renege.core.deal_state import Act
from renege.core.fair import FairDeal
from renege.core.game import Game, Standing
from renege.core.notation import NotationError, parse_cards
from renege.core.position import Course, Position, View, deal_position
from renege.core.record import Record
from renege.core.trick import Play
from renege.core.verdict import Rule, Ruling, Verdict, WrongPhase
from renege.core.view import Onlooker, heard_by_all, seen_by_all
from renege.games.words import words_of
from renege.server.messages import Refusal, RefusalCode
from renege.server.present.state import Ending, ending_of
from renege.server.tables import events
from renege.server.tables.chance import Source

BEATEN = "another hand beats one of its units, and what it holds is not told"
ASKED_ALREADY = "a throw was refused at this lead, and now one unit alone may be led"


class Declined(Exception):
    """Something was not done; `refusal` says why. What is to be remembered of it has `happened` all the same."""

    def __init__(
        self, code: RefusalCode, text: str, verdict: Verdict | None = None, happened: Sequence[events.Event] = ()
    ) -> None:
        rule, instead = (None, None) if verdict is None else (verdict.rule, verdict.instead)
        self.refusal = Refusal(
            code=code,
            text=text,
            rule="" if rule is None else rule.id,
            sentence="" if rule is None else rule.sentence,
            instead=instead or "",
        )
        self.happened = happened
        super().__init__(text)


def stale() -> Declined:
    return Declined("stale", "the table has moved on")


@dataclass(frozen=True, slots=True)
class Heard:
    """An act as each seat and, at last, a spectator heard it; and the scene it was made in, for telling it."""

    forms: tuple[Act, ...]
    scene: Position
    trick: int | None = None  # of a play, from 1
    shows: tuple[str, ...] = ()  # what a play showed beyond its cards, in clauses

    def by(self, seat: int | None) -> Act:
        return self.forms[0] if len(self.forms) == 1 else self.forms[-1 if seat is None else seat]


class LiveDeal:
    """One deal from its first call on."""

    def __init__(self, game: Game, dealt: events.Dealt) -> None:
        hands: tuple[Cards, ...] = tuple(parse_cards(game.deck, hand) for hand in dealt.hands)
        standing = Standing(dealt.dealer, dealt.score)
        start = deal_position(game, standing, hands, parse_cards(game.deck, dealt.kitty))
        self.game = game
        self.number = dealt.deal
        self.opens = dealt.opens
        self.seed = dealt.seed
        self.fair = FairDeal(dealt.secret, dealt.salts) if dealt.secret else None
        self.record = Record(start)
        self._numbers: list[int] = []  # of the events that the acts of the record are
        self._before = start  # the last act
        self._views: dict[int, Onlooker] = {}
        self._public: Course | None = None
        self._claimed: set[int] = set()  # the seats whose claim was refused
        self._answered: dict[int, int] = {}  # after how many acts a seat last learned that other hands object
        self._stopped: dict[tuple[int, int], Rule] = {}  # where other hands have objected: the seat, the acts so far
        self._scenes: dict[bool, Position] = {}
        self.hurried = False  # has somebody chosen for a bot that had no time?

    @property
    def position(self) -> Position:
        """Where it stands."""
        return self.record.position

    @cached_property
    def ending(self) -> Ending:
        return ending_of(self.record)

    @cached_property
    def next_standing(self) -> Standing:
        """How the game stands after this deal, which is over."""
        assert self.position.over
        return self.game.advance(self.position, self.position.result)

    @property
    def known_ending(self) -> Ending | None:
        """How it has ended, where somebody has asked."""
        return self.__dict__.get("ending")

    @property
    def winner(self) -> int | None:
        """The side that has won the game with this deal."""
        return self.game.winner(self.game.rules, self.next_standing) if self.position.over else None

    # -- what seats have seen

    def view(self, seat: int) -> View:
        if seat not in self._views:
            self._views[seat] = Onlooker(self.record, seat)
        return self._views[seat].view

    def public(self) -> Course:
        if self._public is None:
            self._public = seen_by_all(self.record)
        return self._public

    # -- what is done

    def attempt(self, seat: int, what: str) -> Sequence[events.Event]:
        """The event that a call or play would be, or `Declined`; nothing has happened yet.

        A refusal gives no other hand away: it is by the seat's own view or, where only other hands object, says that
        alone. They are not asked twice at one lead, so that they were asked is an event.
        """
        position = self.position
        if not position.talking and " of " in what:
            raise Declined("notation", "the other hands stop a throw, not its leader")
        if seat != position.turn and seat not in position.speakers:
            raise Declined("turn", position.whose_turn)
        try:
            return self._judged(seat, what)
        except NotationError as wrong:
            raise Declined("notation", str(wrong)) from None
        except WrongPhase:  # its text may quote the position
            raise Declined("turn", position.whose_turn) from None

    def _judged(self, seat: int, what: str) -> Sequence[events.Event]:
        rule = self._stopped.get((seat, len(self.record.acts)))
        if rule is not None and self.view(seat).position.judge(what, seat).legal is None:
            raise self._stop(seat, what, rule, ASKED_ALREADY)
        verdict = self.position.judge(what, seat)
        if verdict:
            return self.kept_as([self.position.read(what, seat)])
        if verdict.rule is not None:
            known = self.view(seat).position.judge(what, seat)
            if known.legal is not False:
                raise self._stop(seat, what, verdict.rule, BEATEN, events.Refused(seat, "throw", verdict.rule.id))
            verdict = known
        raise Declined("illegal", verdict.why, verdict)

    def _stop(self, seat: int, what: str, rule: Rule, why: str, *happened: events.Event) -> Declined:
        view = self.view(seat)
        proved = next(play for play in view.legal_plays if view.position.judge(play))  # legal whatever others hold
        verdict = Verdict(Ruling.ILLEGAL, what, rule, why, view.position.spell(proved))
        return Declined("illegal", why, verdict, happened)

    def may_claim(self, seat: int) -> bool:
        """Has no claim of this seat been refused yet? Else it could ask trick by trick how the others lie."""
        return seat not in self._claimed

    def _refuse(self, event: events.Refused) -> None:
        if event.what == "claim":
            self._claimed.add(event.seat)
        else:
            rule = next((rule for rule in self.game.rule_list if rule.id == event.rule), None)
            if rule is not None:  # a rule of that name may have gone since
                self._stopped[event.seat, len(self.record.acts)] = rule
        self._answered[event.seat] = len(self.record.acts)

    def kept_as(self, acts: Iterable[Act]) -> list[events.ActEvent]:
        return [events.ActEvent(act.seat, self.position.spell(act.what)) for act in acts]

    def follow(self, event: events.Event, number: int) -> Heard | None:
        """Go on by an event of this deal; an act is heard."""
        match event:
            case events.ActEvent():
                return self._do(event, number)
            case events.Undone(to=to):
                self._take_back(to)
            case events.Refused():
                self._refuse(event)
            case _:
                pass
        return None

    def _do(self, event: events.ActEvent, number: int) -> Heard:
        """Do what is kept. It was judged when it was: what the rules of today say of it does not matter."""
        before = self.position
        self.hurried = self.hurried or bool(event.chosen)
        act = before.read(event.what, event.seat)
        heard = self._heard(before, act)
        self._before, self.record = before, self.record.with_act(act)
        self._numbers.append(number)
        if self.position.over:
            self.record = replace(self.record, fair=self.fair)
            self.forget_views()  # now that all is shown, they are others
            return heard
        for onlooker in self._views.values():
            onlooker.follow(before, self.record)
        if self._public is not None:
            self._public = self._public.with_act(heard.by(None))
        return heard

    def forget_views(self) -> None:
        """Make them anew when they are asked for."""
        self._views.clear()
        self._public = None

    def _heard(self, before: Position, act: Act) -> Heard:
        if isinstance(act.what, Play):
            shows = tuple(words_of(before.game).shows(before, act.seat, act.what))
            return Heard((act,), self._scene(before), before.tricks_played + 1, shows)
        talk = before.floor(act.seat)
        forms = [act.what if seat == act.seat else talk.heard(act.what, seat) for seat in before.game.all_seats]
        forms.append(heard_by_all(before, act.seat, act.what))
        told = tuple(Act(act.seat, form) for form in forms)
        return Heard(told[:1] if len(set(forms)) == 1 else told, _without_hands(before))

    def _scene(self, before: Position) -> Position:
        """The position of a play as far as telling it needs one: the same for all leads, and for all follows."""
        leads = before.trick is None or before.trick.lead is None
        if leads not in self._scenes:
            self._scenes[leads] = _without_hands(before)
        return self._scenes[leads]

    # -- what is taken back

    def undo_to(self, seat: int, people: Collection[int]) -> int | None:
        """The event after which the deal stood before the last act of a seat; None where that cannot be taken back.

        It is the last act of all, and it showed nothing to the people: no card came to one of them, no other hand was
        asked about a throw or a claim since, the deal did not end and open all hands.
        """
        acts = self.record.acts
        if not acts or acts[-1].seat != seat or self.position.over or _shows(self._before, acts[-1], people):
            return None
        if any(self._answered.get(person) == len(acts) for person in {seat, *people}):
            return None
        return self._numbers[-1] - 1

    def _take_back(self, to: int) -> None:
        """Be as after that event."""
        self._numbers = [number for number in self._numbers if number <= to]
        start, acts = self.record.start, self.record.acts[: len(self._numbers)]
        before = Record(start, acts[:-1])
        self._before, self.record = before.position, before.with_act(acts[-1]) if acts else before
        self.forget_views()


def _shows(before: Position, act: Act, people: Collection[int]) -> bool:
    """Does an act show people something hidden: a card that comes to one, or what others hold against a throw?"""
    if isinstance(act.what, str):
        talk = before.floor(act.seat)
        return talk.on_kitty or any(move.taker in (act.seat, *people) for move in talk.moves(act.what))
    if act.what.tried is not None:
        return True
    hidden = before.game.deck.hidden
    hands = tuple(hand if seat == act.seat else hidden(len(hand)) for seat, hand in enumerate(before.hands))
    return replace(before, hands=hands).judge(act.what).legal is not True


def _without_hands(position: Position) -> Position:
    none = position.game.deck.none
    return replace(position, hands=(none,) * len(position.hands), kitty=none)


def deal_event(game: Game, number: int, source: Source, standing: Standing, *, opens: bool) -> events.Dealt:
    hands, kitty = game.deal(source.seed) if source.fair is None else source.fair.deal(game)
    return events.Dealt(
        deal=number,
        seed=source.seed,
        dealer=standing.dealer,
        score=standing.score,
        hands=tuple(map(str, hands)),
        kitty=str(kitty),
        opens=opens,
        secret="" if source.fair is None else source.fair.secret,
        salts=() if source.fair is None else source.fair.salts,
        promised=source.promised,
    )
