"""Environments on a device: are the bytes those of the CPU, for the same seeds and actions?"""

from typing import Any

import numpy as np
import pytest

from renege.envs import BatchEnv, find
from renege.native.gpu import NoGpu, find_gpu
from renege.native.gpu.envs import program_of
from support.emulated import EmulatedGpu

ARRAYS = ("observation", "hidden", "mask", "mover", "reward", "done")
# A name and house rules for each class of the kernel, with the steps of a deal.
GAMES = {
    "Env42": ("texas42", {}, 25),
    "Env42Exchange": ("texas42", {"nello_exchange": "one-tile"}, 25),
    "EnvSchafkopf": ("schafkopf", {}, 30),
    "EnvSchafkopfShort": ("schafkopf", {"deck": "short"}, 25),
    "EnvSchafkopfSmall": ("schafkopf-small", {}, 10),
    "EnvTractor": ("tractor", {}, 130),
    "EnvTractorSmall": ("tractor-small", {}, 20),
}
ROWS = [(0, False), (1, False), (1, True)]  # a version, and is there a history?


def shown(env: BatchEnv) -> dict[str, Any]:
    """The arrays of an environment, as numpy has them."""
    found = {name: getattr(env, name) for name in ARRAYS}
    return {name: a if a is None or isinstance(a, np.ndarray) else a.numpy() for name, a in found.items()}


def assert_same(cpu: BatchEnv, gpu: BatchEnv) -> None:
    there = shown(gpu)
    for name, array in shown(cpu).items():
        np.testing.assert_array_equal(array, there[name], err_msg=name)


def pair(gpu: Any, kind: str, lanes: int, **options: Any) -> tuple[BatchEnv, BatchEnv]:
    name, rules, _ = GAMES[kind]
    game = find(name, rules)
    return BatchEnv(game, lanes, **options), BatchEnv(game, lanes, device=gpu, **options)


def host(array: Any) -> Any:
    return array if isinstance(array, np.ndarray) else array.numpy()


# -- the same bytes


@pytest.mark.parametrize(("version", "history"), ROWS)
@pytest.mark.parametrize("kind", GAMES)
def test_every_step_shows_what_the_cpu_shows(gpu, kind: str, version: int, history: bool):
    """A run that leaves the lanes at different places, and then step by step through a deal's end."""
    few = isinstance(gpu, EmulatedGpu)
    lanes, steps = (203, 24) if few else (40_009, 30)
    options = {"seed": 5, "version": version, "history": history, "hidden": history}
    cpu, there = pair(gpu, kind, lanes, **options)
    assert_same(cpu, there)
    deal = GAMES[kind][2]
    for salt in range(1 if few else 3):
        assert cpu.run(deal, salt) == there.run(deal, salt)
    assert_same(cpu, there)
    for salt in range(steps):
        chosen = cpu.choose(salt)
        ours = there.choose(salt)
        np.testing.assert_array_equal(chosen, host(ours))
        cpu.step(chosen)
        there.step(chosen if salt % 2 else ours, check=salt % 3 > 0)
        assert_same(cpu, there)
    np.testing.assert_array_equal(cpu.dealt(), host(there.dealt()))
    assert cpu.standings == there.standings


@pytest.mark.parametrize("kind", GAMES)
def test_the_kernels_class_names_the_program(gpu, kind: str):
    env = pair(gpu, kind, 1, version=1 if kind == "Env42Exchange" else 0)[1]
    assert type(env.tables._cpu).__name__ == kind  # pyright: ignore[reportAttributeAccessIssue]
    assert gpu.kernel(program_of(kind), "step")


@pytest.mark.parametrize("lanes", [1, 16, 31, 64, 65, 129])
def test_any_number_of_lanes_will_do(gpu, lanes: int):
    """Blocks that are not full, and rows that end anywhere."""
    cpu, there = pair(gpu, "EnvSchafkopf", lanes, seed=2, version=1, history=True, hidden=True)
    for _ in range(3):
        assert cpu.run(17) == there.run(17)
        assert_same(cpu, there)
        cpu.step(cpu.choose())
        there.step(there.choose())
        assert_same(cpu, there)


