"""Where the rules of thumb decide alone, search, hint and review say why: in every such place, in every language."""

import random
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from renege.agents import Rulebook, Searcher
from renege.agents.best import advised_by
from renege.core.arbiter import Arbiter
from renege.core.cards import Cards
from renege.core.deal_state import Act
from renege.core.game import Game
from renege.core.position import Position, View
from renege.core.record import Record
from renege.core.registry import find_game
from renege.core.trick import Play
from renege.games.texas42.contract import Hand42
from renege.games.texas42.search import options
from renege.games.tractor.units import cut
from renege.i18n import Speech, texts
from renege.search import ONLY, weigh
from renege.search.pimc import search_of
from renege.search.review import Known, review
from renege.server.present.teach import hints
from support.random_nets import shipped
from support.sentences import unknown
from support.steering import SOAK

SEARCH = advised_by(Searcher(worlds=1))
NAMES = ("Ann", "Bo", "Cy", "Di")
THUMB = "by rules of thumb: "
GROUPED = "a lead that its leader grouped otherwise than the cards lie is not played on"
ALIKE = "nothing else wins, gives or saves points, or empties a suit"
SPECIAL = "bids for nello, sevens, a splash or a plunge are not weighed"
LEFT = "the bids that are left are not weighed"
PASSED = "the tiles that are passed for nello are not weighed"
FACE_UP = "a tile lies face up, and worlds are not solved with its duty"
SMALL_END = "a trick that was led for its small end is not solved"
TIES = "sevens whose ties go to the declarers are not solved"
RAMSCH = "a Ramsch has no sides, and its open hands are not solved"
HEADED = "the open hands are not solved where the trick must be beaten"
DOUBLED = "it is doubled before a game is named, and so that is not weighed"
HOCHZEIT = "what is said in a Hochzeit is not weighed"
CLEAR = "the best game is clear"
UNLIKELY = "no game is likely enough to be tried"


def call(name: str) -> Callable[[Position, random.Random], str]:
    """Wishes for a call that begins so."""
    return lambda position, rng: next((c for c in _calls(position) if c.startswith(name)), "")


def _calls(position: Position) -> tuple[str, ...]:
    return position.legal_calls if position.talking else ()


def expose(position: Position, rng: random.Random) -> str:
    """The partner of the seat to move shows a tile before its time."""
    if position.talking or position.turn is None or rng.random() < 0.8:
        return ""
    partner = (position.turn + 2) % 4
    held = str(position.hands[partner]).split() if partner in position.active else []
    return f"{partner}: expose {rng.choice(held)}" if held else ""


def group(position: Position, rng: random.Random) -> str:
    """Leads a run as so many pairs."""
    order, trick = position.order, position.trick
    if order is None or trick is None or trick.plays or position.talking:
        return ""
    assert isinstance(position.hand, Cards)
    held = [(suit, order.in_suit(position.hand, suit)) for suit in range(len(order.suits))]
    runs = [unit for suit, cards in held if cards for unit in cut(order, suit, cards) if len(unit) > 2]
    return " + ".join(f"{order.deck.names[card]} {order.deck.names[card]}" for card in set(runs[0])) if runs else ""


def dull(position: Position, rng: random.Random) -> str:
    """Passes, mostly."""
    return "pass" if "pass" in _calls(position) and rng.random() < 0.7 else ""


def nothing(position: Position, rng: random.Random) -> str:
    return ""


HOUSES: dict[str, tuple[Game, Callable[[Position, random.Random], str], int, set[str]]] = {
    name: (find_game(name.split()[0], choices), wish, deals, reasons)
    for name, choices, wish, deals, reasons in (
        ("tractor", {}, group, 12, {GROUPED, ALIKE}),
        ("texas42", {"opening_lead": "small-end"}, nothing, 120, {SPECIAL, LEFT, SMALL_END}),
        ("texas42 swap", {"nello_exchange": "one-tile"}, call("nello"), 30, {PASSED}),
        ("texas42 ties", {"sevens_tie": "declarers"}, call("sevens"), 30, {TIES}),
        ("texas42 open", {"exposed_tile": "must-play"}, expose, 6, {FACE_UP}),
        ("schafkopf", {"all_pass": "ramsch", "doubling": "anyone"}, dull, 30, {RAMSCH, DOUBLED, CLEAR, UNLIKELY}),
        ("schafkopf wed", {"hochzeit": "yes"}, call("hochzeit"), 60, {HOCHZEIT}),
        ("schafkopf heads", {"head_trick": "bettel"}, call("bettel"), 10, {HEADED}),
    )
}


