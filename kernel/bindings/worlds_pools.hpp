// One end of the chain of renege/worlds/pools.hpp: its layers, grown kind by kind from that end to the middle.
#pragma once

#include "worlds_pools_given.hpp"

namespace renege::binding {

enum Role : uint8_t { FUTURE = 0, APART = 1, CLOSED = 2 };

// How the hands lie in piles, and the fields of a key that say what each pile got.
struct Piles {
    uint32_t count = 0;
    uint16_t hands[worlds::MAX_PILES] = {};
    uint32_t size[worlds::MAX_PILES] = {}, shift[worlds::MAX_PILES] = {};
    uint8_t of[worlds::MAX_PILES] = {}, role[worlds::MAX_PILES] = {};  // [hand]
    uint8_t future = worlds::NO_PILE, closed = worlds::NO_PILE;
    uint64_t guards = 0;
    uint32_t bits = 0;

    Piles() = default;
    Piles(const PoolGiven& given, const uint8_t* roles) {
        for (const Role wanted : {FUTURE, APART, CLOSED}) {
            uint32_t pile = worlds::NO_PILE;
            for (uint32_t hand = 0; hand < given.hands; ++hand) {
                if (roles[hand] != wanted) continue;
                if (pile == worlds::NO_PILE || wanted == APART) pile = count++;
                hands[pile] |= static_cast<uint16_t>(1u << hand);
                size[pile] += given.sizes[hand];
                of[hand] = static_cast<uint8_t>(pile);
                role[hand] = wanted;
            }
            if (wanted == FUTURE) future = static_cast<uint8_t>(pile);
            if (wanted == CLOSED) closed = static_cast<uint8_t>(pile);
        }
        for (uint32_t pile = 0; pile < count; ++pile) {
            const uint32_t own = static_cast<uint32_t>(std::bit_width(size[pile]));
            shift[pile] = bits;
            bits += own + 1;
            if (bits <= 64) guards |= uint64_t{1} << (bits - 1);
        }
    }

    uint32_t got(uint64_t key, uint32_t pile) const {
        const uint64_t field = (uint64_t{1} << std::bit_width(size[pile])) - 1;
        return static_cast<uint32_t>(key >> shift[pile] & field);
    }
};

struct PoolKey {
    uint64_t got, watch;
    bool operator==(const PoolKey&) const = default;
};

// Finds states of a layer by their keys.
class PoolFinder {
public:
    void empty() { std::fill(slots_.begin(), slots_.end(), 0); }

    uint32_t find(std::vector<PoolKey>& keys, PoolKey key) {
        if (2 * keys.size() >= slots_.size()) grow(keys);
        size_t slot = slot_of(key);
        for (; slots_[slot]; slot = (slot + 1) & (slots_.size() - 1)) {
            if (keys[slots_[slot] - 1] == key) return slots_[slot] - 1;
        }
        keys.push_back(key);
        slots_[slot] = static_cast<uint32_t>(keys.size());
        return static_cast<uint32_t>(keys.size()) - 1;
    }

    uint32_t look(const std::vector<PoolKey>& keys, PoolKey key) const {
        for (size_t slot = slot_of(key); slots_[slot]; slot = (slot + 1) & (slots_.size() - 1)) {
            if (keys[slots_[slot] - 1] == key) return slots_[slot] - 1;
        }
        return worlds::NEVER;
    }

private:
    std::vector<uint32_t> slots_ = std::vector<uint32_t>(64);

    size_t slot_of(PoolKey key) const { return mix64(key.got + GOLDEN * key.watch) & (slots_.size() - 1); }

    void grow(const std::vector<PoolKey>& keys) {
        slots_.assign(2 * slots_.size(), 0);
        for (uint32_t i = 0; i < keys.size(); ++i) {
            size_t slot = slot_of(keys[i]);
            while (slots_[slot]) slot = (slot + 1) & (slots_.size() - 1);
            slots_[slot] = i + 1;
        }
    }
};

// A layer with its memory.
struct OwnedLayer {
    worlds::PoolLayer view{};
    std::vector<worlds::PoolOption> options;
    std::vector<uint32_t> begin, edges;
    std::vector<uint16_t> tops, parts;
    Piles piles;  // at a kind: who gets it

    worlds::PoolLayer& seen() {
        view.options = options.data();
        view.begin = begin.data();
        view.edges = edges.data();
        view.tops = tops.data();
        view.parts = parts.data();
        return view;
    }
};

class PoolSide {
public:
    std::vector<OwnedLayer> layers;
    std::vector<PoolKey> keys{PoolKey{0, 0}};
    Piles piles;
    size_t states = 1, edges = 0, most_bytes = 0;
    bool too_large = false;