@pytest.mark.parametrize("kind", ["Env42", "EnvTractor"])
def test_what_is_paid_and_where_deals_begin(gpu, kind: str):
    score = (6, 9, 0) if kind == "EnvTractor" else None
    cpu, there = pair(gpu, kind, 100, seed=8, version=1, reward="difference", score=score)
    assert cpu.run(400) == there.run(400) > 0
    for _ in range(20):
        cpu.step(cpu.choose())
        there.step(there.choose())
        assert_same(cpu, there)


@pytest.mark.parametrize("kind", ["Env42Exchange", "EnvSchafkopf", "EnvTractor"])
def test_any_seat_may_be_asked(gpu, kind: str):
    cpu, there = pair(gpu, kind, 70, seed=1, version=1)
    assert cpu.run(60) == there.run(60)
    for seats in (0, 3, np.arange(70, dtype=np.uint8) % 4):
        np.testing.assert_array_equal(cpu.observe(seats), host(there.observe(seats)))
    np.testing.assert_array_equal(cpu.observation, host(there.observe(there.mover)))
    with pytest.raises(ValueError, match=r"a seat is 0\.\.3"):
        there.observe(4)


def test_seeds_and_salts_are_the_callers(gpu):
    cpu, there = pair(gpu, "Env42", 40, seed=3)
    for seed in (4, np.arange(40, dtype=np.uint64)):
        cpu.reset(seed)
        there.reset(seed)
        assert_same(cpu, there)
    assert (host(there.choose(1)) != host(there.choose(2))).any()
    assert cpu.run(0) == there.run(0) == 0
    assert_same(cpu, there)


# -- whole plays


def test_whole_plays_are_the_cpus(gpu):
    """Single cards as whole plays, where nothing is picked yet; what the CPU refuses is refused in its words."""
    lanes, laid = 50, 0
    cpu, there = pair(gpu, "EnvTractor", lanes, seed=6, version=1, history=True)
    assert cpu.run(70) == there.run(70)
    chosen = cpu.encoding.sections["chosen"]
    for step in range(30):
        actions = cpu.choose(step)
        cards = (actions < 54) & ~cpu.observation[:, chosen].any(axis=1)
        piles = np.zeros((lanes, 2), np.uint64)
        piles[cards, 0] = np.uint64(1) << actions[cards].astype(np.uint64)
        while (why := _refusal(cpu, piles, actions)) is not None:
            assert _refusal(there, piles, actions) == why
            assert_same(cpu, there)
            piles[int(why.split()[1].rstrip(":"))] = 0
        assert _refusal(there, piles, actions) is None
        assert_same(cpu, there)
        laid += int(piles.any(axis=1).sum())
    assert laid > 100
    actions = cpu.choose()
    actions[7] = 66
    assert _refusal(there, np.zeros((lanes, 2), np.uint64), actions) == "lane 7: action 66 is not open"
    with pytest.raises(ValueError, match="are single cards"):
        pair(gpu, "Env42", 1)[1].play(np.zeros((1, 2), np.uint64))


def _refusal(env: BatchEnv, piles: Any, actions: Any) -> str | None:
    try:
        env.play(piles, actions)
    except ValueError as wrong:
        return str(wrong)
    return None


# -- what is refused


