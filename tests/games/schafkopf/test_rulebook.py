"""The rules of thumb: always legal, the same from the same view, and better than chance."""

import random
from dataclasses import fields, replace
from enum import Enum

import pytest

from reference import schafkopf as reference
from renege.agents import Searcher
from renege.core.arbiter import Arbiter
from renege.core.cards import Cards
from renege.core.deal_state import Act
from renege.core.game import Game
from renege.core.notation import parse_cards
from renege.core.position import View, deal_position
from renege.core.record import Record
from renege.core.trick import Play
from renege.games import schafkopf
from renege.games.schafkopf import search
from renege.games.schafkopf.calling import chance, is_caught, sweeps
from renege.games.schafkopf.rulebook import interject, rulebook
from renege.games.schafkopf.rules import AllPass, Doubling, HochzeitCouples, PackSize, Rules, StossDeadline
from support.schafkopf_deals import SOAK, begin_deal

LONG = PackSize.LONG


def at_random(view: View, rng: random.Random) -> str | Play:
    return rng.choice(view.legal_calls) if view.position.talking else view.legal_plays.choose(rng)


def finish(table: Arbiter, rng: random.Random, clever: set[int]) -> Record:
    """The deal to its end: these seats play by the rulebook, and the others at random."""
    while (turn := table.position.turn) is not None:
        for seat in table.position.speakers if table.position.contract is not None else ():
            word = interject(table.view(seat)) if seat in clever else None
            if word is not None and seat in table.position.speakers:
                assert table.act(seat, word.what)
        view = table.view(turn)
        verdict = table.act(turn, rulebook(view).what if turn in clever else at_random(view, rng))
        assert verdict, verdict
    return table.record


def any_rules(rng: random.Random) -> Rules:
    chosen = Rules(stoss_limit=rng.randrange(5))
    for field in fields(Rules):
        default = getattr(chosen, field.name)
        if isinstance(default, Enum):
            chosen = replace(chosen, **{field.name: rng.choice(list(type(default)))})
    return chosen


@pytest.mark.parametrize("seed", range(24 * SOAK))
def test_it_is_always_legal_under_any_house_rules(seed: int):
    rng = random.Random(seed)
    finish(Arbiter(schafkopf.game(any_rules(rng)), seed), rng, set(rng.sample(range(4), rng.choice([2, 4]))))


@pytest.mark.parametrize("declaration", reference.DECLARATIONS)
def test_it_plays_every_contract_legally(declaration: str):
    for preset in ("default", "short"):
        rng = random.Random(declaration)
        record = begin_deal(schafkopf.game(schafkopf.PRESETS[preset]), declaration, rng)
        finish(Arbiter.resume(record), rng, {0, 1, 2, 3})


def test_the_same_view_gets_the_same_answer_again():
    game = schafkopf.game(Rules(stoss_limit=0))
    for seed in range(2 * SOAK):
        record = finish(Arbiter(game, seed), random.Random(seed), {0, 1, 2, 3})
        for length in range(0, len(record.acts), 3):
            before = replace(record, acts=record.acts[:length])
            assert before.position.turn is not None
            assert rulebook(before.view(before.position.turn)).what == record.acts[length].what


def test_it_beats_chance_by_far():
    game, won = schafkopf.game(), 0.0
    deals = 12
    for seed in range(deals):  # each deal twice, with the sides changed
        for side in (0, 1):
            result = finish(Arbiter(game, seed), random.Random(seed), {side, side + 2}).position.result
            won += 0 if result is None else (result.score[side] + result.score[side + 2]) / 4
    assert won / deals > 80  # cents a deal and seat


def test_games_it_chooses_are_won_more_often_than_not():
    game, made = schafkopf.game(schafkopf.PRESETS["plain"]), list[bool]()
    for seed in range(24):
        position = finish(Arbiter(game, seed), random.Random(seed), {0, 1, 2, 3}).position
        if position.result is not None and position.result.made is not None:
            made.append(position.result.made)
    assert len(made) > 15
    assert sum(made) / len(made) > 0.55


# -- calls


