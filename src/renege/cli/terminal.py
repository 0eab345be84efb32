"""Texas 42 in the terminal: you sit at seat 0 and three players by the rulebook take the others."""

import errno
import os
import re
from contextlib import suppress
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from textwrap import wrap

from rich.console import Console
from rich.text import Text

from renege.core.arbiter import Arbiter
from renege.core.cards import Card, Cards
from renege.core.game import SEATS, Game
from renege.core.notation import NotationError
from renege.core.order import Order
from renege.core.position import Position
from renege.core.record import GameRecord
from renege.core.trick import Play
from renege.core.verdict import Verdict, WrongPhase
from renege.games.texas42.declare import Hand42, Kind
from renege.games.texas42.order import CALLED, DECK, DECLARATIONS, TRUMPS, order, pips
from renege.games.texas42.rules import Scoring

YOU = 0
NAMES = ("You", "West", "Partner", "East")
TALLY = ("-", "/", "/\\", "A", "A|", "AL", "AL|", "ALL")  # seven marks spell ALL
HELP = """\
Type a tile (6-4, 64 or 4-6), a call, or the number that stands by it. Also:
  hint    what the rulebook would do        why TILE   would it be legal?
  last    the last trick                    score      the score sheet
  claim   claim all tricks that are left    record     this hand so far
  help    this text                         quit       leave the table"""


class Leave(Exception):
    """You got up from the table."""


def play(game: Game, seed: int, save: Path | None) -> int:
    """Play a whole game; the exit status is 2 if its record could not be saved."""
    return Session(game, seed, save).run()


