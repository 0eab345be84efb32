"""A game page of sauspiel.de that somebody saved, read as a record of ours and checked against what it says itself.

Of the page (HTML) these parts are read, whatever stands around them:

- the class `title-supertext`, and beside it the `h1` with the game: `Sauspiel auf die Alte mit 3 von NAME`,
  `Herz-Solo von NAME`, `Ramsch`, `Zamgworfen`;
- the class `game-participants`: four `data-username` from forehand on, each with a role (Spieler, Mitspieler,
  Gegenspieler) and an amount (`P -400`, `€ 0,40`) in a `game-participant-role`;
- the table rows headed Tarif (Schneider, Rufspiel, solo: `P 10 / 20 / 50`), Sonderregeln (images with a title),
  Laufende, Spielausgang (`Verloren mit 53 Augen (Normal)`), Wert, Klopfer and Kontra und Retour (links with the names);
- four blocks "Karten von:" and a block "Stich von" for each trick, whose cards have the class
  `card-image ... EX`: suit and rank, where X is a ten. A trick has its cards in the order played;
- the rows under the heading "Spielermittlung": who says weiter, who would play, and what.

Forehand is seat 0, so the dealer is seat 3; names go no further than this module. With six cards a hand it is the short
pack. That runners count from three, in Wenz and Geier from two, and that a Ramsch costs as much as a Rufspiel, doubles
for each virgin and is won from 91 points, is not on the page; it is how the site is said to count, unless the reader is
told another house rule.

A tournament page, which has no Tarif, and a page with a game that we do not know are refused, and so is one without
one of these parts, which the error names. When a Kontra was said is not told: the records have it before the first
card.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from renege.core.cards import Cards
from renege.core.game import SEATS, Game
from renege.core.house_rules import read_rules
from renege.core.message import say
from renege.core.notation import NotationError, on_line
from renege.games import schafkopf
from renege.games.formats import NO_CHOICES, Reading
from renege.games.schafkopf.declare import Bidding
from renege.games.schafkopf.order import parse_declaration
from renege.games.schafkopf.page import Node, PageParser
from renege.games.schafkopf.readers import RecordWriter, compare, quote, read_hand
from renege.games.schafkopf.rules import AllPass, Doubling, March, PackSize, Played, Rules
from renege.games.schafkopf.score import outcome, runners_rule

DEALER = 3
SUITS = {"eichel": "E", "gras": "G", "herz": "H", "schellen": "S", "schelle": "S"}
CALLED = {"alte": "E", "blaue": "G", "hundsgfickte": "S"}
TITLE = re.compile(
    rf"(?:sauspiel auf die (?P<called>{'|'.join(CALLED)})|(?P<suit>{'|'.join(SUITS)})-(?P<suited>solo|farbwenz)"
    r"|(?P<kind>wenz|geier))(?P<tout>[- ]tout)?(?: (?:mit|ohne) (?P<runners>\d+))?"
)
WOULD = {"Sauspiel": "rufspiel", "Solo": "solo", "Wenz": "wenz", "Farbwenz": "farbwenz", "Geier": "geier"}
ENDED = re.compile(r"(Gewonnen|Verloren) mit (\d+) Augen(?: \((.+)\))?")
AMOUNT = re.compile(r"(?:P|€|\$) (-?)(\d+)(?:,(\d\d))?")
NOTHING = ("-", "–", "")
PACKS = {8: PackSize.LONG, 6: PackSize.SHORT}


# -- from the page to a deal


@dataclass(frozen=True)
class _Trick:
    line: int
    cards: tuple[tuple[int, str], ...]  # seat and card
    winner: int


class _Page:
    """The parts of a game page, each read when it is asked for, seats for names."""

    def __init__(self, text: str) -> None:
        self.root = PageParser(text).root
        people = self._one(self.root.of_class("game-participants"), "the list 'game-participants'", self.root)
        self.people = people
        self.names = [node.attributes["data-username"] for node in people.all() if "data-username" in node.attributes]
        if len(self.names) != len(SEATS) or len(set(self.names)) != len(SEATS):
            raise on_line(people.line, "four take part in a game, each with another name")

    def _one(self, found: list[Node], what: str, where: Node) -> Node:
        if len(found) != 1:
            raise on_line(where.line, say("{thing} is there more than once" if found else "{thing} is missing", what))
        return found[0]

    def seat(self, name: str, node: Node) -> int:
        if name not in self.names:
            raise on_line(node.line, "somebody is named here who takes no part in the game")
        return self.names.index(name)

    def _seat_in(self, block: Node) -> int:
        """Whose block this is."""
        found = [node for node in block.all() if "data-username" in node.attributes]
        if not found:
            raise on_line(block.line, "nobody is named in this block")
        return self.seat(found[0].attributes["data-username"], found[0])

    def quote(self, text: str) -> str:
        return quote(text, self.names)

    # -- the table of the result

    def row(self, name: str) -> Node | None:
        heads = [node for node in self.root.of_tag("th") if node.text == name and node.parent is not None]
        if not heads:
            return None
        row = self._one(heads, say("the row {quoted}", repr(name)), heads[0]).parent
        assert row is not None
        return self._one(row.of_tag("td"), say("the value of {quoted}", repr(name)), row)

    def need_row(self, name: str) -> Node:
        row = self.row(name)
        if row is None:
            raise on_line(self.people.line, say("{thing} is missing", say("the row {quoted}", repr(name))))
        return row

    def seats_in_row(self, name: str) -> list[int]:
        row = self.need_row(name)
        return [self.seat(link.text, link) for link in row.of_tag("a")]

    # -- the game

    def game(self) -> tuple[str, int | None, int | None]:
        """The declaration ('' if the hands were thrown in), who plays it, and its runners if the title counts them."""
        over = self._one(self.root.of_class("title-supertext"), "the line above the title", self.root).parent
        assert over is not None
        head = self._one(over.of_tag("h1"), "the title", over)
        title, declarer = head.text, None
        for seat, name in enumerate(self.names):
            if title.endswith(f" von {name}"):
                title, declarer = title.removesuffix(f" von {name}"), seat
        if title.lower() in ("zamgworfen", "ramsch"):
            return ("ramsch" if title.lower() == "ramsch" else ""), None, None
        found = TITLE.fullmatch(title.lower())
        if declarer is None or found is None or (found["called"] and found["tout"]):
            shown = self.quote(title) if declarer is not None else "the title"
            raise on_line(head.line, say("{quoted} is no game that we know, played by one of the four", shown))
        return _declaration(found), declarer, int(found["runners"] or 0)

    def tariff(self) -> tuple[int, int, int]:
        """What Schneider adds, a Rufspiel costs, and a solo."""
        row = self.row("Tarif")
        if row is None:
            why = "a tournament page" if self.row("Turnier") is not None else "this page"
            raise on_line(self.people.line, say("the row 'Tarif' is missing, and {thing} tells no other price", why))
        sign, _, prices = row.text.partition(" ")
        found = [amount for price in prices.split(" / ") if (amount := _amount(f"{sign} {price}")) is not None]
        if len(found) not in (2, 3) or len(found) != prices.count("/") + 1:
            why = say("{quoted} is no tariff; one is written like 'P 10 / 20 / 50'", self.quote(row.text))
            raise on_line(row.line, why)
        return found[0], found[1], found[-1]

    # -- the cards

    def hands(self) -> list[list[str]]:
        hands: dict[int, list[str]] = {}
        for block in self._blocks("Karten von:"):
            hands[self._seat_in(block)] = _cards(block)
        missing = [str(seat) for seat in SEATS if seat not in hands]
        if missing:
            raise on_line(self.people.line, say("the block 'Karten von:' of {seat} is missing", missing[0]))
        return [hands[seat] for seat in SEATS]

    def tricks(self) -> list[_Trick]:
        tricks: list[_Trick] = []
        for block in self._blocks("Stich von"):
            laid = block.of_class("game-protocol-trick-card")
            cards = [(self._seat_in(node), _cards(node)) for node in laid]
            if len(cards) != len(SEATS) or any(len(shown) != 1 for _, shown in cards):
                raise on_line(block.line, say("trick {n} does not have four cards", len(tricks) + 1))
            played = tuple((seat, shown[0]) for seat, shown in cards)
            tricks.append(_Trick(block.line, played, self._seat_in(block)))
        return tricks

    def _blocks(self, heading: str) -> Iterator[Node]:
        """The blocks with a heading: it stands in their first part."""
        for node in self.root.all():
            words_alone = all(isinstance(part, str) for part in node.inside)
            if words_alone and node.text == heading and node.parent and node.parent.parent:
                yield node.parent.parent

    # -- the talk, and the end

    def talk(self) -> list[tuple[int, str, int]]:
        """What was said, in order: seat, words, line."""
        heads = [node for node in self.root.of_tag("h4") if node.text == "Spielermittlung"]
        block = self._one(heads, "the block 'Spielermittlung'", self.people).parent
        assert block is not None and block.parent is not None
        said: list[tuple[int, str, int]] = []
        for row in block.parent.of_class("card-row"):
            who = [seat for seat, name in enumerate(self.names) if row.text.startswith(f"{name} ")]
            if not who:
                raise on_line(row.line, "nobody who takes part says this")
            seat = max(who, key=lambda seat: len(self.names[seat]))
            words = row.text.removeprefix(self.names[seat]).removesuffix("(timeout)").strip()
            said.append((seat, words, row.line))
        return said

    def roles(self) -> list[tuple[str, int | None]]:
        """The role of each seat, and what it got."""
        found: list[tuple[str, int | None]] = []
        for node in self.people.of_class("game-participant-role"):
            role, _, amount = node.text.partition(" ")
            found.append((role, _amount(amount)))
        return found if len(found) == len(SEATS) else []


def _cards(block: Node) -> list[str]:
    cards: list[str] = []
    for node in block.of_class("card-image"):
        names = [name for name in node.classes if re.fullmatch("[EGHS][AXZKOU987]", name)]
        if len(names) != 1:
            raise on_line(node.line, "this shows no card")
        cards.append(names[0].replace("X", "Z"))
    return cards


def _amount(text: str) -> int | None:
    """Points, or cents."""
    found = AMOUNT.fullmatch(text)
    if found is None:
        return None
    value = int(found[2]) if found[3] is None else int(found[2]) * 100 + int(found[3])
    return -value if found[1] else value


def _declaration(found: re.Match[str]) -> str:
    if found["called"]:
        return f"rufspiel {CALLED[found['called']]}"
    game = f"{found['suited']} {SUITS[found['suit']]}" if found["suit"] else found["kind"]
    return f"{game} tout" if found["tout"] else game


# -- from the page to a record


def read(text: str, choices: Mapping[str, str] = NO_CHOICES) -> list[Reading]:
    """The one deal of a game page; `choices` are house rules that it does not tell, by name."""
    page = _Page(text)
    declaration, declarer, counted = page.game()
    hands, tricks = page.hands(), page.tricks()
    game = schafkopf.game(read_rules(_rules(page, declaration, len(hands[0])), dict(choices)))
    dealt = _deal(page, game, hands)
    odd: list[str] = []
    scribe = _talk(page, game, dealt, declaration, declarer, odd)
    if not declaration:
        odd += [f"tricks: stated {len(tricks)}, found 0"] if tricks else []
        return [Reading(1, page.people.line, scribe.record, tuple(odd))]
    for seat in page.seats_in_row("Kontra und Retour"):
        if seat not in scribe.position.speakers:
            odd.append(f"seat {seat} is stated to raise the stakes, and may not")
        else:
            scribe.act("stoss", seat)
    if len(tricks) != game.hand_size:
        why = say("{n} blocks 'Stich von' are expected, and there are {n2}", game.hand_size, len(tricks))
        raise on_line(page.people.line, why)
    for number, trick in enumerate(tricks, start=1):
        wrong = _play(scribe, number, trick)
        odd += wrong
        if wrong:  # what follows would only repeat it
            break
    if scribe.position.over:
        odd += [*_odd_value(page, scribe), *compare(scribe.record, _stated(page, declaration, counted, game))]
    return [Reading(1, page.people.line, scribe.record, tuple(odd))]


def _rules(page: _Page, declaration: str, size: int) -> Rules:
    row = page.need_row("Sonderregeln")
    special = {node.attributes.get("title", "") for node in row.of_tag("img")}
    if unknown := special - {"Kurze Karte", "Farbwenz", "Geier", "Ramsch"}:
        raise on_line(row.line, say("{quoted} is no special rule that we know", page.quote(min(unknown))))
    if size not in PACKS or (size == min(PACKS)) != ("Kurze Karte" in special):
        rules = " and ".join(sorted(special)) or "no special rule"
        raise on_line(page.people.line, say("hands of {n} cards do not go with {rest}", size, rules))
    kind = declaration.partition(" ")[0]
    extra, base, solo = page.tariff()
    return Rules(
        deck=PACKS[size],
        geier=_played("Geier" in special or kind == "geier"),
        farbwenz=_played("Farbwenz" in special or kind == "farbwenz"),
        farbgeier=Played.NO,
        bettel=Played.NO,
        hochzeit=Played.NO,
        all_pass=AllPass.RAMSCH if "Ramsch" in special or kind == "ramsch" else AllPass.REDEAL,
        doubling=Doubling.ANYONE,
        runners_from_wenz=2,
        march=March.FROM_91,
        extra=extra,
        base=base,
        solo=solo,
        ramsch=base,
    )


def _played(is_played: bool) -> Played:
    return Played.YES if is_played else Played.NO


def _deal(page: _Page, game: Game, hands: list[list[str]]) -> list[Cards]:
    dealt: list[Cards] = []
    seen = game.deck.none
    for seat, cards in enumerate(hands):
        try:
            dealt.append(read_hand(game, " ".join(cards)))
            seen = seen + dealt[-1]
        except ValueError as wrong:
            raise on_line(page.people.line, say("the hand of {seat}: {error}", seat, wrong)) from None
    return dealt


def _talk(
    page: _Page, game: Game, hands: list[Cards], declaration: str, declarer: int | None, odd: list[str]
) -> RecordWriter:
    """The talk as it is told, or the shortest one where that leads elsewhere."""
    scribe = _doubled(page, game, hands)
    _bid(scribe, _calls(page), declaration)
    contract = scribe.position.contract
    reached = ("", None) if contract is None else (contract.declaration, contract.declarer)
    if scribe.position.talking or reached != (declaration, declarer):
        odd.append(f"the talk does not lead to {declaration or 'a deal thrown in'}")
        scribe = _doubled(page, game, hands)
        scribe.name(declaration or "ramsch", declarer)
    return scribe


def _doubled(page: _Page, game: Game, hands: list[Cards]) -> RecordWriter:
    scribe = RecordWriter(game, replace(game.opening, dealer=DEALER), hands)
    scribe.double(page.seats_in_row("Klopfer"))
    return scribe


def _calls(page: _Page) -> dict[int, list[str]]:
    """What each seat bids, in order; who says weiter has no bid, and the suit that is named last is in the title."""
    calls: dict[int, list[str]] = {seat: [] for seat in SEATS}
    for seat, words, line in page.talk():
        would = re.fullmatch(r"hätt an? (\w+)(-Tout)?", words)
        if would and would[1] in WOULD:
            calls[seat].append(f"{WOULD[would[1]]} tout" if would[2] else WOULD[would[1]])
        elif words == "lässt den Vortritt.":
            calls[seat].append("pass")
        elif words not in ("sagt weiter.", "dad gern.") and not words.startswith("spielt "):
            raise on_line(line, say("{quoted} is nothing that is said in the talk", page.quote(words)))
    return calls


def _bid(scribe: RecordWriter, calls: dict[int, list[str]], declaration: str) -> None:
    """The page has two rounds, who would play and what; ours asks both at once, and again who is overbid."""
    while isinstance(scribe.position.talk, Bidding) and scribe.position.turn is not None:
        if scribe.position.talk.step == "bid":
            waiting = calls[scribe.position.turn]
            scribe.act(waiting.pop(0) if waiting else "pass")
        elif scribe.position.talk.step == "declare" and declaration not in ("", "ramsch"):
            scribe.act(declaration)
        else:
            return


def _play(scribe: RecordWriter, number: int, trick: _Trick) -> list[str]:
    """Play a trick; what its block says of the seats and the winner otherwise than it is."""
    for seat, card in trick.cards:
        if seat != scribe.position.turn:
            return [f"trick {number}: {card} stated to be played by seat {seat}, found by seat {scribe.position.turn}"]
        try:
            scribe.play(card)
        except NotationError as wrong:
            raise on_line(trick.line, wrong) from None
    if scribe.leader != trick.winner:
        return [f"trick {number}: stated to be taken by seat {trick.winner}, found by seat {scribe.leader}"]
    return []


def _stated(page: _Page, declaration: str, counted: int | None, game: Game) -> dict[str, object]:
    """Everything about the end that the page says, by the names that `compare` knows."""
    stated: dict[str, object] = {}
    roles = page.roles()
    amounts = tuple(amount for _, amount in roles)
    if amounts and None not in amounts:
        stated["payouts"] = amounts
    if declaration == "ramsch":
        return stated  # how a page tells the end of one we have not seen
    named = parse_declaration(declaration)
    for role, name in (("Spieler", "declarer"), ("Mitspieler", "partner")):
        seats = [seat for seat, (said, _) in enumerate(roles) if said == role]
        stated |= {name: seats[0]} if len(seats) == 1 else {}
    row = page.need_row("Laufende")
    if row.text not in NOTHING:
        if not re.fullmatch(r"[-–]?\d+", row.text):
            raise on_line(row.line, say("{quoted} is no number of runners", page.quote(row.text)))
        least = game.rules.number(runners_rule(named.kind))
        number = int(row.text.lstrip("-–"))
        stated["runners"] = number if number >= least else 0
    elif counted:
        stated["runners"] = counted
    row = page.need_row("Spielausgang")
    ended = ENDED.fullmatch(row.text)
    if ended is None:
        raise on_line(row.line, say("{quoted} does not say how the game ended", page.quote(row.text)))
    stated |= {"result": "won" if ended[1] == "Gewonnen" else "lost", "points": int(ended[2])}
    if ended[3] in ("Normal", "Schneider", "Schwarz") and not named.every_trick:
        stated |= {"Schneider": ended[3] != "Normal", "Schwarz": ended[3] == "Schwarz"}
    return stated


def _odd_value(page: _Page, scribe: RecordWriter) -> list[str]:
    """The row Wert is what some seat won or lost; whose amount it is in a solo is not told."""
    row = page.need_row("Wert")
    value, paid = _amount(row.text), sorted({abs(pay) for pay in outcome(scribe.position).payouts})
    return [] if value in paid else [f"value: stated {page.quote(row.text)}, found {' or '.join(map(str, paid))}"]
