"""Agents at the arbiter's table: what they see, what they may say, and what happens when they break a rule."""

import random
from dataclasses import dataclass

import pytest

from renege.agents import Agent, Random, Rulebook
from renege.arena import match
from renege.arena.match import AgentFault, lead_of, play_deal, play_game, terms
from renege.core.arbiter import Arbiter, judge
from renege.core.cards import Cards
from renege.core.game import SEATS, Game, Standing
from renege.core.position import View
from renege.core.registry import GAMES, find_game
from renege.core.trick import Play
from renege.core.view import Onlooker
from renege.games.strategy import Advice
from support.steering import SOAK

GAME_NAMES = sorted(GAMES)


def streams(seed: int = 0) -> list[random.Random]:
    return [random.Random(f"{seed}:{seat}") for seat in SEATS]


def standing(game: Game, dealer: int = 0) -> Standing:
    return Standing(dealer, terms(game).score)


@dataclass
class Speaker:
    """Plays at random, and says the first thing it may whenever it is let break in."""

    name: str = "speaker"

    def choose(self, view: View, rng: random.Random) -> Advice:
        return Random().choose(view, rng)

    def interject(self, view: View, rng: random.Random) -> Advice | None:
        calls = [call for call in view.legal_calls if call != "pass"]
        return Advice(calls[0], "because I may") if calls and rng.random() < 0.7 else None


class Cheat(Speaker):
    """Plays the first card of its hand, whatever was led."""

    def choose(self, view: View, rng: random.Random) -> Advice:
        if view.position.talking:
            return Advice(view.legal_calls[-1], "high")
        return Advice(Play(view.game.deck.cards([next(iter(view.hand))])), "no reason")


class Babbler(Speaker):
    def choose(self, view: View, rng: random.Random) -> Advice:
        return Advice("no such thing", "nonsense")


class Broken(Speaker):
    def choose(self, view: View, rng: random.Random) -> Advice:
        raise KeyError("lost its notes")


@pytest.mark.parametrize("name", GAME_NAMES)
def test_a_deal_is_played_to_its_end_and_the_judge_finds_no_fault(name: str):
    game = find_game(name)
    agents: list[Agent] = [Random(), Speaker(), Random(), Speaker()]
    for seed in range(3 * SOAK):
        deal = play_deal(game, agents, seed, streams(seed), standing(game, seed % 4))
        assert deal.record.position.over
        assert judge(deal.record)
        acts = [sum(act.seat == seat for act in deal.record.acts) for seat in SEATS]
        assert [len(spent) for spent in deal.seconds] == acts


def test_who_may_break_in_is_heard():
    said = 0
    for name in ("tractor", "schafkopf"):
        game = find_game(name)
        for seed in range(4):
            record = play_deal(game, [Speaker()] * 4, seed, streams(seed), standing(game)).record
            for act, position in record.steps():
                beside = not position.talking and isinstance(act.what, str)
                said += beside or (position.talking and act.seat != position.turn)
    assert said > 4


def test_the_seat_that_leads_may_raise_the_stakes_before_it_plays():
    """In Schafkopf nobody may after his own first card, so forehand is asked before the first lead."""
    game, asked = find_game("schafkopf"), set[int]()

    class Listener(Speaker):
        def interject(self, view: View, rng: random.Random) -> Advice | None:
            if not view.position.talking and view.my_turn and not view.position.points[view.seat]:
                asked.add(view.seat)
            return None

    for seed in range(8):
        play_deal(game, [Listener()] * 4, seed, streams(seed), standing(game, seed % 4))
    assert asked


