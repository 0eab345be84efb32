// Tables of Schafkopf on a GPU: renege.native.gpu.envs launches it.
#include <renege/env/schafkopf.hpp>

using Game = renege::EnvSchafkopf<32>;

#include "env_entries.cuh"