class Session:
    """One game: the table, the score, and what you type."""

    def __init__(self, game: Game, seed: int, save: Path | None) -> None:
        self.console = Console(highlight=False)
        self.seed = seed
        self.path = save
        self.record = GameRecord(game)
        self.sheet: list[str] = []
        self.last = "No trick has been played in this hand."
        self.unsaved = False

    @property
    def game(self) -> Game:
        return self.record.game

    def say(self, text: str | Text = "", style: str = "") -> None:
        self.console.print(text, style=style or None, markup=False, soft_wrap=isinstance(text, Text))

    # -- the game

    def run(self) -> int:
        if self.path is not None:
            if self.path.exists():
                raise FileExistsError(errno.EEXIST, "is there already; save to another file", str(self.path))
            write_whole(self.path, str(self.record))  # find out now whether we may
        self.say(f"Texas 42. You sit South, your partner North. Seed {self.seed}; type help for help.", "bold")
        try:
            while self.record.winner is None:
                self._hand()
            self._farewell()
        except (Leave, EOFError, KeyboardInterrupt):
            self.say("\nYou leave the table. Good game!")
        return 2 if self.unsaved else 0

    def _farewell(self) -> None:
        self._show_score()
        won = self.record.winner == YOU % 2
        self.say("You and your partner win the game!" if won else "They win the game.", "bold")

    def _hand(self) -> None:
        """One hand, from the shake to the score."""
        before, number = self.record, len(self.record.deals)
        standing = before.standing
        table = Arbiter(self.game, self.seed + number, standing)
        self.say(f"\n--- Hand {number + 1}: {NAMES[standing.dealer]} shook. {self._score_line()} ---", "bold")
        self.last = "No trick has been played in this hand."
        try:
            while (seat := table.position.turn) is not None:
                position = table.position
                if seat == YOU:
                    self._your_turn(table)
                else:
                    self._bot_turn(table, seat)
                self._report(table, position)
        finally:
            self.record = replace(before, deals=(*before.deals, table.record))
            self._save()
        self._show_result(table)
        while self.record.winner is None and self._ask("Enter for the next hand: ", table) is None:
            pass

    def _bot_turn(self, table: Arbiter, seat: int) -> None:
        policy = self.game.policy
        assert policy is not None
        act = policy(table.view(seat)).what
        if isinstance(act, str):
            self.say(f"  {NAMES[seat]}: {table.position.talk.heard(act, YOU) if table.position.talk else act}")
        table.act(seat, act)

    def _report(self, table: Arbiter, before: Position) -> None:
        """Say what has just changed: the contract, or who took the trick."""
        after = table.position
        if before.talking and isinstance(after.contract, Hand42):
            self.say(f"  {contract_line(after.contract)}", "bold yellow")
        if after.tricks_played == before.tricks_played + 1 and after.trick is not None:
            taken = after.points[after.trick.leader] - before.points[after.trick.leader]
            plays = [act for act in table.record.acts if isinstance(act.what, Play)][-len(after.active) :]
            told = ", ".join(
                f"{NAMES[act.seat]} {act.what}{'*' if act.seat == after.trick.leader else ''}" for act in plays
            )
            self.last = f"Trick {after.tricks_played}: {told}. {NAMES[after.trick.leader]} took {taken}."
            self.say(f"  {self.last}", "green" if after.trick.leader % 2 == YOU % 2 else "red")

    # -- your turn

    def _your_turn(self, table: Arbiter) -> None:
        menu = self._show_table(table.position)
        before = table.position
        while table.position is before:
            text = self._ask("> ", table)
            if text:
                self._try(table, menu.get(text, text))

    def _try(self, table: Arbiter, text: str) -> None:
        try:
            verdict = table.act(YOU, as_typed(text, table.position))
        except (NotationError, WrongPhase) as wrong:
            self.say(f"{told(wrong)}. Type help for help.")
        else:
            if not verdict:
                self._refuse(verdict)

    def _refuse(self, verdict: Verdict) -> None:
        self.say(f"No: {verdict.why} ({verdict.rule}).", "red")
        if verdict.instead:
            self.say(f"{verdict.instead} would do.")

    def _ask(self, prompt: str, table: Arbiter) -> str | None:
        """What you type; a command is carried out, and then it is None."""
        text = self.console.input(Text(prompt)).strip()
        word, _, rest = text.lower().partition(" ")
        if word in ("quit", "exit", "q"):
            raise Leave
        commands = {
            "help": lambda: self.say(HELP),
            "?": lambda: self.say(HELP),
            "last": lambda: self.say(self.last),
            "score": self._show_score,
            "hint": lambda: self._hint(table),
            "claim": lambda: self._claim(table),
            "record": lambda: self.say(Text(str(table.record if table.position.over else table.view(YOU)))),
            "why": lambda: self._why(table, rest),
        }
        if word not in commands:
            return text
        commands[word]()
        return None

    def _hint(self, table: Arbiter) -> None:
        if table.position.turn == YOU and self.game.policy is not None:
            self.say(f"The rulebook says {self.game.policy(table.view(YOU))}.")

    def _why(self, table: Arbiter, text: str) -> None:
        try:
            verdict = table.position.judge(as_typed(text, table.position))
        except (NotationError, WrongPhase) as wrong:
            self.say(f"{told(wrong)}.")
            return
        if verdict:
            self.say(f"{verdict.said} is legal.")
        else:
            self._refuse(verdict)

    def _claim(self, table: Arbiter) -> None:
        try:
            verdict = table.claim(YOU)
        except WrongPhase as wrong:
            self.say(f"{told(wrong)}.")
            return
        if verdict:
            self.say("Your claim holds.", "green")
        else:
            self._refuse(verdict)

    # -- what you see

    def _show_table(self, position: Position) -> dict[str, str]:
        """The table as you see it; returns the menu, from number to what it stands for."""
        hand = position.hands[YOU]
        assert isinstance(hand, Cards)
        self.say()
        if position.talking:
            said = position.talk.said if position.talk else ()
            bids = {(position.standing.dealer + 1 + i) % 4: text for i, text in enumerate(said[:4])}
            self.say(around(bids | {YOU: bids.get(YOU, "your turn")}))
            self._draw(hand, order("follow-me"), {})
            menu = call_menu(position.legal_calls)
            for line in wrap("   ".join(f"{key})\xa0{call}" for key, call in menu.items()), 76):
                self.say("  " + line.replace("\xa0", " "))
            return menu
        assert position.order is not None and position.trick is not None and isinstance(position.contract, Hand42)
        self._show_trick(position)
        tiles = sorted_hand(hand, position.order)
        legal = {play.cards for play in position.legal_plays}
        keys = {card: str(i) for i, card in enumerate((c for c in tiles if DECK.of(1 << c) in legal), start=1)}
        self._draw(hand, position.order, keys)
        return {key: DECK.names[card] for card, key in keys.items()}

    def _show_trick(self, position: Position) -> None:
        assert position.trick is not None and isinstance(position.contract, Hand42)
        ours, theirs = (sum(position.points[side::2]) for side in (YOU % 2, 1 - YOU % 2))
        self.say(f"  {contract_line(position.contract)} Points: you {ours}, they {theirs}.", "yellow")
        trick = position.trick
        shown = {seat: str(play) for seat, play in zip(trick.seats, trick.plays, strict=False)}
        if trick.plays:
            shown[trick.winner] += " *"
            shown[trick.leader] += " led"
        idle = {seat: "(out)" for seat in SEATS if seat not in trick.seats}
        self.say(around(shown | idle | {YOU: "you lead" if not trick.plays else "your turn"}))

    def _draw(self, hand: Cards, table: Order, keys: dict[Card, str]) -> None:
        plain = not (self.console.encoding or "").lower().startswith("utf")
        for line in drawn(hand, table, keys, plain=plain):
            self.say(Text(f"  {line}".rstrip()))

    def _score_line(self) -> str:
        ours, theirs = self.record.standing.score
        if self.game.rules.scoring is Scoring.MARKS and self.game.rules.target == len(TALLY) - 1:
            return f"You {ours} {TALLY[min(ours, 7)]}  they {theirs} {TALLY[min(theirs, 7)]}"
        return f"You {ours}, they {theirs}"

    def _show_score(self) -> None:
        for number, line in enumerate(self.sheet, start=1):
            self.say(f"  {number:>3}  {line}")
        self.say(f"  {self._score_line()}; {self.game.rules.target} wins.", "bold")

    def _show_result(self, table: Arbiter) -> None:
        result = table.position.result
        self.say("\nAll hands, what was not played in brackets:")
        for seat, (dealt, left) in enumerate(zip(table.record.start.hands, table.position.hands, strict=True)):
            assert isinstance(dealt, Cards) and isinstance(left, Cards)
            tiles = (f"[{DECK.names[card]}]" if card in left else DECK.names[card] for card in dealt)
            self.say(f"  {NAMES[seat]:>8}  {' '.join(tiles)}")
        text = "all passed, thrown in" if result is None else name_seats(result.text, table.position)
        self.sheet.append(text)
        self.say(f"Hand {len(self.sheet)}: {text}.", "bold")
        self.say(f"{self._score_line()}.")

    def _save(self) -> None:
        if self.path is None:
            return
        try:
            write_whole(self.path, str(self.record))
            self.unsaved = False
        except OSError as wrong:
            self.unsaved = True
            self.say(f"The record cannot be saved: {wrong.strerror}. Here it is:", "red")
            self.say(Text(str(self.record)))


