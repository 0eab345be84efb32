// The Python face of the environment of Schafkopf; games/schafkopf/kernel.py fills its setting.
#include "env_batch.hpp"

#include <renege/env/schafkopf.hpp>

void bind_env_schafkopf(nb::module_& module) {
    renege::binding::bind_env<renege::EnvSchafkopf<32>>(module, "EnvSchafkopf");
    renege::binding::bind_env<renege::EnvSchafkopf<24>>(module, "EnvSchafkopfShort");
    renege::binding::bind_env<renege::EnvSchafkopf<32, true>>(module, "EnvSchafkopfSmall");
}
