"""Protocols of the program NetSchafkopf, read as records of ours and checked against what they say themselves.

A protocol is text: the name of the rules, `gespielt von NAME am ...`, and then the deals. A deal is

    Geber: NAME                          the dealer
    NAME hat: EA SO GA E7 GU GK GO E9    four hands, of six cards in the short pack
    NAME spielt Mit der Schellen-Ass     the game, or `Es wurde Ramsch gespielt.`
    NAME spielt aus: EA H8 E8 EK         eight or six tricks, the cards from this leader on
    NAME verliert das Rufspiel: ...      a paragraph about the result and one about the price; a line that ends in
    Das Rufspiel kostet 2 Punkte. ...    a space goes on in the next one
    Spiel  Preis  NAME NAME NAME NAME  Stock
        1      2    +2   -2   +2   -2      0

and an empty line. The seats are numbered as the columns stand; names go no further than this module. "Du" is who the
protocol was played by. Grün is Gras, and a Wenz or Geier with a suit is our farbwenz or farbgeier.

The tariff is read from the price paragraphs, but for house rules that the reader is told: from how many on runners
count is not in a protocol. The talk is not told, so the records have the shortest one that leads to
the game; nor is it told who doubled ("aufgedoppelt") or raised ("gespritzt"), only how often.

A deal with a `Spielart` of its own (Schieber, where cards are passed on), one that was thrown in, and one that is
played for a stock are unsupported: they have a reason in place of a record. What fits none of this is refused with its
line.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import mode

from renege.core.cards import Cards
from renege.core.game import SEATS, Standing
from renege.core.house_rules import read_rules
from renege.core.message import say
from renege.core.notation import NotationError, on_line, parse_card
from renege.games import schafkopf
from renege.games.formats import NO_CHOICES, Reading
from renege.games.schafkopf.declare import from_forehand
from renege.games.schafkopf.order import parse_declaration
from renege.games.schafkopf.readers import RecordWriter, compare, quote, read_hand
from renege.games.schafkopf.rules import PRESETS, Doubling, PackSize, Rules

SUITS = {"Eichel": "E", "Grün": "G", "Gras": "G", "Herz": "H", "Schellen": "S"}
SUIT = "|".join(SUITS)
CALLED = re.compile(rf"Mit der ({SUIT})-Ass?")
ALONE = re.compile(rf"(?:({SUIT})-)?(Solo|Wenz|Geier)( Tout)?")
RAMSCH = "Es wurde Ramsch gespielt."
THROWN_IN = "Es wurde zusammengeworfen."
COLUMNS = re.compile(r"Spiel\s+Preis\s+(.+?)\s+Stock\s*")
ROW = re.compile(r"\s*(\d+)\s+(\d+)" + r"\s+([+-]?\d+)" * len(SEATS) + r"\s+([+-]?\d+)\s*")
WHO = r"Du|dir|seat [0-3]"
ENDED = re.compile(rf"({WHO}) (gewinn|verlier)s?t (?:das|den) (.+?)(?:\. Die Gegner haben (\d+) Augen)?")
WITH = re.compile(rf"Rufspiel: (.+) mit ({WHO})")
LOST_RAMSCH = re.compile(rf"({WHO}) verliers?t den Ramsch(?:\. (?:{WHO}) has?t (\d+) Augen(.*))?")
VIRGIN = re.compile(rf"({WHO}) b?ist Jungfrau")
TIE = ". Bei Augengleichheit verliert, wer den höheren Ober hatte"
PRICE = re.compile(r"(?:Das|Der) (Rufspiel|Einzelspiel|Ramsch) kostet (\d+) Punkte?\.(.*)")
STEP = re.compile(r" (\D+?|\d+ mal \w+|\D+ \d+ \D+) (\d+) Punkte?\.")
PRICE_OF = {"Rufspiel": "base", "Einzelspiel": "solo", "Ramsch": "ramsch"}  # and the house rule with that price
SCHNEIDER, SCHWARZ, TOUT = "Mit Schneider", "Mit Schwarz", "Doppelt für Tout"
EXTRAS = {SCHNEIDER: "schneider", SCHWARZ: "schwarz"}
SHORT_HAND = 6
RUNNERS = re.compile(r"(?:Mit|Ohne) (\d+) Laufenden?")
DOUBLED, RAISED = re.compile(r"(\d+) mal aufgedoppelt"), re.compile(r"(\d+) mal gespritzt")
VIRGINS = re.compile(r"Mit (\d+) mal Jungfrau")


@dataclass(frozen=True, slots=True)
class _Price:
    """A price paragraph: the price of the kind of game, and each step with the price it leads to."""

    kind: str
    base: int
    steps: tuple[tuple[str, int], ...]

    def times(self, step: re.Pattern[str]) -> int:
        """The number in a step, 0 where there is none."""
        return next((int(found[1]) for words, _ in self.steps if (found := step.fullmatch(words))), 0)

    def has(self, step: str) -> bool:
        return any(words == step for words, _ in self.steps)

    def extras(self) -> dict[str, int]:
        """What Schneider, Schwarz and one runner add, by house rule, where a step tells."""
        before, found = self.base, dict[str, int]()
        for words, price in self.steps:
            if (step := _extra(words)) is not None:
                found[step[0]] = (price - before) // step[1]
            before = price
        return found


@dataclass(frozen=True, slots=True)
class _Trick:
    line: int
    leader: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Deal:
    """One deal as the protocol has it, seats for names."""

    line: int
    dealer: int
    number: int
    row_price: int
    totals: tuple[int, ...]  # of the seats, and the stock
    unsupported: str = ""
    hands: tuple[Cards, ...] = ()
    declaration: str = ""
    declarer: int | None = None
    tricks: tuple[_Trick, ...] = ()
    stated: tuple[tuple[str, object], ...] = ()
    price: _Price | None = None


def read(text: str, choices: Mapping[str, str] = NO_CHOICES) -> list[Reading]:
    """Every deal of a protocol; `choices` are house rules that it does not tell, by name."""
    protocol = _Protocol([line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")])
    deals = protocol.deals()
    rules = read_rules(_tariff(deals, protocol.game.rules), dict(choices))
    if rules.deck is not protocol.game.rules.deck:
        why = say("deck is {name} in the rules, and a hand has {n} cards", rules.deck.value, protocol.game.hand_size)
        raise NotationError(why)
    readings: list[Reading] = []
    standing = Standing(deals[0].dealer, (0,) * (len(SEATS) + 1))
    for number, deal in enumerate(deals, start=1):
        readings.append(_replay(number, deal, rules, standing))
        standing = Standing((deal.dealer + 1) % len(SEATS), deal.totals)
    return readings


# -- from lines to deals


class _Protocol:
    """The lines of a protocol, read from the first to the last."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.game = schafkopf.game(Rules(deck=self._pack()))  # the tariff is not known yet
        self.names = self._table()
        by = re.fullmatch(r"gespielt von (.+) am .*", lines[1]) if len(lines) > 1 else None
        if by is None or by[1] not in self.names:
            raise on_line(2, "a protocol says here 'gespielt von', somebody of the table, 'am', and the day")
        self.player = self.names.index(by[1])  # the seat of "Du"
        self.at = 2  # the number of the line that was read last

    def deals(self) -> list[_Deal]:
        found: list[_Deal] = []
        while self.at < len(self.lines):
            if self.lines[self.at].strip():
                found.append(self._deal())
            else:
                self.at += 1
        if not found:
            raise on_line(len(self.lines), "the protocol ends without a deal")
        return found

    def _pack(self) -> PackSize:
        """The pack, by the first hand; if there is none, that is for the deals to say."""
        hands = (re.fullmatch(r".* hat: (.*)", line) for line in self.lines)
        sizes = [len(hand[1].split()) for hand in hands if hand]
        return PackSize.SHORT if sizes[:1] == [SHORT_HAND] else PackSize.LONG

    def _table(self) -> list[str]:
        """The names of the four seats, from the first line with columns."""
        for number, line in enumerate(self.lines, start=1):
            if columns := COLUMNS.fullmatch(line):
                names = re.split(r"\s{2,}", columns[1])
                if len(names) != len(SEATS) or len(set(names)) != len(SEATS):
                    raise on_line(number, "the columns of a protocol have four names, each another")
                return names
        raise NotationError("no line 'Spiel Preis ... Stock' says who sits at the table, so this is no protocol")

    # -- lines

    def _next(self) -> str:
        return self._without_names(self.lines[self.at]) if self.at < len(self.lines) else ""

    def _take(self, what: str) -> str:
        return self._without_names(self._take_raw(what))

    def _take_raw(self, what: str) -> str:
        if self.at >= len(self.lines):
            raise on_line(len(self.lines), say("the text ends where {thing} should stand", what))
        self.at += 1
        return self.lines[self.at - 1]

    def _without_names(self, line: str) -> str:
        for seat, name in enumerate(self.names):
            line = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", f"seat {seat}", line)
        return line

    def _error(self, why: str, line: int | None = None) -> NotationError:
        """An error at a line, with its text; who is named there and not at the table stays unnamed."""
        number = line or self.at
        text = self._without_names(self.lines[number - 1]).strip()
        text = re.sub(r"^(?!seat [0-3] |Es wurde|Spiel )(.*?)(?= (?:hat|spielt|gewinnt|verliert)\b)", "...", text)
        text = re.sub(r"(?<=^Geber: )(?!seat [0-3]$).*", "...", text)
        return on_line(number, say("{a}: {quoted}", why, quote(text, self.names)))

    def _who(self, words: str) -> int:
        return int(words[-1]) if words.startswith("seat ") else self.player

    # -- one deal

    def _deal(self) -> _Deal:
        dealer = re.fullmatch(r"Geber: seat ([0-3])", self._take("a deal").rstrip())
        if dealer is None:
            raise self._error("a deal starts with 'Geber: ' and one of the four at the table")
        deal = _Deal(self.at, int(dealer[1]), 0, 0, ())
        if self._next().startswith("Spielart: "):
            kind = self._take("").removeprefix("Spielart: ").strip()
            why = "Schieber: cards are passed on before the play"
            why = why if kind == "Schieber" else say("Spielart {rest}", kind)
            return self._with_row(replace(deal, unsupported=why))
        deal = replace(deal, hands=self._hands())
        if self._next().strip() == THROWN_IN:
            return self._with_row(replace(deal, unsupported="thrown in: no cards were played"))
        declaration, declarer = self._game()
        deal = replace(deal, declaration=declaration, declarer=declarer)
        deal = replace(deal, tricks=tuple(self._trick() for _ in range(self.game.hand_size)))
        deal = replace(deal, stated=tuple(self._result(declarer).items()), price=self._price())
        if not COLUMNS.fullmatch(self._next_line()):
            raise self._error("after the price stands 'Spiel Preis ... Stock'", self.at + 1)
        return self._with_row(deal)

    def _next_line(self) -> str:
        if self.at >= len(self.lines):
            self._take("the line 'Spiel Preis ... Stock'")
        return self.lines[self.at]

    def _with_row(self, deal: _Deal) -> _Deal:
        """The line of numbers that ends a deal, wherever it comes."""
        while not COLUMNS.fullmatch(self._next_line()):
            if self._next().startswith("Geber: "):
                raise self._error("the deal before has no line 'Spiel Preis ... Stock'", self.at + 1)
            self.at += 1
        self.at += 1
        found = ROW.fullmatch(self._take("the totals"))
        if found is None:
            raise self._error("a deal ends with its number, its price, four totals and the stock")
        number, price, *totals = map(int, found.groups())
        if self._next().strip():
            raise self._error("an empty line follows on a deal", self.at + 1)
        return replace(deal, number=number, row_price=price, totals=tuple(totals))

    def _hands(self) -> tuple[Cards, ...]:
        hands: dict[int, Cards] = {}
        seen = self.game.deck.none
        for _ in SEATS:
            found = re.fullmatch(r"\s*seat ([0-3]) hat: (.*)", self._take("a hand"))
            if found is None:
                raise self._error("four lines say what each seat has")
            seat = int(found[1])
            if seat in hands:
                raise self._error("each seat has one hand")
            try:
                hands[seat] = read_hand(self.game, found[2])
                seen = seen + hands[seat]
            except ValueError as wrong:
                raise self._error(str(wrong)) from None
        return tuple(hands[seat] for seat in SEATS)

    def _game(self) -> tuple[str, int | None]:
        text = self._take("the game").rstrip()
        if text == RAMSCH:
            return "ramsch", None
        found = re.fullmatch(r"seat ([0-3]) spielt (.+)", text)
        declaration = found and _declaration(found[2])
        if not found or not declaration:
            raise self._error("no game that we know is named here")
        return declaration, int(found[1])

    def _trick(self) -> _Trick:
        found = re.fullmatch(r"\s*seat ([0-3]) spielt aus: (.*)", self._take("a trick"))
        if found is None:
            raise self._error(say("{n} lines say who leads and what is played", self.game.hand_size))
        cards = found[2].split()
        if len(cards) != len(SEATS):
            raise self._error(say("a trick has four cards, and this one {n}", len(cards)))
        try:
            names = tuple(self.game.deck.names[parse_card(self.game.deck, card)] for card in cards)
        except NotationError as wrong:
            raise self._error(str(wrong)) from None
        return _Trick(self.at, int(found[1]), names)

    def _paragraph(self, what: str) -> str:
        """The lines of a paragraph in one; a name may stand on two of them."""
        text = self._take_raw(what)
        while text.endswith(" "):
            text += self._take_raw(say("the rest of {thing}", what))
        return self._without_names(text)

    def _result(self, declarer: int | None) -> dict[str, object]:
        """What the protocol says of the end, by the names that `compare` knows."""
        start = self.at + 1
        text = self._paragraph("the result")
        stated = self._ramsch_result(text) if declarer is None else self._contract_result(text)
        if stated is None:
            raise self._error("this does not say how the deal ended", start)
        return stated

    def _ramsch_result(self, text: str) -> dict[str, object] | None:
        found = LOST_RAMSCH.fullmatch(text)
        if found is None:
            return None
        stated: dict[str, object] = {"losers": (self._who(found[1]),)}
        if found[2] is None:  # short words, which leave out points and virgins
            return stated
        virgins = VIRGIN.findall(found[3])
        if VIRGIN.sub("", found[3].replace(TIE, "")).strip(". "):
            return None
        return stated | {
            "points of the loser": int(found[2]),
            "virgins": tuple(sorted(self._who(virgin) for virgin in virgins)),
        }

    def _contract_result(self, text: str) -> dict[str, object] | None:
        found = ENDED.fullmatch(text)
        if found is None:
            return None
        partner = WITH.fullmatch(found[3])
        declaration = _declaration(partner[1] if partner else found[3])
        if declaration is None:
            return None
        stated: dict[str, object] = {"game": declaration, "declarer": self._who(found[1])}
        stated |= {"result": "won" if found[2] == "gewinn" else "lost"}
        stated |= {"partner": self._who(partner[2])} if partner else {}
        return stated | ({"points of the others": int(found[4])} if found[4] else {})

    def _price(self) -> _Price:
        start = self.at + 1
        text = self._paragraph("the price")
        found = PRICE.fullmatch(text.rstrip())
        steps = STEP.findall(found[3]) if found else []
        if found is None or STEP.sub("", found[3]) or not all(_is_step(words) for words, _ in steps):
            raise self._error("this does not say what the deal cost", start)
        return _Price(found[1], int(found[2]), tuple((words, int(price)) for words, price in steps))


