"""Schafkopf through the whole machine: every contract by its talk, raising the stakes, records, views, standings."""

import random
from dataclasses import fields, replace

import pytest

from reference import schafkopf as reference
from renege.core.arbiter import Arbiter, judge
from renege.core.cards import Cards
from renege.core.deal_state import Act
from renege.core.game import Game, Standing
from renege.core.house_rules import read_rules
from renege.core.notation import NotationError, parse_cards
from renege.core.position import Position, deal_position
from renege.core.record import GameRecord, Record, new_record
from renege.core.registry import parse_game_record, parse_record
from renege.core.trick import Play
from renege.core.verdict import WrongPhase
from renege.games import schafkopf
from renege.games.schafkopf.rules import PRESETS, PackSize, Rules
from renege.games.testing import check_game
from support.schafkopf_deals import SOAK, begin_deal, bid_for, deals, hands_for, two_lone_trumps


def rules(**choices: str) -> Rules:
    return read_rules(Rules(), choices)


def steered(declaration: str):
    """Whoever may plays this; the stakes are raised now and then."""

    def choose(position: Position, rng: random.Random) -> str | Play:
        calls = position.legal_calls if position.turn in position.speakers else ()
        if position.talking:
            wishes = [declaration, bid_for(declaration), "accept", "offer"] if declaration != "ramsch" else []
            wish = next((wish for wish in wishes if wish in calls), None)
            return wish or ("pass" if "pass" in calls else rng.choice(calls))
        return "stoss" if calls and rng.random() < 0.3 else position.legal_plays.choose(rng)

    return choose


@pytest.mark.parametrize("declaration", [name for name in reference.DECLARATIONS if name not in ("sie", "hochzeit")])
def test_schafkopf_conforms_under_every_contract(declaration: str):
    assert check_game(schafkopf.game(), deals=2 * SOAK, choose=steered(declaration)).acts >= 72
    assert check_game(schafkopf.game(PRESETS["short"]), deals=SOAK, choose=steered(declaration)).acts >= 28


@pytest.mark.parametrize(
    "house",
    [
        {"all_pass": "redeal", "doubling": "anyone"},
        {"all_pass": "stock", "stoss_deadline": "first-trick", "stoss_role": "takes-over"},
        {"all_pass": "old-must", "precedence": "equal", "stoss_limit": "1"},
        {"stoss_deadline": "first-card", "renege_penalty": "none", "march": "from-91", "virgins": "own"},
        {"precedence": "raising", "doubling": "chain", "stoss_price": "adds", "stoss_limit": "20"},
    ],
    ids=lambda house: " ".join(house.values()),
)
def test_schafkopf_conforms_under_every_kind_of_house_rule(house: dict[str, str]):
    def anything(position: Position, rng: random.Random) -> str | Play:
        if position.talking:
            return rng.choice(position.legal_calls)
        raises = position.turn in position.speakers and position.legal_calls
        return "stoss" if raises and rng.random() < 0.3 else position.legal_plays.choose(rng)

    check_game(schafkopf.game(rules(**house)), deals=15 * SOAK, choose=anything)


class Dealt(Game):
    """The game with hands that allow what is seldom dealt."""

    def deal(self, seed: int) -> tuple[tuple[Cards, ...], Cards]:
        rng = random.Random(seed)
        hands = hands_for(rng.choice(["sie", "hochzeit"]), rng, self.rules.deck is PackSize.SHORT)
        return tuple(self.deck.cards(self.deck.spellings[card] for card in hand) for hand in hands), self.deck.none


@pytest.mark.parametrize("preset", ["default", "short"])
@pytest.mark.parametrize("declaration", ["sie", "hochzeit"])
def test_schafkopf_conforms_where_the_hands_are_rare(declaration: str, preset: str):
    game = schafkopf.game(PRESETS[preset])
    dealt = Dealt(**{field.name: getattr(game, field.name) for field in fields(game)})
    assert check_game(dealt, deals=3 * SOAK, choose=steered(declaration)).acts >= 72


class Married(Game):
    """The game where two seats have one trump alone."""

    def deal(self, seed: int) -> tuple[tuple[Cards, ...], Cards]:
        hands = two_lone_trumps(random.Random(seed), self.rules.deck is PackSize.SHORT)
        return tuple(self.deck.cards(self.deck.spellings[card] for card in hand) for hand in hands), self.deck.none


