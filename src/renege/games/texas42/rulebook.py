"""Rules of thumb for Texas 42: a player who counts tricks, pulls trumps and throws count to the partner.

It sees a `View` and nothing else, looks one trick ahead and remembers what has been played. The weights were set
by playing it against itself; the searcher is the strong player, this one is quick and easy to follow.
"""

from renege.core.cards import Card, kinds_in
from renege.core.message import say
from renege.core.order import Order
from renege.core.position import View
from renege.core.trick import Play
from renege.games.strategy import Advice
from renege.games.texas42.contract import (
    LEADS,
    Hand42,
    Kind,
    format_declaration,
    parse_declaration,
    partner,
    table_doubles,
)
from renege.games.texas42.order import (
    ALL_DOUBLES,
    CALLED,
    DECK,
    IS_DOUBLE,
    TRUMPS,
    doubles_policy,
    order,
    order_of,
    pips,
)
from renege.games.texas42.rules import Doubles, Nello, Rules, Sevens

ALL = DECK.kinds
# the most losers with which a hand is worth a bid of so much; 42 is one mark
WORTH = ((43, 0.6), (42, 1.2), (36, 1.6), (32, 2.0), (31, 2.6), (30, 3.4))
USUAL = (*TRUMPS, "follow-me")  # what a hand may be bid for in points
# what a trump costs for each that is out above it; trumps that a hand wants; what it loses where there are none
HIGHER_LOSES, ENOUGH_TRUMPS, BARE_LOSERS = 0.67, 3, 0.5
# the most danger for nello, the most pips away from seven for sevens; the fewest doubles for a plunge
SAFE_NELLO, SAFE_SEVENS, SAFE_PLUNGE = 3, 9, 6


def rulebook(view: View) -> Advice:
    if view.position.talking:
        return _Caller(view).call()
    return _Player(view).play()


def by_cost(view: View, *, trumps_alone: bool = False) -> list[str]:
    """What this seat may declare, or could if it had the bid: the likeliest to be made first."""
    caller = _Caller(view)
    if trumps_alone:
        plain = [format_declaration(name, doubles_policy(name)) for name in USUAL]
        return sorted(plain, key=lambda call: caller.losers(parse_declaration(call)[0]))
    return sorted(caller.named(view.legal_calls), key=caller.cost)


def is_special(view: View) -> bool:
    """Is this a hand to bid for nello, sevens, a plunge or a splash?"""
    call = rulebook(view).what
    return call in ("plunge", "splash") or (call == "1 mark" and _Caller(view).without_trumps)


def losers(order: Order, hand: int, unseen: int, *, trumps: bool) -> float:
    """About how many tricks a hand loses if it leads its best tiles first; a partner holds a third of what is out."""
    called = hand & order.follow[CALLED] if trumps else 0
    lost = max(0, ENOUGH_TRUMPS - called.bit_count()) if trumps else BARE_LOSERS
    for i, card in enumerate(sorted(kinds_in(called), key=lambda card: -order.strength[CALLED][card])):
        lost += min(1.0, HIGHER_LOSES * higher(order, card, unseen).bit_count() / (i + 1))
    for card in kinds_in(hand & ~called):
        above = higher(order, card, unseen & order.follow[order.led_suit[card]])
        lost += 1 - 3.0 ** -above.bit_count() + order.points[card] / 40 * bool(above)
    return lost


def limit_of(fewest: float) -> int:
    """The highest bid that is made with so many losers; 0 for none. 42 is one mark."""
    return next((bid for bid, most in WORTH if fewest <= most), 0)


def danger(order: Order, hand: int, card: Card) -> float:
    """How easily a tile is made to take a trick in nello: the leads below it, fewer if lower tiles can go first."""
    below = 0.0
    for suit, strength in enumerate(order.strength):
        if order.follow[suit] >> card & 1:
            leads = [t for t in kinds_in(ALL & ~hand) if order.led_suit[t] == suit and strength[t] < strength[card]]
            cover = sum(strength[t] < strength[card] for t in kinds_in(hand & order.follow[suit]))
            below += len(leads) / (1 + cover)
    return below


def higher(order: Order, card: Card, among: int) -> int:
    """The tiles among these that would beat a lead of this card."""
    strength = order.strength[order.led_suit[card]]
    return sum(1 << other for other in kinds_in(among) if strength[other] > strength[card])


