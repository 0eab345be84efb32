"""Without a framework: `renege.adapters` is there all the same, and its modules say what to install."""

import subprocess
import sys

import pytest

MISSING = """
import sys
for name in ("pyspiel", "pettingzoo", "gymnasium"):
    sys.modules[name] = None  # as if it were not installed
import renege.adapters
assert "texas42" in renege.adapters.encoded_games()
try:
    import renege.adapters.{module}
except ImportError as missing:
    print(missing)
"""


@pytest.mark.parametrize(
    ("module", "called"), [("openspiel", "OpenSpiel"), ("pettingzoo", "PettingZoo"), ("gymnasium", "Gymnasium")]
)
def test_a_framework_that_is_missing_is_named(module: str, called: str):
    run = subprocess.run([sys.executable, "-c", MISSING.format(module=module)], capture_output=True, text=True)
    assert run.stdout == f"{called} is not installed: pip install 'renege[rl]'\n", run.stderr
