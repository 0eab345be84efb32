"""Four to eight seats, two to four packs, teams and friends, every duty: what must hold of any game, and whole deals by
bots without a refusal. `RENEGE_SOAK=100` plays a thousand deals of each size.
"""

import json
import random
from collections import Counter
from itertools import cycle
from typing import Any

import pytest

from renege.ask.serve import reply
from renege.core.cards import Cards, known_cards
from renege.core.game import Game
from renege.core.judge import judge
from renege.core.position import Position
from renege.core.record import Record
from renege.core.registry import parse_record
from renege.core.trick import Play
from renege.games.testing import check_game
from renege.games.tractor.deck import NAMES
from renege.games.tractor.declare import Bank
from renege.games.tractor.rules import THROW_STOPPED
from support.steering import SOAK
from support.tractor_crowd import DUTIES, SIZES, Duty, Size, bots_deal, game_of, is_follow
from support.tractor_tables import choose

# A check lists every legal play, which takes seconds with large hands: the soak has them all.
TEAMS, FRIENDS = "teams", "friends"
FEW = [Size(TEAMS, 6, 2), Size(FRIENDS, 5, 2), Size(FRIENDS, 7, 3), Size(TEAMS, 8, 3), Size(TEAMS, 4, 2)]
FEW += [Size(FRIENDS, 6, 2), Size(FRIENDS, 8, 3), Size(FRIENDS, 4, 2), Size(FRIENDS, 8, 4), Size(FRIENDS, 7, 2)]
EVERY = [(size, duty) for size in SIZES for duty in DUTIES]
CASES = EVERY if SOAK > 1 else list(zip(FEW, DUTIES, strict=True))


@pytest.mark.parametrize(("size", "duty"), CASES, ids=str)
def test_what_must_hold_of_any_game(size: Size, duty: Duty):
    most = 2 if SOAK == 1 else 4

    def short(position: Position, rng: random.Random) -> str | Play:
        return choose(position, rng, most)

    report = check_game(game_of(size, duty), deals=max(1, SOAK // 50), seed=size.seats, choose=short)
    assert report.acts > 40 and report.subsets > 100


def test_the_cases_have_every_number_of_seats_and_packs_and_every_duty():
    for few, every in zip(zip(*FEW, strict=True), zip(*SIZES, strict=True), strict=True):
        assert set(few) == set(every)
    assert {duty for _, duty in CASES} == set(DUTIES)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_bots_play_whole_deals_without_a_refusal(size: Size):
    """And each deal is written, read back and replayed; questions are answered as the table judges."""
    duties, asked = cycle(DUTIES), Counter[str]()
    for seed in range(1 if SOAK == 1 else 10 * SOAK):
        game = game_of(size, next(duties) if seed % 2 else DUTIES[0])
        table = bots_deal(game, seed)
        position, record = table.position, table.record
        assert position.result is not None and not any(map(len, position.hands))
        assert position.order is not None
        left = position.order.worth(known_cards(position.kitty))
        assert game.rules.points == sum(position.points) + left
        assert all(position.side(seat) is not None for seat in game.all_seats)
        again = parse_record(str(record))
        assert again == record and str(again) == str(record)
        assert again.position == position and judge(again)
        if seed % 10 == 0:
            asked += check_answers(record, random.Random(seed))
    assert min(asked[kind] for kind in ("legal", "refused", "winner", "throw")) > 0, asked


# -- `renege ask`


def check_answers(record: Record, rng: random.Random) -> Counter[str]:
    """What is asked of some positions is answered as the table judges."""
    asked: Counter[str] = Counter()
    for act, position in record.steps():
        if not isinstance(act.what, Play) or rng.random() > 0.3:
            continue
        about, hand = question_of(position), known_cards(position.hand)
        lead = position.trick and position.trick.plays and position.trick.plays[0].cards
        for play in (act.what.tried or act.what.cards, any_cards(hand, len(lead) if lead else 1, rng)):
            asked[check_verdict(position, play, about)] += 1
        if is_follow(position) and position.legal_plays.count() < 1000:
            told = ask(ask="legal_plays", **about)
            assert told["count"] == position.legal_plays.count()
            assert set(told["plays"]) == {str(play.cards) for play in position.legal_plays}
        if not is_follow(position):
            asked["throw"] += check_lead(act.what, position, about)
        elif position.trick is not None and len(position.trick.plays) == position.game.players - 1:
            asked["winner"] += check_winner(position, act.what, about)
    return asked


def check_verdict(position: Position, play: Cards, about: dict[str, Any]) -> str:
    """A question calls a throw illegal that falls, where the table has a unit of it led."""
    told, verdict = ask(ask="legal", play=str(play), **about), position.judge(play)
    if verdict.legal is False:
        assert (told["legal"], told["rule"]) == (False, verdict.rule and verdict.rule.id), (about, play)
        assert told["instead"] == verdict.instead
        return "refused"
    landed = position.read(play).what
    falls = isinstance(landed, Play) and landed.tried is not None
    assert (told["legal"], told["rule"]) == (not falls, THROW_STOPPED.id if falls else None), (about, play)
    return "falls" if falls else "legal"


def question_of(position: Position) -> dict[str, Any]:
    """A position in the fields of a question."""
    game, contract = position.game, position.contract
    assert isinstance(contract, Bank) and position.trick is not None and position.turn is not None
    about: dict[str, Any] = house_of(game) | {"declaration": contract.declaration, "hand": str(position.hand)}
    if contract.friends:
        about["friends"] = [{"card": NAMES[friend.card], "nth": friend.nth} for friend in contract.friends]
    if position.trick.plays:
        lead = position.trick.plays[0]
        about |= {"lead": str(lead.cards)} | ({"grouping": list(map(str, lead.units))} if lead.units else {})
    else:
        after = [(position.turn + n) % game.players for n in range(1, game.players)]
        about["others"] = [str(position.hands[seat]) for seat in after]
    return about


def house_of(game: Game) -> dict[str, Any]:
    rules = game.rules
    told = {"duty_family": rules.duty_family.value, "follow_duty": rules.follow_duty.value, "mode": rules.mode.value}
    return {"game": "tractor", "packs": rules.packs, "seats": rules.seats, "rules": told}


def ask(**question: Any) -> dict[str, Any]:
    told = json.loads(reply(json.dumps(question).encode())[0])
    assert "error" not in told, (told, question)
    return told


def any_cards(hand: Cards, size: int, rng: random.Random) -> Cards:
    return hand.deck.cards(rng.sample(list(hand), min(size, len(hand))))


def check_lead(play: Play, position: Position, about: dict[str, Any]) -> int:
    """What becomes of a lead: a throw stands, or a unit of it is led."""
    shown = play.tried or play.cards
    told = ask(ask="throw", cards=str(shown), **{name: about[name] for name in about if name != "hand"})
    assert (told["stands"], told["led"]) == (play.tried is None, str(play.cards)), (about, play)
    return 1


def check_winner(position: Position, play: Play, about: dict[str, Any]) -> int:
    assert position.trick is not None
    plays = [str(one.cards) for one in (*position.trick.plays, play)]
    asked = {name: about[name] for name in about if name not in ("hand", "lead")}
    told, after = ask(ask="winner", plays=plays, **asked), position.put(play)
    assert after.trick is not None
    assert position.trick.seats[told["winner"]] == after.trick.leader
    return 1
