"""Steps a second of environments of larger tables of Tractor, which Python steps: by processor time, on one core.

python bench/larger_tables.py [PRESET ...]
"""

import sys
import time

from renege import tractor
from renege.envs import BatchEnv

LANES, STEPS = 8, 120


def measure(preset: str) -> tuple[float, float]:
    """Steps a second with rows and without."""
    game = tractor.game(preset)
    seen = BatchEnv(game, LANES, seed=1, version=1, hidden=True)
    seen.run(STEPS // 4)
    began = time.process_time()
    for salt in range(STEPS):
        seen.step(seen.choose(salt))
    with_rows = LANES * STEPS / (time.process_time() - began)
    began = time.process_time()
    moments = [seen.encoding.deal(seed) for seed in range(LANES)]
    taken = 0
    for moment in moments:
        while not moment.over and taken < LANES * STEPS:
            moment = moment.after(moment.legal[taken % len(moment.legal)])
            taken += 1
    return with_rows, taken / (time.process_time() - began)


def main() -> None:
    for preset in sys.argv[1:] or ["three-packs", "three-packs-six", "friends-five", "friends-six", "friends-eight"]:
        with_rows, without = measure(preset)
        print(f"{preset:18} {with_rows:7,.0f} steps/s with rows of version 1, {without:7,.0f} without")


if __name__ == "__main__":
    main()
