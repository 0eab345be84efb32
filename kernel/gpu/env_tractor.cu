// Tables of Tractor on a GPU: renege.native.gpu.envs launches it.
#include <renege/env/tractor.hpp>

using Game = renege::tractor::EnvTractor<true>;

#include "env_plays.cuh"
