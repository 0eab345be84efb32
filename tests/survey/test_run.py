"""Is what a survey counts what two other ways of playing the same worlds come to? And does nothing stop it for good?"""

import random
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from reference import plain
from reference import texas42 as table
from renege.core.position import begin
from renege.games import schafkopf, texas42
from renege.games.texas42.contract import read_contract
from renege.games.texas42.order import DECK, pips
from renege.games.texas42.packed import pack, tables
from renege.games.texas42.rules import DoublesTrump, OpeningLead, Rules, SevensTie
from renege.native import solve as native_solve
from renege.native.gpu import NoGpu
from renege.native.solve import SolveQuery
from renege.search import devices
from renege.survey import run as running
from renege.survey.folder import SurveyPiece, pieces, read_folder
from renege.survey.plan import SurveyPlan, draw_hands, draw_worlds, make_plan, read_hand
from renege.survey.run import HandSolver, find_solver, run, solve_hands
from support.steering import SOAK

CPU = find_solver("cpu")
MORE = ["follow-me doubles low", "follow-me doubles own", "nello doubles high", "nello doubles own-inverted"]
SEVENTH = "6-6 6-5 6-4 6-3 6-2 6-1 6-0"


def same(one: Path, other: Path) -> bool:
    a, b = read_folder(one), read_folder(other)
    return bool((a.hands == b.hands).all() and (a.counts == b.counts).all() and (a.numbers == b.numbers).all())


# -- what is counted


@pytest.mark.parametrize(
    ("rules", "declarations"),
    [(Rules(), [*texas42.DECLARATIONS, *MORE]), (Rules(doubles_trump=DoublesTrump.INVERTED), ["doubles"])],
)
def test_counts_are_those_of_the_plain_solver_over_positions_set_up_by_the_rules(rules: Rules, declarations: list[str]):
    game = texas42.game(rules)
    plan = make_plan(game, worlds=SOAK, seed=9, declarations=declarations)
    hands = draw_hands(9, 0, 2)
    found = solve_hands(plan, hands, CPU)
    for number, hand in enumerate(hands):
        for place, text in enumerate(plan.declarations):
            nello = text.startswith("nello")
            contract = read_contract(rules, f"{text} bid 1 mark by 0")
            starts = [
                begin(
                    game, contract, tuple(DECK.none if nello and seat == 2 else DECK.of(h) for seat, h in enumerate(w))
                )
                for w in draw_worlds(plan, number, hand).tolist()
            ]
            order = starts[0].order
            assert order is not None and all(start.turn == 0 for start in starts)
            states = np.stack([pack(start) for start in starts])
            takers, others = (0b0001, 0b1010) if nello else (0b0101, 0b0101)
            values = plain.values(tables(order), states, takers, others, prune=True)
            assert found.counts[number, place].tolist() == np.bincount(values, minlength=43).tolist(), text


def minimax(hands: list[list[table.Tile]], leader: int, trick: list[table.Tile]) -> int:
    """The points of seats 0 and 2 in sevens, both sides playing their best, from the words of the rules alone."""
    if len(trick) == 4:
        winner = (leader + table.winner(trick, "sevens")) % 4
        return table.trick_points(trick) * (winner % 2 == 0) + minimax(hands, winner, [])
    seat = (leader + len(trick)) % 4
    if not hands[seat]:
        return 0
    values = []
    for tile in table.legal_plays(hands[seat], trick[0] if trick else None, "sevens"):
        rest = [[held for held in hand if held != tile] for hand in hands]
        values.append(minimax(rest, leader, [*trick, tile]))
    return max(values) if seat % 2 == 0 else min(values)


def test_sevens_against_a_minimax_over_every_line_of_play():
    plan = make_plan(texas42.game(), worlds=3 * SOAK, seed=3, declarations=["sevens"])
    hands = draw_hands(3, 0, 3)
    found = solve_hands(plan, hands, CPU)
    for number, hand in enumerate(hands):
        worlds = [
            [[pips(tile) for tile in DECK.of(mask)] for mask in world]
            for world in draw_worlds(plan, number, hand).tolist()
        ]
        values = [minimax(world, 0, []) for world in worlds]
        assert found.counts[number, 0].tolist() == np.bincount(values, minlength=43).tolist()


def test_a_hand_that_cannot_lose_makes_everything():
    plan = make_plan(texas42.game(), worlds=10, seed=1, declarations=["6", "nello"])
    found = solve_hands(plan, [read_hand(SEVENTH), read_hand("0-0 1-0 2-0 3-0 4-0 5-0 2-1")], CPU)
    assert found.counts[0, 0, 42] == 10
    assert found.counts[1, 1, 0] == 10