def _declaration(text: str) -> str | None:
    if called := CALLED.fullmatch(text):
        return f"rufspiel {SUITS[called[1]]}"
    alone = ALONE.fullmatch(text)
    if alone is None or (alone[2] == "Solo" and alone[1] is None):
        return None
    suit, kind, tout = alone.groups()
    kind = f"farb{kind.lower()}" if suit and kind != "Solo" else kind.lower()
    return " ".join(filter(None, (kind, suit and SUITS[suit], "tout" if tout else "")))


def _is_step(words: str) -> bool:
    patterns = (DOUBLED, RAISED, VIRGINS)
    return words == TOUT or _extra(words) is not None or any(pattern.fullmatch(words) for pattern in patterns)


def _extra(words: str) -> tuple[str, int] | None:
    """A step that adds to the price: the house rule that prices it, and how often it counts."""
    if runners := RUNNERS.fullmatch(words):
        return "runner", int(runners[1])
    return (EXTRAS[words], 1) if words in EXTRAS else None


# -- from deals to records


def _tariff(deals: Sequence[_Deal], pack: Rules) -> Rules:
    """The house rules: as the program plays, at the prices that its protocol names first; for extras, most often."""
    prices = [deal.price for deal in deals if deal.price is not None]
    numbers = {PRICE_OF[price.kind]: price.base for price in reversed(prices)}
    extras = [pair for price in prices for pair in price.extras().items()]
    if extras:
        usual = numbers["extra"] = mode(extra for _, extra in extras)
        own = {name: mode(extra for told, extra in extras if told == name) for name, _ in extras}
        numbers |= {name: extra for name, extra in own.items() if extra != usual}
    doubling = Doubling.ANYONE if any(price.times(DOUBLED) for price in prices) else Doubling.NONE
    return replace(PRESETS["netschafkopf"], deck=pack.deck, doubling=doubling, **numbers)


