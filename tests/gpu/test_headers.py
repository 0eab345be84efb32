"""Does the GPU's compiler take the same headers? It needs no GPU, only the [gpu] extra."""

from pathlib import Path

import pytest

nvrtc = pytest.importorskip("cuda.bindings.nvrtc", reason="the [gpu] extra is not installed")

HEADERS = Path(__file__).parents[2] / "kernel" / "include"

# Every header, and entry points as a GPU program would have them: one lane a thread, Order in constant memory.
SOURCE = (
    "".join(f"#include <{header.relative_to(HEADERS)}>\n" for header in sorted(HEADERS.rglob("*.hpp")))
    + """
using namespace renege;

__constant__ Order ORDER;

extern "C" __global__ void legal_masks(const Position* positions, CardSet* out, uint32_t count) {
    const uint32_t row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < count) out[row] = legal(ORDER, positions[row]);
}

extern "C" __global__ void playout(Position* positions, uint64_t seed, uint64_t lane, uint32_t count) {
    const uint32_t row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= count || fault_in(ORDER, positions[row]) != Fault::NONE) return;
    const Stream stream = open_stream(seed, Purpose::PLAYOUT, lane + row);
    playouts<Portable, 1>(ORDER, positions + row, &stream, nullptr);
}

extern "C" __global__ void random_deal(Position* positions, uint64_t seed, uint64_t lane, uint32_t count) {
    const uint32_t row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= count) return;
    const uint8_t sizes[4] = {7, 7, 7, 7};
    Stream stream = open_stream(seed, Purpose::DEAL, lane + row);
    deal<Portable>(KEY_MASK, sizes, 4, stream, positions[row].hand);
}

extern "C" __global__ void claim(const Position* positions, uint64_t* slots, uint8_t* out, uint32_t count) {
    const uint32_t row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= count) return;
    const ClaimCache cache = {slots + 1024 * row, 1024};
    out[row] = static_cast<uint8_t>(judge_claim(ORDER, positions[row], 0, 5, cache, uint64_t{1} << 24));
}

__constant__ solve::Sight SIGHT;

extern "C" __global__ void solve_deals(const Position* positions, uint64_t* slots, solve::Bounds* out, uint32_t count) {
    const uint32_t row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= count) return;
    uint64_t nodes = 0;
    out[row] = solve::solve<4, Duty::CALLED_ACE>(ORDER, SIGHT, positions[row], {5, 5, 100000, true, nullptr, nullptr},
                                                 {slots + 1024 * row, 1024, 0}, 0, nullptr, nodes);
}

// A hand, the card led, who has led the called suit, the seat and its card a row.
extern "C" __global__ void schafkopf_duties(const uint32_t* turns, schafkopf::Duty* out, uint32_t count) {
    const uint32_t row = blockIdx.x * blockDim.x + threadIdx.x;
    const uint32_t* of = turns + 5 * row;
    if (row < count) out[row] = schafkopf::judge(ORDER, of[0], of[1], of[2], of[3], of[4]);
}

// A whole deal of Schafkopf, the first open action each time.
extern "C" __global__ void schafkopf_env(const schafkopf::Setting* setting, uint8_t* rows, float* pays,
                                         uint32_t count) {
    using Env = EnvSchafkopf<32>;
    const uint32_t row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= count) return;
    Env::Lane lane;
    Stream stream = open_stream(1, Purpose::ENV, row);
    Env::begin<Portable>(*setting, lane, stream);
    while (Env::mover(*setting, lane) < MAX_SEATS) {
        uint8_t mask[Env::ACTIONS];
        Env::legal(*setting, lane, mask);
        uint32_t action = 0;
        while (!mask[action]) ++action;
        Env::act(*setting, lane, action);
        Env::observe(*setting, lane, 0, rows + Env::WIDTH * row);
    }
    Env::rewards(*setting, lane, pays + 4 * row);
}

__constant__ tractor::Order TRACTOR;
__constant__ tractor::Packing PACKING;
__constant__ tractor::House HOUSE;

// Lead, hand and play a row.
extern "C" __global__ void tractor_follows(const tractor::Pile* piles, tractor::Duty* out, uint32_t count) {
    const uint32_t row = blockIdx.x * blockDim.x + threadIdx.x;
    const tractor::Pile* of = piles + 3 * row;
    if (row < count) out[row] = tractor::judge_follow(TRACTOR, PACKING, HOUSE, of[0], of[1], of[2]);
}

extern "C" __global__ void tractor_winners(const tractor::Pile* plays, uint32_t* out, uint32_t count) {
    const uint32_t row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < count) out[row] = tractor::winner(TRACTOR, PACKING, HOUSE, plays + 4 * row, 4);
}

extern "C" __global__ void tractor_ends(const tractor::Table* tables, tractor::solver::Slot* slots, tractor::Pile* room,
                                        tractor::solver::Bounds* out, uint32_t count) {
    const uint32_t row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= count) return;
    tractor::solver::Search search = {TRACTOR, PACKING, HOUSE, {slots + 256 * row, 256},
                                      {100000, nullptr, nullptr}, room + tractor::solver::ROOM * row, 0, 0, {}, {}, {},
                                      {}, false};
    out[row] = tractor::solver::solve(search, tables[row], {}, {});
}

// Tables with all hands, played on to the end.
extern "C" __global__ void tractor_rollouts(const tractor::Table* tables, int32_t* out, uint32_t count) {
    const uint32_t row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= count) return;
    tractor::PlayedOut end;
    const tractor::Whims whims = {1u << 28, open_stream(1, Purpose::PLAYOUT, row)};
    out[row] = tractor::play_on(TRACTOR, PACKING, HOUSE, tables[row], {}, whims, end);
}

// Deals of hidden cards, single ones and two decks of them.
extern "C" __global__ void world_forks(const worlds::Fork* forks, const uint8_t* kinds, uint32_t depth,
                                       worlds::Number<1> all, uint64_t seed, uint64_t* out, uint32_t count) {
    const uint32_t row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= count) return;
    Stream stream = open_stream(seed, Purpose::WORLD, row);
    const worlds::Number<1> rank = worlds::draw_below(stream, all);
    worlds::walk_forks<1>(forks, kinds, depth, rank.limb, out + 2 * row, out + 2 * row + 1);
}

extern "C" __global__ void world_draws(worlds::Plan plan, worlds::Graph graph, const worlds::Number<3>* counts,
                                       const double* chances, uint64_t seed, uint64_t* out, uint32_t count) {
    const uint32_t row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= count) return;
    uint8_t taken[worlds::MAX_KINDS];
    Stream stream = open_stream(seed, Purpose::WORLD, row);
    if (chances) worlds::draw_weighted(plan, graph, chances, stream, taken);
    else worlds::unrank(plan, graph, counts, true, worlds::draw_below(stream, counts[0]), taken);
    worlds::hand_out(plan, taken, 2, out + 2 * plan.hands * row);
}

// An environment: one action on each table, and what its mover sees then.
extern "C" __global__ void step_42(const env42::Setting* setting, env42::Lane* lanes, const uint32_t* actions,
                                   uint8_t* masks, uint8_t* rows, float* rewards, uint32_t count) {
    using Env = env42::Env<true>;
    const uint32_t row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= count || !Env::act(*setting, lanes[row], actions[row])) return;
    if (Env::mover(*setting, lanes[row]) == 4) {
        Env::rewards(*setting, lanes[row], rewards + 4 * row);
        Stream stream = open_stream(1, Purpose::ENV, row);
        Env::begin<Portable>(*setting, lanes[row], stream);
    }
    Env::legal(*setting, lanes[row], masks + Env::ACTIONS * row);
    Env::observe(*setting, lanes[row], Env::mover(*setting, lanes[row]), rows + Env::WIDTH * row);
}

extern "C" __global__ void step_tractor(const tractor::EnvSetting* setting, tractor::EnvLane* lanes,
                                        const uint32_t* actions, uint8_t* masks, uint8_t* rows, uint32_t count) {
    using Env = tractor::EnvTractor<true>;
    const uint32_t row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= count || !Env::act(*setting, lanes[row], actions[row])) return;
    Env::legal(*setting, lanes[row], masks + Env::ACTIONS * row);
    Env::observe(*setting, lanes[row], row % 4, rows + Env::WIDTH * row);
}
"""
)


