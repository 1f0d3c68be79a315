"""Compares decoding of the worst JSON texts with usual records: `python -m benchmarks.speed.json_decoding`."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import perf_counter

import msgspec

from polyopolis.engine import decode_json

LENGTHS_BYTES = {"16 kB": 16 * 1024, "64 kB": 64 * 1024, "1 MB": 1024 * 1024}
"""Limits of a message at a table, a request body, and an imported file."""
RECORD = Path(__file__).parents[2] / "tests" / "records" / "games" / "pointcity-1p-chosen-1.json"
WORST = {
    "numbers with an exponent": "1e308",
    "small numbers with an exponent": "9e-308",
    "numbers of 300 digits": "9" * 300,
    "integers": "1",
    "integers of 18 digits": "9" * 18,
    "fractions": "0.1",
    "long fractions": "1234567890123456.7",
    "empty lists": "[]",
    "empty objects": "{}",
    "objects": '{"a":1}',
    "short strings": '"a"',
    "escapes": r'"\u00e9\u4e2d"',
    "quotes": r'"\""',
    "strings like numbers": '"1e5",1',
    "an escaped backslash before u0000": r'"\\u0000"',
}
FIRST_ELEMENT = '"1e5"'
"""First element of each text. It looks like a refused number, so the check removes strings and checks again."""
ROUNDS = 5


def text_of(piece: str, length: int) -> bytes:
    return f"[{FIRST_ELEMENT},{','.join([piece] * (length // (len(piece) + 1)))}]".encode()


def seconds(work: Callable[[bytes], object], text: bytes) -> float:
    """Returns the shortest time of `ROUNDS` rounds."""
    times = []
    for _ in range(ROUNDS):
        start = perf_counter()
        with suppress(msgspec.DecodeError, RecursionError):
            work(text)
        times.append(perf_counter() - start)
    return min(times)


def main() -> None:
    record = RECORD.read_bytes()
    print(f"{'text':34}{'length':>8}{'decode':>16}{'check + decode':>18}   (ms, and relative to usual records)")
    for name, length in LENGTHS_BYTES.items():
        usual = b"[" + b",".join([record] * (length // len(record) + 1)) + b"]"
        share = length / len(usual)
        plain, checked = (share * seconds(work, usual) for work in (msgspec.json.decode, decode_json))
        print(f"{'usual records':34}{name:>8}{1000 * plain:9.2f}{1000 * checked:18.2f}")
        for kind, piece in WORST.items():
            before, after = (seconds(work, text_of(piece, length)) for work in (msgspec.json.decode, decode_json))
            print(f"{kind:34}{name:>8}{_format_time(before, plain):>16}{_format_time(after, checked):>18}")


def _format_time(measured: float, usual: float) -> str:
    return f"{1000 * measured:7.2f}{measured / usual:6.1f}x"


if __name__ == "__main__":
    main()
