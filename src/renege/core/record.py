"""Records: a deal, or a game of several deals, as text that reads back to the same thing.

The first lines name the format, the game with its version, and the house rules; each deal follows with its hands, its
talk and a line a trick. What the lines say of winners, points and results is checked on reading: a record that
contradicts itself is refused, with the line.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from renege.core.cards import Hand, Hidden
from renege.core.deal_state import Act
from renege.core.fair import FairDeal, parse_fair
from renege.core.game import Game, Standing
from renege.core.house_rules import format_rules
from renege.core.judge import judge
from renege.core.message import join, say
from renege.core.notation import NotationError, on_line, parse_hand
from renege.core.position import Course, Position, View, deal_position, format_course
from renege.core.trick import Play
from renege.core.view import view_of

FORMAT = "renege record 1"
FindGame = Callable[[str, dict[str, str]], Game]


@dataclass(frozen=True)
class Record(Course):
    """One deal with all hands and everything that was done since; `str()` is its text.

    `fair` is what it was drawn from, where that is told; the hands are then those that come of it.
    """

    fair: FairDeal | None = None

    def view(self, seat: int) -> View:
        """Return what one seat saw of it."""
        return view_of(self, seat)

    def replay(self) -> Iterator[Position]:
        """Iterate over all positions under the rules: `IllegalPlay` at the first act that breaks one."""
        position = self.start
        yield position
        for act in self.acts:
            out_of_turn = act.seat != position.turn and act.seat not in position.speakers
            position = position.then(act) if out_of_turn else position.act(act.what, act.seat)
            yield position

    def __str__(self) -> str:
        return f"{_format_header(self.game)}\n{_format_deal(self)}\n"


@dataclass(frozen=True)
class GameRecord:
    """A game of several deals in order, each starting with the score that the one before it left."""

    game: Game
    deals: tuple[Record, ...] = ()

    @property
    def standing(self) -> Standing:
        """The score after the finished deals, penalties for reneges included."""
        standing = self.game.opening
        for deal in self.deals:
            standing = _after(standing, deal)
        return standing

    @property
    def winner(self) -> int | None:
        """The side that has won the game, or None."""
        return self.game.winner(self.game.rules, self.standing)

    def __str__(self) -> str:
        return "\n\n".join([_format_header(self.game), *map(_format_deal, self.deals)]) + "\n"


def _after(standing: Standing, deal: Record) -> Standing:
    """The score after one more deal, penalties for reneges included."""
    return deal.game.advance(deal.position, judge(deal).result) if deal.position.over else standing


def new_record(game: Game, seed: int, standing: Standing | None = None) -> Record:
    """Deal: a record without an act yet."""
    hands, kitty = game.deal(seed)
    return Record(deal_position(game, standing or game.opening, hands, kitty))


def _format_deal(deal: Record) -> str:
    """The deal as it was played and, where that differs, the result by the judge."""
    first, *lines = format_course(deal).splitlines()
    drawn = [] if deal.fair is None else [f"drawn from {deal.fair}"]
    text = "\n".join([first, *drawn, *lines])
    judged = _judged(deal)
    return text if judged is None else f"{text}\njudged {judged}"


def _judged(deal: Record) -> str | None:
    judgement = judge(deal)
    if judgement or not deal.position.over:
        return None
    return judgement.result.text if judgement.result else "nothing"


def _format_header(game: Game) -> str:
    return f"{FORMAT}\ngame {game.name} version {game.version}\nrules {format_rules(game.rules)}"


def parse_record(text: str, find_game: FindGame) -> Record:
    """Read the record of one deal."""
    game = parse_game_record(text, find_game)
    if len(game.deals) != 1:
        raise NotationError(say("a record of one deal was expected, and this has {n}", len(game.deals)))
    return game.deals[0]


def parse_game_record(text: str, find_game: FindGame) -> GameRecord:
    """Read the record of a game: any number of deals under one heading."""
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), start=1)]
    lines = [(number, line) for number, line in lines if line and not line.startswith("#")]
    if len(lines) < 3:
        raise NotationError("a record starts with its format, its game and its rules, a line each")
    game = _parse_header(lines[:3], find_game)
    sections: list[list[tuple[int, str]]] = []
    for number, line in lines[3:]:
        if line.startswith("deal "):
            sections.append([])
        if not sections:
            raise on_line(number, say("a deal starts with 'deal dealer N score ...', not with {quoted}", repr(line)))
        sections[-1].append((number, line))
    deals: list[Record] = []
    standing = game.opening
    for section in sections:
        deal = _DealReader(game).read(section)
        if len(sections) > 1 and deal.start.standing != standing:
            expected = format_course(Course(deal_position(game, standing, (), game.deck.none))).splitlines()[0]
            raise on_line(section[0][0], say("after the deals before, this one starts {quoted}", repr(expected)))
        won = game.winner(game.rules, standing) is not None
        if deals and (won or not deals[-1].position.over):
            why = "the game is won" if won else "the deal before is not finished"
            raise on_line(section[0][0], f"no deal follows when {why}")
        standing = _after(standing, deal)
        deals.append(deal)
    return GameRecord(game, tuple(deals))


def _parse_header(lines: list[tuple[int, str]], find_game: FindGame) -> Game:
    (first, form), (second, name), (third, rules) = lines
    if form != FORMAT:
        raise on_line(first, say("{quoted} is not {quoted2}", repr(form), repr(FORMAT)))
    named = re.fullmatch(r"game (\S+) version ([0-9]{1,6})", name)
    if named is None:
        raise on_line(second, say("{quoted} does not name a game and its version", repr(name)))
    key, _, choices = rules.partition(" ")
    pairs = [choice.partition("=") for choice in choices.split()] if choices != "default" else []
    if key != "rules" or any(not value for _, _, value in pairs):
        raise on_line(
            third, say("{quoted} does not give house rules; write 'rules default' or 'rules name=choice'", repr(rules))
        )
    try:
        find_game(named[1], {})
    except NotationError as unknown:
        raise on_line(second, unknown) from None
    try:
        game = find_game(named[1], {name: value for name, _, value in pairs})
    except NotationError as unknown:
        raise on_line(third, unknown) from None
    if game.version != int(named[2]):
        raise on_line(
            second, say("this is version {n} of {rest}, and we play version {n2}", named[2], game.name, game.version)
        )
    return game


class _DealReader:
    """Reads the lines of one deal and plays them, checking what they say of it."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.standing = game.opening
        self.hands: dict[int, Hand] = {}
        self.kitty: Hand = game.deck.none
        self.start: Position | None = None
        self.position: Position | None = None
        self.acts: list[Act] = []
        self.fair: FairDeal | None = None
        self.seen = game.deck.none

    def read(self, lines: list[tuple[int, str]]) -> Record:
        for number, line in [*lines, (lines[-1][0], "")]:
            try:
                self._line(line) if line else self._begun()
            except ValueError as wrong:
                raise on_line(number, wrong) from None
        return Record(self._first(), tuple(self.acts), self.fair)

    def _first(self) -> Position:
        self._begun()
        assert self.start is not None
        return self.start

    def _line(self, line: str) -> None:
        key, _, rest = line.partition(" ")
        a_seat = self.game.seat_digits
        taken = rf"(?: -> ({a_seat}) takes ([0-9]{{1,6}}))?"
        if key == "deal":
            self.standing = _parse_standing(rest, self.game)
        elif seat := re.fullmatch(rf"({a_seat}):\s*(.*)", line):
            if self.start is not None or int(seat[1]) in self.hands:
                raise NotationError(say("the hand of {seat} comes twice or too late", seat[1]))
            self.hands[int(seat[1])] = parse_hand(self.game.deck, seat[2])
        elif line.startswith("drawn from ") and self.start is None:
            self.fair = parse_fair(line.removeprefix("drawn from "), self.game)
        elif key == "kitty" and self.start is None:
            self.kitty = parse_hand(self.game.deck, rest)
        elif key == "talk":
            if not self._begun().talking:
                raise NotationError(say("nobody is to call, yet there is talk: {quoted}", repr(rest)))
            for said in rest.split("|"):
                caller, _, call = said.strip().partition(" ")
                if self._begun().turn is not None and not self._begun().talking:
                    raise NotationError(say("the talk is over before {quoted}", repr(said.strip())))
                self._act(caller, call)
        elif trick := re.fullmatch(rf"trick ([0-9]{{1,3}}): ({a_seat}) leads (.*?){taken}", line):
            self._trick(*trick.groups())
        elif said := re.fullmatch(rf"({a_seat}) says (.*)", line):
            self._say(said[1], said[2])
        elif key == "result":
            self._result(rest)
        elif key == "judged":
            true = _judged(Record(self._first(), tuple(self.acts)))
            if rest != true:
                raise NotationError(
                    say("the deal is said to be judged {quoted}, and the judge says {quoted2}", repr(rest), repr(true))
                )
        else:
            raise NotationError(say("{quoted} is no line of a deal", repr(line)))

    def _begun(self) -> Position:
        if self.position is None:
            missing = [say("{who}", seat) for seat in self.game.all_seats if seat not in self.hands]
            if missing:
                raise NotationError(say("the hand of seat {whose} is missing", join(" and ", missing)))
            hands = tuple(self.hands[seat] for seat in self.game.all_seats)
            self._check_deal(hands)
            self.start = self.position = deal_position(self.game, self.standing, hands, self.kitty)
        return self.position

    def _check_deal(self, hands: tuple[Hand, ...]) -> None:
        pile = self.game.deck.none
        for hand in (*hands, self.kitty):
            pile = pile if isinstance(hand, Hidden) else pile + hand
        if len(self.kitty) != self.game.kitty_size:
            raise NotationError(say("the kitty has {n} cards, not {n2}", len(self.kitty), self.game.kitty_size))
        for seat, hand in enumerate(hands):
            if len(hand) != self.game.hand_size:
                raise NotationError(say("{seat} has {n} cards, not {n2}", seat, len(hand), self.game.hand_size))
        if self.fair is not None:
            self._check_drawn(self.fair, hands)

    def _check_drawn(self, fair: FairDeal, hands: tuple[Hand, ...]) -> None:
        drawn, kitty = fair.deal(self.game)
        for seat, (hand, true) in enumerate(zip(hands, drawn, strict=True)):
            if not isinstance(hand, Hidden) and hand != true:
                raise NotationError(say("by the secret {seat} gets {cards}", seat, str(true)))
        if not isinstance(self.kitty, Hidden) and self.kitty != kitty:
            raise NotationError(say("by the secret the kitty is {cards}", str(kitty)))

    def _act(self, seat: str, what: str) -> None:
        position = self._begun()
        if seat not in map(str, (position.turn, *position.speakers)):
            raise NotationError(say("{seat} is said to act ({rest}), but {why}", seat, what, position.whose_turn))
        act = position.read(what, int(seat))
        if isinstance(act.what, Play):
            self._see(position, act)
        self.position = position.then(act)
        self.acts.append(act)

    def _say(self, seat: str, call: str) -> None:
        """A call beside the play, by any seat; whether it was in time is for the judge."""
        position = self._begun()
        act = Act(int(seat), position.floor(int(seat)).read(call))
        self.position = position.then(act)
        self.acts.append(act)

    def _see(self, position: Position, act: Act) -> None:
        """A card comes out once for each copy, and not from another hand that shows it."""
        assert isinstance(act.what, Play)
        hand = position.hands[act.seat]
        if isinstance(hand, Hidden):
            pile = self.seen + act.what.cards
            for other in (*position.hands, position.kitty):
                pile = pile if isinstance(other, Hidden) else pile + other
        self.seen = self.seen + act.what.cards

    def _trick(self, number: str, leader: str, plays: str, winner: str | None, won: str | None) -> None:
        position = self._begun()
        if position.trick is None or position.trick.plays or int(number) != position.tricks_played + 1:
            raise NotationError(say("trick {n} is out of place", number))
        if int(leader) != position.trick.leader:
            raise NotationError(say("{seat} is said to lead, and {seat2} is to", leader, position.trick.leader))
        laid = 0
        for item in plays.split(", "):
            said = re.fullmatch(rf"({self.game.seat_digits}) says (.*)", item)
            laid += said is None
            if laid > len(position.active):
                raise NotationError(say("more plays than seats in trick {n}: {rest}", number, plays))
            if said:
                self._say(said[1], said[2])
            else:
                self._act(str(self._begun().turn), item)
        after = self._begun()
        if winner is not None:
            assert after.trick is not None
            taken = after.points[after.trick.leader] - position.points[after.trick.leader]
            if after.tricks_played == position.tricks_played:
                raise NotationError(say("trick {n} is not complete, yet it has a winner", number))
            if (int(winner), int(won or 0)) != (after.trick.leader, taken):
                raise NotationError(
                    say("{seat} is said to take {n}, and {seat2} takes {n2}", winner, won, after.trick.leader, taken)
                )

    def _result(self, text: str) -> None:
        position = self._begun()
        if not position.over:
            raise NotationError("a result is given, and the deal is not over")
        result = position.result
        if (true := result.text if result else "thrown in") != text:
            raise NotationError(say("the result is given as {quoted}, and it is {quoted2}", repr(text), repr(true)))


def _parse_standing(text: str, game: Game) -> Standing:
    length, a_seat = len(game.opening.score), game.seat_digits
    found = re.fullmatch(rf"dealer ({a_seat}) score (-?[0-9]{{1,9}}(?: -?[0-9]{{1,9}})*)", text)
    if found is None or len(score := tuple(map(int, found[2].split()))) != length:
        raise NotationError(say("'deal {rest}' does not give the dealer and {n} scores", text, length))
    return Standing(int(found[1]), score)
