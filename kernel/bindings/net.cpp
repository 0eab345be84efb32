// Bindings of trained networks: rows in, a number for each action out.
#include "batch.hpp"

#include <nanobind/stl/vector.h>

#include <renege/net/network.hpp>

#include <cmath>
#include <memory>

namespace renege::binding {

using net::Layer;
using net::Network;

// The two ways to compile it. Both come to the same numbers.
#if RENEGE_HAS_BMI2_PATH
[[gnu::target("avx2")]] static void look_wide(const Network& net, const uint8_t* rows, uint32_t count, net::Scratch& at,
                                              float* out) {
    net::look(net, rows, count, at, out);
}
#endif
static void look_portable(const Network& net, const uint8_t* rows, uint32_t count, net::Scratch& at, float* out) {
    net::look(net, rows, count, at, out);
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

    void logits(Array<const uint8_t, -1, -1> rows, Array<float, -1, -1> out, bool wide, size_t threads) const {
        if (rows.shape(1) != net_.width || out.shape(1) != net_.actions) throw nb::value_error("rows of another width");
        same_rows(rows.shape(0), out.shape(0));
        auto look = look_portable;
#if RENEGE_HAS_BMI2_PATH
        if (wide && __builtin_cpu_supports("avx2")) look = look_wide;
#endif
        nb::gil_scoped_release release;
        split(rows.shape(0), threads, [&](size_t first, size_t last, size_t) -> Refusal {
            const auto scratch = std::make_unique<net::Scratch>();
            for (size_t row = first; row < last; row += net::TOGETHER) {
                const auto count = static_cast<uint32_t>(std::min<size_t>(net::TOGETHER, last - row));
                look(net_, rows.data() + row * net_.width, count, *scratch, out.data() + row * net_.actions);
            }
            return {};
        });
    }

  private:
    void add(size_t i, const Weights& weights, const Numbers& scale, const Numbers& bias) {
        const size_t layers = 2 * (net_.blocks + 1);
        const bool first = i == 0, last = i + 1 == layers;
        const size_t outputs = last ? net_.actions : net_.hidden;
        const size_t rows = first ? net_.width : outputs;
        if (weights.shape(0) != rows || weights.shape(1) != net_.hidden || scale.shape(0) != outputs || bias.shape(0) != outputs) {
            throw nb::value_error("a layer has not as many weights as it has inputs and outputs");
        }
        kept_.emplace_back(weights.data(), weights.data() + rows * net_.hidden);
        numbers_.emplace_back(scale.data(), scale.data() + outputs);
        numbers_.emplace_back(bias.data(), bias.data() + outputs);
        for (const auto& numbers : {numbers_.back(), numbers_[numbers_.size() - 2]}) {
            for (float number : numbers) {
                if (!std::isfinite(number)) throw nb::value_error("a layer has a number that is none");
            }
        }
        Layer& layer = first ? net_.first : last ? net_.last : i % 2 ? net_.up[(i - 1) / 2] : net_.down[(i - 1) / 2];
        layer = {kept_.back().data(), numbers_[numbers_.size() - 2].data(), numbers_.back().data()};
    }

    Network net_{};
    std::vector<std::vector<int16_t>> kept_;
    std::vector<std::vector<float>> numbers_;
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
        .def("logits", &Net::logits, "rows"_a.noconvert(), "out"_a.noconvert(), "wide"_a, "threads"_a);
}
