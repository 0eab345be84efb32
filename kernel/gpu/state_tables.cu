// Whole tables of 42 on a GPU: what whole_module.cpp does for one deal, for many at once. Everything they decide is in
// renege/texas42/state_tables.hpp; here are the entry points that renege.native.gpu.state_tables launches, one level a launch.
//
// A block takes as many words of a level's bits as it has threads, all of one leader of one deal (blockIdx.y), lists the
// states in them in shared memory, and goes through the list, a state a thread. No list of states is kept in memory.
#include <renege/texas42/state_tables.hpp>

using namespace renege;

constexpr uint32_t MOST_THREADS = 256;

// What a block has of its deal in shared memory, copied word by word.
struct Shared {
    whole::Ranks ranks;
    whole::Level level, below;
    whole::Round round;  // its last table only where sevens are played
    uint16_t list[32 * MOST_THREADS];
    uint32_t sums[MOST_THREADS / 32];
};

template <class Thing>
__device__ void copy(Thing& to, const Thing& from, uint32_t bytes = sizeof(Thing)) {
    static_assert(sizeof(Thing) % 4 == 0);
    const uint32_t* const given = reinterpret_cast<const uint32_t*>(&from);
    uint32_t* const words = reinterpret_cast<uint32_t*>(&to);
    for (uint32_t i = threadIdx.x; i < bytes / 4; i += blockDim.x) words[i] = given[i];
}

// Lists the states that are marked in the block's words, in the order of their numbers, counted from the block's first.
__device__ uint32_t list_states(Shared& shared, uint32_t marked) {
    const uint32_t own = count_bits(marked), lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    uint32_t end = own;
    for (uint32_t by = 1; by < 32; by *= 2) {
        const uint32_t before = __shfl_up_sync(~0u, end, by);
        if (lane >= by) end += before;
    }
    if (lane == 31) shared.sums[warp] = end;
    __syncthreads();
    uint32_t all = 0;
    for (uint32_t i = 0; i < blockDim.x / 32; ++i) {
        if (i == warp) end += all;
        all += shared.sums[i];
    }
    for (uint32_t at = end - own; marked; marked &= marked - 1) {
        shared.list[at++] = static_cast<uint16_t>(32 * threadIdx.x + lowest_bit(marked));
    }
    __syncthreads();
    return all;
}

// Where a block is: whose deal, which leader, which of its words.
struct Part {
    uint32_t leader, first_word;
    uint32_t* bits;   // of the deal
    uint8_t* values;
};

__device__ Part part_of(const whole::Level* levels, uint32_t tiles, uint32_t left, uint32_t seats, uint32_t* bits,
                        uint8_t* values) {
    const uint32_t parts = (levels[left].words + blockDim.x - 1) / blockDim.x;
    const uint64_t deal = blockIdx.y;
    return {blockIdx.x / parts, blockIdx.x % parts * blockDim.x,
            bits + deal * whole::words_of(levels[tiles], seats), values + deal * whole::values_of(levels[tiles], seats)};
}

// Brings in what the block needs and lists its states.
template <Duty DUTY>
__device__ uint32_t begin(Shared& shared, const whole::Ranks* ranks, const whole::Level* levels,
                          const whole::Round* rounds, uint32_t left, uint32_t seats, const Part& part) {
    const whole::Level& level = levels[left];
    const uint32_t word = part.first_word + threadIdx.x;
    const uint32_t marked =
        word < level.words ? part.bits[level.first_word + part.leader * level.words + word] : 0u;
    copy(shared.ranks, *ranks);
    copy(shared.level, level);
    copy(shared.below, levels[left - 1]);
    const bool sevens = DUTY == Duty::STRONGEST;
    copy(shared.round, rounds[seats * blockIdx.y + part.leader],
         static_cast<uint32_t>(sizeof(whole::Round) - (sevens ? 0 : sizeof(whole::Round::strongest))));
    return list_states(shared, marked);
}

