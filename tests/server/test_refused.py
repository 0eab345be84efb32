"""What is refused changes nothing, says why, and gives no other hand away."""

import random
import re
from typing import Any

import pytest

from renege.core.trick import Play
from renege.server.tables.registry import Declined, Table, TableRegistry
from support.table_registry import GAMES, Scene, any_act, at_the_first_lead, four_people, record_of, refused, seen


def test_what_is_refused_changes_nothing(scene: Scene) -> None:
    async def play(registry: TableRegistry) -> None:
        table = await four_people(registry, "texas42")
        turn = table.view(0).position.turn
        assert turn is not None
        at, before, other = table.number, seen(table), (turn + 1) % 4
        assert (await refused(table.act(turn, "pass", at - 1))).code == "stale"
        assert (await refused(table.act(turn, "pass", at + 1))).code == "stale"
        no = await refused(table.act(other, "pass", at))
        assert (no.code, no.text) == ("turn", f"it is the turn of seat {turn}")
        assert (await refused(table.act(turn, "hello", at))).code == "notation"
        no = await refused(table.act(turn, "7 marks", at))
        assert no.code == "illegal" and no.rule.startswith("texas42.") and no.sentence and no.text and no.instead
        assert (await refused(table.next(turn, at))).code == "turn"
        assert (await refused(table.fill(at))).code == "seat"
        assert (await refused(table.claim(turn, at))).code == "turn"
        assert (await refused(table.undo(turn, at))).code == "undo"
        assert seen(table) == before
        await table.act(turn, "pass", at)
        assert (await refused(table.act(turn, "pass", at))).code == "stale"  # sent twice
        assert table.number == at + 1

    scene.play(play)


def test_an_illegal_play_is_told_with_its_rule(scene: Scene) -> None:
    async def play(registry: TableRegistry) -> None:
        table = await four_people(registry, "schafkopf")
        rng, found = random.Random(3), 0
        while table.phase != "over":
            turn = table.view(0).position.turn
            assert turn is not None
            view, at = table.view(turn), table.number
            if not view.position.talking:
                legal = {play.cards for play in view.legal_plays}
                wrong = [card for card in view.hand if view.game.deck.of(1 << card) not in legal]
                if wrong:
                    found += 1
                    no = await refused(table.act(turn, view.game.deck.names[wrong[0]], at))
                    assert no.code == "illegal"
                    assert no.rule in {rule.id for rule in view.game.rule_list}
                    await table.act(turn, no.instead, at)
                    continue
            await table.act(turn, any_act(table, turn, rng), at)
        assert found

    scene.play(play)


@pytest.mark.parametrize("game", GAMES)
def test_a_refusal_shows_nobody_elses_cards(scene: Scene, game: str) -> None:
    """Whatever a seat tries, the cards in the answer are its own, on the table, or in what it typed."""
    calls = (
        "pass",
        "take",
        "nonsense",
        "stoss",
        "turn SA",
        "show BJ BJ",
        "7 marks",
        "solo E",
        "bury 8 cards",
        "give S7",
    )

    async def play(registry: TableRegistry) -> None:
        rng, answers = random.Random(5), 0
        table = await four_people(registry, game)
        names, examples = list(table.game.deck.names), {table.game.deck.example, "S2"}  # how things are written
        while table.phase in ("talk", "play"):
            seat = rng.randrange(4)
            for what in (rng.choice(calls), rng.choice(names), " ".join(rng.sample(names, 2))):
                view = table.view(seat)
                no = await answer_to(table, seat, what)
                if no is not None:
                    answers += 1
                    said = no.text.removesuffix(", rufspiel E renonce, rufspiel EZ")  # how declarations are written
                    words = set(re.findall(r"[A-Za-z0-9-]+", f"{said} {no.instead}")) & set(names)
                    known = words_in(f"{view} {view.hand} {what}") | examples
                    assert words <= known, (what, no)
            turn = table.view(0).position.turn
            if turn is not None:
                await answer_to(table, turn, any_act(table, turn, rng))
        assert answers > 20

    async def answer_to(table: Table, seat: int, what: str) -> Any:
        try:
            await table.act(seat, what, table.number)
        except Declined as no:
            return no.refusal
        return None

    def words_in(text: str) -> set[str]:
        return set(re.findall(r"[A-Za-z0-9-]+", text))

    scene.play(play)


def test_a_refused_throw_gives_no_other_hand_away(scene: Scene) -> None:
    """Nor can a seat try throw after throw at one lead, to hear which of them the others beat."""

    async def play(registry: TableRegistry) -> None:
        for seed in range(100):
            table = await at_the_first_lead(registry, seed, stopped_throw="refused")
            view, record = table.view(0), record_of(table)
            assert view.position.order is not None
            throws = [play for play in view.legal_plays if view.position.judge(play).legal is None]
            beaten = [play for play in throws if not record.position.judge(play)]
            stands = [play for play in throws if record.position.judge(play)]
            if beaten and stands:
                break
        else:
            raise LookupError("no such deal")

        def spell(play: Play) -> str:
            return view.game.write_play(play, view.position.order)  # type: ignore[arg-type]

        no = await refused(table.act(0, spell(beaten[0]), table.number))
        assert no.code == "illegal" and no.rule == "tractor.throw-stopped" and no.sentence
        assert no.text == "another hand beats one of its units, and what it holds is not told"
        assert len(no.instead.split()) == 1 and view.position.judge(no.instead)
        for throw in (beaten[0], stands[0]):
            again = await refused(table.act(0, spell(throw), table.number))
            assert again.text == "a throw was refused at this lead, and now one unit alone may be led"
            assert again.instead == no.instead
        other = await refused(table.act(0, "SA HA", table.number))  # what the seat can know by itself is told as ever
        assert other.code in ("illegal", "notation") and "refused" not in other.text
        await table.act(0, no.instead, table.number)

    scene.play(play)


def test_a_leader_cannot_stop_its_own_throw(scene: Scene) -> None:
    async def play(registry: TableRegistry) -> None:
        table = await at_the_first_lead(registry)
        hand = table.view(0).hand
        first, second, *_ = dict.fromkeys(hand)
        names = table.game.deck.names
        what = f"{names[second]} of {names[first]} {names[second]}"
        assert (await refused(table.act(0, what, table.number))).code == "notation"

    scene.play(play)
