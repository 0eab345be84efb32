// Straight 42 made small, on a GPU: keys and ways of tables, deals with their contracts, and regret minimisation with a
// lane a thread. Everything they do is in the headers; renege.native.gpu.abstraction42 launches them.
#include <renege/regret/texas42.hpp>

using namespace renege;
using namespace renege::texas42;

// The nine declarations of a launch, for all threads of a block.
__device__ const Sheet* share(const Sheet* from) {
    __shared__ uint32_t words[DECLARATIONS * sizeof(Sheet) / 4];
    const uint32_t* const given = reinterpret_cast<const uint32_t*>(from);
    for (uint32_t i = threadIdx.x; i < DECLARATIONS * sizeof(Sheet) / 4; i += blockDim.x) words[i] = given[i];
    __syncthreads();
    return reinterpret_cast<const Sheet*>(words);
}

__device__ uint64_t thread_number() { return static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; }

// States that the CPU has checked.
extern "C" __global__ void look_at(const Sheet* given, const Position* states, const uint32_t* voids, uint64_t count,
                                   uint64_t* keys, uint8_t* open, uint8_t* tiles) {
    const Sheet* const sheets = share(given);
    const uint64_t row = thread_number();
    if (row >= count) return;
    const Seen seen = {states[row], voids[row]};
    const Choice choice = choices(sheets[declaration(seen.position)], seen);
    keys[row] = choice.key;
    open[row] = static_cast<uint8_t>(choice.open);
    for (uint32_t way = 0; way < WAYS; ++way) {
        tiles[WAYS * row + way] = (choice.open >> way) & 1u ? choice.tile[way] : static_cast<uint8_t>(NO_CARD);
    }
}

extern "C" __global__ void contracts(const Sheet* given, uint64_t seed, uint64_t first_lane, uint64_t count,
                                     Position* out) {
    const Sheet* const sheets = share(given);
    const uint64_t row = thread_number();
    if (row >= count) return;
    Stream stream = open_stream(seed, Purpose::DEAL, first_lane + row);
    out[row] = deal_contract(sheets, stream);
}

// Lanes differ much in length, so a thread that is done takes the next one from a counter, which begins at 0.
extern "C" __global__ void traverse(const Sheet* given, uint64_t* keys, const float* regret, uint64_t* gain,
                                    uint64_t* shares, uint32_t slots, uint64_t seed, uint64_t first_lane,
                                    uint64_t count, uint64_t* begun, uint64_t* sums) {
    const Sheet* const sheets = share(given);
    const Ledger ledger = {keys, regret, gain, shares, slots};
    for (uint64_t lane = atomicAdd(begun, uint64_t{1}); lane < count; lane = atomicAdd(begun, uint64_t{1})) {
        texas42::traverse(sheets, ledger, seed, first_lane + lane, sums);
    }
}

extern "C" __global__ void fold(float* sum, uint64_t* found, float weight, uint64_t count) {
    const uint64_t i = thread_number();
    if (i < count) texas42::fold(sum[i], found[i], weight);
}