def decisions(
    game: Game, seed: int, wish: Callable[[Position, random.Random], str]
) -> Iterator[tuple[Record, int, str]]:
    """A deal up to each decision, half of them by the rulebook and half by chance, and whose it is; what is wished for
    comes first where it is allowed, `2: ...` from another seat."""
    rng, rulebook, table = random.Random(seed), Rulebook(), Arbiter(game, seed)
    while (turn := table.position.turn) is not None:
        position, view = table.position, table.view(turn)
        if position.talking and position.talk is not None and position.talk.on_kitty:
            table.act(turn, position.legal_calls[0])
            continue
        yield table.record, turn, alone(view)
        seat, _, wished = wish(position, rng).rpartition(": ")
        if seat:  # no table lets it happen: it is written down
            table._do(position.read(wished, int(seat)))
            continue
        if wished and table.act(turn, wished):
            continue
        if rng.random() < 0.5:
            what = rulebook.choose(view, rng).what
        else:
            what = rng.choice(view.legal_calls) if position.talking else position.legal_plays.choose(rng)
        assert table.act(turn, what)


def alone(view: View) -> str:
    """Why the usual stands alone at a decision; '' where others are weighed, or there are none."""
    if len(search_of(view.game).options(view)) > 1:
        return ""
    found = weigh(view, worlds=1)
    assert (len(found.estimates), found.worlds) == (1, 0)
    return "" if found.stopped == ONLY else found.stopped


@cache
def met(house: str) -> dict[str, tuple[Record, int]]:
    """The reasons that are met under some house rules, each with the first deal and seat."""
    game, wish, deals, _ = HOUSES[house]
    found: dict[str, tuple[Record, int]] = {}
    for seed in range(deals * SOAK):
        for record, turn, why in decisions(game, seed, wish):
            if why:
                found.setdefault(why, (record, turn))
    return found


@pytest.mark.parametrize("house", HOUSES)
def test_wherever_nothing_else_is_weighed_a_reason_is_named_in_every_language(house: str):
    for why in met(house):
        assert why.startswith(THUMB), why
        assert not [*unknown(why, texts("de")["told"]), *unknown(why, texts("zh")["told"])], why
    assert {why.removeprefix(THUMB) for why in met(house)} >= HOUSES[house][3]


@pytest.mark.parametrize("house", HOUSES)
def test_hint_and_review_say_it_too(house: str, tmp_path: Path):
    """Where there is no network, on which anything is weighed."""
    for why, (record, turn) in met(house).items():
        view = record.view(turn)
        for language in ("en", "de", "zh"):
            with shipped(tmp_path):
                first, hint = hints(view, 50, 0, language, NAMES)
            assert hint.alone == Speech(language, NAMES).say(why) and not first.alone
        done = view.legal_calls[:2] if view.position.talking else list(view.legal_plays)[:2]
        for what in done:  # it does not matter what was done: nothing tells what that cost
            *_, move = review(record.with_act(Act(turn, what)), SEARCH)
            assert move.known == why


def test_what_cannot_be_helped_costs_nothing_and_needs_no_reason():
    record, turn, why = next(
        (record, turn, why)
        for record, turn, why in decisions(find_game("texas42"), 1, nothing)
        if not record.position.talking and record.position.legal_plays.count() == 1
    )
    (play,) = record.position.legal_plays
    _, hint = hints(record.view(turn), 50, 0, "en", NAMES)
    assert (why, hint.alone) == ("", "there is no other choice")
    *_, move = review(record.with_act(Act(turn, play)), SEARCH)
    assert move.known == Known(0.0, str(play), 0)


def test_a_tile_that_was_face_up_and_has_gone_changes_nothing():
    game, wish, _, _ = HOUSES["texas42 open"]
    weighed = 0
    for record, turn, _ in (found for seed in range(6) for found in decisions(game, seed, wish)):
        contract, view = record.position.contract, record.view(turn)
        shown = {tile for _, tile in contract.exposed} if isinstance(contract, Hand42) else set[int]()
        if shown and len(options(view)) > 1:
            assert shown <= {card for act in record.acts if isinstance(act.what, Play) for card in act.what.cards}
            weighed += 1
    assert weighed
