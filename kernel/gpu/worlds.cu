// Deals of hidden cards on a GPU, a deal a thread: renege.belief.gpu_worlds launches these. The graph is the one that the
// CPU has made (kernel/bindings/worlds.cpp), and a lane draws the same deal.
#include <renege/worlds/draws.hpp>

using namespace renege;

// What all deals of a problem share: hands, and how many layers of copies a deal has; `common` is what every deal has.
struct Shape {
    uint32_t hands, copies;
    const uint64_t* common;
};


__device__ uint64_t thread_number() { return static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; }

extern "C" __global__ void draw_forks(const worlds::Fork* forks, const uint8_t* kinds, uint32_t depth, uint64_t all,
                                      uint64_t live, const uint64_t* common, uint32_t hands, uint32_t copies,
                                      uint64_t seed, uint64_t first_lane, uint64_t count, uint64_t* out) {
    const uint64_t row = thread_number();
    if (row >= count) return;
    Stream stream = open_stream(seed, Purpose::WORLD, first_lane + row);
    const worlds::Number<1> rank = worlds::draw_below(stream, worlds::Number<1>{{all}});
    uint64_t low, high;
    worlds::walk_forks<1>(forks, kinds, depth, rank.limb, &low, &high);
    worlds::hand_out_forks(low, high, live, common, hands, copies, out + hands * copies * row);
}

__device__ void write(const worlds::Plan& plan, const Shape& shape, const uint8_t* taken, uint64_t* out) {
    for (uint32_t i = 0; i < shape.hands * shape.copies; ++i) out[i] = shape.common[i];
    worlds::hand_out(plan, taken, shape.copies, out);
}

template <uint32_t LIMBS>
__device__ void unrank(const worlds::Plan& plan, const worlds::Graph& graph, const uint64_t* counts, Stream& stream,
                       uint8_t* taken) {
    const worlds::Number<LIMBS>* const all = reinterpret_cast<const worlds::Number<LIMBS>*>(counts);
    worlds::unrank(plan, graph, all, true, worlds::draw_below(stream, all[0]), taken);
}

// Where `chances` is not null, deals by weight.
extern "C" __global__ void draw_worlds(const worlds::Layer* layers, const worlds::Option* options, uint32_t depth,
                                       const uint32_t* first, const uint32_t* begin, const uint32_t* edges,
                                       const uint64_t* counts, uint32_t limbs, const double* chances,
                                       const uint64_t* common, uint32_t hands, uint32_t copies, uint64_t seed,
                                       uint64_t first_lane, uint64_t count, uint64_t* out) {
    const uint64_t row = thread_number();
    if (row >= count) return;
    const worlds::Plan plan = {layers, options, nullptr, nullptr, nullptr, 0, 0, 0, depth, hands};
    const worlds::Graph graph = {first, begin, edges};
    Stream stream = open_stream(seed, Purpose::WORLD, first_lane + row);
    uint8_t taken[worlds::MAX_KINDS];
    if (chances) {
        worlds::draw_weighted(plan, graph, chances, stream, taken);
    } else {
        switch (limbs) {
            case 1: unrank<1>(plan, graph, counts, stream, taken); break;
            case 2: unrank<2>(plan, graph, counts, stream, taken); break;
            case 3: unrank<3>(plan, graph, counts, stream, taken); break;
            case 4: unrank<4>(plan, graph, counts, stream, taken); break;
            case 5: unrank<5>(plan, graph, counts, stream, taken); break;
            default: unrank<6>(plan, graph, counts, stream, taken); break;
        }
        static_assert(worlds::MAX_LIMBS == 6);
    }
    write(plan, {hands, copies, common}, taken, out + hands * copies * row);
}
