"""Random cases by the hundred where `RENEGE_SOAK` asks for them, and programs that hear an interruption."""

import os
import signal

try:
    from hypothesis import settings
except ImportError:  # the tests of the GPU do without: they run where nothing can be installed
    settings = None

if settings is not None:
    settings.register_profile("renege", deadline=None, max_examples=60 * int(os.environ.get("RENEGE_SOAK", "1")))
    settings.load_profile("renege")

# A shell lets what it runs in the background ignore ctrl-C, and so would every program that is started and interrupted
# here: such a test would wait for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
