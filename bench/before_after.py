"""Does a change of how agents call or play gain anything? The agent of an older checkout against the one of this.

    python bench/before_after.py schafkopf searcher:10w --before OLDER/.venv/bin/python --pairs 2000 --talk

`--before` is the Python of the older checkout, with its own kernel: a process of it answers for its seats. Deals are
played in mirrored pairs as in the arena, and the score is what the present agent wins more. Chance is the same for
both: a decision has the same random numbers in either round, whoever makes it, so that only what they do differently
counts.

With `--talk` the older agent only bids, declares and buries, and this checkout plays for all: what is measured is the
calling alone. A deal on which both rounds call alike is then level, and is not played. Every pair goes to `--out` when
it is done, and a match that was stopped goes on from there.
"""

import argparse
import json
import random
import subprocess
import sys
from functools import cache, partial
from pathlib import Path
from typing import Any

from renege.agents import parse_agent
from renege.arena.match import lead_of, terms
from renege.arena.stats import Running
from renege.core.arbiter import Arbiter
from renege.core.game import SEATS, Standing
from renege.core.registry import find_game
from renege.core.trick import Play
from renege.core.view import Onlooker
from renege.games.strategy import Advice
from renege.jobs import run_pieces


class Seats:
    """A deal at the arbiter's table, and an agent of this checkout that answers for any of its seats."""

    def __init__(self, game: str, agent: str, seed: int, dealer: int, score: list[int]) -> None:
        self.agent, self.arbiter = parse_agent(agent), Arbiter(find_game(game), seed, Standing(dealer, tuple(score)))
        self.seen = [Onlooker(self.arbiter.record, seat) for seat in SEATS]

    def act(self, seat: int, what: str) -> None:
        before = self.arbiter.position
        verdict = self.arbiter.act(seat, what)
        if not verdict:
            raise ValueError(f"seat {seat}: {what} breaks {verdict.rule}: {verdict.why}")
        for onlooker in self.seen:
            onlooker.follow(before, self.arbiter.record)

    def choose(self, seat: int, chance: str) -> str:
        return self._text(self.agent.choose(self.seen[seat].view, random.Random(chance)))

    def interject(self, seat: int, chance: str) -> str | None:
        advice = self.agent.interject(self.seen[seat].view, random.Random(chance))
        return None if advice is None else self._text(advice)

    def _text(self, advice: Advice) -> str:
        position = self.arbiter.position
        if not isinstance(advice.what, Play):
            return advice.what
        assert position.order is not None
        return position.game.write_play(advice.what, position.order)


def answer() -> None:
    """Be the older checkout: a JSON line in for each question, one out for each answer."""
    table: Seats | None = None
    for line in sys.stdin:
        verb, *given = json.loads(line)
        if verb == "deal":
            table = Seats(*given)
        elif verb == "act":
            assert table is not None
            table.act(*given)
        else:
            print(json.dumps(getattr(table, verb)(*given)), flush=True)


class Elsewhere:
    """The same table in a process of the older checkout."""

    def __init__(self, process: subprocess.Popen[str], *deal: Any) -> None:
        assert process.stdin is not None and process.stdout is not None
        self.questions, self.answers = process.stdin, process.stdout
        self._send("deal", *deal)

    def _send(self, *words: Any) -> None:
        print(json.dumps(words), file=self.questions, flush=True)

    def act(self, seat: int, what: str) -> None:
        self._send("act", seat, what)

    def choose(self, seat: int, chance: str) -> str:
        self._send("choose", seat, chance)
        return json.loads(self.answers.readline())

    def interject(self, seat: int, chance: str) -> str | None:
        self._send("interject", seat, chance)
        return json.loads(self.answers.readline())


