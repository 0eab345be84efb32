// Bindings of the environment of Tractor, whole and shrunk.
#include "env_plays.hpp"

#include <renege/env/tractor.hpp>

using namespace renege;

void bind_env_tractor(nb::module_& module) {
    binding::bind_env<tractor::EnvTractor<true>>(module, "EnvTractor");
    binding::bind_env<tractor::EnvTractor<false>>(module, "EnvTractorSmall");
}
