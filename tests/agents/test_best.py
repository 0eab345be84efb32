"""Who the best player is, under which house rules, and why it is not another."""

import random
from pathlib import Path
from types import ModuleType

import pytest

from renege.agents import Net, Random, Rulebook, Searcher
from renege.agents.best import advised_by, best_player, stand_ins
from renege.core.arbiter import Arbiter
from renege.core.registry import find_game
from renege.i18n import Speech
from support.random_nets import GAMES, shipped

MS = 20


def test_a_search_on_the_network_where_it_was_trained_for_the_rules(tmp_path: Path):
    with shipped(tmp_path, "schafkopf", ramsch_losers="most-points"):
        best = best_player(find_game("schafkopf"), MS)
        on_network = Searcher(MS, net="")
        assert (best.agent, best.net, best.searcher, best.lacking) == (on_network, Net(), on_network, "")
        assert best.describe("strong bots play {how}") == "strong bots play by a search that stands on the network"
        assert advised_by(Net()).describe("strong bots play {how}") == "strong bots play by the network"
        assert stand_ins(find_game("schafkopf")) == (Net(), Rulebook())


def test_the_search_under_other_rules_and_why(tmp_path: Path):
    game = find_game("schafkopf", {"ramsch_losers": "two-most"})
    with shipped(tmp_path, "schafkopf", ramsch_losers="most-points"):
        best = best_player(game, MS)
    assert (best.agent, best.net, best.searcher) == (Searcher(MS), None, Searcher(MS))
    said = best.describe("strong bots play {how}")
    assert [Speech(language).say(said) for language in ("en", "de", "zh")] == [
        "strong bots play by search, without a network: "
        "the network of schafkopf was not trained under ramsch_losers=two-most",
        "Starke Bots spielen mit Suche, ohne neuronales Netz: "
        "das neuronale Netz für schafkopf wurde nicht unter ramsch_losers=two-most trainiert",
        "高手电脑用搜索（不用神经网络）打牌：schafkopf 的神经网络没有在 ramsch_losers=two-most 规则下训练过",
    ]


@pytest.mark.parametrize("game", GAMES)
def test_the_search_where_there_is_no_network(game: str, tmp_path: Path):
    with shipped(tmp_path):
        best = best_player(find_game(game), worlds=5)
        assert (best.agent, best.lacking) == (Searcher(worlds=5), "there is no network for this game")
        assert stand_ins(find_game(game)) == (Rulebook(),)


def test_rules_that_have_no_rows_are_no_network_s(tmp_path: Path):
    with shipped(tmp_path, "texas42"):
        best = best_player(find_game("texas42", {"opening_lead": "small-end"}), MS)
    assert best.agent == Searcher(MS) and "opening_lead=small-end" in best.lacking


def test_rules_of_thumb_or_anything_for_a_game_without_more(vane: ModuleType, tmp_path: Path):
    best = best_player(find_game("vane"), MS)
    assert best.lacking == "there is no network for this game"
    game = find_game("vane")
    assert type(best.agent) in (Rulebook, Random, Searcher) and stand_ins(game)[-1] in (Rulebook(), Random())
    assert best.study(Arbiter(game, 1).view(Arbiter(game, 1).position.turn or 0), random.Random(1)).advice.what


def test_a_study_has_what_is_advised_what_was_found_and_what_is_liked(tmp_path: Path):
    view, rng = Arbiter(find_game("texas42"), 3).view(0), random.Random(1)
    with shipped(tmp_path, "texas42"):
        study = best_player(view.game, worlds=4).study(view, rng)
        assert study.likes is not None and study.found is not None
        assert study.likes.best == Net().choose(view, rng).what
        assert len(study.found.estimates) > 1
        assert study.advice.what == study.found.best.option
        alone = advised_by(Net()).study(view, rng)
        assert alone.found is None and alone.likes is not None and alone.advice.what == alone.likes.best
    searched = advised_by(Searcher(worlds=4)).study(view, random.Random(1))
    assert searched.likes is None and searched.found is not None
    assert searched.advice.what == searched.found.best.option
    assert advised_by(Rulebook()).study(view, rng).advice == Rulebook().choose(view, rng)


def test_the_network_stands_in_before_rules_of_thumb(tmp_path: Path):
    with shipped(tmp_path, "schafkopf"):
        assert stand_ins(find_game("schafkopf")) == (Net(), Rulebook())