def _replay(number: int, deal: _Deal, rules: Rules, standing: Standing) -> Reading:
    if deal.unsupported:
        return Reading(number, deal.line, unsupported=deal.unsupported)
    if standing.score[-1] or deal.totals[-1]:
        return Reading(number, deal.line, unsupported="a stock is played for")
    assert deal.price is not None
    scribe = RecordWriter(schafkopf.game(rules), replace(standing, dealer=deal.dealer), deal.hands)
    if rules.doubling is not Doubling.NONE:
        scribe.double(from_forehand(deal.dealer)[: deal.price.times(DOUBLED)])  # some seats: who it was is not told
    scribe.name(deal.declaration, deal.declarer)
    for seat in _raisers(deal, deal.price.times(RAISED)):
        scribe.act("stoss", seat)
    for index, trick in enumerate(deal.tricks, start=1):
        if trick.leader != scribe.leader:
            why = f"trick {index}: stated to be led by seat {trick.leader}, found by seat {scribe.leader}"
            return Reading(number, deal.line, scribe.record, (why,))
        for card in trick.cards:
            try:
                scribe.play(card)
            except NotationError as wrong:
                raise on_line(trick.line, wrong) from None
    differences = compare(scribe.record, _stated(deal, deal.price, standing))
    return Reading(number, deal.line, scribe.record, (*_at_odds(number, deal, rules, standing), *differences))