def hands_with(game: Game, first: str) -> tuple[Cards, ...]:
    """A deal in which seat 0 holds these cards and the others what is left, in order."""
    deck = game.deck
    mine = deck.cards(deck.spellings[name] for name in first.split())
    rest = list(deck.all - mine)
    size = game.hand_size
    return (mine, *(deck.cards(rest[i * size : (i + 1) * size]) for i in range(3)))


@pytest.mark.parametrize(
    ("hand", "bid", "named"),
    [
        # five trumps with three Ober, and Gras alone: its ace is called
        ("EO GO SO HK H7 E9 E8 G9", "rufspiel", "rufspiel G"),
        # the ace that one holds oneself is not called
        ("GO SO SU H9 EA E7 SZ S7", "rufspiel", "rufspiel S"),
        # six trumps with the two highest, an ace and a void, against three who see their own cards alone
        ("EO GO SU HA H9 H7 EA SZ", "solo", "solo H"),
        ("EO GO HO EU GU GA GZ SA", "solo", "solo G"),
        ("EU GU HU EA EZ GA G9 SZ", "wenz", "wenz"),
        ("EO GO HO EA EZ GA G8 SZ", "geier", "geier"),
        ("EU GU HU EA EZ GA GZ SA", "wenz tout", "wenz tout"),
        ("EO GO HO SO EU GU HU SU", "sie", "sie"),
        ("E7 E8 E9 G7 G9 S7 S8 H7", "bettel", "bettel"),
        ("EO GO HO SO EU GU HU HA", "solo tout", "solo H tout"),
        ("SU H7 E9 E8 GK G7 SK S8", "pass", None),
    ],
)
def test_it_bids_a_strong_hand_and_passes_a_weak_one(hand: str, bid: str, named: str | None):
    game = schafkopf.game()
    record = Record(deal_position(game, game.opening, hands_with(game, hand)))
    assert rulebook(record.view(0)).what == bid
    if named is not None:
        for seat, said in enumerate([bid, "pass", "pass", "pass"]):
            record = record.with_act(Act(seat, said))
        assert rulebook(record.view(0)).what == named


def said(game: Game, hands: tuple[Cards, ...], *calls: str) -> Record:
    record = Record(deal_position(game, game.opening, hands))
    for call in calls:
        assert record.position.turn is not None
        record = record.with_act(Act(record.position.turn, call))
    return record


@pytest.mark.parametrize("searches", [False, True])
def test_a_second_couple_goes_by_the_rules_of_the_first(searches: bool):
    """Offered with two aces, taken up with the trumps of a fair Rufspiel; the searcher leaves that to the rulebook."""
    game = schafkopf.game(Rules(hochzeit_couples=HochzeitCouples.TWO))
    # fmt: off
    hands = [
        "SO EK E9 GK G9 SK S9 S7", "EO HZ HK E7 E8 G7 H9 S8", "H7 EA EZ GA GZ SA SZ HA", "GO HO EU GU HU SU G8 H8",
    ]
    # fmt: on
    talk = ["hochzeit", "pass", "pass", "pass", "hochzeit", "accept", "give SO", "give E7"]

    def advised(hands: list[str], *calls: str) -> object:
        piles = tuple(parse_cards(game.deck, hand) for hand in hands)
        record = said(game, piles, *talk, *calls)
        assert record.position.turn is not None
        view = record.view(record.position.turn)
        assert search.options(view) == (rulebook(view).what,)
        return Searcher(worlds=2).choose(view, random.Random(1)).what if searches else rulebook(view).what

    assert advised(hands) == "pass"  # two trumps: it cannot
    lone = [hands[0], hands[1], hands[2].replace("HA", "S8"), hands[3].replace("H8", "HA")]
    lone[1] = lone[1].replace("S8", "H8")
    assert advised(lone) == "offer"
    assert advised(lone, "offer") == "accept" and advised(lone, "offer", "accept") == "give H7"
    poor = [lone[0].replace("EK", "EA").replace("GK", "GA").replace("SK", "SA"), lone[1], "", lone[3]]
    poor[2] = lone[2].replace("EA", "EK").replace("GA", "GK").replace("SA", "SK")
    assert advised(poor) == "pass"  # no ace


