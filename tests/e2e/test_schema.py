"""Whatever is sent to it over HTTP, the server answers as it says it does, and never with an error of its own.

schemathesis reads the server's OpenAPI description and makes requests from it, and others that break it.
"""

import subprocess
import sys
from pathlib import Path

from e2e.clients import Server, make_table
from support.steering import SOAK

EXAMPLES = 60  # for each route
# what may be said to a request that breaks the description: a body may also be too long, or too many may come
CHECKS = """
[checks]
negative_data_rejection.expected-statuses = ["400", "403", "404", "405", "409", "413", "415", "422", "429"]
"""


def test_the_server_keeps_to_its_description(tmp_path: Path) -> None:
    with Server(tmp_path / "data") as server:
        chair = make_table(server.address, "texas42")
        # half of the requests go to a table and a seat that are there
        there = f'[parameters]\n"table" = "{chair.table}"\n"seat" = 0\n[headers]\nX-Seat-Token = "{chair.token}"\n'
        for more in ("", there):
            settings = tmp_path / "schemathesis.toml"
            settings.write_text(CHECKS + more, "utf-8")
            schema, program = f"{server.address}/openapi.json", Path(sys.executable).with_name("schemathesis")
            command = [str(program), "--config-file", str(settings), "run", schema]
            command += ["--max-examples", str(EXAMPLES * SOAK), "--seed", "42", "--workers", "1", "--no-color"]
            command += ["--exclude-checks", "positive_data_acceptance"]  # a form may be sound and its content wrong
            done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=1500, check=False)
            assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
        assert "Traceback" not in server.log
