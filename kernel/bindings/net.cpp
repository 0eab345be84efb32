// Bindings of trained networks: rows in, a number for each action out.
#include "batch.hpp"
#include "net_paths.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#if RENEGE_HAS_BMI2_PATH
#include <cpuid.h>
#endif

#include <cmath>
#include <memory>

namespace renege::binding {

using net::Layer;
using net::Network;

// The ways to look, which all come to the same numbers. One without a function of its own is the definition's.
struct Path {
    const char* name;
    net::WideLook look;
};

#if RENEGE_HAS_BMI2_PATH
// What the processor has, and what the system keeps for a program that is interrupted. Asked of them directly, since zig's
// runtime has no __builtin_cpu_supports.
static void find_wide(std::vector<Path>& found) {
    uint32_t eax, ebx, ecx, edx;
    if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || !(ecx & (1u << 27))) return;  // no xgetbv
    uint32_t kept, upper;
    asm("xgetbv" : "=a"(kept), "=d"(upper) : "c"(0));
    if (!__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx)) return;
    constexpr uint32_t F = 1u << 16, BW = 1u << 30, VL = 1u << 31, VNNI = 1u << 11;
    const bool avx2 = (kept & 0x06) == 0x06 && (ebx & (1u << 5));
    const bool avx512 = (kept & 0xE6) == 0xE6 && (ebx & (F | BW | VL)) == (F | BW | VL) && (ecx & VNNI);
    if (avx2 && avx512) found.push_back({"avx512", net::look_avx512});
    if (avx2) found.push_back({"avx2", net::look_avx2});
}
#else
static void find_wide(std::vector<Path>&) {}
#endif

// Those that this processor has, the quickest first.
static const std::vector<Path>& paths() {
    static const std::vector<Path> known = [] {
        std::vector<Path> found;
        find_wide(found);
        found.push_back({"portable", nullptr});
        return found;
    }();
    return known;
}

static std::vector<std::string> path_names() {
    std::vector<std::string> names;
    for (const Path& path : paths()) names.emplace_back(path.name);
    return names;
}

static const Path& find_path(const std::string& name) {
    std::string known;
    for (const Path& path : paths()) {
        if (path.name == name) return path;
        known += (known.empty() ? "" : ", ") + std::string(path.name);
    }
    throw nb::value_error(("this processor has no path '" + name + "'; it has " + known).c_str());
}

class Net {
  public:
    using Weights = Array<const int16_t, -1, -1>;
    using Numbers = Array<const float, -1>;

    // Layers in order: the first, then up and down of each block, then the last.
    Net(const std::vector<Weights>& weights, const std::vector<Numbers>& scales, const std::vector<Numbers>& biases) {
        const size_t layers = weights.size();
        if (layers < 2 || layers % 2 || layers > 2 + 2 * net::MOST_BLOCKS || scales.size() != layers || biases.size() != layers) {
            throw nb::value_error("a network has a first layer, two for each block and a last one");
        }
        net_.width = static_cast<uint32_t>(weights[0].shape(0));
        net_.hidden = static_cast<uint32_t>(weights[0].shape(1));
        net_.blocks = static_cast<uint32_t>(layers / 2 - 1);
        net_.actions = static_cast<uint32_t>(weights.back().shape(0));
        if (!net_.width || net_.hidden > net::MOST_HIDDEN || net_.hidden % 16 || !net_.hidden || !net_.actions) {
            throw nb::value_error("a network is at most 512 wide, a multiple of 16");
        }
        for (size_t i = 0; i < layers; ++i) add(i, weights[i], scales[i], biases[i]);
    }

    uint32_t width() const { return net_.width; }
    uint32_t actions() const { return net_.actions; }

    void logits(Array<const uint8_t, -1, -1> rows, Array<float, -1, -1> out, const std::string& path, size_t threads) const {
        if (rows.shape(1) != net_.width || out.shape(1) != net_.actions) throw nb::value_error("rows of another width");
        same_rows(rows.shape(0), out.shape(0));
        const net::WideLook look = find_path(path).look;
        nb::gil_scoped_release release;
        split(rows.shape(0), threads, [&](size_t first, size_t last, size_t) -> Refusal {
            if (look) {
                by_turns<net::MOST_TOGETHER, net::WideScratch>(rows.data(), first, last, out.data(), look, wide_);
            } else {
                by_turns<net::TOGETHER, net::Scratch>(rows.data(), first, last, out.data(), look_portable, net_);
            }
            return {};
        });
    }