// Marks every state that a trick can lead to. counts [deals, 8, 2]: states and tricks, by tiles left.
template <uint32_t SEATS, Duty DUTY>
__device__ void reach(const whole::Ranks* ranks, const whole::Level* levels, const whole::Round* rounds, uint32_t tiles,
                      uint32_t left, uint32_t* bits, uint32_t* counts) {
    __shared__ Shared shared;
    const Part part = part_of(levels, tiles, left, SEATS, bits, nullptr);
    const uint32_t count = begin<DUTY>(shared, ranks, levels, rounds, left, SEATS, part);
    const whole::Field field = whole::field_of(shared.round, shared.ranks, shared.below, SEATS);
    const uint32_t lies = left == tiles ? shared.round.lies : 0u;
    const uint32_t stride = shared.below.words;
    uint32_t* const below = part.bits + shared.below.first_word;
    uint32_t tricks = 0;
    for (uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
        const uint32_t number = 32 * part.first_word + shared.list[i];
        const uint32_t hands = whole::hands_of<SEATS>(shared.level, part.leader, number);
        whole::each_trick<SEATS, DUTY>(field, hands, lies, [&](Seat seat, uint32_t then) {
            ++tricks;
            uint32_t* const word = below + (seat * stride + then / 32);
            const uint32_t bit = 1u << (then % 32);
            if (!(__ldcg(word) & bit)) atomicOr(word, bit);  // most are marked already, and looking is cheaper
        });
    }
    uint32_t* const sums = counts + 2 * (whole::LEVELS * blockIdx.y + left);
    tricks = __reduce_add_sync(~0u, tricks);
    if (threadIdx.x % 32 == 0 && tricks) atomicAdd(sums + 1, tricks);
    if (threadIdx.x == 0 && count) atomicAdd(sums, count);
}

// Values every state from those of the level below.
template <uint32_t SEATS, Duty DUTY>
__device__ void look_back(const whole::Ranks* ranks, const whole::Level* levels, const whole::Round* rounds,
                          uint32_t tiles, uint32_t left, uint32_t* bits, uint8_t* values) {
    __shared__ Shared shared;
    const Part part = part_of(levels, tiles, left, SEATS, bits, values);
    const uint32_t count = begin<DUTY>(shared, ranks, levels, rounds, left, SEATS, part);
    const whole::Field field = whole::field_of(shared.round, shared.ranks, shared.below, SEATS);
    const uint32_t stride = shared.below.states;
    const uint8_t* const below = part.values + shared.below.first_value;
    uint8_t* const out = part.values + shared.level.first_value + part.leader * shared.level.states;
    for (uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
        const uint32_t number = 32 * part.first_word + shared.list[i];
        const uint32_t hands = whole::hands_of<SEATS>(shared.level, part.leader, number);
        out[number] = static_cast<uint8_t>(whole::value_of<SEATS, DUTY>(
            field, hands, [&](Seat seat, uint32_t then) { return __ldg(below + (seat * stride + then)); }));
    }
}

// A deal a thread: marks its first state, and gives what comes after the last trick its value, 0.
extern "C" __global__ void whole_begin(const whole::Level* levels, const whole::Round* rounds, uint32_t tiles,
                                       uint32_t seats, uint32_t deals, uint32_t* bits, uint8_t* values) {
    const uint64_t deal = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (deal >= deals) return;
    uint8_t* const ends = values + deal * whole::values_of(levels[tiles], seats);
    for (Seat seat = 0; seat < seats; ++seat) {
        ends[levels[0].first_value + seat] = 0;
        const uint64_t word = deal * whole::words_of(levels[tiles], seats) + levels[tiles].first_word + seat;
        if (rounds[seats * deal + seat].leads) bits[word] = 1;
    }
}

// A deal a thread: what it is worth.
extern "C" __global__ void whole_roots(const whole::Level* levels, const whole::Round* rounds, uint32_t tiles,
                                       uint32_t seats, uint32_t deals, const uint8_t* values, int16_t* roots) {
    const uint64_t deal = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (deal >= deals) return;
    const uint8_t* const of = values + deal * whole::values_of(levels[tiles], seats) + levels[tiles].first_value;
    for (Seat seat = 0; seat < seats; ++seat) {
        if (rounds[seats * deal + seat].leads) roots[deal] = of[seat];
    }
}

