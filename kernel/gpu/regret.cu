// Regret minimisation on a GPU: a node a thread, level by level; or a sampled traversal a thread. Everything they do is
// in renege/regret.hpp; here are the entry points that renege.search.regret.gpu launches.
#include <renege/regret/tree.hpp>

using namespace renege;

__device__ uint64_t thread_number() { return static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; }

struct Atomic {
    __device__ void operator()(double* at, double value) const { atomicAdd(at, value); }
};

__device__ regret::Tree tree_of(const int32_t* sets, const int32_t* children, const double* payoffs,
                                const uint8_t* seats, const int32_t* first_slots) {
    return {sets, children, payoffs, seats, first_slots};
}

// `values` begin with the deals' weights; a level hands them down to the next.
extern "C" __global__ void down(const int32_t* sets, const int32_t* children, const uint8_t* seats,
                                const int32_t* first_slots, uint64_t first, uint64_t last, uint32_t seat,
                                const double* strategy, double* values) {
    const uint64_t node = first + thread_number();
    if (node >= last) return;
    const regret::Tree tree = tree_of(sets, children, nullptr, seats, first_slots);
    regret::send_down(tree, sets[node], seat, strategy, values[node], values + children[node]);
}

extern "C" __global__ void up(const int32_t* sets, const int32_t* children, const double* payoffs,
                              const uint8_t* seats, const int32_t* first_slots, uint64_t first, uint64_t last,
                              uint32_t seat, const double* strategy, double* gains, double* values) {
    const uint64_t node = first + thread_number();
    if (node >= last) return;
    const int32_t set = sets[node], child = children[node];
    const regret::Tree tree = tree_of(sets, children, payoffs, seats, first_slots);
    values[node] = set == regret::LEAF
                       ? values[node] * payoffs[regret::SEATS * child + seat]
                       : regret::send_up(tree, set, seat, strategy, values + child, gains, Atomic());
}

extern "C" __global__ void begin(const double* weights, uint64_t deals, double* values) {
    const uint64_t deal = thread_number();
    if (deal < deals) values[deal] = weights[deal];
}

extern "C" __global__ void clear(uint64_t count, double* numbers) {
    const uint64_t i = thread_number();
    if (i < count) numbers[i] = 0.0;
}

extern "C" __global__ void add_up(const double* numbers, uint64_t count, double* sum) {
    double mine = 0.0;
    const uint64_t stride = static_cast<uint64_t>(gridDim.x) * blockDim.x;
    for (uint64_t i = thread_number(); i < count; i += stride) mine += numbers[i];
    for (uint32_t by = 16; by; by /= 2) mine += __shfl_xor_sync(~0u, mine, by);
    if (threadIdx.x % 32 == 0) atomicAdd(sum, mine);
}

extern "C" __global__ void match(const uint8_t* seats, const int32_t* first_slots, uint64_t sets, uint32_t seat,
                                 const double* regrets, double* strategy) {
    const uint64_t set = thread_number();
    if (set >= sets || seats[set] != seat) return;
    const int32_t slot = first_slots[set];
    regret::match(regrets + slot, static_cast<uint32_t>(first_slots[set + 1] - slot), strategy + slot);
}

extern "C" __global__ void regret_more(const uint8_t* seats, const int32_t* first_slots, uint64_t sets, uint32_t seat,
                                       const double* gains, const double* strategy, double* regrets) {
    const uint64_t set = thread_number();
    if (set >= sets || seats[set] != seat) return;
    const int32_t slot = first_slots[set];
    regret::regret_more(gains + slot, strategy + slot, static_cast<uint32_t>(first_slots[set + 1] - slot),
                        regrets + slot);
}

// The sets of one depth, by whose reaches those of the next are found.
extern "C" __global__ void average_more(const uint8_t* seats, const int32_t* first_slots, const int32_t* parents,
                                        const int32_t* slot_sets, const int32_t* depths, uint64_t sets, uint32_t seat,
                                        int32_t depth, const double* strategy, double weight, double* reaches,
                                        double* average) {
    const uint64_t set = thread_number();
    if (set >= sets || seats[set] != seat || depths[set] != depth) return;
    const double reach = regret::own_reach(parents, slot_sets, strategy, reaches, static_cast<int32_t>(set));
    reaches[set] = reach;
    for (int32_t slot = first_slots[set]; slot < first_slots[set + 1]; ++slot) {
        average[slot] += weight * reach * strategy[slot];
    }
}

extern "C" __global__ void sample(const int32_t* sets, const int32_t* children, const double* payoffs,
                                  const uint8_t* seats, const int32_t* first_slots, const double* chances,
                                  int32_t deals, uint32_t seat, const double* strategy, double weight, double* regrets,
                                  double* average, uint64_t seed, uint64_t first_lane, uint64_t lanes) {
    const uint64_t lane = thread_number();
    if (lane >= lanes) return;
    const regret::Tree tree = tree_of(sets, children, payoffs, seats, first_slots);
    regret::sample(tree, chances, deals, seat, strategy, weight, regrets, average, seed, first_lane + lane, Atomic());
}