# -- texts


def as_typed(text: str, position: Position) -> str:
    """A call as it is; a tile in its usual spelling."""
    if position.talking:
        return text
    tile = re.fullmatch(r"([0-6])[-/|: ]?([0-6])(\s+as\s+[0-6])?", text.strip())
    return f"{tile[1]}-{tile[2]}{tile[3] or ''}" if tile else text


def told(wrong: ValueError) -> str:
    """What you did wrong, without the position that it may quote: that has all hands."""
    return str(wrong).partition(": ")[0] if isinstance(wrong, WrongPhase) else str(wrong)


def call_menu(calls: tuple[str, ...]) -> dict[str, str]:
    """Calls by number: pips by themselves when trumps are named, else from 1 on."""
    if calls[0].startswith("trump"):
        return {str(i): call for i, call in enumerate(calls)}
    return {str(i): call for i, call in enumerate(calls, start=1)}


def contract_line(contract: Hand42) -> str:
    noun = order(contract.declaration, None).nouns[CALLED] if contract.declaration in TRUMPS else ""
    pip = order("follow-me").nouns[int(contract.declaration)] if contract.declaration.isdigit() else "doubles"
    named = f"{pip} are {noun}" if noun else contract.declaration
    if contract.declaration in DECLARATIONS[8:10]:
        named += f", doubles {contract.doubles.value}"
    kind = f"{contract.kind.value} " if contract.kind in (Kind.PLUNGE, Kind.SPLASH) else ""
    return f"{named[0].upper()}{named[1:]}; {kind}{contract.bid.amount} by {NAMES[contract.declarer]}."


def name_seats(text: str, position: Position) -> str:
    """A result with the name of the declarer in it."""
    assert isinstance(position.contract, Hand42)
    return text.replace(f"by {position.contract.declarer} ", f"by {NAMES[position.contract.declarer]} ")


def around(said: dict[int, str]) -> str:
    """What each seat has said or played, where it sits."""
    south, west, north, east = (said.get(seat, "") for seat in SEATS)
    lines = [f"{'Partner':^60}", f"{north:^60}", f"{'West':^20}{'':20}{'East':^20}"]
    lines += [f"{west:^20}{'':20}{east:^20}", f"{south:^60}"]
    return "\n".join(line.rstrip() for line in lines)


def sorted_hand(hand: Cards, table: Order) -> list[Card]:
    """A hand as it is held: called tiles first, then suit by suit, each from the top."""
    return sorted(hand, key=lambda card: (-table.led_suit[card], -table.strength[table.led_suit[card]][card], -card))


def drawn(hand: Cards, table: Order, keys: dict[Card, str], *, plain: bool) -> list[str]:
    """A hand in four or five lines: the suits, the tiles, and the numbers by which they may be played."""
    lines = ["", "", "", "", ""]
    for suit, group in groupby(sorted_hand(hand, table), key=lambda card: table.led_suit[card]):
        cards = list(group)
        width = max(len(table.nouns[suit]), 6 * len(cards) - 1) + 3
        rows = [
            table.nouns[suit],
            "┌─┬─┐ " * len(cards),
            "".join("│{}│{}│ ".format(*pips(card)) for card in cards),
            "└─┴─┘ " * len(cards),
            "".join(f"{keys.get(card, ''):^6}" for card in cards),
        ]
        lines = [line + row.ljust(width) for line, row in zip(lines, rows, strict=True)]
    if plain:
        lines = [lines[0], lines[2].replace("│", "|"), lines[4]]
    return lines if keys else lines[:-1]


def write_whole(path: Path, text: str) -> None:
    """Write a file whole or not at all: what was there before stays until the new text is safe."""
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as wrong:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise OSError(wrong.errno, wrong.strerror, str(path)) from None