// Eight threads a deal: what it comes to if the seat to move, so many turns after the leader, plays each of its tiles.
// plays [deals, 32]: by tile, -1 where it may not be played.
template <uint32_t SEATS, Duty DUTY>
__device__ void plays(const whole::Ranks* ranks, const whole::Level* levels, const whole::Round* rounds, uint32_t tiles,
                      uint32_t deals, uint32_t turn, const uint8_t* values, int16_t* plays) {
    const uint64_t thread = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x, deal = thread / 8;
    const uint32_t place = thread % 8;
    if (deal >= deals || place >= tiles) return;
    const whole::Level& below = levels[tiles - 1];
    const uint8_t* const of = values + deal * whole::values_of(levels[tiles], SEATS) + below.first_value;
    for (Seat seat = 0; seat < SEATS; ++seat) {
        const whole::Round& round = rounds[SEATS * deal + seat];
        if (!round.leads) continue;
        const whole::Field field = whole::field_of(round, *ranks, below, SEATS);
        const uint32_t hands = whole::hands_of<SEATS>(levels[tiles], seat, 0);
        const int32_t value = whole::value_of_play<SEATS, DUTY>(
            field, hands, turn, place, [&](Seat next, uint32_t then) { return of[next * below.states + then]; });
        plays[MAX_CARDS * deal + round.tile[whole::PLACES * turn + place]] = static_cast<int16_t>(value);
    }
}

// Writes the key of each state of a level, above the lowest byte, and its value. `ends [deals]` says where the next of a
// deal goes; which comes first is left to chance.
template <uint32_t SEATS>
__device__ void keep(const whole::Ranks* ranks, const whole::Level* levels, const whole::Round* rounds, uint32_t tiles,
                     uint32_t left, uint32_t* bits, uint8_t* values, uint64_t* ends, uint64_t* out) {
    __shared__ Shared shared;
    __shared__ uint64_t first;
    const Part part = part_of(levels, tiles, left, SEATS, bits, values);
    const uint32_t count = begin<Duty::FOLLOW_SUIT>(shared, ranks, levels, rounds, left, SEATS, part);
    if (threadIdx.x == 0) first = atomicAdd(ends + blockIdx.y, static_cast<uint64_t>(count));
    __syncthreads();
    const uint8_t* const found = part.values + shared.level.first_value + part.leader * shared.level.states;
    for (uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
        const uint32_t number = 32 * part.first_word + shared.list[i];
        const uint32_t hands = whole::hands_of<SEATS>(shared.level, part.leader, number);
        out[first + i] = (static_cast<uint64_t>(whole::key_of(shared.round, hands, SEATS)) << 8) | found[number];
    }
}

extern "C" __global__ void whole_keep_4(const whole::Ranks* ranks, const whole::Level* levels,
                                        const whole::Round* rounds, uint32_t tiles, uint32_t left, uint32_t* bits,
                                        uint8_t* values, uint64_t* ends, uint64_t* out) {
    keep<4>(ranks, levels, rounds, tiles, left, bits, values, ends, out);
}

extern "C" __global__ void whole_keep_3(const whole::Ranks* ranks, const whole::Level* levels,
                                        const whole::Round* rounds, uint32_t tiles, uint32_t left, uint32_t* bits,
                                        uint8_t* values, uint64_t* ends, uint64_t* out) {
    keep<3>(ranks, levels, rounds, tiles, left, bits, values, ends, out);
}

extern "C" __global__ void whole_reach_4(const whole::Ranks* ranks, const whole::Level* levels,
                                         const whole::Round* rounds, uint32_t tiles, uint32_t left, uint32_t* bits,
                                         uint32_t* counts) {
    reach<4, Duty::FOLLOW_SUIT>(ranks, levels, rounds, tiles, left, bits, counts);
}

extern "C" __global__ void whole_reach_4_sevens(const whole::Ranks* ranks, const whole::Level* levels,
                                                const whole::Round* rounds, uint32_t tiles, uint32_t left,
                                                uint32_t* bits, uint32_t* counts) {
    reach<4, Duty::STRONGEST>(ranks, levels, rounds, tiles, left, bits, counts);
}

