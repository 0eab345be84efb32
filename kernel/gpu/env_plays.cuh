// The entry points of games whose plays have several cards, beside those of env_entries.cuh: a whole play on every lane,
// two words, or what is buried; where a pile is empty, an action.
#include "env_entries.cuh"

struct Laid {
    uint64_t once, twice;
};

extern "C" __global__ void check_plays(const Setting* setting, const Table* tables, uint64_t lanes, const Laid* piles,
                                       const int32_t* actions, uint64_t* refused) {
    const Block block = block_of(lanes);
    if (!block.has_lane()) return;
    const Table& table = tables[block.lane()];
    const Laid laid = piles[block.lane()];
    const uint32_t action = static_cast<uint32_t>(actions[block.lane()]);
    const bool open = laid.once || laid.twice ? Game::is_play(*setting, table.lane, {laid.once, laid.twice})
                                              : env::is_open<Game>(*setting, table, action);
    if (!open) atomicMin(refused, block.lane());
}

// Nothing is done where a lane was refused before.
extern "C" __global__ void play(const Setting* setting, Table* tables, uint64_t lanes, const Laid* piles,
                                const int32_t* actions, const uint64_t* refused, Pay* reward, uint8_t* done) {
    if (*refused != NONE_REFUSED) return;
    const Block block = block_of(lanes);
    if (!block.has_lane()) return;
    Table& table = tables[block.lane()];
    const Laid laid = piles[block.lane()];
    Pay pay = {};
    if (laid.once || laid.twice) Game::play(*setting, table.lane, {laid.once, laid.twice});
    else act(*setting, table, static_cast<uint32_t>(actions[block.lane()]));
    done[block.lane()] = settle(*setting, table, pay);
    reward[block.lane()] = pay;
}