def test_worlds_deal_the_other_tiles_evenly():
    plan = make_plan(texas42.game(), worlds=4000, seed=2)
    hand = read_hand(SEVENTH)
    worlds = draw_worlds(plan, 7, hand)
    assert (worlds[:, 0] == hand).all()
    assert (np.bitwise_or.reduce(worlds, axis=1) == DECK.kinds).all()
    held = [[(worlds[:, seat] >> tile & 1).mean() for tile in range(28) if not hand >> tile & 1] for seat in (1, 2, 3)]
    assert np.abs(np.array(held) - 1 / 3).max() < 5 * np.sqrt(2 / 9 / 4000)


def test_worlds_and_hands_follow_from_the_seed_and_the_number_alone():
    plan = make_plan(texas42.game(), worlds=5, seed=4)
    assert draw_hands(4, 0, 9)[5:] == draw_hands(4, 5, 4)
    assert draw_hands(4, 0, 9) != draw_hands(5, 0, 9)
    hand = draw_hands(4, 0, 1)[0]
    more = draw_worlds(replace(plan, worlds=9), 3, hand)
    assert (more[:5] == draw_worlds(plan, 3, hand)).all()
    assert (draw_worlds(plan, 3, hand) != draw_worlds(plan, 4, hand)).any()


# -- pieces


def test_stopped_and_carried_on_it_is_the_same_survey(tmp_path: Path, quick: SurveyPlan, solved: Callable[[int], Path]):
    calls = 0

    def falters(query: SolveQuery) -> native_solve.Solved:
        nonlocal calls
        calls += 1
        if calls == 4:
            raise KeyboardInterrupt
        return native_solve.solve(query)

    folder = tmp_path / "stopped"
    with pytest.raises(KeyboardInterrupt):
        run(quick, folder, 10, HandSolver("falters", falters, 1000))
    assert [piece.first for piece in pieces(folder)] == [0]
    first = (folder / "piece-000000.npz").read_bytes()
    told: list[float] = []
    run(quick, folder, 10, HandSolver("again", native_solve.solve, 1000), tell=told.append)
    assert (told[0], told[-1]) == (4, 10) and told == sorted(told)
    assert (folder / "piece-000000.npz").read_bytes() == first
    assert same(folder, solved(10))


def test_more_hands_are_added_and_none_is_solved_again(
    quick: SurveyPlan, solved: Callable[[int], Path], tmp_path: Path
):
    folder = solved(6)
    rows = 0

    def counting(query: SolveQuery) -> native_solve.Solved:
        nonlocal rows
        rows += len(query.states)
        return native_solve.solve(query)

    run(quick, folder, 11, HandSolver("counting", counting, 1000))
    assert rows == 5 * 2 * 6
    assert [len(piece.hands) for piece in pieces(folder)] == [4, 4, 3]
    assert same(folder, solved(11))
    before = {path: path.read_bytes() for path in folder.iterdir()}
    for hands in (11, 3):
        run(quick, folder, hands, HandSolver("counting", counting, 1000))
    assert rows == 5 * 2 * 6
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_the_size_of_pieces_and_batches_changes_nothing(
    tmp_path: Path, quick: SurveyPlan, solved: Callable[[int], Path]
):
    folder = tmp_path / "other"
    run(replace(quick, piece=3), folder, 8, HandSolver("small", native_solve.solve, 7))
    assert same(folder, solved(8))


def test_hands_that_are_given_are_solved_in_their_order(tmp_path: Path):
    given = [read_hand(SEVENTH), *draw_hands(1, 0, 3)]
    plan = make_plan(texas42.game(), worlds=3, seed=1, piece=2, declarations=["sevens"], given=given)
    run(plan, tmp_path / "given", 4, CPU, given=given)
    assert read_folder(tmp_path / "given").hands.tolist() == given


def test_random_counts_by_hand_are_tallied_right():
    rng = random.Random(1)
    points = np.array([[rng.randrange(43) for _ in range(50)] for _ in range(6)])
    wanted = [[row.tolist().count(value) for value in range(43)] for row in points]
    assert running._tally(points).tolist() == wanted


# -- what is refused


def test_the_folder_of_another_survey_is_left_alone(quick: SurveyPlan, solved: Callable[[int], Path], tmp_path: Path):
    folder = solved(5)
    before = {path: path.read_bytes() for path in folder.iterdir()}
    others = [
        (replace(quick, worlds=7), "its worlds is 6, and here 7"),
        (replace(quick, seed=6), "its seed is 5, and here 6"),
        (replace(quick, declarations=("sevens",)), "its declarations is sevens, follow-me, and here sevens"),
        (replace(quick, rules={"sevens": "off"}), "its rules is"),
        (replace(quick, given="abc"), "of other hands"),
    ]
    for other, says in others:
        with pytest.raises(ValueError, match=f"left as it is: it holds another survey: .*{says}"):
            run(other, folder, 5, CPU)
    assert {path: path.read_bytes() for path in folder.iterdir()} == before
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "love.txt").write_text("dear")
    with pytest.raises(ValueError, match="not empty, and no survey"):
        run(quick, tmp_path / "letters", 5, CPU)
    (folder / "survey.json").write_text("{}")
    with pytest.raises(ValueError, match="something else than a survey"):
        run(quick, folder, 5, CPU)


