"""Calls that are put together and the cards that they name, as the page is shown them: Finding Friends."""

import random
import re
from collections import Counter
from dataclasses import replace
from itertools import product

import pytest

from renege.core.arbiter import Arbiter
from renege.core.game import Game
from renege.core.record import Record
from renege.core.trick import Play
from renege.core.view import seen_by_all
from renege.games import schafkopf, tractor
from renege.games.words import words_of
from renege.i18n import Speech
from renege.server.messages import State
from renege.server.present.state import contract_shown, event_text, state
from renege.server.present.teach import check
from renege.server.tables.chance import Source
from renege.server.tables.events import ActEvent
from renege.server.tables.history import Entry, format_event
from renege.server.tables.live import LiveDeal, deal_event
from support.server_deals import SETTING, cut
from support.steering import SOAK

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Ella", "Fred", "Greta", "Hans")
FRIENDS = ("friends-five", "friends-six")
HOUSES = {
    **{name: tractor.game(name) for name in FRIENDS},
    "trumps too": tractor.game(tractor.PRESETS["friends-five"], friend_cards="trumps-too", double_friend="not"),
}
EVERY = pytest.mark.parametrize("house", HOUSES)


def seen(record: Record, seat: int | None, language: str = "en") -> State:
    places = tuple(SETTING.places[0].model_copy(update={"seat": n, "name": NAMES[n]}) for n in record.game.all_seats)
    view = seen_by_all(record) if seat is None else record.view(seat)
    return state(view, seat, replace(SETTING, places=places), Speech(language, NAMES))


def played(game: Game, seed: int) -> tuple[Record, int]:
    """A whole deal with friends of all kinds, and how many acts there were before they were named."""
    rng, table, named = random.Random(seed), Arbiter(game, seed), 0
    while (turn := table.position.turn) is not None:
        position = table.position
        if not position.talking:
            assert table.act(turn, position.legal_plays.choose(rng))
            continue
        call = rng.choice(position.legal_calls)
        if call.startswith("friends "):
            named = len(table.record.acts)
            compose = seen(table.record, turn).compose
            assert compose is not None
            ways = [f"{card} {nth + 1}" for card, nth in product(compose.cards, range(compose.copies))]
            call = f"{compose.verb} {', '.join(rng.sample(ways, compose.count))}"
        assert table.act(turn, call), call
    return table.record, named


@EVERY
@pytest.mark.parametrize("seed", range(2 * SOAK))
def test_what_may_be_named_is_what_the_arbiter_allows(house: str, seed: int):
    game = HOUSES[house]
    record, at = played(game, seed)
    before = cut(record, at)
    banker = before.position.turn
    assert banker is not None
    shown = seen(before, banker)
    compose = shown.compose
    assert compose is not None and shown.asked and shown.may_call and not shown.calls and shown.choose is None
    assert (compose.count, compose.copies) == (game.rules.friend_count, game.rules.packs)
    assert compose.text == ("name a friend" if compose.count == 1 else f"name {compose.count} friends")
    first = [(card, nth + 1) for card, nth in product(compose.cards, range(compose.copies))]
    for card in game.deck.names:
        for nth in range(1, compose.copies + 2):
            others = [other for other in first if other != (card, nth)][: compose.count - 1]
            call = f"{compose.verb} " + ", ".join(f"{name} {n}" for name, n in (*others, (card, nth)))
            assert before.position.judge(call, banker).legal == (card in compose.cards and nth <= compose.copies)
    for seat in (None, *game.all_seats):
        assert (seen(before, seat).compose is None) == (seat != banker)


