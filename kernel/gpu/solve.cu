// Open hands solved on a GPU, a search a thread: renege.native.gpu.solve launches these. A thread whose search is over
// takes the next question from a counter, so that a warp never waits for its longest search. What a search keeps on its
// way down, and its hands, are in shared memory, as are the order's tables; what it remembers is a slice of the
// device's.
#include <renege/solve/lanes.hpp>

using namespace renege;

constexpr uint32_t THREADS = 64;     // of a block
constexpr uint32_t HAND_WORDS = 5;   // one more than hands, so that the threads of a warp meet in no bank of memory
constexpr uint32_t MOST_MARKS = 127;

// What a launch asks: for each row the value of its position, or, where `plays` is not 0, of each legal play, of which
// there are at most so many. A question has the takers in bits 0-3, the maximisers in 4-7 and the target in 8-15.
struct Asked {
    const Order* order;
    const solve::Sight* sight;
    const Position* states;
    const uint32_t* questions;
    uint64_t count;
    uint32_t plays;
    uint64_t most_nodes;
    uint64_t most_time;  // nanoseconds from the launch, or 0
    uint32_t merge;
};

// What is remembered: each thread has `count` slots, and marks them from launch to launch.
struct Slots {
    uint64_t* words;
    uint32_t count;
    uint32_t* marks;
};

// bounds [B, 2], or [B, 32, 2] for plays; nodes [B]; progress: the next question, and the first row that is refused.
struct Answer {
    int16_t* bounds;
    uint64_t* nodes;
    uint64_t* progress;
};

struct DeviceClock {
    static __device__ uint64_t now() { return nanoseconds(); }
};

template <class Table>
__device__ const Table& share(const Table* from, uint32_t* words) {
    static_assert(sizeof(Table) % 4 == 0);
    const uint32_t* const given = reinterpret_cast<const uint32_t*>(from);
    for (uint32_t i = threadIdx.x; i < sizeof(Table) / 4; i += blockDim.x) words[i] = given[i];
    return *reinterpret_cast<const Table*>(words);
}

// The stack of one thread among those of its block.
struct Plies {
    solve::Ply* first;
    __device__ solve::Ply& operator[](uint32_t depth) { return first[depth * THREADS]; }
};

// A mark that the slots do not have yet.
__device__ uint64_t next_mark(const Slots& slots, uint64_t* own, uint32_t& mark) {
    if (mark == MOST_MARKS) {
        for (uint32_t i = 0; i < slots.count; ++i) own[i] = 0;
        mark = 0;
    }
    return static_cast<uint64_t>(++mark) * solve::FIRST_MARK;
}

// The question of a number. False if there is none of that number: a row has fewer plays, or it is refused.
__device__ bool read_question(const Order& order, const Asked& asked, uint64_t number, uint64_t* refused,
                              solve::Question& question, uint64_t& row, uint64_t& place) {
    row = asked.plays ? number / asked.plays : number;
    place = row;
    const uint32_t words = asked.questions[row];
    question = {asked.states[row], words & 15u, (words >> 4) & 15u, static_cast<int32_t>(words >> 8), NO_CARD};
    if (fault_in(order, question.position) != Fault::NONE) {
        atomicMin(refused, row);
        return false;
    }
    if (!asked.plays) return true;
    const CardSet may = legal(order, question.position);
    const uint32_t play = static_cast<uint32_t>(number % asked.plays);
    if (play >= count_bits(may)) return false;
    question.card = lowest_bit(Portable::nth_bit(may, play));
    place = row * MAX_CARDS + question.card;
    return true;
}

