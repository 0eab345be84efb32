"""A fair deal, told once more from the words of docs/table.md, with nothing of Renege but the texts."""

import hashlib


def sha(text: str) -> bytes:
    return hashlib.sha256(text.encode("ascii")).digest()


def shuffled(terms: str, secret: str, salts: dict[int, str]) -> list[str]:
    """The pack after the shuffle: the number of the words that are used up so far says which word is next."""
    lines = [*terms.splitlines(), f"secret {secret}"]
    lines += [f"salt {seat} {salts[seat]}" for seat in sorted(salts)]
    key = sha("".join(line + "\n" for line in lines)).hex()
    pack = next(line for line in lines if line.startswith("pack ")).split()[1:]
    used = 0
    left = len(pack)
    while left > 1:
        block = sha(f"{key} {used // 8}")
        word = int.from_bytes(block[used % 8 * 4 :][:4], "big")
        used += 1
        if word >= 2**32 // left * left:
            continue
        chosen = word % left
        left -= 1
        pack[chosen], pack[left] = pack[left], pack[chosen]
    return pack


def commitment(terms: str, secret: str) -> str:
    return sha(f"{terms}secret {secret}\n").hex()
