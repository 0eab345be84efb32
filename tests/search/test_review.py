"""Reviews judge calls as they judge plays: by what the best player would do, and by what the network likes."""

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from renege.agents import Net, Searcher
from renege.agents.best import advised_by, best_player
from renege.core.cards import Cards
from renege.core.record import Record
from renege.core.registry import find_game, parse_game_record
from renege.core.solution import Limits
from renege.search import ONLY
from renege.search.review import Known, Liked, review
from renege.server.present.replay import review as review_shown
from support.random_nets import GAMES, shipped
from support.server_deals import NAMES, play_at_random

GOLDEN = Path(__file__).parents[1] / "data" / "golden"
FORCED = ("out of turn", "nobody chooses now, for the kitty names trumps")


def deals(game: str) -> list[Record]:
    """Deals that are written down, and one by chance."""
    written = [parse_game_record(file.read_text("utf-8")).deals[0] for file in sorted(GOLDEN.glob(f"{game}-*.txt"))]
    whole = [deal for deal in written if all(isinstance(hand, Cards) for hand in deal.start.hands)]
    return [*whole, play_at_random(find_game(game), 1, dull=0.5)]


def kind(call: str) -> str:
    return call.split()[0] if not call[0].isdigit() else "bid"


@pytest.mark.parametrize("game", GAMES)
def test_every_kind_of_call_is_judged_by_what_its_seat_could_know(game: str, tmp_path: Path):
    judged: Counter[str] = Counter()
    with shipped(tmp_path, *GAMES):
        for deal in deals(game):
            by = best_player(deal.game, worlds=4)
            calls = 1 + max(i for i, act in enumerate(deal.acts) if isinstance(act.what, str))
            talk = replace(deal, acts=deal.acts[:calls])
            for move in review(talk, by, limits=Limits(seconds=0.001)):
                act = deal.acts[move.number].what
                if not isinstance(act, str) or move.known in FORCED:
                    continue
                judged[kind(act)] += 1
                if by.net is None:
                    assert isinstance(move.known, Known) or move.known, act
                    continue
                assert move.liked is not None, (act, move.known)
                assert 0 < move.liked.share <= 1 and move.liked.done is not None and 0 <= move.liked.done <= 1
                if isinstance(move.known, Known):
                    assert move.known.cost >= 0 and move.known.best
                    assert move.known.best != move.what or move.known.cost == 0
    wanted = {
        "texas42": {"bid", "pass", "trump"},
        "schafkopf": {"pass", "rufspiel", "solo", "stoss"},
        "tractor": {"pass", "show", "take", "bury"},
    }
    assert wanted[game] <= judged.keys()


def test_a_call_costs_what_it_is_behind_the_choice_of_the_player():
    """The bidder holds nothing: passing is better, and by how much is what the search says of both."""
    record = parse_game_record((GOLDEN / "texas42-30-trump-0.txt").read_text("utf-8")).deals[0]
    view = Record(record.start).view(record.acts[0].seat)
    found = Searcher(worlds=30).search(view, random.Random(0))
    other = next(one for one in found.estimates if one.behind > 0.05)
    assert isinstance(other.option, str)
    done = Record(record.start, (record.start.read(other.option, view.seat),))
    (move,) = review(done, advised_by(Searcher(worlds=30)))
    assert move.known == Known(other.behind, str(found.best.option), other.worlds)
    assert move.liked is None and move.open == "a call"


def test_it_is_held_against_what_the_network_would_do(tmp_path: Path):
    """Where the network is the best player its choice costs nothing, whatever the search makes of it."""
    record = play_at_random(find_game("texas42"), 2)
    view = Record(record.start).view(record.acts[0].seat)
    with shipped(tmp_path, "texas42"):
        best, net = best_player(view.game, worlds=5), Net().likes(view)
        assert isinstance(net.best, str)
        same = Record(record.start, (record.start.read(net.best, view.seat),))
        (move,) = review(same, best)
        assert move.known == Known(0.0, net.best, 5)
        share = net.of(net.best)
        assert share is not None and move.liked == Liked(net.best, share, share)
        (other,) = review(Record(record.start, (record.start.read("pass", view.seat),)), best)
        assert net.best != "pass" and other.liked == Liked(net.best, share, net.of("pass"))
        assert isinstance(other.known, Known) and other.known.best == net.best


def test_the_network_says_what_it_would_do_where_nothing_is_weighed(tmp_path: Path):
    """Asked without any search, and so it is with what is said beside the play."""
    game = find_game("schafkopf", {"doubling": "anyone"})
    record = play_at_random(game, 1)
    with shipped(tmp_path, "schafkopf", doubling="anyone"):
        move = next(iter(review(record, advised_by(Net()))))
        line = next(iter(review_shown(record, "de", NAMES, 20)))
    assert move.known == "nothing is weighed by this player"
    assert move.liked is not None and move.liked.best in ("double", "pass")
    assert line.network is not None and line.network.what == move.liked.best
    assert line.network.share == pytest.approx(move.liked.share) and line.network.done == move.liked.done
    assert line.network.text == {"double": "verdoppelt", "pass": "weiter"}[move.liked.best]


def test_what_the_network_never_thought_of_is_held_against_its_choice(tmp_path: Path):
    """On a network anything can be weighed, also where it would try one thing alone."""
    seen = 0
    with shipped(tmp_path, "texas42"):
        for seed in range(12):
            record = play_at_random(find_game("texas42"), seed)
            best = advised_by(Searcher(worlds=4, net="", settings=(("least", "0.4"),)))
            for number in range(4):
                view = replace(record, acts=record.acts[:number]).view(record.acts[number].seat)
                study = best.study(view, random.Random(0))
                assert study.found is not None
                if len(study.found.estimates) > 1 or study.found.stopped == ONLY:
                    continue
                (*_, move) = review(replace(record, acts=record.acts[: number + 1]), best)
                assert isinstance(move.known, Known) and move.known.best == study.advice.what
                assert move.what == move.known.best or move.known.worlds > 0
                seen += move.what != move.known.best
    assert seen


def test_a_best_call_is_shown_in_the_words_of_the_listener(tmp_path: Path):
    record = play_at_random(find_game("texas42"), 2)
    talk = replace(record, acts=tuple(act for act in record.acts if isinstance(act.what, str)))
    with shipped(tmp_path):
        lines = [line for line in review_shown(talk, "de", NAMES, 50) if line.known_best]
    assert {line.known_best: line.known_text for line in lines}["pass"] == "weiter"
