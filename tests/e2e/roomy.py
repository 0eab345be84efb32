"""A server for a test that asks faster than people do: one connection may send as much as it likes.

    python tests/e2e/roomy.py FOLDER PORT

All else is as `renege play` has it; there is no option for this, since nobody who plays comes near the limit.
"""

import sys
from pathlib import Path

from renege.server.http.launch import serve
from renege.server.http.rate_limits import Rate, ServerLimits
from renege.server.http.settings import Settings

ROOM = Rate(10_000, 10_000)

if __name__ == "__main__":
    folder, port = sys.argv[1:]
    serve(Settings(data=Path(folder), limits=ServerLimits(messages=ROOM)), int(port), browser=False)