def _raisers(deal: _Deal, times: int) -> list[int]:
    """Seats that may have raised the stakes: the sides take turns, and who of a side it was is not told."""
    if deal.declarer is None:
        return []
    named = parse_declaration(deal.declaration)
    ace = deal.hands[0].deck.spellings[named.called] if named.called else None
    partner = next((seat for seat in SEATS if ace is not None and ace in deal.hands[seat]), None)
    others = [seat for seat in from_forehand(deal.dealer) if seat not in (deal.declarer, partner)]
    return [deal.declarer if i % 2 else others[0] for i in range(times)]


def _stated(deal: _Deal, price: _Price, before: Standing) -> dict[str, object]:
    """Everything about the end that the protocol says."""
    paid = tuple(after - score for after, score in zip(deal.totals, before.score, strict=True))
    stated = dict(deal.stated) | {"price": deal.row_price, "payouts": paid[: len(SEATS)]}
    if deal.declarer is None:
        return stated | {"number of virgins": price.times(VIRGINS)}
    stated |= {"Schneider": price.has(SCHNEIDER), "Schwarz": price.has(SCHWARZ), "runners": price.times(RUNNERS)}
    words = [words for words, _ in price.steps if RUNNERS.fullmatch(words)]
    return stated | ({"with the highest trump": words[0].startswith("Mit ")} if words else {})


def _at_odds(number: int, deal: _Deal, rules: Rules, before: Standing) -> list[str]:
    """Where the protocol is at odds with itself: its count of deals, the dealer, and its sum."""
    said = [("number", deal.number, number), ("dealer", deal.dealer, before.dealer)]
    assert deal.price is not None
    running = getattr(rules, PRICE_OF[deal.price.kind])
    said.append(("price of the game", deal.price.base, running))
    for words, price in deal.price.steps:
        times = DOUBLED.fullmatch(words) or RAISED.fullmatch(words) or VIRGINS.fullmatch(words)
        if (step := _extra(words)) is not None:
            running += rules.number(step[0]) * step[1]
        else:
            running *= 2 ** (int(times[1]) if times else 1)
        said.append((f"price after {words!r}", price, running))
    said.append(("last price", deal.row_price, running))
    return [f"{name}: stated {stated}, expected {found}" for name, stated, found in said if stated != found]
