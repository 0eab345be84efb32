// Deals and playouts on a GPU, a table a thread. Everything they do is in the headers; here are the entry points that
// renege.native.gpu.playouts launches. The order lies in shared memory, and lanes are those of the CPU.
#include <renege/core/turned.hpp>

using namespace renege;

// The order of a launch, for all threads of a block.
__device__ const Order& share(const Order* from) {
    __shared__ uint32_t words[sizeof(Order) / 4];
    const uint32_t* const given = reinterpret_cast<const uint32_t*>(from);
    for (uint32_t i = threadIdx.x; i < sizeof(Order) / 4; i += blockDim.x) words[i] = given[i];
    __syncthreads();
    return *reinterpret_cast<const Order*>(words);
}

__device__ uint64_t thread_number() { return static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; }

// What is wrong with the first bad row: the row above, its Fault in the lowest byte.
__device__ bool refuse(Fault fault, uint64_t row, uint64_t* refused) {
    if (fault == Fault::NONE) return false;
    atomicMin(refused, (row << 8) | static_cast<uint64_t>(fault));
    return true;
}

extern "C" __global__ void legal_masks(const Order* tables, const Position* states, uint64_t count, CardSet* out,
                                       uint64_t* refused) {
    const Order& order = share(tables);
    const uint64_t row = thread_number();
    if (row >= count || refuse(fault_in(order, states[row]), row, refused)) return;
    out[row] = legal(order, states[row]);
}

extern "C" __global__ void winners(const Order* tables, const uint8_t* plays, uint32_t cards, uint64_t count,
                                   uint8_t* out) {
    const Order& order = share(tables);
    const uint64_t row = thread_number();
    if (row < count) out[row] = static_cast<uint8_t>(winner(order, plays + cards * row, cards));
}

extern "C" __global__ void deals(CardSet deck, const uint8_t* sizes, uint32_t hands, uint64_t seed,
                                 uint64_t first_lane, uint64_t count, CardSet* out) {
    const uint64_t row = thread_number();
    if (row >= count) return;
    Stream stream = open_stream(seed, Purpose::DEAL, first_lane + row);
    deal<Portable>(deck, sizes, hands, stream, out + hands * row);
}

// Tables of four in which a hand has at most MOST cards.
template <Duty DUTY, uint32_t MOST>
__device__ void play_four(const Order& order, Position& position, const Stream& stream, uint32_t tricks,
                          uint8_t* plays) {
    turned::Table table = {{position.hand[0], position.hand[1], position.hand[2], position.hand[3]},
                           0, led_called(position), position.points, position.tricks, stream};
    turned::turn(table.hand, leader(position));
    table.leader = leader(position);
    for (uint32_t trick = 0; trick < tricks; ++trick) {
        turned::play_trick<DUTY, MOST>(order, table, plays ? plays + MAX_SEATS * trick : nullptr);
    }
    for (Seat seat = 0; seat < MAX_SEATS; ++seat) position.hand[seat] = 0;
    position.points = table.points;
    position.tricks = table.tricks;
    set_trick(position, table.leader, 0);
    if constexpr (DUTY == Duty::CALLED_ACE) set_led_called(position, table.led_called);
}

extern "C" __global__ void playouts(const Order* tables, Position* states, uint8_t* plays, uint64_t seed,
                                    uint64_t first_lane, uint64_t count, uint64_t* refused) {
    const Order& order = share(tables);
    const uint64_t row = thread_number();
    if (row >= count || refuse(fault_in(order, states[row]), row, refused)) return;
    Position position = states[row];
    Stream stream = open_stream(seed, Purpose::PLAYOUT, first_lane + row);
    uint8_t* record = plays ? plays + MAX_CARDS * row : nullptr;
    const uint32_t tricks = tricks_to_lead(position);
    if (count_bits(seats(position)) == MAX_SEATS && duty(position) != Duty::STRONGEST && tricks <= 8) {
        const uint32_t played = finish_trick<Portable>(order, position, stream, record);
        record = record ? record + played : nullptr;
        if (duty(position) == Duty::CALLED_ACE) play_four<Duty::CALLED_ACE, 8>(order, position, stream, tricks, record);
        else play_four<Duty::FOLLOW_SUIT, 8>(order, position, stream, tricks, record);
    } else {
        renege::playouts<Portable, 1>(order, &position, &stream, record ? &record : nullptr);
    }
    states[row] = position;
}

