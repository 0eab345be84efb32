// Tables of the shrunk Tractor on a GPU: renege.native.gpu.envs launches it.
#include <renege/env/tractor.hpp>

using Game = renege::tractor::EnvTractor<false>;

#include "env_plays.cuh"