@pytest.mark.parametrize("kind", ["Env42", "EnvSchafkopf", "EnvTractor"])
def test_what_is_not_open_changes_nothing(gpu, kind: str):
    cpu, there = pair(gpu, kind, 70, seed=1)
    assert cpu.run(9) == there.run(9)
    before = there.save()
    for wrong in (-1, int(cpu.mask[66].argmin()), cpu.mask.shape[1], 2**31 - 1, -(2**31)):
        actions = cpu.choose()
        actions[66:] = wrong
        with pytest.raises(ValueError, match=f"lane 66: action {wrong} is not open"):
            there.step(actions)
        assert_same(cpu, there)
        assert there.save() == before
    there.step(actions, check=False)  # the other lanes step, and these stay
    cpu_actions = cpu.choose()
    moved = shown(there)
    cpu.step(cpu_actions)
    for name in ("observation", "mask", "mover", "reward", "done"):
        np.testing.assert_array_equal(moved[name][:66], shown(cpu)[name][:66])
    there.load(before)
    np.testing.assert_array_equal(moved["observation"][66:], shown(there)["observation"][66:])
    there.step(there.choose())
    assert_same(cpu, there)


def test_wrong_arrays_are_refused(gpu):
    env = BatchEnv("texas42", 5, device=gpu)
    with pytest.raises(ValueError, match=r"actions must be int32\[5\], not int64\[5\]"):
        env.step(np.zeros(5, np.int64))  # pyright: ignore[reportArgumentType]
    with pytest.raises(ValueError, match=r"actions must be int32\[5\], not int32\[4\]"):
        env.step(np.zeros(4, np.int32))
    with pytest.raises(ValueError, match="mask must lie on the GPU"):
        BatchEnv("texas42", 5, device=gpu, mask=np.zeros((5, 70), np.uint8))
    with pytest.raises(ValueError, match=r"mask must be uint8\[5, 70\]"):
        BatchEnv("texas42", 5, device=gpu, mask=gpu.zeros((5, 69), np.uint8))


def test_what_the_kernel_does_not_play_is_refused(gpu):
    with pytest.raises(ValueError, match="a GPU does not play texas42, for kernel is False"):
        BatchEnv("texas42", 5, device=gpu, kernel=False)
    with pytest.raises(ValueError, match="a GPU does not play texas42-small, under these rules"):
        BatchEnv("texas42-small", 5, device=gpu)
    with pytest.raises(ValueError, match="device is 'tpu'"):
        BatchEnv("texas42", 5, device="tpu")
    with pytest.raises(ValueError, match="a stream is a GPU's"):
        BatchEnv("texas42", 5, stream=1)


def test_where_there_is_no_gpu_it_is_said(monkeypatch: pytest.MonkeyPatch):
    from renege.envs import memory

    def missing() -> None:
        raise NoGpu("no NVIDIA driver answers on this machine")

    monkeypatch.setattr(memory, "find_gpu", missing)
    with pytest.raises(NoGpu, match="no NVIDIA driver answers"):
        BatchEnv("texas42", 5, device="gpu")


# -- tables from elsewhere


@pytest.mark.parametrize("kind", GAMES)
def test_tables_go_from_one_to_the_other(gpu, kind: str):
    cpu, there = pair(gpu, kind, 33, seed=4, version=1, history=True, hidden=True)
    cpu.run(40)
    there.load(cpu.save())
    cpu.load(cpu.save())  # which clears what was paid
    assert_same(cpu, there)
    assert cpu.run(300) == there.run(300)
    assert_same(cpu, there)
    there.run(3)
    cpu.load(there.save())
    there.load(there.save())
    assert_same(cpu, there)
    saved = bytearray(there.save())
    saved[20] ^= 1
    with pytest.raises(ValueError, match="these bytes were changed"):
        there.load(bytes(saved))
    with pytest.raises(ValueError, match="not as many lanes"):
        there.load(bytes(saved[:-8]))


@pytest.mark.parametrize("kind", GAMES)
def test_deals_from_outside_are_laid(gpu, kind: str):
    cpu, there = pair(gpu, kind, 70, seed=4, version=1)
    other = pair(gpu, kind, 70, seed=9, version=1)[0]
    actions = np.full((70, 6), -1, np.int32)
    piles, standings = other.dealt(), other.standings
    ended = np.zeros(70, bool)
    for i in range(6):
        chosen = other.choose()
        other.step(chosen)
        ended |= other.done.astype(bool)
        actions[~ended, i] = chosen[~ended]
    cpu.begin(piles, standings, actions)
    there.begin(piles, standings, actions)
    assert_same(cpu, there)
    there.begin(there.dealt(), standings, actions)
    assert_same(cpu, there)
    assert cpu.run(200) == there.run(200)
    assert_same(cpu, there)
    _refuses_as_the_cpu(cpu, there, piles, standings, actions)