    // From the far end the roles of the future and the closed pile are changed about.
    PoolSide(const PoolGiven& given, const uint8_t* roles, bool mirrored)
        : given_(given), mirrored_(mirrored), left_(given.cards) {
        piles = Piles(given, turned(roles).data());
        for (uint32_t hand = 0; hand < given.hands; ++hand) {
            for (size_t place = 0; place < given.kinds.size(); ++place) {
                can_[hand] += std::min(given.most[place * given.hands + hand], given.copies[place]);
                must_[hand] += given.least[place * given.hands + hand];
            }
        }
        too_large = piles.bits > 63;
    }

    // What stays: of a state where its edges begin, its worth, the worth of what may follow while odds are asked for, and
    // the number of its deals; of an edge where it comes from, and how a pile is split.
    size_t bytes() const { return given_.state_bytes * states + 4 * edges + 4 * splits_; }

    // Brings the hands to these roles: closings first, for they make states fewer.
    void take_roles(const uint8_t* row) {
        const std::vector<uint8_t> roles = turned(row);
        for (uint32_t hand = 0; hand < given_.hands; ++hand) {
            if (piles.role[hand] == APART && roles[hand] == CLOSED) close(hand);
        }
        for (const Role wanted : {APART, CLOSED}) {
            for (uint32_t hand = 0; hand < given_.hands; ++hand) {
                if (piles.role[hand] != FUTURE || roles[hand] != wanted) continue;
                open(hand);
                if (wanted == CLOSED) close(hand);
            }
        }
    }

    void deal(uint32_t place) {
        OwnedLayer layer;
        layer.piles = piles;
        layer.view.place = place;
        layer.options = options_at(place);
        layer.view.option_bits = static_cast<uint32_t>(std::bit_width(layer.options.size()));
        for (uint32_t hand = 0; hand < given_.hands; ++hand) {
            can_[hand] -= std::min(given_.most[place * given_.hands + hand], given_.copies[place]);
            must_[hand] -= given_.least[place * given_.hands + hand];
        }
        left_ -= given_.copies[place];
        begin_layer(layer, worlds::Stage::DEAL, 0);
        for (uint32_t state = 0; state < keys.size() && !too_large; ++state) {
            for (uint32_t o = 0; o < layer.options.size(); ++o) {
                const uint64_t got = keys[state].got + layer.options[o].taken;
                if (!fits(got)) continue;
                const uint64_t watch = read(place, keys[state].watch, layer.options[o].gives);
                if (watch == worlds::NO_STATE) continue;
                lead(PoolKey{got, watch}, state << layer.view.option_bits | o);
            }
            check_size();
        }
        finish(std::move(layer));
    }

    // The key of the other side's state that goes with one of this side's.
    static uint64_t matching(const Piles& own, uint64_t key, const Piles& other) {
        uint64_t found = 0;
        for (uint32_t pile = 0; pile < other.count; ++pile) {
            uint32_t same = 0;
            while (own.hands[same] != other.hands[pile]) ++same;
            found |= static_cast<uint64_t>(own.size[same] - own.got(key, same)) << other.shift[pile];
        }
        return found;
    }

private:
    const PoolGiven& given_;
    bool mirrored_;
    uint32_t left_;  // cards that are not dealt yet from this end
    uint32_t can_[worlds::MAX_PILES] = {}, must_[worlds::MAX_PILES] = {};  // get of them, by hand
    uint64_t lower_ = 0, upper_ = 0;
    bool none_ = false;
    size_t splits_ = 0;  // edges that split a pile
    std::vector<PoolKey> next_;
    std::vector<uint64_t> led_;  // the state that it leads to << 32 | the edge
    std::vector<uint32_t> split_;  // top << 16 | part, for each of them
    PoolFinder finder_;

    std::vector<uint8_t> turned(const uint8_t* row) const {
        std::vector<uint8_t> roles(row, row + given_.hands);
        for (uint8_t& role : roles) role = static_cast<uint8_t>(mirrored_ ? 2 - role : role);
        return roles;
    }

    // What piles must have got by now, so that the cards to come can fill them, and can have got.
    void find_bounds() {
        lower_ = upper_ = 0;
        none_ = false;
        for (uint32_t pile = 0; pile < piles.count; ++pile) {
            uint32_t can = 0, must = 0;
            for (uint32_t hand = 0; hand < given_.hands; ++hand) {
                if (!(piles.hands[pile] >> hand & 1u)) continue;
                can += can_[hand];
                must += must_[hand];
            }
            can = std::min(can, left_);
            const uint32_t size = piles.size[pile];
            none_ |= must > size;
            lower_ |= static_cast<uint64_t>(size - std::min(size, can)) << piles.shift[pile];
            upper_ |= static_cast<uint64_t>(size - std::min(size, must)) << piles.shift[pile];
        }
    }

