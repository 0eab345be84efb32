// The entry points of an environment on a GPU, a table a thread: renege.native.gpu.envs launches them. A program says
// which game it is for, as `Game`, and includes this.
//
// Rows of bytes are put together in shared memory, for as many lanes at a time as there is room for, and copied out by all
// threads of the block: written byte by byte by their own threads they would reach memory in scraps. So every thread stays
// to the end, also where there is no lane for it.
#include <renege/env/table.hpp>

using namespace renege;
using Setting = Game::Setting;
using Table = env::Table<Game>;

constexpr uint32_t SOME = 16;  // rows of so many lanes begin at a multiple of 16 bytes, whatever their width
constexpr uint64_t NONE_REFUSED = ~uint64_t{0};

struct alignas(16) Sixteen {
    uint64_t one, two;
};

// The memory that a launch asks for. Who includes this may have said otherwise.
#ifndef RENEGE_ROOM
#define RENEGE_ROOM(name) extern __shared__ Sixteen name[]
#endif

__device__ uint8_t* shared_room() {
    RENEGE_ROOM(room);
    return reinterpret_cast<uint8_t*>(room);
}

// The lanes of a block.
struct Block {
    uint64_t first;
    uint32_t count;

    __device__ bool has_lane() const { return threadIdx.x < count; }
    __device__ uint64_t lane() const { return first + threadIdx.x; }
};

__device__ Block block_of(uint64_t lanes) {
    const uint64_t first = static_cast<uint64_t>(blockIdx.x) * blockDim.x, left = lanes - first;
    return {first, left < blockDim.x ? static_cast<uint32_t>(left) : static_cast<uint32_t>(blockDim.x)};
}

// Both begin at a multiple of 16 bytes.
__device__ void copy_together(const uint8_t* from, uint8_t* to, uint32_t bytes) {
    const uint32_t whole = bytes / sizeof(Sixteen);
    const Sixteen* const given = reinterpret_cast<const Sixteen*>(from);
    Sixteen* const out = reinterpret_cast<Sixteen*>(to);
    for (uint32_t i = threadIdx.x; i < whole; i += blockDim.x) out[i] = given[i];
    for (uint32_t i = whole * sizeof(Sixteen) + threadIdx.x; i < bytes; i += blockDim.x) to[i] = from[i];
}

// Calls `put(row)` for the thread of each lane, and copies the rows to where they belong. `room` is in bytes, and takes at
// least 16 rows.
template <class Put>
__device__ void put_rows(const Block& block, uint32_t room, uint8_t* rows, uint32_t width, Put put) {
    const uint32_t most = room / width / SOME * SOME;
    uint8_t* const here = shared_room();
    for (uint32_t from = 0; from < block.count; from += most) {
        const uint32_t place = threadIdx.x - from, count = block.count - from < most ? block.count - from : most;
        if (place < count) put(here + place * width);
        __syncthreads();
        copy_together(here, rows + (block.first + from) * width, count * width);
        __syncthreads();
    }
}

// The other way: calls `take(row)` with the row of each lane.
template <class Take>
__device__ void take_rows(const Block& block, uint32_t room, const uint8_t* rows, uint32_t width, Take take) {
    const uint32_t most = room / width / SOME * SOME;
    uint8_t* const here = shared_room();
    for (uint32_t from = 0; from < block.count; from += most) {
        const uint32_t place = threadIdx.x - from, count = block.count - from < most ? block.count - from : most;
        copy_together(rows + (block.first + from) * width, here, count * width);
        __syncthreads();
        if (place < count) take(here + place * width);
        __syncthreads();
    }
}

// What the arrays show of a table: env::show, through shared memory. Null is what nobody wants.
struct Shown {
    uint8_t *observation, *hidden, *mask, *mover;
    uint32_t width, room;
};

__device__ void show_tables(const Setting& setting, const Table* tables, const Block& block, const Shown& shown) {
    const Game::Lane& lane = tables[block.has_lane() ? block.lane() : block.first].lane;
    const uint32_t mover = Game::mover(setting, lane);
    if (block.has_lane()) shown.mover[block.lane()] = static_cast<uint8_t>(mover);
    put_rows(block, shown.room, shown.mask, Game::ACTIONS, [&](uint8_t* row) { Game::legal(setting, lane, row); });
    if (shown.observation) {
        put_rows(block, shown.room, shown.observation, shown.width,
                 [&](uint8_t* row) { Game::observe(setting, lane, mover, row); });
    }
    if (shown.hidden) {
        put_rows(block, shown.room, shown.hidden, Game::HIDDEN,
                 [&](uint8_t* row) { Game::hidden(setting, lane, mover, row); });
    }
}

// What a step pays each seat, written at once.
struct alignas(16) Pay {
    float seat[MAX_SEATS];
};

// Word by word: as one assignment it would be written out, and take all registers.
RENEGE_CALLED void copy_table(const Table& from, Table& to) {
    static_assert(sizeof(Table) % sizeof(uint64_t) == 0);
    const uint64_t* const given = reinterpret_cast<const uint64_t*>(&from);
    uint64_t* const out = reinterpret_cast<uint64_t*>(&to);
    for (uint32_t i = 0; i < sizeof(Table) / sizeof(uint64_t); ++i) out[i] = given[i];
}

// Long, and used in many places.
RENEGE_CALLED bool act(const Setting& setting, Table& table, uint32_t action) {
    return Game::act(setting, table.lane, action);
}

RENEGE_CALLED bool settle(const Setting& setting, Table& table, Pay& pay) {
    return env::settle<Game, Portable>(setting, table, pay.seat);
}