// The threads of a launch, each at its searches until there are no more.
template <uint32_t SEATS, Duty DUTY>
__device__ void solve_all(const Asked& asked, const Slots& slots, const Answer& answer) {
    __shared__ uint32_t order_words[sizeof(Order) / 4], sight_words[sizeof(solve::Sight) / 4];
    __shared__ CardSet hands[THREADS * HAND_WORDS];
    __shared__ solve::Ply plies[solve::MOST_PLIES * THREADS];
    const Order& order = share(asked.order, order_words);
    const solve::Sight& sight = share(asked.sight, sight_words);
    __syncthreads();
    const uint64_t deadline = asked.most_time ? nanoseconds() + asked.most_time : 0;
    const uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
    uint64_t* const own = slots.words + static_cast<uint64_t>(thread) * slots.count;
    uint32_t mark = slots.count ? slots.marks[thread] : 0;
    solve::Shelf shelf;
    Plies stack = {plies + threadIdx.x};
    solve::Lane<SEATS, DUTY, DeviceClock> lane(order, sight, {asked.most_nodes, deadline, asked.merge != 0}, shelf,
                                               hands + HAND_WORDS * threadIdx.x);
    const uint64_t questions = asked.count * (asked.plays ? asked.plays : 1u);
    uint64_t row = 0, place = 0;
    bool busy = false, asking = false;
    for (;;) {
        if (!asking) {  // between two questions to a search, or between two searches
            if (busy && lane.is_open()) {
                lane.ask_next();
                asking = true;
            } else {
                if (busy) {
                    const solve::Bounds found = lane.found();
                    answer.bounds[2 * place] = static_cast<int16_t>(found.lower);
                    answer.bounds[2 * place + 1] = static_cast<int16_t>(found.upper);
                    atomicAdd(answer.nodes + row, lane.search.nodes);
                }
                const uint64_t number = atomicAdd(answer.progress, uint64_t{1});
                if (number >= questions) break;
                solve::Question question;
                busy = read_question(order, asked, number, answer.progress + 1, question, row, place);
                if (busy) {
                    const uint64_t marked = slots.count ? next_mark(slots, own, mark) : 0;
                    lane.begin(question, {own, slots.count, marked});
                }
                continue;
            }
        }
        const auto step = lane.step(stack);
        asking = step == decltype(step)::ON;
        if (step == decltype(step)::STOPPED) lane.target = -1;  // nothing is asked any more
    }
    if (slots.count) slots.marks[thread] = mark;
}

extern "C" __global__ void __launch_bounds__(64) solve_four(
    const Order* order, const solve::Sight* sight, const Position* states, const uint32_t* questions, uint64_t count,
    uint32_t plays, uint64_t most_nodes, uint64_t most_time, uint32_t merge, uint64_t* slots, uint32_t slot_count,
    uint32_t* marks, int16_t* bounds, uint64_t* nodes, uint64_t* progress) {
    solve_all<4, Duty::FOLLOW_SUIT>({order, sight, states, questions, count, plays, most_nodes, most_time, merge},
        {slots, slot_count, marks}, {bounds, nodes, progress});
}

extern "C" __global__ void __launch_bounds__(64) solve_three(
    const Order* order, const solve::Sight* sight, const Position* states, const uint32_t* questions, uint64_t count,
    uint32_t plays, uint64_t most_nodes, uint64_t most_time, uint32_t merge, uint64_t* slots, uint32_t slot_count,
    uint32_t* marks, int16_t* bounds, uint64_t* nodes, uint64_t* progress) {
    solve_all<3, Duty::FOLLOW_SUIT>({order, sight, states, questions, count, plays, most_nodes, most_time, merge},
        {slots, slot_count, marks}, {bounds, nodes, progress});
}

extern "C" __global__ void __launch_bounds__(64) solve_four_sevens(
    const Order* order, const solve::Sight* sight, const Position* states, const uint32_t* questions, uint64_t count,
    uint32_t plays, uint64_t most_nodes, uint64_t most_time, uint32_t merge, uint64_t* slots, uint32_t slot_count,
    uint32_t* marks, int16_t* bounds, uint64_t* nodes, uint64_t* progress) {
    solve_all<4, Duty::STRONGEST>({order, sight, states, questions, count, plays, most_nodes, most_time, merge},
        {slots, slot_count, marks}, {bounds, nodes, progress});
}

extern "C" __global__ void __launch_bounds__(64) solve_three_sevens(
    const Order* order, const solve::Sight* sight, const Position* states, const uint32_t* questions, uint64_t count,
    uint32_t plays, uint64_t most_nodes, uint64_t most_time, uint32_t merge, uint64_t* slots, uint32_t slot_count,
    uint32_t* marks, int16_t* bounds, uint64_t* nodes, uint64_t* progress) {
    solve_all<3, Duty::STRONGEST>({order, sight, states, questions, count, plays, most_nodes, most_time, merge},
        {slots, slot_count, marks}, {bounds, nodes, progress});
}

extern "C" __global__ void __launch_bounds__(64) solve_called(
    const Order* order, const solve::Sight* sight, const Position* states, const uint32_t* questions, uint64_t count,
    uint32_t plays, uint64_t most_nodes, uint64_t most_time, uint32_t merge, uint64_t* slots, uint32_t slot_count,
    uint32_t* marks, int16_t* bounds, uint64_t* nodes, uint64_t* progress) {
    solve_all<4, Duty::CALLED_ACE>({order, sight, states, questions, count, plays, most_nodes, most_time, merge},
        {slots, slot_count, marks}, {bounds, nodes, progress});
}
