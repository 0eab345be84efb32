// Enough of CUDA to run the programs of kernel/ on a CPU, block after block: the threads of a block are fibres that take
// turns at every barrier and every shuffle. Slow, in one order only, and so no proof of what a device does; but each
// line runs, with every compiler's warnings and sanitizers to hand.
#pragma once

#include <stdint.h>
#include <ucontext.h>

#include <chrono>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <vector>

#define __global__
#define __device__
#define __host__
#define __constant__ static
#define __shared__ static
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __restrict__

// Speed does not matter here, and a compiler that need not inline everything is sooner done.
#define RENEGE_FN inline
#define RENEGE_CALLED inline
#define RENEGE_APART inline

// What a launch asks for of shared memory: blocks run one after the other, so that one piece will do for all.
#define RENEGE_ROOM(name) static Sixteen name[48 * 1024 / sizeof(Sixteen)]

struct Dim3 {
    uint32_t x = 1, y = 1, z = 1;
};

namespace emulator {

constexpr uint32_t WARP = 32;
constexpr size_t STACK = 256 * 1024;

struct Fibre {
    ucontext_t context;
    std::vector<char> stack;
    bool over;
};

inline ucontext_t scheduler;
inline std::vector<Fibre> fibres;
inline std::vector<uint64_t> slots;  // what a thread shows the others of its warp
inline uint32_t running;
inline const std::function<void()>* body;

// The thread waits until all others of its block have come here.
inline void yield() { swapcontext(&fibres[running].context, &scheduler); }

inline void enter() {
    (*body)();
    fibres[running].over = true;
    yield();
}

inline void run_block(uint32_t threads, const std::function<void()>& kernel) {
    body = &kernel;
    fibres.resize(threads);
    slots.assign(threads, 0);
    for (Fibre& fibre : fibres) {
        fibre.stack.resize(STACK);
        fibre.over = false;
        getcontext(&fibre.context);
        fibre.context.uc_stack.ss_sp = fibre.stack.data();
        fibre.context.uc_stack.ss_size = fibre.stack.size();
        fibre.context.uc_link = &scheduler;
        makecontext(&fibre.context, reinterpret_cast<void (*)()>(&enter), 0);
    }
    for (bool any = true; any;) {
        any = false;
        for (running = 0; running < threads; ++running) {
            if (fibres[running].over) continue;
            swapcontext(&scheduler, &fibres[running].context);
            any |= !fibres[running].over;
        }
    }
}

// Every thread shows a value, then takes that of another of its warp.
template <class Value>
Value exchange(Value value, uint32_t from) {
    static_assert(sizeof(Value) <= sizeof(uint64_t));
    uint64_t word = 0;
    std::memcpy(&word, &value, sizeof value);
    slots[running] = word;
    yield();
    const uint64_t taken = slots[from < slots.size() ? from : running];
    yield();
    std::memcpy(&value, &taken, sizeof value);
    return value;
}

inline uint32_t first_of_warp() { return running / WARP * WARP; }

}  // namespace emulator

inline Dim3 blockIdx, blockDim, gridDim;
struct ThreadIdx {
    struct X {
        operator uint32_t() const { return emulator::running; }
    } x;
};
inline ThreadIdx threadIdx;

template <class Kernel>
void emulate(Dim3 grid, uint32_t threads, Kernel kernel) {
    gridDim = grid;
    blockDim = {threads, 1, 1};
    for (uint32_t z = 0; z < grid.z; ++z) {
        for (uint32_t y = 0; y < grid.y; ++y) {
            for (uint32_t x = 0; x < grid.x; ++x) {
                blockIdx = {x, y, z};
                emulator::run_block(threads, kernel);
            }
        }
    }
}

inline void __syncthreads() { emulator::yield(); }
inline void __syncwarp(uint32_t = ~0u) { emulator::yield(); }
inline void __threadfence() {}

template <class Value>
Value __shfl_down_sync(uint32_t, Value value, uint32_t by) {
    const uint32_t lane = emulator::running % emulator::WARP;
    return emulator::exchange(value, lane + by < emulator::WARP ? emulator::running + by : emulator::running);
}

template <class Value>
Value __shfl_up_sync(uint32_t, Value value, uint32_t by) {
    const uint32_t lane = emulator::running % emulator::WARP;
    return emulator::exchange(value, lane >= by ? emulator::running - by : emulator::running);
}

template <class Value>
Value __shfl_xor_sync(uint32_t, Value value, uint32_t by) {
    return emulator::exchange(value, emulator::first_of_warp() + ((emulator::running % emulator::WARP) ^ by));
}

template <class Value>
Value __shfl_sync(uint32_t, Value value, uint32_t lane) {
    return emulator::exchange(value, emulator::first_of_warp() + lane % emulator::WARP);
}

// All threads of a block take part here, those that have returned count as false.
inline uint32_t __ballot_sync(uint32_t, bool value) {
    emulator::slots[emulator::running] = value;
    emulator::yield();
    uint32_t word = 0;
    const uint32_t first = emulator::first_of_warp();
    for (uint32_t i = 0; i < emulator::WARP && first + i < emulator::slots.size(); ++i) {
        const bool there = !emulator::fibres[first + i].over;
        word |= static_cast<uint32_t>(there && emulator::slots[first + i]) << i;
    }
    emulator::yield();
    return word;
}

inline uint32_t __reduce_add_sync(uint32_t mask, uint32_t value) {
    for (uint32_t by = emulator::WARP / 2; by; by /= 2) value += __shfl_xor_sync(mask, value, by);
    return value;
}

template <class Value, class Other>
Value atomicAdd(Value* at, Other value) {
    const Value before = *at;
    *at = static_cast<Value>(before + static_cast<Value>(value));
    return before;
}

template <class Value, class Other>
Value atomicOr(Value* at, Other value) {
    const Value before = *at;
    *at |= static_cast<Value>(value);
    return before;
}

template <class Value, class Other>
Value atomicMax(Value* at, Other value) {
    const Value before = *at;
    if (static_cast<Value>(value) > before) *at = static_cast<Value>(value);
    return before;
}

template <class Value, class Other>
Value atomicMin(Value* at, Other value) {
    const Value before = *at;
    if (static_cast<Value>(value) < before) *at = static_cast<Value>(value);
    return before;
}

template <class Value>
Value atomicCAS(Value* at, Value compare, Value value) {
    const Value before = *at;
    if (before == compare) *at = value;
    return before;
}

template <class Value>
Value atomicExch(Value* at, Value value) {
    const Value before = *at;
    *at = value;
    return before;
}

namespace renege {
inline uint64_t nanoseconds() {
    return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1));
}
}  // namespace renege

template <class Value>
Value __ldg(const Value* at) {
    return *at;
}

template <class Value>
Value __ldcg(const Value* at) {
    return *at;
}
