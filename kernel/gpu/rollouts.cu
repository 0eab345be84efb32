// Rounds of Tractor on a GPU, a world and a candidate a thread: renege.native.gpu.rollouts launches these. The order and
// the shapes lie in shared memory; noise comes from the lane of the world, as on the CPU.
#include <renege/tractor/rollout.hpp>

using namespace renege;
using tractor::Pile;

constexpr uint32_t HELD = 4;          // cards of a hand from which on a thread can solve
constexpr uint32_t MOST_SLOTS = 128;  // boundaries that it remembers

// What a thread solves with.
struct Desk {
    tractor::solver::Slot slots[MOST_SLOTS];
    Pile room[tractor::solver::room_for(HELD)];
};
static_assert(sizeof(Desk) == 128 * 56 + 72 * 16, "Python makes room for the desks");

// A scene as Python gives it: plays on the table and what was played; then who is who, and the house as a word.
//   seats   bits 0-1 leader   2-3 banker   4-5 plays lying
//   voids   a byte for each seat
struct Scene {
    const Pile* piles;
    uint32_t seats, voids;
    int32_t attackers;
    uint64_t house;
};

struct Batch {
    const Pile* worlds;
    const int32_t* kitties;
    const Pile* buried;
    const Pile* candidates;
    uint32_t each;   // candidates
    uint64_t count;  // worlds times candidates
};

struct Noise {
    uint32_t chance;
    uint64_t seed, first_lane;
};

template <class Table>
__device__ const Table& share(const Table* from, uint64_t* words) {
    static_assert(sizeof(Table) % 4 == 0);
    uint32_t* const to = reinterpret_cast<uint32_t*>(words);
    const uint32_t* const given = reinterpret_cast<const uint32_t*>(from);
    for (uint32_t i = threadIdx.x; i < sizeof(Table) / 4; i += blockDim.x) to[i] = given[i];
    return *reinterpret_cast<const Table*>(words);
}

// Everything of a round that all worlds share.
struct Round {
    const tractor::Order& order;
    const tractor::Packing& packing;
    tractor::House house;
    tractor::Table table;
    tractor::Seen seen;
};

__device__ Round lay_out(const tractor::Order& order, const tractor::Packing& packing, const Scene& scene) {
    const tractor::House house = tractor::read_house(scene.house);
    const uint32_t lying = (scene.seats >> 4) & 3u;
    Round round = {order, packing, house,
                   tractor::lay_table(order, packing, house, scene.piles, lying, scene.seats & 3u,
                                      (scene.seats >> 2) & 3u),
                   {scene.piles[tractor::SEATS], {}}};
    round.table.attackers = scene.attackers;
    for (uint32_t i = 0; i < tractor::SEATS; ++i) {
        round.seen.voids[i] = static_cast<uint8_t>(scene.voids >> (8 * i));
    }
    return round;
}

__device__ void take_world(const Batch& batch, uint64_t world, tractor::Table& table) {
    for (uint32_t i = 0; i < tractor::SEATS; ++i) table.hand[i] = batch.worlds[tractor::SEATS * world + i];
    table.kitty = batch.kitties[world];
}

template <class End>
__device__ void roll_all(const Round& round, const Batch& batch, const Noise& noise, End& end, int32_t* out) {
    const uint64_t stride = static_cast<uint64_t>(gridDim.x) * blockDim.x;
    for (uint64_t i = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < batch.count; i += stride) {
        const uint64_t world = i / batch.each;
        tractor::Table table = round.table;
        take_world(batch, world, table);
        end.bury(batch.buried[world]);
        const tractor::Whims whims = {noise.chance, open_stream(noise.seed, Purpose::PLAYOUT, noise.first_lane + world)};
        out[i] = tractor::roll_out(round.order, round.packing, round.house, table, round.seen,
                                   batch.candidates[i % batch.each], whims, end);
    }
}

