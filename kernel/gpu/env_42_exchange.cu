// Tables of Texas 42 where partners swap a tile in nello on a GPU: renege.native.gpu.envs launches it.
#include <renege/env/texas42.hpp>

using Game = renege::env42::Env<true>;

#include "env_entries.cuh"