def checked(answer: tuple[object, ...]) -> object:
    """An NVRTC call's value; the first item of its answer is the error."""
    error, *values = answer
    assert error == nvrtc.nvrtcResult.NVRTC_SUCCESS, error
    return values[0] if values else None


def test_the_headers_are_read_by_the_gpus_compiler():
    """Every header and every entry above, by its words alone: `test_programs.py` builds what is run."""
    try:
        program = checked(nvrtc.nvrtcCreateProgram(SOURCE.encode(), b"renege.cu", 0, [], []))
    except RuntimeError as missing:  # the bindings are there, NVRTC itself is not
        pytest.skip(f"no NVRTC: {missing}")
    options = ["--gpu-architecture=sm_90", "-std=c++20", f"-I{HEADERS}", "-fdevice-syntax-only"]
    encoded = [option.encode() for option in options]
    (error,) = nvrtc.nvrtcCompileProgram(program, len(encoded), encoded)
    log = bytearray(checked(nvrtc.nvrtcGetProgramLogSize(program)))  # pyright: ignore[reportArgumentType]
    checked(nvrtc.nvrtcGetProgramLog(program, log))
    assert error == nvrtc.nvrtcResult.NVRTC_SUCCESS, log.decode()
    assert not log.strip(b"\0\n "), log.decode()  # a warning here is an error somewhere else
    checked(nvrtc.nvrtcDestroyProgram(program))
