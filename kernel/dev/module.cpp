// The extension module renege._kernel_dev: what only tests and the paper's study call, built for development alone.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_plain(nb::module_& module);
void bind_published(nb::module_& module);

NB_MODULE(_kernel_dev, module) {
    nb::set_leak_warnings(false);  // as in renege._kernel
    nb::module_::import_("renege._kernel");  // whose orders are taken here
    bind_plain(module);
    bind_published(module);
}