@pytest.mark.parametrize("harm", ["cut", "text", "empty", "moved", "other"])
def test_a_piece_that_cannot_be_read_is_named_and_solved_again_once_removed(
    harm: str, quick: SurveyPlan, solved: Callable[[int], Path], tmp_path: Path
):
    folder = solved(9)
    piece = folder / "piece-000001.npz"
    whole = piece.read_bytes()
    if harm == "cut":
        piece.write_bytes(whole[: len(whole) // 2])
    elif harm == "moved":
        piece.write_bytes((folder / "piece-000000.npz").read_bytes())
    elif harm == "other":
        run(replace(quick, seed=6), tmp_path / "other", 9, CPU)
        piece.write_bytes((tmp_path / "other" / piece.name).read_bytes())
    else:
        piece.write_bytes(b"a letter" if harm == "text" else b"")
    with pytest.raises(ValueError, match=r"piece-000001.npz .*remove it, and the same command solves"):
        run(quick, folder, 9, CPU)
    with pytest.raises(ValueError, match=r"piece-000001.npz "):
        read_folder(folder)
    piece.unlink()
    run(quick, folder, 9, CPU)
    assert same(folder, solved(9))


def test_what_cannot_be_solved_is_refused():
    with pytest.raises(ValueError, match="no survey of schafkopf"):
        make_plan(schafkopf.game(), worlds=1, seed=1)
    with pytest.raises(ValueError, match="ties to the declarers"):
        make_plan(texas42.game(Rules(sevens_tie=SevensTie.DECLARERS)), worlds=1, seed=1)
    with pytest.raises(ValueError, match="opening_lead=trump"):
        make_plan(texas42.game(Rules(opening_lead=OpeningLead.TRUMP)), worlds=1, seed=1)
    with pytest.raises(ValueError, match="worlds is 0"):
        make_plan(texas42.game(), worlds=0, seed=1)
    with pytest.raises(ValueError, match="7 tiles, and '6-6 6-5' has 2"):
        read_hand("6-6 6-5")
    open_still = native_solve.Solved(np.zeros(6, np.int16), np.ones(6, np.int16), np.zeros(6, np.uint64))
    undecided = HandSolver("shy", lambda *_: open_still, 6)
    with pytest.raises(RuntimeError, match="shy left a world"):
        solve_hands(make_plan(texas42.game(), worlds=6, seed=1), draw_hands(1, 0, 1), undecided)


# -- devices


def test_a_gpu_is_asked_like_the_cpu(monkeypatch: pytest.MonkeyPatch, quick: SurveyPlan):
    """The solver of the device takes the device first, and then what the CPU's takes."""
    asked: list[object] = []

    def solve(gpu: object, query: SolveQuery) -> native_solve.Solved:
        asked.append(gpu)
        return native_solve.solve(query)

    device = SimpleNamespace(name="a GPU")
    monkeypatch.setattr(running, "find_gpu", lambda: device)
    monkeypatch.setattr(running, "gpu_or_none", lambda: device)
    monkeypatch.setattr(running, "solve_values", solve)
    for wanted in ("gpu", "auto"):
        solver = find_solver(wanted)
        assert solver.name == "a GPU"
        found, ours = solve_hands(quick, draw_hands(1, 0, 2), solver), solve_hands(quick, draw_hands(1, 0, 2), CPU)
        assert (found.counts == ours.counts).all()
    assert asked == [device] * 4


def test_without_a_gpu_the_cpu_does_it(monkeypatch: pytest.MonkeyPatch):
    """`auto` says nothing of it; who asked for a GPU is warned."""

    def none() -> object:
        raise NoGpu("no driver")

    monkeypatch.setattr(running, "find_gpu", none)
    monkeypatch.setattr(devices, "find_gpu", none)
    devices.gpu_or_none.cache_clear()
    assert find_solver("auto", threads=2).name == "cpu, 2 threads"
    with pytest.warns(devices.NoGpuWarning, match="no driver; the CPU does the work"):
        assert find_solver("gpu").name == "cpu, 1 thread"
    devices.gpu_or_none.cache_clear()
    with pytest.raises(ValueError, match="no device 'tpu'"):
        find_solver("tpu")


def test_threads_change_nothing(quick: SurveyPlan):
    hands = draw_hands(1, 0, 3)
    one, two = (solve_hands(quick, hands, find_solver("cpu", threads)) for threads in (1, 2))
    assert isinstance(one, SurveyPiece) and (one.counts == two.counts).all()
    assert isinstance(CPU.solve, partial)
