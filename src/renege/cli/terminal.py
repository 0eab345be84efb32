"""A game in the terminal: you sit at seat 0, and bots that go by the rulebook take the other seats."""

import errno
import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby, islice
from pathlib import Path
from textwrap import wrap

from rich.console import Console
from rich.text import Text

from renege.agents import Agent, Random, Rulebook
from renege.agents.best import best_player
from renege.core.arbiter import Arbiter
from renege.core.atomic_file import write_atomically
from renege.core.cards import Cards, known_cards
from renege.core.game import Game, opposite
from renege.core.notation import NotationError
from renege.core.position import Position
from renege.core.record import GameRecord
from renege.core.trick import Play
from renege.core.verdict import Verdict, WrongPhase
from renege.games.strategy import Option, strategy_of

YOU = 0
MENU = 24  # options that are listed
HINT_MS = 500.0
HELP = """\
Type a {noun}, a call, or the number that stands by it. Also:
  hint    what the best player would do     why {NOUN}   would it be legal?
  last    the last trick                    score      the score sheet
  claim   claim all tricks that are left    record     this hand so far
  help    this text                         quit       leave the table"""
NO_TRICK = "No trick has been played in this hand."


class Leave(Exception):
    """You got up from the table."""


class Session:
    """One game: the table, the score, and what you type."""

    def __init__(self, game: Game, seed: int, save: Path | None) -> None:
        self.console = Console(highlight=False)
        self.game, self.seed, self.path = game, seed, save
        self.record = GameRecord(game)
        self._partners = game.side is opposite and game.players % 2 == 0
        round_table = ("You", *(f"Seat {seat}" for seat in game.all_seats[1:]))
        four = ("You", "West", "Partner" if self._partners else "North", "East")
        self.names = four if len(four) == game.players else round_table
        self._sides = ("You", "they") if self._partners else self.names
        self.bot: Agent = Random() if strategy_of(game).policy is None else Rulebook()
        self.rng = random.Random(seed)
        self.sheet: list[str] = []
        self.last = NO_TRICK
        self.unsaved = False

    def say(self, text: str | Text = "", style: str = "") -> None:
        self.console.print(text, style=style or None, markup=False, soft_wrap=isinstance(text, Text))

    # -- the game

    def run(self) -> int:
        """Play a whole game; the exit status is 2 if its record could not be saved."""
        if self.path is not None:
            if self.path.exists():
                raise FileExistsError(errno.EEXIST, "is there already; save to another file", str(self.path))
            self._write(self.path)  # find out now whether we may
        where = "South" if self.game.players == 4 else f"at seat {YOU} of {self.game.players}"
        self.say(f"{self.game.name}. You sit {where}. Seed {self.seed}; type help for help.", "bold")
        try:
            while self.record.winner is None:
                self._hand()
            self._show_score()
            self.say(self._won(self.record.winner), "bold")
        except (Leave, EOFError, KeyboardInterrupt):
            self.say("\nYou leave the table. Good game!")
        return 2 if self.unsaved else 0

    def _won(self, winner: int) -> str:
        """Who has won the game: a side or, where everybody counts alone, a seat."""
        if not self._partners:
            return "You win the game!" if winner == YOU else f"{self.names[winner]} wins the game."
        ours = "You and your partner win the game!" if self.game.players == 4 else "Your side wins the game!"
        return ours if winner == YOU % 2 else "They win the game."

    def _hand(self) -> None:
        before, number = self.record, len(self.record.deals)
        table = Arbiter(self.game, self.seed + number, before.standing)
        self.say(f"\n--- Hand {number + 1}: {self.names[before.standing.dealer]} dealt. {self._score()} ---", "bold")
        self.last = NO_TRICK
        try:
            while (seat := table.position.turn) is not None:
                position = table.position
                self._step(table, seat)
                self._report(table, position)
        finally:
            self.record = replace(before, deals=(*before.deals, table.record))
            self._save()
        self._show_result(table)
        while self.record.winner is None and self._ask("Enter for the next hand: ", table) is None:
            pass

    def _step(self, table: Arbiter, seat: int) -> None:
        """The next act: by a seat that breaks in, or else by the one whose turn it is."""
        position, talk = table.position, table.position.talk
        for other in position.speakers:
            if other == seat and (position.talking or seat == YOU):
                continue
            if other == YOU:
                if set(self._calls(position)) - {"pass"}:
                    self._your_turn(table, "Enter to say nothing> ", silence=True)
            elif (advice := self.bot.interject(table.view(other), self.rng)) is not None:
                self._act(table, other, advice.what)
            if table.position is not position:
                return
        if position.talking and talk is not None and talk.on_kitty:
            self._act(table, seat, talk.chance(known_cards(position.kitty), self.rng))  # nobody's choice
        elif seat == YOU:
            self._your_turn(table, "> ")
        else:
            self._act(table, seat, self.bot.choose(table.view(seat), self.rng).what)

    def _act(self, table: Arbiter, seat: int, what: Option) -> None:
        if isinstance(what, str):
            self.say(f"  {self.names[seat]}: {table.position.floor(seat).heard(what, YOU)}")
        table.act(seat, what)

    def _report(self, table: Arbiter, before: Position) -> None:
        """Say what has just changed: the contract, or who took the trick."""
        after, trick = table.position, table.position.trick
        if before.contract is None and after.contract is not None:
            self.say(f"  {self._named(self.game.write_contract(after.contract), after)}", "bold yellow")
        if after.tricks_played == before.tricks_played + 1 and trick is not None:
            taken = after.points[trick.leader] - before.points[trick.leader]
            plays = [act for act in table.record.acts if isinstance(act.what, Play)][-len(after.active) :]
            laid = ", ".join(f"{self.names[act.seat]} {act.what}{'*' * (act.seat == trick.leader)}" for act in plays)
            self.last = f"Trick {after.tricks_played}: {laid}. {self.names[trick.leader]} took {taken}."
            self.say(f"  {self.last}", "green")

    def _named(self, text: str, position: Position) -> str:
        """A contract or result with the name of the declarer in it."""
        declarer = None if position.contract is None else position.contract.declarer
        return (
            text if declarer is None else f"{text} ".replace(f"by {declarer} ", f"by {self.names[declarer]} ").strip()
        )

    # -- your turn

    def _your_turn(self, table: Arbiter, prompt: str, *, silence: bool = False) -> None:
        """Ask until you have acted or, where you may keep silent, typed nothing."""
        before, menu = table.position, self._show_table(table.position)
        while table.position is before:
            text = self._ask(prompt, table)
            if silence and text == "":
                return
            if text:
                try:
                    self._refuse(table.act(YOU, self._spelled(menu.get(text, text), table.position)))
                except (NotationError, WrongPhase) as wrong:
                    self.say(f"{format_error(wrong)}. Type help for help.")

    def _spelled(self, text: str, position: Position) -> str:
        """A call as it is; cards may be written without the dash in their names."""
        short = {name.replace("-", ""): name for name in self.game.deck.names}
        return text if position.talking else " ".join(short.get(word, word) for word in text.split())

    def _refuse(self, verdict: Verdict) -> None:
        """Say why something is not legal, if it is not."""
        if not verdict:
            self.say(f"No: {verdict.why} ({verdict.rule}).", "red")
            if verdict.instead:
                self.say(f"{verdict.instead} would do.")

    def _ask(self, prompt: str, table: Arbiter) -> str | None:
        """What you type; a command is carried out, and then it is None."""
        text = self.console.input(Text(prompt)).strip()
        word = text.lower().partition(" ")[0]
        noun = self.game.deck.noun
        match word:
            case "quit" | "exit" | "q":
                raise Leave
            case "help" | "?":
                self.say(HELP.format(noun=noun, NOUN=noun.upper()))
            case "last":
                self.say(self.last)
            case "score":
                self._show_score()
            case "record":
                self.say(Text(str(table.record if table.position.over else table.view(YOU))))
            case "hint":
                if table.position.turn == YOU:
                    advice = best_player(self.game, HINT_MS).agent.choose(table.view(YOU), random.Random(self.seed))
                    self.say(f"The best player says {advice}.")
            case "claim" | "why":
                self._rule_on(table, word, text[len(word) :].strip())
            case _:
                return text
        return None

    def _rule_on(self, table: Arbiter, word: str, text: str) -> None:
        """A claim, or a question whether something would be legal."""
        try:
            verdict = table.claim(YOU) if word == "claim" else table.position.judge(self._spelled(text, table.position))
        except (NotationError, WrongPhase) as wrong:
            self.say(f"{format_error(wrong)}.")
            return
        self._refuse(verdict)
        if verdict:
            self.say("Your claim holds." if word == "claim" else f"{verdict.said} is legal.", "green")

    # -- what you see

    def _show_table(self, position: Position) -> dict[str, str]:
        """The table as you see it; returns the menu, from number to what it stands for."""
        hand, order, trick = position.hands[YOU], position.order, position.trick
        assert isinstance(hand, Cards)
        self.say()
        options = self._calls(position)
        if order is None or trick is None:
            self.say(f"  Your hand: {hand}")
        else:
            shown = zip(trick.seats, trick.plays, strict=False)
            lies = [f"{self.names[seat]} {play}{' *' * (seat == trick.winner)}" for seat, play in shown]
            points = [sum(position.points[i::2]) for i in (0, 1)] if self._partners else position.points
            self.say(
                f"  Points: {self._tally(points)}. On the table: {', '.join(lies) or 'nothing; you lead'}", "yellow"
            )
            ordered = sorted(hand, key=lambda c: (-order.led_suit[c], -order.strength[order.led_suit[c]][c], -c))
            suits = groupby(ordered, key=lambda card: order.led_suit[card])
            held = (f"{order.nouns[suit]} {' '.join(map(hand.deck.names.__getitem__, cards))}" for suit, cards in suits)
            self.say(f"  Your hand: {' | '.join(held)}")
            if position.turn == YOU:
                options += [self.game.write_play(each, order) for each in islice(position.legal_plays, MENU + 1)]
        if len(options) > MENU:
            self.say(f"  More than {MENU} ways are open: type one.")
            return {}
        menu = {str(number): option for number, option in enumerate(options, start=1)}
        listed = "   ".join(f"{key}) {option}".replace(" ", "\xa0") for key, option in menu.items())
        for line in wrap(listed, 76):
            self.say(f"  {line}".replace("\xa0", " "))
        return menu

    def _calls(self, position: Position) -> list[str]:
        """What you may call; of very many ways some."""
        return (
            list(islice(position.floor(YOU).calls(position.hands[YOU]), MENU + 1)) if YOU in position.speakers else []
        )

    def _tally(self, counts: Sequence[int]) -> str:
        """Points or a score by side, or by seat where everybody counts alone."""
        return ", ".join(f"{name} {count}" for name, count in zip(self._sides, counts, strict=False))

    def _score(self) -> str:
        return self._tally(self.record.standing.score)

    def _show_score(self) -> None:
        for number, line in enumerate(self.sheet, start=1):
            self.say(f"  {number:>3}  {line}")
        target = getattr(self.game.rules, "target", None)
        self.say(f"  {self._score()}{'' if target is None else f'; {target} wins'}.", "bold")

    def _show_result(self, table: Arbiter) -> None:
        result = table.position.result
        self.say("\nAll hands as they were dealt, what was not played in brackets:")
        for name, dealt, left in zip(self.names, table.record.start.hands, table.position.hands, strict=True):
            self.say(f"  {name:>8}  {dealt}{f'  [{left}]' if left else ''}")
        self.sheet.append("all passed, thrown in" if result is None else self._named(result.text, table.position))
        self.say(f"Hand {len(self.sheet)}: {self.sheet[-1]}.", "bold")
        self.say(f"{self._score()}.")

    # -- the record

    def _write(self, path: Path) -> None:
        with write_atomically(path) as file:
            file.write(str(self.record).encode())

    def _save(self) -> None:
        if self.path is None:
            return
        try:
            self._write(self.path)
            self.unsaved = False
        except OSError as wrong:
            self.unsaved = True
            self.say(f"The record cannot be saved: {wrong.strerror}. Here it is:", "red")
            self.say(Text(str(self.record)))


def format_error(wrong: ValueError) -> str:
    """What you did wrong, without the position that it may quote: that has all hands."""
    return str(wrong).partition(": ")[0] if isinstance(wrong, WrongPhase) else str(wrong)