  private:
    static void look_portable(const Network& net, const uint8_t* rows, uint32_t count, net::Scratch& at, float* out) {
        net::look(net, rows, count, at, out);
    }

    template <uint32_t TOGETHER, class Scratch, class Look, class Known>
    void by_turns(const uint8_t* rows, size_t row, size_t last, float* out, Look look, const Known& known) const {
        const auto scratch = std::make_unique_for_overwrite<Scratch>();
        for (; row < last; row += TOGETHER) {
            const auto count = static_cast<uint32_t>(std::min<size_t>(TOGETHER, last - row));
            look(known, rows + row * net_.width, count, *scratch, out + row * net_.actions);
        }
    }

    void add(size_t i, const Weights& weights, const Numbers& scale, const Numbers& bias) {
        const size_t layers = 2 * (net_.blocks + 1), block = (i - 1) / 2;
        const bool first = i == 0, last = i + 1 == layers;
        const size_t outputs = last ? net_.actions : net_.hidden;
        const size_t rows = first ? net_.width : outputs;
        if (weights.shape(0) != rows || weights.shape(1) != net_.hidden || scale.shape(0) != outputs || bias.shape(0) != outputs) {
            throw nb::value_error("a layer has not as many weights as it has inputs and outputs");
        }
        auto* kept = room<int16_t>(rows * net_.hidden + net::PANEL);
        std::copy_n(weights.data(), rows * net_.hidden, kept);
        Layer& layer = first ? net_.first : last ? net_.last : i % 2 ? net_.up[block] : net_.down[block];
        layer = {kept, numbers(scale), numbers(bias)};
        if (first) return;
        if (last) {
            wide_.last = panels<int16_t>(kept, outputs);
        } else {
            (i % 2 ? wide_.up : wide_.down)[block] = panels<int8_t>(kept, outputs);
        }
    }

    // Filled up with noughts to whole panels.
    const float* numbers(const Numbers& given) {
        auto* kept = room<float>((given.shape(0) + net::PANEL - 1) / net::PANEL * net::PANEL);
        for (size_t i = 0; i < given.shape(0); ++i) {
            kept[i] = given.data()[i];
            if (!std::isfinite(kept[i])) throw nb::value_error("a layer has a number that is none");
        }
        return kept;
    }

    // The weights as net_paths.hpp says.
    template <class Weight>
    const Weight* panels(const int16_t* weights, size_t outputs) {
        const size_t n = net_.hidden;
        auto* kept = room<Weight>((outputs + net::PANEL - 1) / net::PANEL * net::PANEL * n);
        for (size_t o = 0; o < outputs; ++o) {
            Weight* panel = kept + o / net::PANEL * net::PANEL * n + o % net::PANEL * 2;
            for (size_t k = 0; k < n; ++k) {
                const int16_t weight = weights[o * n + k];
                panel[k / 2 * 2 * net::PANEL + k % 2] = static_cast<Weight>(weight);
                if (static_cast<Weight>(weight) != weight) throw nb::value_error("a layer of a block has a weight beyond 8 bits");
            }
        }
        return kept;
    }

    struct Line {
        alignas(64) unsigned char bytes[64] = {};
    };

    // Noughts that begin where a line of the cache does.
    template <class Word>
    Word* room(size_t words) {
        kept_.emplace_back((words * sizeof(Word) + sizeof(Line) - 1) / sizeof(Line));
        return reinterpret_cast<Word*>(kept_.back().data());
    }

    net::Wide wide_{};
    Network& net_ = wide_.net;
    std::vector<std::vector<Line>> kept_;
};

}  // namespace renege::binding

void bind_net(nb::module_& module) {
    using namespace nb::literals;
    using renege::binding::Net;
    nb::class_<Net>(module, "Net")
        .def(nb::init<const std::vector<Net::Weights>&, const std::vector<Net::Numbers>&, const std::vector<Net::Numbers>&>(),
             "weights"_a, "scales"_a, "biases"_a)
        .def_prop_ro("width", &Net::width)
        .def_prop_ro("actions", &Net::actions)
        .def("logits", &Net::logits, "rows"_a.noconvert(), "out"_a.noconvert(), "path"_a, "threads"_a);
    module.def("net_paths", &renege::binding::path_names);
}