def test_it_offers_accepts_and_gives_in_a_hochzeit():
    game = schafkopf.game()
    deck = game.deck
    texts = ["H7 EA GA EZ GZ SK S9 S8", "EO GO HO EU HA HZ G8 G7", "", ""]
    told = [deck.cards(deck.spellings[name] for name in text.split()) for text in texts]
    rest = list(deck.all - told[0] - told[1])
    hands = (told[0], told[1], deck.cards(rest[:8]), deck.cards(rest[8:]))
    record = said(game, hands)
    assert rulebook(record.view(0)).what == "hochzeit"
    record = said(game, hands, "hochzeit", "pass", "pass", "pass")
    assert rulebook(record.view(0)).what == "hochzeit"
    record = said(game, hands, "hochzeit", "pass", "pass", "pass", "hochzeit")
    assert rulebook(record.view(1)).what == "accept"
    record = said(game, hands, "hochzeit", "pass", "pass", "pass", "hochzeit", "accept")
    assert rulebook(record.view(0)).what == "give H7"
    record = said(game, hands, "hochzeit", "pass", "pass", "pass", "hochzeit", "accept", "give H7")
    assert rulebook(record.view(1)).what == "give G7"


def test_it_doubles_with_a_strong_hand_only_and_plays_when_it_must():
    game = schafkopf.game(Rules(doubling=Doubling.ANYONE, all_pass=AllPass.OLD_MUST))
    assert rulebook(said(game, hands_with(game, "EO GO HO SO EU HA EA G9")).view(0)).what == "double"
    weak = hands_with(game, "EO H7 E9 E8 GK G7 SK S8")
    record = said(game, weak)
    assert rulebook(record.view(0)).what == "pass"
    record = said(game, weak, *["pass"] * 8)
    assert rulebook(record.view(0)).what == "old"
    assert str(rulebook(said(game, weak, *["pass"] * 8, "old").view(0)).what).startswith("rufspiel")


@pytest.mark.parametrize(
    ("hand", "caught"),
    [("E7 E9 EU G7 G8 S7 S9 H8", True), ("E7 E9 EU G7 G8 S7 S9 H7", False), ("E7 E8 EA G7 S7 S8 S9 H7", True)],
)
def test_a_bettel_is_safe_with_room_below_every_card(hand: str, caught: bool):
    assert is_caught(Rules(), hands_with(schafkopf.game(), hand)[0].kinds) is caught


def test_a_tout_needs_the_top_of_every_suit():
    game = schafkopf.game()
    assert sweeps("wenz tout", LONG, hands_with(game, "EU GU HU EA EZ GA GZ SA")[0].kinds)
    assert not sweeps("wenz tout", LONG, hands_with(game, "EU GU HU EA EZ GA GZ SZ")[0].kinds)
    assert not sweeps("wenz tout", LONG, hands_with(game, "GU HU SU EA EZ GA GZ SA")[0].kinds)


def test_more_trumps_and_higher_ones_are_worth_more():
    game = schafkopf.game()
    hands = ["SU H7 E9 E8 GK G7 SK S8", "SU HA H7 E9 E8 GK G7 SK", "EO HA H7 E9 E8 GK G7 SK", "EO GO HA H7 EA E8 GK G7"]
    chances = [chance("rufspiel E", Rules(), hands_with(game, hand)[0].kinds, leads=False) for hand in hands]
    assert chances == sorted(chances)


# -- plays


@pytest.mark.parametrize(
    ("position", "seat", "play"),
    [
        # the declarer pulls trumps from the top
        ("rufspiel E by 0 | 0: EO GO HA E9 S7 | 0 leads", 0, "EO"),
        # who holds the called ace leads a trump for the declarer, and not the ace
        ("rufspiel E by 1 | 0: HU H7 EA GA S7 | 0 leads", 0, "HU"),
        # the others search the ace
        ("rufspiel E by 1 | 0: HU H7 E9 GA S7 | 0 leads", 0, "E9"),
        # and once it was played, lead a high plain card
        ("rufspiel E by 1 | 0: HU H7 E9 GA S7 | 0 leads | memory leaders 3; ace 2", 0, "GA"),
    ],
)
def test_it_leads_as_a_table_would_advise(position: str, seat: int, play: str):
    assert str(rulebook(View(schafkopf.position(position), (), seat)).what) == play


