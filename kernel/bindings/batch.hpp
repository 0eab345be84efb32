// What the bindings share: arrays as they cross the border, rows split among threads, and rows refused by number.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <atomic>
#include <new>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace nb = nanobind;

namespace renege::binding {

template <class Word, auto... SHAPE>
using Array = nb::ndarray<Word, nb::shape<SHAPE...>, nb::c_contig, nb::device::cpu>;

constexpr size_t MAX_THREADS = 1024;

// A row that was refused, and why. Rows are read once, so what was checked is what is played.
struct Refusal {
    size_t row = 0;
    std::string why;
};

inline void raise(const char* array, const Refusal& refusal) {
    if (refusal.why.empty()) return;
    const std::string where = std::string(array) + " row " + std::to_string(refusal.row) + ": ";
    throw nb::value_error((where + refusal.why).c_str());
}

inline void same_rows(size_t a, size_t b) {
    if (a != b) throw nb::value_error("arrays must have equally many rows");
}

// Splits rows among threads in contiguous runs; `work(first, last, part)` returns its first refusal. A machine
// that gives no more threads gets the same answer from fewer. Where memory runs out, all threads end before that is
// thrown: out of a thread of its own it would end the process.
template <class Work>
Refusal split(size_t rows, size_t threads, const Work& work) {
    threads = std::clamp<size_t>(threads, 1, std::clamp<size_t>(rows, 1, MAX_THREADS));
    std::vector<Refusal> refusals(threads);
    std::atomic<bool> out_of_memory = false;
    const auto run = [&](size_t part) {
        try {
            refusals[part] = work(part * rows / threads, (part + 1) * rows / threads, part);
        } catch (const std::bad_alloc&) {
            out_of_memory = true;
        }
    };
    std::vector<std::thread> others;
    others.reserve(threads);
    for (size_t part = 1; part < threads; ++part) {
        try {
            others.emplace_back(run, part);
        } catch (const std::system_error&) {
            run(part);
        }
    }
    run(0);
    for (std::thread& other : others) other.join();
    if (out_of_memory) throw std::bad_alloc();
    for (const Refusal& refusal : refusals) {
        if (!refusal.why.empty()) return refusal;
    }
    return {};
}

}  // namespace renege::binding