    bool fits(uint64_t got) const {
        return worlds::within(got, upper_, piles.guards) && worlds::within(lower_, got, piles.guards);
    }

    void begin_layer(OwnedLayer& layer, worlds::Stage stage, uint32_t hand) {
        layer.view.stage = stage;
        layer.view.hand = static_cast<uint8_t>(hand);
        layer.view.future = piles.future;
        layer.view.closed = piles.closed;
        layer.view.sources = static_cast<uint32_t>(keys.size());
        if (uint64_t{keys.size()} << layer.view.option_bits >> 32 || piles.bits > 63) too_large = true;
        find_bounds();
        next_.clear();
        led_.clear();
        split_.clear();
        finder_.empty();
        if (none_ || too_large) keys.clear();
    }

    void lead(PoolKey key, uint32_t edge) {
        led_.push_back(uint64_t{finder_.find(next_, key)} << 32 | edge);
    }

    void check_size() {
        // while a layer is made there are keys, slots and edges in both orders
        if (bytes() + 64 * next_.size() + 20 * led_.size() > most_bytes) too_large = true;
    }

    void finish(OwnedLayer layer) {
        layer.view.targets = static_cast<uint32_t>(next_.size());
        layer.begin.assign(next_.size() + 1, 0);
        layer.edges.resize(led_.size());
        if (layer.view.stage != worlds::Stage::DEAL) {
            layer.tops.resize(led_.size());
            layer.parts.resize(led_.size());
        }
        for (const uint64_t one : led_) ++layer.begin[(one >> 32) + 1];
        for (size_t i = 1; i < layer.begin.size(); ++i) layer.begin[i] += layer.begin[i - 1];
        std::vector<uint32_t> at(layer.begin.begin(), layer.begin.end() - 1);
        for (size_t i = 0; i < led_.size(); ++i) {
            const uint32_t to = at[led_[i] >> 32]++;
            layer.edges[to] = static_cast<uint32_t>(led_[i]);
            if (layer.tops.empty()) continue;
            layer.tops[to] = static_cast<uint16_t>(split_[i] >> 16);
            layer.parts[to] = static_cast<uint16_t>(split_[i]);
        }
        keys = next_;
        states += keys.size();
        edges += led_.size();
        splits_ += split_.size();
        layers.push_back(std::move(layer));
        if (bytes() > most_bytes) too_large = true;
    }

    // A key of other piles: those that did not change keep what they got, the hand and its old or new pile get this.
    static uint64_t moved(const Piles& from, uint64_t key, const Piles& to, uint32_t hand, uint32_t pile, uint32_t own,
                          uint32_t rest) {
        uint64_t found = 0;
        for (uint32_t i = 0; i < to.count; ++i) {
            uint32_t got = 0;
            if (to.hands[i] == (1u << hand) && i != pile) got = own;
            else if (i == pile) got = rest;
            else got = from.got(key, from.of[std::countr_zero(to.hands[i])]);
            found |= static_cast<uint64_t>(got) << to.shift[i];
        }
        return found;
    }

    Piles with_role(uint32_t hand, Role role) const {
        std::vector<uint8_t> roles(piles.role, piles.role + given_.hands);
        roles[hand] = role;
        return Piles(given_, roles.data());
    }

    // Brings a hand to another role. `split(from, state, take)` says what becomes of a state of the old piles: it calls
    // take(key of the new ones, cards of the pile, cards of the hand among them).
    template <class Split>
    void regroup(uint32_t hand, Role role, worlds::Stage stage, const Split& split) {
        const Piles from = piles;
        OwnedLayer layer;
        layer.piles = from;
        piles = with_role(hand, role);
        begin_layer(layer, stage, hand);
        for (uint32_t state = 0; state < keys.size() && !too_large; ++state) {
            split(from, keys[state].got, [&](uint64_t got, uint32_t top, uint32_t part) {
                if (!fits(got)) return;
                lead(PoolKey{got, 0}, state);
                split_.push_back(top << 16 | part);
            });
            check_size();
        }
        finish(std::move(layer));
    }

    void open(uint32_t hand) {
        regroup(hand, APART, worlds::Stage::OPEN, [&](const Piles& from, uint64_t key, const auto& take) {
            const uint32_t top = from.got(key, from.future);
            const uint32_t room = piles.future == worlds::NO_PILE ? 0 : piles.size[piles.future];
            for (uint32_t part = top - std::min(top, room); part <= top && part <= given_.sizes[hand]; ++part) {
                take(moved(from, key, piles, hand, piles.future, part, top - part), top, part);
            }
        });
    }