extern "C" __global__ void whole_reach_3(const whole::Ranks* ranks, const whole::Level* levels,
                                         const whole::Round* rounds, uint32_t tiles, uint32_t left, uint32_t* bits,
                                         uint32_t* counts) {
    reach<3, Duty::FOLLOW_SUIT>(ranks, levels, rounds, tiles, left, bits, counts);
}

extern "C" __global__ void whole_reach_3_sevens(const whole::Ranks* ranks, const whole::Level* levels,
                                                const whole::Round* rounds, uint32_t tiles, uint32_t left,
                                                uint32_t* bits, uint32_t* counts) {
    reach<3, Duty::STRONGEST>(ranks, levels, rounds, tiles, left, bits, counts);
}

// Five blocks on a multiprocessor: a few registers fewer than it would take, and more threads to wait for memory.
extern "C" __global__ void __launch_bounds__(MOST_THREADS, 5) whole_values_4(const whole::Ranks* ranks,
                                                                             const whole::Level* levels,
                                                                             const whole::Round* rounds, uint32_t tiles,
                                                                             uint32_t left, uint32_t* bits,
                                                                             uint8_t* values) {
    look_back<4, Duty::FOLLOW_SUIT>(ranks, levels, rounds, tiles, left, bits, values);
}

extern "C" __global__ void whole_values_4_sevens(const whole::Ranks* ranks, const whole::Level* levels,
                                                 const whole::Round* rounds, uint32_t tiles, uint32_t left,
                                                 uint32_t* bits, uint8_t* values) {
    look_back<4, Duty::STRONGEST>(ranks, levels, rounds, tiles, left, bits, values);
}

extern "C" __global__ void whole_values_3(const whole::Ranks* ranks, const whole::Level* levels,
                                          const whole::Round* rounds, uint32_t tiles, uint32_t left, uint32_t* bits,
                                          uint8_t* values) {
    look_back<3, Duty::FOLLOW_SUIT>(ranks, levels, rounds, tiles, left, bits, values);
}

extern "C" __global__ void whole_values_3_sevens(const whole::Ranks* ranks, const whole::Level* levels,
                                                 const whole::Round* rounds, uint32_t tiles, uint32_t left,
                                                 uint32_t* bits, uint8_t* values) {
    look_back<3, Duty::STRONGEST>(ranks, levels, rounds, tiles, left, bits, values);
}

extern "C" __global__ void whole_plays_4(const whole::Ranks* ranks, const whole::Level* levels,
                                          const whole::Round* rounds, uint32_t tiles, uint32_t deals, uint32_t turn,
                                          const uint8_t* values, int16_t* out) {
    plays<4, Duty::FOLLOW_SUIT>(ranks, levels, rounds, tiles, deals, turn, values, out);
}

extern "C" __global__ void whole_plays_4_sevens(const whole::Ranks* ranks, const whole::Level* levels,
                                          const whole::Round* rounds, uint32_t tiles, uint32_t deals, uint32_t turn,
                                          const uint8_t* values, int16_t* out) {
    plays<4, Duty::STRONGEST>(ranks, levels, rounds, tiles, deals, turn, values, out);
}

extern "C" __global__ void whole_plays_3(const whole::Ranks* ranks, const whole::Level* levels,
                                          const whole::Round* rounds, uint32_t tiles, uint32_t deals, uint32_t turn,
                                          const uint8_t* values, int16_t* out) {
    plays<3, Duty::FOLLOW_SUIT>(ranks, levels, rounds, tiles, deals, turn, values, out);
}

extern "C" __global__ void whole_plays_3_sevens(const whole::Ranks* ranks, const whole::Level* levels,
                                          const whole::Round* rounds, uint32_t tiles, uint32_t deals, uint32_t turn,
                                          const uint8_t* values, int16_t* out) {
    plays<3, Duty::STRONGEST>(ranks, levels, rounds, tiles, deals, turn, values, out);
}