@pytest.mark.parametrize(
    ("position", "play"),
    [
        # a defender smears the ten on a sure trick of another defender
        ("solo G by 2 | led EO, G7, H8 | 0: SA SZ S9 | 1 leads", "SZ"),
        # nothing for the soloist
        ("solo G by 1 | led EO, G7, H8 | 0: SA SZ S9 | 1 leads", "S9"),
        # takes the soloist's plain trick as the last to play, with most points
        ("solo G by 1 | led SK, S7, S8 | 0: SA SZ S9 | 1 leads", "SA"),
        # trumps a trick worth it with a trump that has points, being the last
        ("solo G by 1 | led SZ, S7, SA | 0: EO GZ G7 H9 | 1 leads", "GZ"),
        # no Ober for an empty trick
        ("solo G by 1 | led S9, S7, S8 | 0: EO GO H9 | 1 leads", "H9"),
        # in a Ramsch as high as goes under the trick
        ("ramsch | led SK, S7 | 0: SZ S9 S8 EO | 2 leads", "S9"),
        # and rid of points when the suit is out
        ("ramsch | led SK, S7 | 0: EA E9 GZ | 2 leads", "EA"),
        # the declarer of a Bettel stays under
        ("bettel by 0 | led SK, SZ | 0: SA SO S7 | 2 leads", "SO"),
        # the others leave him room
        ("bettel by 1 | led SK | 0: SA SO S7 | 3 leads", "S7"),
    ],
)
def test_it_follows_as_a_table_would_advise(position: str, play: str):
    assert str(rulebook(View(schafkopf.position(position), (), 0)).what) == play


@pytest.mark.parametrize(
    ("position", "stoss"),
    [
        ("solo G by 1 | 0: EO GO HO GA GZ EA HA SA | 0 leads", True),
        ("solo G by 1 | 0: EO GO GA G7 EZ H7 S7 S8 | 0 leads", False),
        ("solo G tout by 1 | 0: EO E7 E8 E9 EZ H7 S7 S8 | 0 leads", True),
        ("solo G tout by 1 | 0: GO E7 E8 E9 EZ H7 S7 S8 | 0 leads", False),
        ("wenz by 1 | 0: EU GU EA GA SA HZ S7 S8 | 0 leads", True),
        ("wenz by 1 | 0: GU EA GA SZ HZ E7 S7 S8 | 0 leads", False),
        ("sie by 1 | 0: EA GA HA SA E7 H7 S7 S8 | 0 leads", False),
        # who holds the called ace raises nothing against his partner
        ("rufspiel E by 1 | 0: EO GO HO SO EU HA EA SA | 0 leads", False),
        ("rufspiel E by 1 | 0: EO GO HO SO EU HA E9 SA | 0 leads", True),
        # the declarer answers with a game that is as good as won
        ("solo G by 0 from 1 stoss 1 | 0: EO GO HO SO EU GU HU GA | 1 leads", True),
        ("solo G by 0 from 1 stoss 1 | 0: EO GO HO SU GA G7 E7 H7 | 1 leads", False),
    ],
)
def test_it_raises_the_stakes_with_a_very_strong_hand_only(position: str, stoss: bool):
    game = schafkopf.game(Rules(stoss_deadline=StossDeadline.FIRST_TRICK))
    view = View(schafkopf.position(position, game.rules), (), 0)
    advice = interject(view)
    assert (advice is not None) is stoss
    assert advice is None or advice.what in view.legal_calls


@pytest.mark.parametrize(
    ("named", "hand"),
    [
        ("solo H", "EO GO SU HA H9 H7 EA SZ"),
        ("wenz", "EU GU EA EZ GA G9 SA S9"),
        ("farbwenz E", "EU GU EA EK E9 GA S8 S7"),
    ],
)
def test_who_plays_alone_wins_more_often_than_open_hands_say(named: str, hand: str):
    kinds = hands_with(schafkopf.game(), hand)[0].kinds
    played, seen = (chance(named, Rules(), kinds, leads=False, hands_open=opened) for opened in (False, True))
    assert played > seen + 0.1 and played > 0.5
