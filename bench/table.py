"""How long does an act at the table take? Two hundred tables at once, each with a person on the line and three bots.

People sit down within ten seconds. A person acts about a second after being asked, as a quick player would; bots are at
their simple level and take their usual time. Reported is the time from sending an act to hearing that it is done,
committed to the database; server and people share the machine.

    python bench/table.py [tables] [seconds]
"""

import asyncio
import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from e2e.clients import GAMES, Person, Server, make_table

PACE = 700  # the bots' usual milliseconds
ARRIVE = 10.0  # seconds in which the people sit down


async def main(tables: int, seconds: float) -> None:
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder)) as server:
        people = [Person(make_table(server.address, GAMES[i % len(GAMES)], pace=PACE), seed=i) for i in range(tables)]
        until = time.monotonic() + seconds

        playing = [asyncio.create_task(stay(person, until)) for person in people]
        await asyncio.gather(*playing)
        for game in (*GAMES, None):
            waits = sorted(
                wait
                for i, person in enumerate(people)
                if game in (None, GAMES[i % len(GAMES)])
                for wait in person.waits
            )
            share = {p: waits[min(int(len(waits) * p / 100), len(waits) - 1)] * 1e3 for p in (50, 95, 99)}
            told = ", ".join(f"{p} % within {ms:.1f} ms" for p, ms in share.items())
            print(f"{game or 'all'}: {len(waits)} acts, {told}, longest {waits[-1] * 1e3:.1f} ms")


async def stay(person: Person, until: float) -> None:
    """One connection for the whole time."""
    rng = random.Random(person.chair.table)
    await asyncio.sleep(rng.uniform(0, ARRIVE))
    async with person.sitting() as line:
        while time.monotonic() < until:
            what = person.choice()
            if what is None:
                await person.hear(line)
                continue
            await asyncio.sleep(rng.uniform(0.5, 1.5))
            await person.say(line, what)


if __name__ == "__main__":
    counts = [int(argument) for argument in sys.argv[1:]]
    asyncio.run(main(counts[0] if counts else 200, counts[1] if len(counts) > 1 else 60))