    void close(uint32_t hand) {
        regroup(hand, CLOSED, worlds::Stage::CLOSE, [&](const Piles& from, uint64_t key, const auto& take) {
            const bool first = from.closed == worlds::NO_PILE;
            const uint32_t own = from.got(key, from.of[hand]), others = first ? 0 : from.got(key, from.closed);
            const uint32_t need = given_.sizes[hand] - own;
            const uint32_t top = first ? need : need + from.size[from.closed] - others;
            take(moved(from, key, piles, hand, piles.closed, own, own + others), top, need);
        });
    }

    uint64_t read(uint32_t place, uint64_t watch, const uint8_t* gives) const {
        for (const PoolRead& read : given_.reads_of[place]) {
            uint32_t copies = 0;
            for (uint32_t hand = 0; read.hands >> hand; ++hand) {
                if (read.hands >> hand & 1u) copies = copies * read.base + gives[piles.of[hand]];
            }
            const uint64_t state = watch >> read.shift & read.mask;
            uint64_t next = given_.moves[read.moves + state * read.width + copies];
            if (next == worlds::DEAD) return worlds::NO_STATE;
            if (read.accepts != worlds::NEVER) {
                if (!given_.accepts[read.accepts + next]) return worlds::NO_STATE;
                next = 0;
            }
            watch = (watch & ~(read.mask << read.shift)) | next << read.shift;
        }
        return watch;
    }

    std::vector<worlds::PoolOption> options_at(uint32_t place) const {
        std::vector<worlds::PoolOption> found;
        worlds::PoolOption option{};
        const uint8_t* const low = given_.least.data() + place * given_.hands;
        const uint8_t* const high = given_.most.data() + place * given_.hands;
        const auto give = [&](const auto& self, uint32_t pile, uint32_t left) -> void {
            if (pile == piles.count) {
                if (!left && weigh(place, option)) found.push_back(option);
                return;
            }
            const bool apart = pile != piles.future && pile != piles.closed;
            const uint32_t hand = static_cast<uint32_t>(std::countr_zero(piles.hands[pile]));
            const uint32_t most = std::min({left, piles.size[pile], apart ? high[hand] : left});
            for (uint32_t n = apart ? low[hand] : 0; n <= most; ++n) {
                option.gives[pile] = static_cast<uint8_t>(n);
                self(self, pile + 1, left - n);
            }
            option.gives[pile] = 0;
        };
        give(give, 0, given_.copies[place]);
        return found;
    }

    // Fills in what a split takes and counts; false if a group objects. Hands of groups stand apart.
    bool weigh(uint32_t place, worlds::PoolOption& option) const {
        constexpr uint32_t FACTORIAL[] = {1, 1, 2, 6, 24, 120, 720};
        option.ways = FACTORIAL[given_.copies[place]];
        option.taken = 0;
        for (uint32_t pile = 0; pile < piles.count; ++pile) {
            option.ways /= FACTORIAL[option.gives[pile]];
            option.taken += static_cast<uint64_t>(option.gives[pile]) << piles.shift[pile];
        }
        const auto together = [&](uint32_t hands) {
            uint32_t copies = 0;
            for (uint32_t hand = 0; hand < given_.hands; ++hand) {
                if (hands >> hand & 1u) copies += option.gives[piles.of[hand]];
            }
            return copies;
        };
        for (size_t row = 0; row < given_.groups.size() / GROUP_COLUMNS; ++row) {
            const uint16_t* const group = given_.groups.data() + GROUP_COLUMNS * row;
            if (group[0] != place) continue;
            const uint32_t own = together(group[1]);
            if (own < group[2] || own > group[3]) return false;
            const uint32_t column = own + GROUP_BASE * (together(group[4]) + GROUP_BASE * together(group[5]));
            option.ways *= given_.group_weights[row * GROUP_WEIGHTS + column];
        }
        const double* const weights = given_.weights.data() + place * given_.hands;
        const double greatest = *std::max_element(weights, weights + given_.hands);
        option.worth = static_cast<double>(option.ways);
        for (uint32_t pile = 0; pile < piles.count; ++pile) {
            const double own = weights[std::countr_zero(piles.hands[pile])];
            for (uint32_t n = 0; n < option.gives[pile]; ++n) option.worth *= greatest > 0 ? own / greatest : 0;
        }
        return option.ways > 0;
    }
};

}  // namespace renege::binding
