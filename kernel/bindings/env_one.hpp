// One table of a game for Python to step by plain numbers, an action a call: what a search or a teacher of one table
// wants, without arrays and without the next deal coming by itself.
#pragma once

#include "batch.hpp"

#include <renege/env/table.hpp>

#include <cstring>

namespace renege::binding {

template <class G>
class EnvOne {
  public:
    using Setting = typename G::Setting;

    explicit EnvOne(const Setting& setting) : setting_(setting), lane_{} { deal(0, 0); }

    // Deal number `number` of a lane with this seed, as many tables have it too.
    void deal(uint64_t seed, uint64_t number) {
        Stream stream = open_stream(seed, Purpose::ENV, number);
        G::template begin<Portable>(setting_, lane_, stream);
    }

    uint32_t turn() const { return G::mover(setting_, lane_); }

    nb::list legal() const {
        uint8_t mask[G::ACTIONS];
        G::legal(setting_, lane_, mask);
        nb::list open;
        for (uint32_t action = 0; action < G::ACTIONS; ++action) {
            if (mask[action]) open.append(action);
        }
        return open;
    }

    void act(int64_t action) {
        if (action < 0 || action >= G::ACTIONS || !G::act(setting_, lane_, static_cast<uint32_t>(action))) {
            throw nb::value_error(("action " + std::to_string(action) + " is not open").c_str());
        }
    }

    nb::bytes observe(uint32_t seat) const {
        if (seat >= MAX_SEATS) throw nb::value_error("a seat is 0..3");
        uint8_t row[G::WIDTH];
        G::observe(setting_, lane_, seat, row);
        return nb::bytes(reinterpret_cast<const char*>(row), G::width(setting_));
    }

    nb::bytes hidden(uint32_t seat) const {
        if (seat >= MAX_SEATS) throw nb::value_error("a seat is 0..3");
        uint8_t row[G::HIDDEN];
        G::hidden(setting_, lane_, seat, row);
        return nb::bytes(reinterpret_cast<const char*>(row), sizeof row);
    }

    nb::tuple standing() const {
        const env::Standing at = G::standing(lane_);
        return nb::make_tuple(at.dealer, at.level[0], at.level[1], at.first);
    }

    // A deal from outside.
    void begin(uint8_t dealer, uint8_t even, uint8_t odd, uint8_t first, Array<const uint64_t, 5, 2> piles) {
        const env::Standing at = {dealer, {even, odd}, first};
        if (const char* why = G::fault(setting_, at, piles.data())) throw nb::value_error(why);
        G::begin_with(setting_, lane_, at, piles.data());
    }

    nb::tuple rewards() const {
        float out[MAX_SEATS] = {};
        if (turn() == MAX_SEATS) env::pay<G>(setting_, lane_, out);
        return nb::make_tuple(out[0], out[1], out[2], out[3]);
    }

    void dealt(Array<uint64_t, 5, 2> piles) const { G::dealt(lane_, piles.data()); }

  private:
    Setting setting_;
    typename G::Lane lane_;
};

template <class G>
void bind_one(nb::module_& module, const char* name) {
    using namespace nb::literals;
    using One = EnvOne<G>;
    nb::class_<One>(module, name)
        .def_prop_ro("turn", &One::turn)
        .def("deal", &One::deal, "seed"_a, "number"_a)
        .def("legal", &One::legal)
        .def("act", &One::act, "action"_a)
        .def("observe", &One::observe, "seat"_a)
        .def("hidden", &One::hidden, "seat"_a)
        .def_prop_ro("standing", &One::standing)
        .def("begin", &One::begin, "dealer"_a, "even"_a, "odd"_a, "first"_a, "piles"_a.noconvert())
        .def("rewards", &One::rewards)
        .def("dealt", &One::dealt, "piles"_a.noconvert())
        .def("copy", [](const One& one) { return One(one); });
}

}  // namespace renege::binding
