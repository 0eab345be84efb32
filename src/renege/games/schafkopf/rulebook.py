"""Honest rules of thumb for Schafkopf: what a player of some experience calls and plays without working it out.

What it says is always legal, the same for the same view, and found at once. The calls are in `calling`; here are the
leads, the follows, and the Stoss, each by what the seat knows of the sides.
"""

from functools import cached_property

from renege.core.cards import Card, kinds_in
from renege.core.game import SEATS
from renege.core.position import View
from renege.core.trick import Play
from renege.games.schafkopf.calling import advise, chance, count
from renege.games.schafkopf.contract import Bargain
from renege.games.schafkopf.declare import Bidding
from renege.games.schafkopf.memory import Team, partners, team
from renege.games.schafkopf.order import TRUMP
from renege.games.schafkopf.stakes import WORDS
from renege.games.strategy import Advice

FRIEND = 0.6  # from this chance on a seat is trusted with points
WORTH_A_TRUMP = 4  # points on the table
# a Stoss against a game with many trumps, against one with four; the chance with which a declarer answers one
STOSS_MANY, STOSS_FOUR, ANSWER_FROM = 8, 7, 0.95
MOST_RAISED = 4  # where the table has no limit, it has one


def rulebook(view: View) -> Advice:
    position = view.position
    if position.talking:
        assert isinstance(position.talk, Bidding)
        return advise(position.talk, view.hand)
    return _Player(view).play()


def interject(view: View) -> Advice | None:
    """A Stoss, with a very strong hand only; else nothing."""
    position = view.position
    if position.contract is None or view.seat not in position.speakers or WORDS[0] not in view.legal_calls:
        return None
    contract, rules, hand = position.contract, view.game.rules, view.hand.kinds
    assert isinstance(contract, Bargain)
    if len(contract.raised) >= MOST_RAISED:
        return None
    named, leads = contract.named, contract.leader == view.seat
    if team(position, view.seat) is Team.DECLARERS:
        declared = view.seat == contract.declarer and named.kind != "hochzeit"
        good = chance(contract.declaration, rules, hand, leads=leads, need=contract.need)
        sure = declared and good >= ANSWER_FROM
        return Advice(WORDS[0], "the game is as good as won") if sure else None
    if named.kind in ("bettel", "sie"):
        return None
    held = count(contract.declaration, rules.deck, hand)
    if named.tout:
        return Advice(WORDS[0], "the highest trump takes a trick") if held.best else None
    if named.kind in ("wenz", "geier"):
        return Advice(WORDS[0], "trumps and aces") if 2 * held.trumps + held.aces >= STOSS_FOUR else None
    strong = held.trumps + held.tops + held.aces >= STOSS_MANY
    return Advice(WORDS[0], "trumps, and high ones") if strong else None