__device__ tractor::solver::Search search_at(const Round& round, Desk* desks) {
    Desk& desk = desks[blockIdx.x * blockDim.x + threadIdx.x];
    return {round.order, round.packing, round.house, {desk.slots, MOST_SLOTS}, {~0ull, nullptr, nullptr}, desk.room,
            0, 0, {}, {}, {}, {}, false};
}

extern "C" __global__ void roll_out(const tractor::Order* orders, const tractor::Packing* packings, const Pile* piles,
                                    uint32_t seats, uint32_t voids, int32_t attackers, uint64_t house,
                                    const Pile* worlds, const int32_t* kitties, const Pile* buried,
                                    const Pile* candidates, uint32_t each, uint64_t count, uint32_t chance,
                                    uint64_t seed, uint64_t first_lane, int32_t* out) {
    __shared__ uint64_t order_words[sizeof(tractor::Order) / 8 + 1], packing_words[sizeof(tractor::Packing) / 8 + 1];
    const tractor::Order& order = share(orders, order_words);
    const tractor::Packing& packing = share(packings, packing_words);
    __syncthreads();
    tractor::PlayedOut end;
    roll_all(lay_out(order, packing, {piles, seats, voids, attackers, house}),
             {worlds, kitties, buried, candidates, each, count}, {chance, seed, first_lane}, end, out);
}

// The same, the last `solve_from` cards of a hand with open hands. Desks are zero at first, one for each thread.
extern "C" __global__ void roll_out_and_solve(const tractor::Order* orders, const tractor::Packing* packings,
                                              const Pile* piles, uint32_t seats, uint32_t voids, int32_t attackers,
                                              uint64_t house, const Pile* worlds, const int32_t* kitties,
                                              const Pile* buried, const Pile* candidates, uint32_t each,
                                              uint64_t count, uint32_t chance, uint64_t seed, uint64_t first_lane,
                                              uint32_t solve_from, Desk* desks, int32_t* out) {
    __shared__ uint64_t order_words[sizeof(tractor::Order) / 8 + 1], packing_words[sizeof(tractor::Packing) / 8 + 1];
    const tractor::Order& order = share(orders, order_words);
    const tractor::Packing& packing = share(packings, packing_words);
    __syncthreads();
    const Round round = lay_out(order, packing, {piles, seats, voids, attackers, house});
    tractor::solver::Search search = search_at(round, desks);
    tractor::Solving<HELD> end = {search, solve_from, {0, 0}};
    roll_all(round, {worlds, kitties, buried, candidates, each, count}, {chance, seed, first_lane}, end, out);
}

// The attackers' points if all play as well as possible after the candidate, the hands lying open.
extern "C" __global__ void solve_candidates(const tractor::Order* orders, const tractor::Packing* packings,
                                            const Pile* piles, uint32_t seats, uint32_t voids, int32_t attackers,
                                            uint64_t house, const Pile* worlds, const int32_t* kitties,
                                            const Pile* buried, const Pile* candidates, uint32_t each,
                                            uint64_t count, Desk* desks, int32_t* out) {
    __shared__ uint64_t order_words[sizeof(tractor::Order) / 8 + 1], packing_words[sizeof(tractor::Packing) / 8 + 1];
    const tractor::Order& order = share(orders, order_words);
    const tractor::Packing& packing = share(packings, packing_words);
    __syncthreads();
    const Round round = lay_out(order, packing, {piles, seats, voids, attackers, house});
    const Batch batch = {worlds, kitties, buried, candidates, each, count};
    tractor::solver::Search search = search_at(round, desks);
    const uint64_t stride = static_cast<uint64_t>(gridDim.x) * blockDim.x;
    for (uint64_t i = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) {
        tractor::Table table = round.table;
        take_world(batch, i / each, table);
        tractor::Seen seen = round.seen;
        tractor::play(order, packing, round.house, table, seen, candidates[i % each]);
        out[i] = table.attackers + tractor::solver::solve<HELD>(search, table, seen, buried[i / each]).lower;
    }
}
