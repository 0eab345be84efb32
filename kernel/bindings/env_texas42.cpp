// Bindings of the environment of Texas 42, with and without the swap of tiles in nello.
#include "env_batch.hpp"

#include <renege/env/texas42.hpp>

using namespace renege;

void bind_env_texas42(nb::module_& module) {
    binding::bind_env<env42::Env<false>>(module, "Env42");
    binding::bind_env<env42::Env<true>>(module, "Env42Exchange");
}