extern "C" __global__ void reset(const Setting* setting, Table* tables, uint64_t lanes, const uint64_t* seeds) {
    const Block block = block_of(lanes);
    if (!block.has_lane()) return;
    Table& table = tables[block.lane()];
    table.seed = seeds[block.lane()];
    table.choices = env::choice_key(table.seed);
    table.deals = table.steps = 0;
    env::deal_next<Game, Portable>(*setting, table);
}

extern "C" __global__ void show(const Setting* setting, const Table* tables, uint64_t lanes, uint8_t* observation,
                                uint8_t* hidden, uint8_t* mask, uint8_t* mover, uint32_t width, uint32_t room) {
    show_tables(*setting, tables, block_of(lanes), {observation, hidden, mask, mover, width, room});
}

// The first lane whose action is not open.
extern "C" __global__ void check(const Setting* setting, const Table* tables, uint64_t lanes, const int32_t* actions,
                                 uint64_t* refused) {
    const Block block = block_of(lanes);
    if (!block.has_lane()) return;
    const uint32_t action = static_cast<uint32_t>(actions[block.lane()]);
    if (!env::is_open<Game>(*setting, tables[block.lane()], action)) atomicMin(refused, block.lane());
}

// Nothing is done where a lane was refused before; `refused` is null where nobody has asked. A lane whose action is not
// open then stays as it is.
extern "C" __global__ void step(const Setting* setting, Table* tables, uint64_t lanes, const int32_t* actions,
                                const uint64_t* refused, uint8_t* observation, uint8_t* hidden, uint8_t* mask,
                                uint8_t* mover, uint32_t width, uint32_t room, Pay* reward, uint8_t* done) {
    if (refused && *refused != NONE_REFUSED) return;
    const Block block = block_of(lanes);
    if (block.has_lane()) {
        Table& table = tables[block.lane()];
        Pay pay = {};
        const bool acted = act(*setting, table, static_cast<uint32_t>(actions[block.lane()]));
        done[block.lane()] = acted && settle(*setting, table, pay);
        reward[block.lane()] = pay;
    }
    show_tables(*setting, tables, block, {observation, hidden, mask, mover, width, room});
}

extern "C" __global__ void choose(const Table* tables, uint64_t lanes, uint64_t salt, const uint8_t* mask,
                                  uint32_t room, int32_t* actions) {
    const Block block = block_of(lanes);
    take_rows(block, room, mask, Game::ACTIONS, [&](const uint8_t* row) {
        actions[block.lane()] = env::chosen<Game, Portable>(tables[block.lane()], salt, row);
    });
}

// So many steps by chance; reward and done are those of the last. Adds up the deals that came to their end.
extern "C" __global__ void run(const Setting* setting, Table* tables, uint64_t lanes, uint64_t steps, uint64_t salt,
                               Pay* reward, uint8_t* done, uint64_t* over) {
    const Block block = block_of(lanes);
    uint32_t ended = 0;
    if (block.has_lane()) {
        Table table;  // in memory of the thread's own, which lies beside that of the others, word by word
        copy_table(tables[block.lane()], table);
        Pay pay = {};
        bool last = false;
        for (uint64_t i = 0; i < steps; ++i) {
            uint8_t mask[Game::ACTIONS];
            Game::legal(*setting, table.lane, mask);
            act(*setting, table, static_cast<uint32_t>(env::chosen<Game, Portable>(table, salt, mask)));
            last = settle(*setting, table, pay);
            ended += last;
        }
        copy_table(table, tables[block.lane()]);
        reward[block.lane()] = pay;
        done[block.lane()] = last;
    }
    const uint32_t all = __reduce_add_sync(~0u, ended);
    if (threadIdx.x % 32 == 0) atomicAdd(over, uint64_t{all});
}

// What a seat of each lane sees, whoever is to move.
extern "C" __global__ void observe(const Setting* setting, const Table* tables, uint64_t lanes, const uint8_t* seats,
                                   uint8_t* rows, uint32_t width, uint32_t room) {
    const Block block = block_of(lanes);
    put_rows(block, room, rows, width, [&](uint8_t* row) {
        Game::observe(*setting, tables[block.lane()].lane, seats[block.lane()] & 3u, row);
    });
}

extern "C" __global__ void dealt(const Table* tables, uint64_t lanes, uint64_t* piles) {
    const Block block = block_of(lanes);
    if (block.has_lane()) Game::dealt(tables[block.lane()].lane, piles + 10 * block.lane());
}

extern "C" __global__ void standings(const Table* tables, uint64_t lanes, env::Standing* out) {
    const Block block = block_of(lanes);
    if (block.has_lane()) out[block.lane()] = Game::standing(tables[block.lane()].lane);
}

// Deals from outside, laid on tables of their own and played up to a point; the first lane where that cannot be done.
extern "C" __global__ void begin(const Setting* setting, const Table* tables, uint64_t lanes,
                                 const env::Standing* standings, const uint64_t* piles, const int32_t* actions,
                                 uint32_t count, Table* begun, uint64_t* refused) {
    const Block block = block_of(lanes);
    if (!block.has_lane()) return;
    const uint64_t lane = block.lane(), *const given = piles + 10 * lane;
    const int32_t* const asked = actions + lane * count;
    copy_table(tables[lane], begun[lane]);
    bool done = Game::fault(*setting, standings[lane], given) == nullptr;
    if (done) Game::begin_with(*setting, begun[lane].lane, standings[lane], given);
    for (uint32_t i = 0; done && i < count && asked[i] >= 0; ++i) {
        done = act(*setting, begun[lane], static_cast<uint32_t>(asked[i]));
        done = done && Game::mover(*setting, begun[lane].lane) < MAX_SEATS;
    }
    if (!done) atomicMin(refused, lane);
}
