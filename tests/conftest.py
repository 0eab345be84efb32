"""Random cases by the hundred where `RENEGE_SOAK` asks for them."""

import os

try:
    from hypothesis import settings
except ImportError:  # the tests of the GPU do without: they run where nothing can be installed
    settings = None

if settings is not None:
    settings.register_profile("renege", deadline=None, max_examples=60 * int(os.environ.get("RENEGE_SOAK", "1")))
    settings.load_profile("renege")
