"""Parse a position from one line of text.

Fields stand between bars, in any order: a contract (or, before there is one, `dealer`, `score` and `said`), then
`led`, `hand` of the seat to play or `0:`, `1:` and so on by seat, `kitty`, `0 leads`, `points`, `tricks`, `memory`:

    trump 5 bid 31 by 2 | led 6-4, 6-2 | hand 6-6 6-5 3-1 | 0 leads | points 0 11 0 0 | tricks 0 1 0 0
"""

import re
from dataclasses import replace

from renege.core.cards import Cards, Hand
from renege.core.deal_state import replaced
from renege.core.game import Contract, Game, Standing, Talk
from renege.core.notation import NotationError, parse_hand
from renege.core.order import Order
from renege.core.position import Position, begin, deal_position
from renege.core.trick import Play
from renege.core.verdict import IllegalPlay

_KEYS = ("dealer", "score", "said", "led", "hand", "kitty", "points", "tricks", "memory")


def parse_position(game: Game, text: str) -> Position:
    """Read a position of a game from one line of text; `NotationError` says what is wrong with it.

    Hands that are not given are hidden; without `leads`, the contract's leader leads.
    """
    told = _Fields(game, text)
    if told.contract is None:
        return told.talk()
    return told.play()


class _Fields:
    """The fields of one line, collected before they are put together."""

    def __init__(self, game: Game, text: str) -> None:
        self.game = game
        self.text = text
        self.contract: Contract | None = None
        self.hands: dict[int, Hand] = {}
        self.words: dict[str, str] = {}
        for field in filter(None, (part.strip() for part in text.split("|"))):
            self._take(field)

    def _take(self, field: str) -> None:
        if seat := re.fullmatch(rf"({self.game.seat_digits}):\s*(.*)", field):
            self._once(seat[1], seat[1] in map(str, self.hands))
            self.hands[int(seat[1])] = parse_hand(self.game.deck, seat[2])
        elif leads := re.fullmatch(rf"({self.game.seat_digits}) leads", field):
            self._once("leads", "leads" in self.words)
            self.words["leads"] = leads[1]
        elif (key := field.split(maxsplit=1)[0]) in _KEYS:
            self._once(key, key in self.words)
            self.words[key] = field[len(key) :].strip()
        else:
            self._once("the contract", self.contract is not None)
            self.contract = self.game.read_contract(self.game.rules, field)

    def _once(self, what: str, again: bool) -> None:
        if again:
            raise NotationError(f"{what} is given twice in {self.text!r}")

    def _numbers(self, key: str, default: tuple[int, ...], length: int | None = None) -> tuple[int, ...]:
        if key not in self.words:
            return default
        if not re.fullmatch(r"-?[0-9]{1,6}( -?[0-9]{1,6})*", self.words[key]):
            raise NotationError(f"{key} should be numbers: {self.words[key]!r}")
        numbers = tuple(map(int, self.words[key].split()))
        if length is not None and len(numbers) != length:
            raise NotationError(f"{key} has {len(numbers)} numbers, not {length}: {self.words[key]!r}")
        return numbers

    def _kitty(self) -> Hand:
        if "kitty" in self.words and not self.game.kitty_size:
            raise NotationError(f"this game has no kitty: {self.text!r}")
        if "kitty" in self.words:
            return parse_hand(self.game.deck, self.words["kitty"])
        return self.game.deck.hidden(self.game.kitty_size)

    def _after(self, position: Position, said: str) -> Talk:
        """The talk after one more call; where several may speak, it says who did: `2: S2`."""
        named = re.fullmatch(rf"\s*({self.game.seat_digits}):(.*)", said)
        seat, call = (int(named[1]), named[2]) if named else (None, said)
        verdict = position.judge_call(call, seat)  # and not carried out: cards that it moved lie where they lie now
        if verdict.legal is False:
            raise IllegalPlay(verdict, position)
        assert position.talk is not None
        talk = position.talk if seat is None else position.talk.by(seat)
        return talk.after(talk.read(call))

    def _standing(self) -> Standing:
        dealer = self._numbers("dealer", (self.game.opening.dealer,), 1)[0]
        if dealer not in self.game.all_seats:
            raise NotationError(f"dealer {dealer} is no seat: they are 0 to {self.game.players - 1}")
        return Standing(dealer, self._numbers("score", self.game.opening.score, len(self.game.opening.score)))

    def talk(self) -> Position:
        self._refuse("led", "leads", "points", "tricks", "memory")
        hands = tuple(self.hands.get(seat, self.game.deck.hidden(self.game.hand_size)) for seat in self.game.all_seats)
        # the hands are those of now, so what was said must not move cards or be judged by them again
        untold: tuple[Hand, ...] = tuple(self.game.deck.hidden(len(hand)) for hand in hands)
        start = deal_position(self.game, self._standing(), untold, self._kitty())
        for call in filter(None, self.words.get("said", "").split(",")):
            start = replace(start, talk=self._after(start, call))
        start = replace(start, hands=hands)
        if "hand" in self.words:
            if start.turn is None:
                raise NotationError(f"nobody is to act, so 'hand' is nobody's: {self.text!r}")
            self._once(f"the hand of seat {start.turn}", start.turn in self.hands)
            hand = parse_hand(self.game.deck, self.words["hand"])
            start = replace(start, hands=replaced(start.hands, start.turn, hand))
        self._check_copies((*start.hands, start.kitty), ())
        dealt = self.game.players * self.game.hand_size + self.game.kitty_size
        if sum(map(len, (*start.hands, start.kitty))) != dealt:
            raise NotationError(f"before the first lead there are {dealt} {self.game.deck.noun}s in all: {self.text!r}")
        assert start.talk is not None
        return start if start.talk.contract is None else start.begun(start.talk.contract)

    def play(self) -> Position:
        self._refuse("said")
        assert self.contract is not None
        leader = int(self.words.get("leads", self.contract.leader))
        if leader not in self.game.seats(self.contract):
            raise NotationError(f"seat {leader} takes no part in this contract, so it cannot lead")
        order, nothing = self.game.order(self.game.rules, self.contract), (0,) * self.game.players
        led = [text for text in self.words.get("led", "").split(",") if text.strip()]
        plays = tuple(self.game.read_play(text.strip(), order) for text in led)
        tricks = self._numbers("tricks", nothing, len(nothing))
        untold = (self.game.deck.hidden(self.game.hand_size),) * self.game.players
        start = begin(self.game, self.contract, untold, leader)
        told = self._told(start, plays, sum(tricks))
        if len(plays) >= len(start.active):
            raise NotationError(
                f"{len(plays)} plays lie on the table, and the trick is over with them: {self.words['led']!r}"
            )
        self._check_copies((*told.values(), self._kitty()), plays)
        self._check_led(start, told, plays)
        position = replace(start, standing=self._standing(), kitty=self._kitty()).resume(
            plays,
            told,
            points=self._numbers("points", nothing, len(nothing)),
            tricks=tricks,
            memory=self.game.read_memory(self.words["memory"]) if "memory" in self.words else None,
        )
        self._check_taken(position, order)
        return position

    def _check_led(self, start: Position, told: dict[int, Hand], plays: tuple[Play, ...]) -> None:
        """A play on the table must be one: what no hand could make legal is refused."""
        assert start.trick is not None
        for i, play in enumerate(plays):
            hands = dict(told)
            for seat, later in zip(start.trick.seats[i:], plays[i:], strict=False):  # what lies there since was held
                if isinstance(held := told.get(seat), Cards):
                    hands[seat] = held + later.cards
            before = start.resume(plays[:i], hands)
            if no := self.game.objection(before.turn_to_play(play.cards), play):
                raise NotationError(f"{before.spell(play)!r} is no play on the table: {no.why}")

    def _check_taken(self, position: Position, order: Order) -> None:
        points, tricks, size = position.points, position.tricks, self.game.hand_size
        most = order.worth(order.deck.all) + order.trick_points * size
        counted = min((*points, *tricks)) >= 0 and sum(points) <= most and sum(tricks) <= size
        earned = all(taken or not worth for worth, taken in zip(points, tricks, strict=True))
        if not (counted and earned and max(map(len, position.hands)) <= size):
            raise NotationError(f"such hands, points and tricks are in no deal: {self.text!r}")

    def _refuse(self, *keys: str) -> None:
        for key in keys:
            if key in self.words:
                raise NotationError(f"{key!r} does not belong here: {self.text!r}")

    def _told(self, start: Position, plays: tuple[Play, ...], done: int) -> dict[int, Hand]:
        """The hands that are told, which must have been of one size before the trick."""
        assert start.trick is not None
        seats, size, noun = start.trick.seats, self.game.hand_size, self.game.deck.noun
        hands = dict(self.hands)
        if "hand" in self.words and len(plays) < len(seats):
            mover = seats[len(plays)]
            self._once(f"the hand of seat {mover}", mover in hands)
            hands[mover] = parse_hand(self.game.deck, self.words["hand"])
        laid = len(plays[0].cards) if plays else 0
        before = {seat: len(hands[seat]) + laid * (seat in seats[: len(plays)]) for seat in seats if seat in hands}
        if len(set(before.values())) > 1:
            counts = ", ".join(f"seat {seat} had {count}" for seat, count in sorted(before.items()))
            raise NotationError(f"the hands were not of one size before this trick: {counts}")
        full = next(iter(before.values()), size - done)
        if plays and full < laid:
            led = f"{laid} {noun}{'s' if laid > 1 else ''}"
            raise NotationError(f"a hand that had {full} before this trick cannot answer {led}: {self.text!r}")
        for seat in self.game.all_seats:
            if seat not in seats and len(hands.get(seat, ())) not in (0, size):
                raise NotationError(f"seat {seat} takes no part and has all its {noun}s: {hands[seat]}")
        return hands

    def _check_copies(self, piles: tuple[Hand, ...], plays: tuple[Play, ...]) -> None:
        pile = self.game.deck.none
        try:
            for cards in (*piles, *(play.cards for play in plays)):
                pile = pile + cards if isinstance(cards, Cards) else pile
        except ValueError as twice:
            raise NotationError(f"{twice}: {self.text!r}") from None