@EVERY
@pytest.mark.parametrize("seed", range(2 * SOAK))
def test_named_cards_are_followed_through_the_deal(house: str, seed: int):
    """Everybody is told the same: how many copies have come, and who has joined by them."""
    game = HOUSES[house]
    record, at = played(game, seed)
    assert not seen(cut(record, at), 0).named
    friends = [part.rsplit(" ", 1) for part in str(record.acts[at].what).removeprefix("friends ").split(", ")]
    came, speech = Counter[str](), Speech("en", NAMES)
    for length in range(at + 1, len(record.acts) + 1):
        so_far, act = cut(record, length), record.acts[length - 1]
        if isinstance(act.what, Play):
            came.update(str(act.what.cards).split())
        shown = seen(so_far, length % game.players)
        assert shown.named == seen(so_far, None).named
        assert [[one.card, str(one.nth)] for one in shown.named] == friends
        team = {seat for one in shown.named if (seat := one.seat) is not None}
        for one in shown.named:
            assert (one.played, one.copies) == (came[one.card], game.rules.packs)
            assert one.seat is None or came[one.card] >= one.nth
            assert one.seat is None or not one.open
        told = event_text(cut(record, length - 1).position, act, speech)
        old = {one.seat for one in seen(cut(record, length - 1), None).named}
        assert shown.contract is not None
        joins = team - old - {shown.contract.declarer}
        assert told.endswith(" is a friend") == bool(joins)
        if joins:
            assert joins == {act.seat} and told.endswith(f", {NAMES[act.seat]} is a friend")
        for seat in shown.seats:
            number = seat.place.seat
            known = {0: "friend", 1: "attacker", None: ""}[seat.side]
            assert seat.role == ("banker" if number == shown.contract.declarer else known)
            assert (seat.side == 0) == (number in team | {shown.contract.declarer})


def test_the_contract_names_the_cards_where_nothing_else_shows_them():
    record, _ = played(HOUSES["friends-six"], 1)
    english = Speech("en", NAMES)
    whole, alone = contract_shown(record.position, english), contract_shown(record.position, english, names=False)
    assert whole is not None and alone is not None
    assert whole.text.startswith(f"{alone.text}, a friend plays copy ") and "friend" not in alone.text


@pytest.mark.parametrize("language", ["de", "zh"])
def test_the_parts_are_told_in_every_language(language: str):
    record, at = played(HOUSES["friends-six"], 2)
    compose = seen(cut(record, at), cut(record, at).position.turn, language).compose
    assert compose is not None
    assert compose.text == {"de": "2 Freunde nennen", "zh": "叫2个朋友"}[language]
    roles = {seat.role for seat in seen(record, None, language).seats}
    assert roles <= {"de": {"Bankhalter", "Freund", "Angreifer"}, "zh": {"庄家", "朋友", "闲家"}}[language]
    assert len(roles) > 1


@pytest.mark.parametrize(("call", "group"), [("friends HA 2, SK 1", "naming friends"), ("show S2", "a showing")])
def test_a_hint_says_first_what_kind_of_call_it_is(call: str, group: str):
    position = tractor.position("trump S2 | 0: H3 | 1: H4 | 2: H5 | 3: H6 | kitty S3")
    assert words_of(position.game).call_group(position, call) == group
    assert all(Speech(language).say(group) != group for language in ("de", "zh"))


def test_games_say_what_wins():
    assert [words_of(tractor.game(name)).enough(tractor.game(name)) for name in ("default", "friends-six")] == [80, 120]
    assert words_of(schafkopf.game()).enough(schafkopf.game()) is None


@EVERY
def test_what_beats_a_lead_is_told_however_many_may_have_it(house: str):
    """More hands than can be told by name are counted."""
    record, at = played(HOUSES[house], 3)
    counted = 0
    for length in range(at + 1, len(record.acts)):
        position = cut(record, length).position
        if position.turn is None or position.trick is None or position.trick.lead is not None:
            continue
        view = cut(record, length).view(position.turn)
        for card in dict.fromkeys(str(view.hand).split()):
            (unit,) = check(view, card, "en", NAMES).units
            counted += (found := re.fullmatch(r"(\d) other hands may have \S+", unit.why)) is not None
            assert found is None or 4 <= int(found[1]) < view.game.players
            assert unit.safe == (" may have " not in unit.why)
    assert counted


def test_a_live_deal_tells_each_friend_once():
    """Plays share the scene in which they are told; who has joined since is another thing in each."""
    record, _ = played(HOUSES["friends-six"], 4)
    deal = LiveDeal(record.game, deal_event(record.game, 1, Source(4), record.start.standing, opens=True))
    assert deal.position == record.start
    told: list[str] = []
    for number, act in enumerate(record.acts):
        event = ActEvent(act.seat, deal.position.spell(act.what))
        told.append(format_event(Entry(number, 1, event, deal.follow(event, number)), None, NAMES, "en").text)
    joins = [text for text in told if text.endswith(" is a friend")]
    contract = record.position.contract
    assert contract is not None
    team = {one.seat for one in seen(record, None).named} - {None, contract.declarer}
    assert sorted(text.split(" ")[0] for text in joins) == sorted(NAMES[seat] for seat in team if seat is not None)
    assert joins
