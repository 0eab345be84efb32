// Tables of Schafkopf with the short pack on a GPU: renege.native.gpu.envs launches it.
#include <renege/env/schafkopf.hpp>

using Game = renege::EnvSchafkopf<24>;

#include "env_entries.cuh"