def _refuses_as_the_cpu(cpu: BatchEnv, there: BatchEnv, piles: Any, standings: Any, actions: Any) -> None:
    """A deal that is none, or an action that is not open, on two lanes: the first is named, and nothing changes."""
    wrong, silly = piles.copy(), actions.copy()
    wrong[[41, 68], 0] = 0
    silly[[65, 69], 0] = 999
    for dealt, asked in ((wrong, actions), (piles, silly)):
        with pytest.raises(ValueError, match="lane") as ours:
            there.begin(dealt, standings, asked)
        with pytest.raises(ValueError, match="lane") as theirs:
            cpu.begin(dealt, standings, asked)
        assert str(ours.value) == str(theirs.value)
        assert_same(cpu, there)


# -- other libraries on the same device


@pytest.fixture
def torch():
    found = pytest.importorskip("torch")
    try:
        find_gpu()
    except NoGpu as missing:
        pytest.skip(str(missing))
    return found


@pytest.mark.gpu
def test_torch_takes_the_arrays_once(torch):
    """By default every call waits, so that views which were taken once are right after each."""
    cpu, env = BatchEnv("texas42", 5000, seed=1), BatchEnv("texas42", 5000, seed=1, device="gpu")
    rows, mask = torch.from_dlpack(env.observation), torch.from_dlpack(env.mask)
    assert rows.is_cuda and rows.data_ptr() == env.observation.address  # pyright: ignore[reportAttributeAccessIssue]
    for _ in range(50):
        actions = mask.int().argmax(dim=1).to(torch.int32)
        cpu.step(actions.cpu().numpy())
        env.step(actions)
        np.testing.assert_array_equal(rows.cpu().numpy(), cpu.observation)
        np.testing.assert_array_equal(mask.cpu().numpy(), cpu.mask)


@pytest.mark.gpu
def test_torch_and_the_environment_share_a_stream(torch):
    """Nobody waits, and all comes in order; torch's own arrays are written."""
    stream = torch.cuda.Stream()
    cpu = BatchEnv("schafkopf", 5000, seed=1)
    with torch.cuda.stream(stream):
        rows = torch.empty((5000, cpu.encoding.width), dtype=torch.uint8, device="cuda")
        env = BatchEnv("schafkopf", 5000, seed=1, device="gpu", stream=stream.cuda_stream, observation=rows)
        mask = torch.from_dlpack(env.mask)
        sums = []
        for _ in range(50):
            env.step(mask.int().argmax(dim=1).to(torch.int32), check=False)
            sums.append(rows.sum(dtype=torch.int64))
        found = torch.stack(sums).tolist()
    for total in found:
        cpu.step(cpu.mask.argmax(axis=1).astype(np.int32))
        assert total == int(cpu.observation.sum(dtype=np.int64))


@pytest.mark.gpu
def test_a_graph_of_cuda_has_steps_in_it(torch):
    cpu = BatchEnv("texas42", 3000, seed=1)
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        env = BatchEnv("texas42", 3000, seed=1, device="gpu", stream=stream.cuda_stream)
        actions = torch.zeros(3000, dtype=torch.int32, device="cuda")
        for _ in range(3):  # what is compiled and loaded at first use is so before the graph begins
            env.choose(out=actions)
            env.step(actions, check=False)
        stream.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=stream):
            env.choose(out=actions)
            env.step(actions, check=False)
        for _ in range(40):
            graph.replay()
        stream.synchronize()
    for _ in range(43):
        cpu.step(cpu.choose())
    assert_same(cpu, env)
