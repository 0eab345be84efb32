// Tables of Texas 42 on a GPU: renege.native.gpu.envs launches it.
#include <renege/env/texas42.hpp>

using Game = renege::env42::Env<false>;

#include "env_entries.cuh"