class _Caller:
    """Bids, and names trumps."""

    def __init__(self, view: View) -> None:
        self.view, self.hand = view, view.hand.kinds
        self.rules: Rules = view.game.rules

    def call(self) -> Advice:
        calls, said = self.view.legal_calls, len(self.view.acts)
        if said < 4:
            return self._bid(calls)
        if said == 4:
            return Advice(min(self.named(calls), key=self.cost), "fewest losers")
        nello = order(*parse_declaration(str(self.view.acts[4].what)))
        gifts = sorted(calls, key=lambda call: danger(nello, self.hand, DECK.spellings[call.removeprefix("give ")]))
        return Advice(gifts[-1], "the most dangerous tile") if said == 5 else Advice(gifts[0], "the safest tile")

    def named(self, calls: tuple[str, ...]) -> list[str]:
        """The calls that name what is played: who names trumps may then lead any tile, so no more is had unsaid."""
        return [call for call in calls if not call.startswith(LEADS)]

    def _bid(self, calls: tuple[str, ...]) -> Advice:
        raised = [act.seat for act in self.view.acts if act.what != "pass"]
        if "pass" in calls and raised and raised[-1] == partner(self.view.seat):
            return Advice("pass", "the partner has the bid")
        if "plunge" in calls and (self.hand & ALL_DOUBLES).bit_count() >= SAFE_PLUNGE:
            return Advice("plunge", say("{n} doubles or more", SAFE_PLUNGE))
        if "1 mark" in calls and self.without_trumps:
            return Advice("1 mark", "a hand for nello or sevens")
        heights = {call: 41 + int(call[0]) if "mark" in call else int(call) for call in calls if call[0].isdigit()}
        best = min(self.losers(name) for name in USUAL)
        limit = limit_of(best)
        fair = [call for call, height in heights.items() if height <= limit]
        why = say("about {n} losers", f"{best:.1f}")
        if not fair:
            return Advice(calls[0], why)  # pass, or the least that a forced shaker may bid
        return Advice(fair[0] if len(self.view.acts) == 3 else fair[-1], why)

    @property
    def without_trumps(self) -> bool:
        return self._nello() or self._sevens()

    def losers(self, declaration: str) -> float:
        doubles = self.rules.doubles_trump
        return losers(order(declaration, None, doubles), self.hand, ALL & ~self.hand, trumps=declaration in TRUMPS)

    def _nello(self) -> bool:
        at_one_mark = self.rules.nello is Nello.ONE_MARK and table_doubles(self.rules, "nello") in (None, Doubles.OWN)
        return at_one_mark and self._danger(Doubles.OWN) <= SAFE_NELLO

    def _danger(self, doubles: Doubles) -> float:
        return sum(danger(order("nello", doubles), self.hand, card) for card in kinds_in(self.hand))

    def _sevens(self) -> bool:
        far = [abs(sum(pips(card)) - 7) for card in kinds_in(self.hand)]
        allowed = {Sevens.ON: True, Sevens.NEEDS_SEVEN: 0 in far}.get(self.rules.sevens, False)
        return allowed and sum(far) <= SAFE_SEVENS

    def cost(self, declaration: str) -> float:
        """How much we would rather not declare this."""
        name, doubles = parse_declaration(declaration)
        if name == "sevens":
            return -1 if self._sevens() else 99
        if name == "nello":
            return self._danger(doubles) - SAFE_NELLO + (-1 if doubles is Doubles.OWN and self._nello() else 50)
        table = order_of(self.rules, name, doubles)
        bidder = [act.seat for act in self.view.acts[:4] if act.what != "pass"][-1]
        friendly = ALL_DOUBLES if bidder != self.view.seat else 0  # a partner who plunged has doubles
        return losers(table, self.hand, ALL & ~self.hand & ~friendly, trumps=name in TRUMPS)