@pytest.mark.parametrize("returned", ["plain", "any"])
@pytest.mark.parametrize("cards", ["face-down", "face-up"])
def test_schafkopf_conforms_where_two_couples_swap(returned: str, cards: str):
    game = schafkopf.game(rules(hochzeit_couples="two", hochzeit_return=returned, hochzeit_cards=cards))
    dealt, offers = Married(**{field.name: getattr(game, field.name) for field in fields(game)}), 0

    def choose(position: Position, rng: random.Random) -> str | Play:
        nonlocal offers
        offers += position.talking and "offer" in position.legal_calls
        return steered("hochzeit")(position, rng)

    assert check_game(dealt, deals=4 * SOAK, choose=choose).acts >= 4 * 40 * SOAK
    assert offers


@pytest.mark.parametrize("house", [{"hochzeit_return": "any"}, {"hochzeit_cards": "face-up"}], ids=str)
def test_schafkopf_conforms_where_a_hochzeit_is_played_in_other_ways(house: dict[str, str]):
    game = schafkopf.game(rules(**house))
    dealt = Dealt(**{field.name: getattr(game, field.name) for field in fields(game)})
    assert check_game(dealt, deals=3 * SOAK, choose=steered("hochzeit")).acts >= 72


class Barred(Game):
    """The game where who holds the Eichel-Ober can call no ace."""

    def deal(self, seed: int) -> tuple[tuple[Cards, ...], Cards]:
        rng = random.Random(seed)
        hands = hands_for(rng.choice(reference.RENONCES), rng, self.rules.deck is PackSize.SHORT)
        return tuple(self.deck.cards(self.deck.spellings[card] for card in hand) for hand in hands), self.deck.none


@pytest.mark.parametrize("pack", ["long", "short"])
def test_schafkopf_conforms_where_the_old_one_plays_a_renonce(pack: str):
    game = schafkopf.game(rules(all_pass="old-must", deck=pack))
    barred = Barred(**{field.name: getattr(game, field.name) for field in fields(game)})
    renonces = 0

    def choose(position: Position, rng: random.Random) -> str | Play:
        nonlocal renonces
        if not position.talking:
            return position.legal_plays.choose(rng)
        calls = position.legal_calls
        renonces += any(call in reference.RENONCES for call in calls)
        wishes = [call for call in calls if call in ("pass", *reference.RENONCES)]
        return rng.choice(wishes or calls)

    check_game(barred, deals=3 * SOAK, choose=choose)
    assert renonces >= 3 * SOAK


TWO_COUPLES = [
    "SO EA EK GA GK SA SK S7", "EO GO HO EU GU HA G7 G8", "H7 EZ E9 GZ G9 SZ S9 S8", "H8 HU SU HZ HK H9 E7 E8",
]  # fmt: skip


def test_the_second_couple_plays_against_the_first_and_shows_its_cards_to_nobody():
    game = schafkopf.game(rules(hochzeit_couples="two"))
    piles = tuple(parse_cards(game.deck, hand) for hand in TWO_COUPLES)
    record = Record(deal_position(game, game.opening, piles))
    talk = ["hochzeit", "pass", "pass", "pass", "hochzeit", "accept", "give SO", "give G7"]
    for call in (*talk, "offer", "accept", "give H7", "give E7"):
        record = record.with_act(record.position.read(call))
    position = record.position
    assert position.contract == schafkopf.Bargain("hochzeit", 0, 0, partner=1)
    assert [schafkopf.team(position, seat).value for seat in range(4)] == ["declarers"] * 2 + ["defenders"] * 2
    assert (str(position.hands[2]), str(position.hands[3])) == ("EZ E9 E7 GZ G9 SZ S9 S8", "E8 HZ HK HU H9 H8 H7 SU")
    for seat in range(4):
        told = str(record.view(seat))
        assert [gift in told for gift in ("give SO", "give G7")] == [seat in (0, 1)] * 2
        assert [gift in told for gift in ("give H7", "give E7")] == [seat in (2, 3)] * 2
    assert parse_record(str(record)) == record
    wild = Record(record.start, (*record.acts[:8], Act(2, "give H7"), Act(3, "pass")))  # which nobody has accepted
    assert [str(breach.rule) for breach in judge(wild).breaches] == ["schafkopf.hochzeit"]
    assert wild.position.hands[2:] == record.start.hands[2:] and wild.view(0).facts()
    passed = [*talk, "pass", "pass"]  # and so nothing more is asked
    other = Record(record.start)
    for call in passed:
        other = other.with_act(other.position.read(call))
    assert not other.position.talking and other.position.contract == position.contract


