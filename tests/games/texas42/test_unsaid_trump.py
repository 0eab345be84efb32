"""Trumps left unsaid: the first tile led tells them. Whole deals against the reference, and who else must know it."""

import json
import random
from collections import Counter

import pytest

from reference import texas42 as reference
from renege import IllegalPlay, NotationError, judge, parse_record, texas42
from renege.agents import Rulebook, Searcher
from renege.ask.serve import reply
from renege.belief import Belief
from renege.core.arbiter import Arbiter
from renege.core.cards import Cards, Hand
from renege.core.deal_state import Act
from renege.core.record import Record, new_record
from renege.core.trick import Play
from renege.games.encoding import encoding_of
from renege.games.texas42.contract import LEADS, Hand42
from renege.games.texas42.rules import EarlyEnd, Rules, UnsaidTrump
from renege.games.texas42.small import Small
from support.steering import SOAK, deals_for
from support.texas42_scores import score_question

RULES = Rules(unsaid_trump=UnsaidTrump.FIRST_LEAD, early_end=EarlyEnd.PLAY_ON)
GAME = texas42.game(RULES)


def ends(hand: Hand) -> list[reference.Tile]:
    assert isinstance(hand, Cards)
    return [reference.TILES[card] for card in hand]


def led_unsaid(rng: random.Random) -> Record:
    """A deal up to the first lead, which some seat makes with trumps unsaid."""
    bid = rng.choice(["30", "35", "41", "1 mark", "2 marks"] * 3 + ["plunge", "splash"])
    record = new_record(GAME, next(deals_for(bid, GAME, rng.randrange(1 << 20))))
    position = record.position
    while position.talking:
        calls = position.legal_calls
        leads = [call for call in calls if call.startswith(LEADS)]
        passes = position.talk is not None and any(said != "pass" for said in position.talk.said)
        what = rng.choice(leads) if leads else bid if bid in calls and not passes else "pass"
        act = position.read(what)
        position, record = position.call(what), record.with_act(act)
        if len(record.acts) == 4 and position.turn is None:
            return led_unsaid(rng)  # nobody had the doubles in turn
    return record


def test_deals_led_unsaid_are_played_and_settled_as_the_reference_says():
    rng, found = random.Random(9), Counter[str]()
    for _ in range(60 * SOAK):
        record = led_unsaid(rng)
        position, said = record.position, str(record.acts[4].what)
        tile = reference.parse_tile(said.removeprefix(LEADS))
        trumps = reference.trumps_by_lead(tile)
        assert isinstance(position.contract, Hand42)
        assert position.contract.declaration == trumps
        assert [ends(play.cards) for play in position.legal_plays] == [[tile]]
        assert texas42.position(str(position), RULES).contract == position.contract
        plays: list[reference.Tile] = []
        while not position.over:
            assert position.trick is not None
            trick = [ends(play.cards)[0] for play in position.trick.plays]
            legal = reference.legal_plays(ends(position.hand), trick[0] if trick else None, trumps)
            choices = list(position.legal_plays)
            assert {ends(play.cards)[0] for play in choices} == (set(legal) if plays else {tile})
            play = rng.choice(choices)
            plays += ends(play.cards)
            act = position.read(play)
            position, record = position.play(play), record.with_act(act)
        start = record.start
        bids = [str(act.what) for act in record.acts[:4]]
        settled = reference.replay([ends(hand) for hand in start.hands], start.standing.dealer, bids, trumps, plays)
        assert position.result is not None
        assert settled.marks == position.result.score[:2]
        assert settled.made is position.result.made
        found[trumps] += 1
        if not sum(found.values()) % 20:
            assert parse_record(str(record)) == record
            assert judge(record)
            check_ask(record, settled)
    assert len(found) == 7


def check_ask(record: Record, settled: reference.Result) -> None:
    question = score_question(record, unsaid_trump="first-lead")
    told = json.loads(reply(json.dumps(question).encode())[0])
    assert (told["made"], told["marks"], told["renege"]) == (settled.made, list(settled.marks), None)
    for wrong, why in (({"rules": {}}, "texas42.unsaid-trump"), ({"plays": []}, "no tile is led")):
        answer, good = reply(json.dumps(question | wrong).encode())
        assert not good
        assert why.encode() in answer


def test_who_watches_knows_which_tile_will_be_led():
    record = led_unsaid(random.Random(3))
    contract = record.position.contract
    assert isinstance(contract, Hand42) and contract.opening is not None
    for seat in range(4):
        if seat != contract.leader:
            belief = Belief(record.view(seat))
            assert belief.odds(texas42.DECK.names[contract.opening])[contract.leader] == 1
            assert all(contract.opening in world.hands[contract.leader] for world in belief.draw(20, seed=1))


@pytest.mark.parametrize("player", [Rulebook(), Searcher(worlds=4)], ids=["rulebook", "searcher"])
def test_players_name_trumps_and_play_on_when_others_do_not(player):
    rng = random.Random(5)
    for seed in range(6):
        table = Arbiter(GAME, seed)
        while (seat := table.position.turn) is not None:
            calls = table.position.legal_calls if table.position.talking else ()
            leads = [call for call in calls if call.startswith(LEADS)]
            what = player.choose(table.record.view(seat), rng).what
            assert not (isinstance(what, str) and what.startswith(LEADS))
            table.act(seat, rng.choice(leads) if leads and seed % 2 else what)
        assert judge(table.record)


def test_where_it_is_not_known_it_is_refused_by_name():
    with pytest.raises(ValueError, match="unsaid_trump=first-lead has no actions"):
        encoding_of(GAME)
    with pytest.raises(ValueError, match="unsaid_trump is first-lead"):
        Small(unsaid_trump=UnsaidTrump.FIRST_LEAD)
    with pytest.raises(NotationError, match="named before the first lead"):
        texas42.position("lead 6-4 bid 31 by 0")
    with pytest.raises(IllegalPlay, match=r"texas42\.unsaid-trump"):
        texas42.position("lead 6-4 | 0: 6-4 5-5 | 1: 6-6 1-1 | 2: 3-3 2-2 | 3: 0-0 1-0", RULES).play("5-5")


def test_a_text_whose_leader_lacks_the_tile_still_has_plays():
    position = texas42.position("lead 6-4 bid 31 by 0 | 0: 5-5 3-1 | 1: 6-6 1-1 | 2: 3-3 2-2 | 3: 0-0 1-0", RULES)
    assert position.legal_plays.count() == 2


def test_from_outside_another_lead_is_a_breach_at_once():
    record = led_unsaid(random.Random(1))
    seat, contract = record.position.turn, record.position.contract
    assert seat is not None and isinstance(contract, Hand42)
    hand = record.position.hands[seat]
    assert isinstance(hand, Cards)
    other = next(card for card in hand if card != contract.opening)
    record = record.with_act(Act(seat, Play(texas42.DECK.of(1 << other))))
    for seen in (record, record.view((seat + 1) % 4)):
        assert [breach.rule.id for breach in judge(seen).breaches] == ["texas42.unsaid-trump"]


@pytest.mark.parametrize(("tile", "trumps"), [((6, 4), "6"), ((1, 0), "1"), ((5, 5), "5"), ((0, 0), "0")])
def test_reference_the_high_end_is_trumps(tile: reference.Tile, trumps: str):
    assert reference.trumps_by_lead(tile) == trumps