class _Player:
    """Leads and follows."""

    def __init__(self, view: View) -> None:
        position = view.position
        assert position.order is not None and position.trick is not None and isinstance(position.contract, Hand42)
        self.order, self.trick, self.contract = position.order, position.trick, position.contract
        self.seat, self.hand = view.seat, view.hand.kinds
        gone = sum(act.what.cards.kinds for act in view.acts if isinstance(act.what, Play))
        self.unseen = ALL & ~self.hand & ~gone
        plunged = self.contract.kind in (Kind.PLUNGE, Kind.SPLASH) and self.contract.declarer == partner(self.seat)
        self.threats = self.unseen & ~(ALL_DOUBLES if plunged else 0)  # a partner who plunged has doubles
        self.cards = [next(iter(play.cards)) for play in view.legal_plays if play.suit is None]
        self.trumps = self.order.follow[CALLED] if self.contract.declaration in TRUMPS else 0

    def play(self) -> Advice:
        nello = self.contract.kind is Kind.NELLO
        if self.trick.lead is None:
            card, why = (min(self.cards, key=self._height), "the lowest") if nello else self._lead()
        else:
            card, why = self._follow_nello() if nello else self._follow()
        return Advice(Play(DECK.of(1 << card)), "the only play" if len(self.cards) == 1 else why)

    def keep(self, card: Card) -> tuple[int, int, int]:
        """Throw away first what is no trump, no count, no double and low."""
        return self.trumps >> card & 1, self.order.points[card] + 4 * IS_DOUBLE[card], self._height(card)

    def _height(self, card: Card) -> int:
        return self.order.strength[self.order.led_suit[card]][card]

    def _lead(self) -> tuple[Card, str]:
        """Trumps from the top while others have some, then tiles that nothing of their suit beats, then a low one."""
        ours = self.seat % 2 == self.contract.declarer % 2
        mine = [card for card in self.cards if self.trumps >> card & 1]
        top = max(mine, key=lambda card: self.order.strength[CALLED][card], default=None)
        if top is not None and ours and self.unseen & self.trumps and not higher(self.order, top, self.threats):
            return top, "pull trumps"
        others = [card for card in self.cards if card not in mine]
        best = [card for card in others if not higher(self.order, card, self.threats & ~self.trumps)]
        if best:
            return max(best, key=lambda card: (IS_DOUBLE[card], self.order.points[card])), "none of its suit beats it"
        if top is not None and ours and len(mine) > (self.unseen & self.trumps).bit_count():
            return top, "more trumps than are out"
        return min(self.cards, key=self.keep), "the cheapest lead"

    def _follow(self) -> tuple[Card, str]:
        """Take the trick if that holds, throw count to the partner, else play low."""
        led, ahead = self._led()
        strength = self.order.strength[led]
        last = len(self.trick.plays) == len(self.trick.seats) - 1
        out = self.threats & self.order.follow[led] or self.threats  # while the suit is out, it is followed
        threat = 0 if last else max((strength[card] for card in kinds_in(out)), default=0)
        if self.trick.winner == partner(self.seat) and strength[ahead] >= threat:
            most = max(self.cards, key=lambda card: (self.order.points[card], [-k for k in self.keep(card)]))
            return most, "the partner takes this trick"
        wins = [card for card in self.cards if strength[card] > strength[ahead]]
        holds = [card for card in wins if strength[card] >= threat]
        if holds and self.trick.winner != partner(self.seat):
            return max(holds, key=lambda card: (self.order.points[card], -strength[card])), "it takes the trick"
        return min(self.cards, key=self.keep), "the cheapest tile"

    def _led(self) -> tuple[int, Card]:
        """The suit that was led, and the tile that is winning."""
        lead, ahead = self.trick.plays[0], self.trick.plays[self.trick.best].cards.single()
        assert ahead is not None
        suit = self.order.suit_of(lead.cards) if lead.suit is None else lead.suit
        assert suit is not None
        return suit, ahead

    def _follow_nello(self) -> tuple[Card, str]:
        """The declarer goes just under the winner; the others under the declarer, or rid of high tiles."""
        led, ahead = self._led()
        strength = self.order.strength[led]
        under = [card for card in self.cards if strength[card] < strength[ahead]]
        if self.seat == self.contract.declarer or self.trick.winner == self.contract.declarer:
            if not under:
                return min(self.cards, key=lambda card: strength[card]), "the lowest"
            return max(under, key=lambda card: (strength[card], danger(self.order, self.hand, card))), "just under"
        played = self.contract.declarer in self.trick.seats[: len(self.trick.plays)]
        card = (max if played else min)(self.cards, key=lambda card: (strength[card], self.keep(card)))
        return card, "rid of a high tile" if played else "room under the declarer is left"