def test_cards_that_are_laid_open_are_seen_by_all():
    game = schafkopf.game(rules(hochzeit_cards="face-up"))
    record = begin_deal(game, "hochzeit", random.Random(1))
    gifts = [str(act.what) for act in record.acts if str(act.what).startswith("give")]
    assert all(gift in str(record.view(seat)) for gift in gifts for seat in range(4))


def test_doublings_are_kept_through_a_hochzeit():
    game = schafkopf.game(rules(doubling="anyone"))
    hands = hands_for("hochzeit", random.Random(3), short=False)
    piles = tuple(game.deck.cards(game.deck.spellings[card] for card in hand) for hand in hands)
    position = deal_position(game, game.opening, piles)
    for call in ("double", "pass", "double", "pass", "hochzeit", "pass", "pass", "pass", "hochzeit"):
        position = position.call(call)
    while position.talking:
        calls = position.legal_calls
        position = position.call("accept" if "accept" in calls else calls[0])
    assert isinstance(position.contract, schafkopf.Bargain)
    assert (position.contract.declaration, position.contract.doubled) == ("hochzeit", 2)


def test_a_call_beside_the_play_reads_from_a_record_whoever_says_it():
    record = begin_deal(schafkopf.game(), "solo G", random.Random(5))
    text = str(record)
    late = text + "0 says stoss\n1 says stoss\n"  # the declarer against himself, then an opponent as answer
    read = parse_record(late)
    assert [str(breach.rule) for breach in judge(read).breaches] == ["schafkopf.stoss"] * 2
    with pytest.raises(NotationError, match="'hurrah' is no call"):
        parse_record(text + "2 says hurrah\n")
    with pytest.raises(NotationError, match="take turns"):
        schafkopf.position("rufspiel E by 0 stoss 0 | 0 leads")
    with pytest.raises(NotationError, match="is no list of trumps"):
        schafkopf.position("wenz by 0 | hand EA | memory trumps ,")


def test_a_hochzeit_moves_two_cards_that_only_the_pair_sees():
    record = begin_deal(schafkopf.game(), "hochzeit", random.Random(1))
    position = record.position
    assert position.contract == schafkopf.Bargain("hochzeit", 0, 0, partner=1)
    gifts = [act.what for act in record.acts if str(act.what).startswith("give")]
    assert all(gift in str(record.view(seat)) for gift in map(str, gifts) for seat in (0, 1))
    for seat in (2, 3):
        assert "give a card" in str(record.view(seat))
        assert not any(str(gift) in str(record.view(seat)) for gift in gifts)
    order = position.order
    assert order is not None
    assert [len(hand) for hand in position.hands] == [8, 8, 8, 8]
    giver = position.hands[0]
    assert isinstance(giver, Cards) and not order.in_suit(giver, 0)


def table(*calls: str, house: Rules | None = None, seed: int = 4) -> Arbiter:
    made = Arbiter(schafkopf.game(house), seed)
    for call in calls:
        seat = made.position.turn
        assert seat is not None
        assert made.act(seat, call), (call, made.position)
    return made


def test_an_auction_goes_on_among_those_who_still_want_to_play():
    made = table("geier", "wenz", "pass", "pass")
    assert made.position.turn == 0  # was overbid
    assert {"pass", "wenz", "solo"} <= set(made.position.legal_calls)
    assert "geier" not in made.position.legal_calls
    made = table("geier", "wenz", "pass", "pass", "wenz")
    assert made.position.turn == 1
    assert "wenz" not in made.position.legal_calls  # an earlier seat has matched it
    made = table("geier", "wenz", "pass", "pass", "wenz", "pass", "wenz")
    assert made.position.contract == schafkopf.Bargain("wenz", 0, 0)


def test_where_all_pass_the_table_says_what_is_played():
    passes = ("pass",) * 4
    ramsch = table(*passes).position
    assert ramsch.contract is not None and (ramsch.contract.declaration, ramsch.contract.declarer) == ("ramsch", None)
    assert table(*passes, house=rules(all_pass="redeal")).position.over
    stock = table(*passes, house=rules(all_pass="stock"))
    record = GameRecord(stock.position.game, (stock.record,))
    assert record.standing == Standing(0, (-10, -10, -10, -10, 40))
    old = table(*passes, house=rules(all_pass="old-must"))
    while (calls := old.position.legal_calls) in (("no",), ("old",)):
        seat = old.position.turn
        assert seat is not None
        assert old.act(seat, calls[0])
    assert old.position.turn is not None
    hand = old.position.hand
    assert isinstance(hand, Cards) and old.position.game.deck.spellings["EO"] in hand