@pytest.mark.parametrize("name", GAME_NAMES)
def test_what_a_seat_is_shown_is_what_the_record_says_it_saw(name: str):
    game, rng = find_game(name), random.Random(5)
    for seed in range(SOAK):
        table = Arbiter(game, seed, standing(game, seed % 4))
        seen = [Onlooker(table.record, seat) for seat in SEATS]
        while (seat := table.position.turn) is not None:
            before = table.position
            table.act(seat, Random().choose(seen[seat].view, rng).what)
            for onlooker in seen:
                onlooker.follow(before, table.record)
            # at the end all is shown, and nobody is asked any more
            if not table.position.over and (before.talking or len(table.record.acts) % 9 == 0):
                for view, true in ((onlooker.view, table.view(onlooker.seat)) for onlooker in seen):
                    assert (view, view.position, str(view)) == (true, true.position, str(true))


def test_agents_are_given_no_hand_but_their_own():
    class Peeper(Speaker):
        def choose(self, view: View, rng: random.Random) -> Advice:
            told = [seat for seat, hand in enumerate(view.position.hands) if isinstance(hand, Cards) and len(hand)]
            assert told == [view.seat]
            return super().choose(view, rng)

    for name in GAME_NAMES:
        game = find_game(name)
        play_deal(game, [Peeper()] * 4, 1, streams(), standing(game))


@pytest.mark.parametrize(
    ("agent", "says"),
    [
        (Cheat("cheat"), "texas42.follow-suit"),
        (Babbler("babbler"), "no such thing"),
        (Broken("broken"), "KeyError: 'lost its notes'"),
    ],
)
def test_an_agent_at_fault_is_named_with_the_rule_and_the_deal(agent: Agent, says: str):
    game = find_game("texas42")
    with pytest.raises(AgentFault) as fault:
        [play_deal(game, [agent] * 4, seed, streams(), standing(game)) for seed in range(20)]
    assert says in str(fault.value)
    assert str(fault.value).startswith(f"{agent.name}, seat ")
    assert ", deal " in str(fault.value)


@dataclass
class Loud(Speaker):
    """Breaks in with the same words whenever it can."""

    words: str = "pass"

    def interject(self, view: View, rng: random.Random) -> Advice | None:
        return Advice(self.words, "to be heard")


def test_an_agent_that_breaks_in_against_the_rules_is_named():
    game = find_game("tractor")
    with pytest.raises(AgentFault, match=r"^loud, seat \d, deal 0: .*BJ BJ"):
        play_deal(game, [Loud("loud", "show BJ BJ")] * 4, 0, streams(), standing(game))


def test_breaking_in_has_an_end(monkeypatch: pytest.MonkeyPatch):
    game = find_game("tractor")
    assert play_deal(game, [Loud()] * 4, 0, streams(), standing(game)).record.position.over
    monkeypatch.setattr(match, "MOST_BREAKS", 2)  # no game's rules let the seats go on for ever
    with pytest.raises(AgentFault, match="deal 0: too many interjections without a move"):
        play_deal(game, [Loud()] * 4, 0, streams(), standing(game))


def test_a_side_counts_its_shared_gain_once():
    assert lead_of((2, 0, 2, 0), 0) == 2
    assert lead_of((2, 0, 2, 0), 1) == -2
    assert lead_of((60, -20, -20, -20), 0) == 40  # payouts that sum to zero: what the two seats win together


def test_whole_games_end_when_a_side_has_won():
    game = find_game("texas42", {"target": "2"})
    deals = play_game(game, [Rulebook(), Random()] * 2, iter(range(1000)), streams(), dealer=2)
    marks = [sum(deal.gains[side] for deal in deals) for side in (0, 1)]
    assert max(marks) >= 2
    assert max(sum(deal.gains[side] for deal in deals[:-1]) for side in (0, 1)) < 2
    assert [deal.record.start.standing.dealer for deal in deals] == [(2 + i) % 4 for i in range(len(deals))]


def test_what_is_played_for_follows_the_house_rules():
    assert terms(find_game("texas42")).unit == "marks"
    assert terms(find_game("texas42", {"scoring": "points"})).unit == "points"
    assert {name: terms(find_game(name)).unit for name in GAMES} == {
        "texas42": "marks",
        "tractor": "levels",
        "schafkopf": "cents",
    }