class _Player:
    """Leads and follows."""

    def __init__(self, view: View) -> None:
        position = view.position
        assert position.order is not None and position.trick is not None and isinstance(position.contract, Bargain)
        self.position, self.order, self.trick = position, position.order, position.trick
        self.contract, self.named = position.contract, position.contract.named
        self.seat, self.hand = view.seat, view.hand.kinds
        self.laid = [card for act in view.acts if isinstance(act.what, Play) for card in act.what.cards]
        on_table = sum(1 << card for play in self.trick.plays for card in play.cards)
        known = sum(1 << self.order.deck.spellings[name] for names in position.memory.trumps for name in names)
        self.unseen = self.order.deck.kinds & ~self.hand & ~on_table & ~known & ~sum(1 << card for card in self.laid)
        self.cards = [next(iter(play.cards)) for play in view.legal_plays]
        self.trumps = self.order.follow[TRUMP]
        self.view = view

    def play(self) -> Advice:
        if self.named.kind == "ramsch" or (self.named.kind == "bettel" and self.seat == self.contract.declarer):
            card, why = self._lead_low() if self.trick.lead is None else self._duck()
        elif self.named.kind == "bettel":
            card, why = self._lead_low() if self.trick.lead is None else self._under_the_declarer()
        elif self.trick.lead is not None:
            card, why = self._follow()
        elif team(self.position, self.seat) is Team.DECLARERS:
            card, why = self._lead_for_the_game()
        else:
            card, why = self._lead_against_it()
        return Advice(Play(self.order.deck.of(1 << card)), "the only play" if len(self.cards) == 1 else why)

    # -- what the seat knows

    @cached_property
    def friends(self) -> tuple[float, ...]:
        """How likely each seat is on our side, for all that this one knows."""
        could, ours = partners(self.position), team(self.position, self.seat) is Team.DECLARERS
        with_declarer = [1 / len(could) if seat in could else float(seat == self.contract.declarer) for seat in SEATS]
        return tuple(chance if ours else 1 - chance for chance in with_declarer)

    @cached_property
    def voids(self) -> tuple[int, ...]:
        """The suits of which each seat has shown that it has none, as a mask; from the tricks that lie."""
        masks, led = [0] * len(SEATS), TRUMP
        plays = [act for act in self.view.acts if isinstance(act.what, Play)]
        for i, (act, card) in enumerate(zip(plays, self.laid, strict=True)):
            suit = self.order.led_suit[card]
            led = suit if i % len(SEATS) == 0 else led
            masks[act.seat] |= (suit != led) << led
        return tuple(masks)

    def _heights(self, card: Card) -> int:
        return self.order.strength[self.order.led_suit[card]][card]

    def _highest(self, card: Card) -> bool:
        """Is none of its suit that is still out above it?"""
        suit = self.order.led_suit[card]
        strength = self.order.strength[suit]
        return all(strength[other] < strength[card] for other in kinds_in(self.unseen & self.order.follow[suit]))

    def _keep(self, card: Card) -> tuple[float, int]:
        """Give away first what has no points and is no trump, rather the last of its suit."""
        suit = self.order.led_suit[card]
        alone = (self.hand & self.order.follow[suit]).bit_count() == 1
        height = self._heights(card)
        trump = 3 + height / 4 if suit == TRUMP else 0
        return self.order.points[card] + trump - (0.5 if alone and suit != TRUMP else 0), height

    # -- leads

    def _lead_for_the_game(self) -> tuple[Card, str]:
        """Trumps from the top while others have some, then plain cards that nothing of their suit beats."""
        mine = [card for card in self.cards if self.trumps >> card & 1]
        top = max(mine, key=self._heights, default=None)
        out = (self.unseen & self.trumps).bit_count()
        foes = [seat for seat in SEATS if seat != self.seat and self.friends[seat] < FRIEND]
        armed = out and any(not self.voids[seat] & 1 << TRUMP for seat in foes)
        if top is not None and armed and self._highest(top):
            return top, "trumps from the top"
        if top is not None and armed and self.seat != self.contract.declarer:
            return top, "a trump for the declarer"
        if top is not None and armed and len(mine) > 2 and 3 * len(mine) > out:
            return min(mine, key=lambda card: (self.order.points[card] > 3, -self._heights(card))), "to pull trumps"
        plain = [card for card in self.cards if card not in mine]
        sure = [card for card in plain if self._highest(card)]
        if sure:
            return max(sure, key=lambda card: (self.order.points[card], card)), "none of its suit beats it"
        called = [card for card in plain if self._is_called(card)]
        if called and self.position.memory.ace is None:
            return min(called, key=self._keep), "the partner has the ace"
        return min(plain or self.cards, key=self._keep), "the cheapest lead"

    def _lead_against_it(self) -> tuple[Card, str]:
        """Search the called ace; else aces, then low plain cards; trumps are for the others to lead."""
        plain = [card for card in self.cards if not self.trumps >> card & 1]
        called = [card for card in plain if self._is_called(card)]
        if called and self.position.memory.ace is None and self.position.memory.ran is None:
            return min(called, key=self._keep), "a search for the called ace"
        fresh = [
            card for card in plain
            if self._highest(card) and (self.unseen & self.order.follow[self.order.led_suit[card]]).bit_count() >= 3
        ]  # fmt: skip
        longest = sorted(plain, key=lambda card: (-self._length(card), card))
        if fresh:
            return max(
                reversed(longest), key=lambda card: (card in fresh, self.order.points[card])
            ), "a high plain card"
        if plain:
            return min(longest, key=lambda card: self.order.points[card]), "a plain suit"
        return min(self.cards, key=self._keep), "the cheapest trump"

    def _is_called(self, card: Card) -> bool:
        return self.named.kind == "rufspiel" and self.order.suits[self.order.led_suit[card]] == self.named.suit

    def _length(self, card: Card) -> int:
        return (self.hand & self.order.follow[self.order.led_suit[card]]).bit_count()

    def _lead_low(self) -> tuple[Card, str]:
        return min(self.cards, key=lambda card: (self._heights(card), self._length(card), card)), "the lowest"

    # -- follows

    @cached_property
    def led(self) -> int:
        lead = self.trick.plays[0].cards.single()
        assert lead is not None
        return self.order.led_suit[lead]

    @cached_property
    def ahead(self) -> Card:
        """The card that is winning."""
        card = self.trick.plays[self.trick.best].cards.single()
        assert card is not None
        return card

    @cached_property
    def on_table(self) -> int:
        return self.order.worth(self.trick.cards)

    def _holds(self, card: Card) -> bool:
        """Will this card keep the trick from those of the others who are still to play, as far as one sees?"""
        foes = [s for s in self.trick.seats[len(self.trick.plays) + 1 :] if self.friends[s] < FRIEND]
        if not foes:
            return True
        strength = self.order.strength[self.led]
        higher = [other for other in kinds_in(self.unseen) if strength[other] > strength[card]]
        if any(self.order.led_suit[other] == self.led for other in higher):
            return all(self.voids[seat] >> self.led & 1 for seat in foes) and not self._ruffs(foes)
        return not higher or not self._ruffs(foes)

    def _ruffs(self, foes: list[int]) -> bool:
        """May one of them have to follow no longer, and trump?"""
        out = (self.unseen & self.order.follow[self.led]).bit_count()
        if self.led == TRUMP or not self.unseen & self.trumps:
            return False
        voids = [self.voids[seat] for seat in foes]
        return out < 2 * len(foes) or any(void >> self.led & 1 and not void >> TRUMP & 1 for void in voids)

    def _follow(self) -> tuple[Card, str]:
        """Points for a partner who takes the trick, else take it if that is worth it, else play low."""
        strength = self.order.strength[self.led]
        if self.friends[self.trick.winner] >= FRIEND and self._holds(self.ahead):
            return max(self.cards, key=self._smear), "points for the partner"
        wins = [card for card in self.cards if strength[card] > strength[self.ahead]]
        good = [card for card in wins if self._holds(card)]
        if good and self.friends[self.trick.winner] < FRIEND and (taken := self._take(good)) is not None:
            return taken, "it takes the trick"
        cheap = [card for card in wins if self.trumps >> card & 1 and self.order.points[card] < 10]
        if cheap and self.led != TRUMP and not good and self.on_table >= 2 * WORTH_A_TRUMP:
            return max(cheap, key=self._heights), "a high trump for the points"
        return min(self.cards, key=self._keep), "the cheapest card"

    def _take(self, good: list[Card]) -> Card | None:
        """The card to take a trick with: plain rather than trump, with points, and an Ober or Unter for points only."""
        plain = [card for card in good if not self.trumps >> card & 1]
        if plain:
            return max(plain, key=lambda card: (self.order.points[card], -self._heights(card)))
        low = [card for card in good if self.order.deck.names[card][1] not in "OU"]
        if low:
            return max(low, key=lambda card: (self.order.points[card], -self._heights(card)))
        card = min(good, key=self._heights)
        left = len(SEATS) - 1 - len(self.trick.plays)
        return card if self.on_table + 2 * left >= WORTH_A_TRUMP or self.named.every_trick else None

    def _smear(self, card: Card) -> tuple[float, int]:
        """Tens first, since an ace may take its own trick; Ober and Unter are for later."""
        high = self.trumps >> card & 1 and self.order.deck.names[card][1] in "OU"
        return self.order.points[card] + 1.5 * (self.order.points[card] == 10) - 20 * high, -self._heights(card)

    def _duck(self) -> tuple[Card, str]:
        """As high as goes without taking the trick; what has most points where the suit is out."""
        strength = self.order.strength[self.led]
        if all(self.order.led_suit[card] != self.led and not self.trumps >> card & 1 for card in self.cards):
            return max(self.cards, key=lambda card: (self.order.points[card], self._heights(card))), "rid of points"
        under = [card for card in self.cards if strength[card] < strength[self.ahead]]
        if under:
            following = self.order.led_suit[under[0]] == self.led
            by_points = max(under, key=lambda card: (self.order.points[card], self._heights(card)))
            return (max(under, key=self._heights), "just under") if following else (by_points, "rid of points")
        if len(self.trick.plays) == len(SEATS) - 1:
            return max(self.cards, key=lambda card: (-self.order.points[card], self._heights(card))), "taken anyway"
        return min(self.cards, key=self._heights), "the lowest"

    def _under_the_declarer(self) -> tuple[Card, str]:
        """Leave the trick to the declarer of a Bettel, and high cards go where it is not his."""
        strength, declarer = self.order.strength[self.led], self.contract.declarer
        played = declarer in self.trick.seats[: len(self.trick.plays)]
        if played and self.trick.winner == declarer:
            under = [card for card in self.cards if strength[card] < strength[self.ahead]]
            return max(under or self.cards, key=self._heights), "the trick is the declarer's"
        if played:
            return max(self.cards, key=self._heights), "rid of a high card"
        return min(self.cards, key=self._heights), "room under the declarer is left"