@cache
def older(python: str) -> subprocess.Popen[str]:
    command = [python, __file__, "--answer"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


class Round:
    """One play of a pair: the present agent at the seats of a side, the older one at the others."""

    def __init__(self, asked: argparse.Namespace, pair: int, side: int) -> None:
        deal = random.Random(f"deal:{asked.seed}:{pair}:0").getrandbits(40)  # the deals of `renege arena`
        told = asked.game, asked.agent, deal, pair % len(SEATS), list(terms(find_game(asked.game)).score)
        self.here, self.there = Seats(*told), Elsewhere(older(asked.before), *told)
        self.chance, self.side, self.talk_alone = f"{asked.seed}:{pair}", side, bool(asked.talk)
        self.calls: list[tuple[int, str]] = []

    @property
    def talking(self) -> bool:
        return self.here.arbiter.position.talking

    def talk(self) -> None:
        while self.here.arbiter.position.turn is not None and self.talking:
            self._step()

    def play(self) -> float:
        """To the end; how far the present agent is ahead."""
        while self.here.arbiter.position.turn is not None:
            self._step()
        result = self.here.arbiter.position.result
        return 0.0 if result is None else lead_of(result.score, self.side)

    def _step(self) -> None:
        position = self.here.arbiter.position
        for seat in position.speakers:
            if not (position.talking and seat == position.turn):
                said = self._agent(seat).interject(seat, self._chance(seat))
                if said is not None:
                    return self._act(seat, said)
        seat, talk = position.turn, position.talk
        assert seat is not None
        if position.talking and talk is not None and talk.on_kitty:
            return self._act(seat, position.legal_calls[0])
        return self._act(seat, self._agent(seat).choose(seat, self._chance(seat)))

    def _agent(self, seat: int) -> Seats | Elsewhere:
        present = seat % 2 == self.side or (self.talk_alone and not self.talking)
        return self.here if present else self.there

    def _chance(self, seat: int) -> str:
        return f"{self.chance}:{seat}:{len(self.here.arbiter.record.acts)}"

    def _act(self, seat: int, what: str) -> None:
        if self.talking:
            self.calls.append((seat, what))
        self.here.act(seat, what)
        if not self.talk_alone or self.talking:
            self.there.act(seat, what)


def play_pair(asked: argparse.Namespace, pair: int) -> tuple[float, bool]:
    """How far the present agent is ahead over both rounds, and whether they were called differently."""
    calls, scores = list[list[tuple[int, str]]](), list[float]()
    rounds: list[Round] = []
    for side in (0, 1):
        rounds.append(Round(asked, pair, side))
        rounds[side].talk()
        calls.append(rounds[side].calls)
        if not asked.talk:  # the older process has one table at a time
            scores.append(rounds[side].play())
    differ = calls[0] != calls[1]
    if asked.talk:
        scores = [each.play() for each in rounds] if differ else [0.0]
    return sum(scores) / len(scores), differ


def main() -> None:
    if sys.argv[1:] == ["--answer"]:
        answer()
        return
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("game", choices=["texas42", "tractor", "schafkopf"])
    reader.add_argument("agent")
    reader.add_argument("--before", required=True, metavar="PYTHON", help="of the older checkout")
    reader.add_argument("--pairs", type=int, required=True)
    reader.add_argument("--seed", type=int, default=1)
    reader.add_argument("--talk", action="store_true", help="the older agent only calls")
    reader.add_argument("--workers", type=int, default=1)
    reader.add_argument("--out", type=Path, required=True, help="the log; a match in it goes on")
    asked = reader.parse_args()
    lines = [json.loads(line) for line in asked.out.read_text("utf-8").splitlines()] if asked.out.exists() else []
    played = {pair: (score, differ) for pair, score, differ in lines}
    left = [pair for pair in range(asked.pairs) if pair not in played]
    with asked.out.open("a", encoding="utf-8") as log:
        for pair, found in run_pieces(partial(play_pair, asked), left, workers=asked.workers, noun="pair"):
            played[pair] = found
            print(json.dumps([pair, *found]), file=log, flush=True)
    sums, differ = Running(), 0
    for pair in range(asked.pairs):
        sums.add(played[pair][0])
        differ += played[pair][1]
    unit = terms(find_game(asked.game))
    print(f"{asked.game} {asked.agent}: {sums.estimate} {unit.unit} a {unit.per}")
    print(f"{asked.pairs} pairs of seed {asked.seed}, called differently in {differ}")


if __name__ == "__main__":
    main()