// Adds a number of each thread of the block to one in memory.
__device__ void add_up(uint32_t number, uint64_t* sum) {
    __shared__ uint32_t warps[32];
    const uint32_t whole = __reduce_add_sync(~0u, number);
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = whole;
    __syncthreads();
    if (threadIdx.x == 0) {
        uint64_t all = 0;
        for (uint32_t i = 0; i < blockDim.x / 32; ++i) all += warps[i];
        atomicAdd(sum, all);
    }
    __syncthreads();
}

// Each thread deals and plays `each` deals and keeps its sums to itself, two seats a word: 16 bits hold 255 deals of at
// most 255 points. `lanes` is how many deals there are in all.
template <uint32_t CARDS, Duty DUTY>
__device__ void random_deals(const Order& order, uint64_t seed, uint64_t first_lane, uint64_t lanes, uint32_t each,
                             uint64_t* sums) {
    uint32_t even_points = 0, odd_points = 0, even_tricks = 0, odd_tricks = 0;
    const uint64_t stride = static_cast<uint64_t>(gridDim.x) * blockDim.x;
    uint64_t lane = thread_number();
    for (uint32_t i = 0; i < each && lane < lanes; ++i, lane += stride) {
        turned::Table table = {};
        turned::deal<CARDS>(open_stream(seed, Purpose::DEAL, first_lane + lane), table.hand);
        table.stream = open_stream(seed, Purpose::PLAYOUT, first_lane + lane);
        turned::play_out<DUTY, CARDS / MAX_SEATS>(order, table);
        even_points += table.points & 0x00FF00FFu;
        odd_points += (table.points >> 8) & 0x00FF00FFu;
        even_tricks += table.tricks & 0x00FF00FFu;
        odd_tricks += (table.tricks >> 8) & 0x00FF00FFu;
    }
    add_up(even_points & 0xFFFFu, sums + 0);
    add_up(odd_points & 0xFFFFu, sums + 1);
    add_up(even_points >> 16, sums + 2);
    add_up(odd_points >> 16, sums + 3);
    add_up(even_tricks & 0xFFFFu, sums + 4);
    add_up(odd_tricks & 0xFFFFu, sums + 5);
    add_up(even_tricks >> 16, sums + 6);
    add_up(odd_tricks >> 16, sums + 7);
}

// The decks that are dealt out whole: 42, and Schafkopf with long and short cards.
extern "C" __global__ void random_deals_28(const Order* tables, uint64_t seed, uint64_t first_lane, uint64_t lanes,
                                           uint32_t each, uint64_t* sums) {
    random_deals<28, Duty::FOLLOW_SUIT>(share(tables), seed, first_lane, lanes, each, sums);
}

extern "C" __global__ void random_deals_32(const Order* tables, uint64_t seed, uint64_t first_lane, uint64_t lanes,
                                           uint32_t each, uint64_t* sums) {
    random_deals<32, Duty::FOLLOW_SUIT>(share(tables), seed, first_lane, lanes, each, sums);
}

extern "C" __global__ void random_deals_32_called(const Order* tables, uint64_t seed, uint64_t first_lane,
                                                  uint64_t lanes, uint32_t each, uint64_t* sums) {
    random_deals<32, Duty::CALLED_ACE>(share(tables), seed, first_lane, lanes, each, sums);
}

extern "C" __global__ void random_deals_24(const Order* tables, uint64_t seed, uint64_t first_lane, uint64_t lanes,
                                           uint32_t each, uint64_t* sums) {
    random_deals<24, Duty::FOLLOW_SUIT>(share(tables), seed, first_lane, lanes, each, sums);
}

extern "C" __global__ void random_deals_24_called(const Order* tables, uint64_t seed, uint64_t first_lane,
                                                  uint64_t lanes, uint32_t each, uint64_t* sums) {
    random_deals<24, Duty::CALLED_ACE>(share(tables), seed, first_lane, lanes, each, sums);
}