def test_the_stock_goes_to_who_wins_the_next_rufspiel_and_grows_when_he_loses():
    won = lost = 0
    house = rules(all_pass="stock")
    for deal in deals("stock", 2, rules=house):
        richer = replace(deal.record.start, standing=Standing(3, (0, 0, 0, 0, 40)))
        start = replace(deal.record, start=richer)
        plain, paid = deal.end.result, start.position.result
        assert plain is not None and paid is not None
        after = GameRecord(start.game, (start,)).standing
        extra = [ours - theirs for ours, theirs in zip(paid.score, plain.score, strict=True)]
        assert sum(after.score) == 40  # nothing is lost
        if not deal.contract.declaration.startswith("rufspiel"):
            assert extra == [0, 0, 0, 0]
            continue
        won, lost = won + bool(plain.made), lost + (not plain.made)
        assert sorted(extra) == ([0, 0, 20, 20] if plain.made else [-20, -20, 0, 0])
        assert after.score[4] == (0 if plain.made else 80)
    assert won and lost


def test_stakes_are_raised_beside_the_play_and_double_the_price():
    record = begin_deal(schafkopf.game(), "solo G", random.Random(5))
    made = Arbiter.resume(record)
    assert made.position.speakers == (1, 2, 3)
    assert made.act(2, "stoss")
    assert made.position.speakers == (0,)
    assert made.act(0, made.position.legal_plays.choose(random.Random(0)))
    assert made.act(0, "retour")  # an answer has a card more
    with pytest.raises(WrongPhase):
        made.act(0, "retour")  # now it is for the others
    assert made.act(1, "kontra")
    assert made.act(1, made.position.legal_plays.choose(random.Random(0)))
    assert made.position.speakers == (0,)
    with pytest.raises(WrongPhase, match="out of turn"):
        made.act(0, next(iter(made.position.legal_plays)))
    while (seat := made.position.turn) is not None:
        made.act(seat, made.position.legal_plays.choose(random.Random(0)))
    assert made.position.contract is not None
    text = str(made.record)
    assert "2 says stoss" in text and ", 0 says stoss, 1 says stoss, " in text
    plain = Record(record.start, tuple(act for act in made.record.acts if act.what != "stoss"))
    assert made.position.result is not None and plain.position.result is not None
    assert made.position.result.score == tuple(8 * pay for pay in plain.position.result.score)


def test_a_record_with_a_call_out_of_time_is_judged():
    record = begin_deal(schafkopf.game(), "solo G", random.Random(5))
    position, acts = record.position, list(record.acts)
    for _ in range(8):
        assert position.turn is not None
        acts.append(Act(position.turn, position.legal_plays.choose(random.Random(1))))
        position = position.then(acts[-1])
    assert position.turn is not None
    late = Record(record.start, (*acts, Act(position.turn, "stoss")))
    assert [str(breach.rule) for breach in judge(late).breaches] == ["schafkopf.stoss"]
    with pytest.raises(NotationError, match="no call"):
        position.floor(0).read("hurrah")


def test_a_game_goes_on_and_its_record_reads_back():
    game = schafkopf.game(rules(all_pass="stock"))
    record = GameRecord(game)
    for number in range(6):
        made = Arbiter.resume(new_record(game, number, record.standing))
        rng = random.Random(number)
        while (seat := made.position.turn) is not None:
            act = steered("rufspiel E" if number % 2 else "none")(made.position, rng)
            assert made.act(seat, act)
        record = GameRecord(game, (*record.deals, made.record))
    assert parse_game_record(str(record)) == record
    assert sum(record.standing.score) == 0
    assert record.winner is None


def test_cards_are_read_and_said_in_words():
    deck = schafkopf.SHORT
    assert parse_cards(deck, "Eichel-Ober herz-zehn") == parse_cards(deck, "EO HZ")
    assert [schafkopf.in_words(name) for name in ("GU", "SK", "H9")] == ["Gras-Unter", "Schellen-König", "Herz-Neun"]
    with pytest.raises(NotationError, match="Herz-Sieben"):
        parse_cards(deck, "Herz-Sieben")
