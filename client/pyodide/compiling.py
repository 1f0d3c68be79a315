"""Python as bytecode, TOML as JSON: whoever opens the house in a page need not read them every time.

The build runs it in the Python that pages have, because bytecode is of one version. What is made is not packed: it
travels packed as a whole, which is smaller, and is quicker to read.
"""

import importlib._bootstrap_external as importing
import json
import tomllib
import zipfile
from collections.abc import Mapping
from pathlib import Path

LEFT_OUT = frozenset(
    [
        "_pydatetime",
        "_pydecimal",
        "_pyio",
        "_pyrepl",
        "bdb",
        "cProfile",
        "configparser",
        "ctypes",
        "curses",
        "dbm",
        "doctest",
        "ensurepip",
        "ftplib",
        "html",
        "http",
        "idlelib",
        "imaplib",
        "lib2to3",
        "mailbox",
        "multiprocessing",
        "optparse",
        "pdb",
        "pickletools",
        "plistlib",
        "poplib",
        "profile",
        "pstats",
        "pydoc",
        "pydoc_data",
        "smtplib",
        "sqlite3",
        "test",
        "tkinter",
        "tomllib",
        "trace",
        "turtle",
        "turtledemo",
        "unittest",
        "venv",
        "wsgiref",
        "xml",
        "xmlrpc",
    ]
)
"""Of Python's library: terminals, networks, debuggers and tests, which no page has; and what `tomllib.py` replaces."""


def read(name: str, source: bytes) -> tuple[str, bytes]:
    """A file as it is imported or asked for; what does not compile (samples of old Python) stays as it is."""
    if name.endswith(".toml"):
        return name, json.dumps(tomllib.loads(source.decode()), ensure_ascii=False).encode()
    if not name.endswith(".py"):
        return name, source
    try:
        code = compile(source, name, "exec", dont_inherit=True)
    except SyntaxError:
        return name, source
    return f"{name}c", bytes(importing._code_to_timestamp_pyc(code))


def write(files: Mapping[str, bytes], path: str) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for name in sorted(files):
            found, data = read(name, files[name])
            archive.writestr(zipfile.ZipInfo(found), data)


def write_in_a_row(files: Mapping[str, bytes], path: str) -> None:
    """A line that says how long each file is, and then all of them: a page takes that apart in no time
    (`client/src/net/local/unpackFiles.ts`), where Python would need a tenth of a second for an archive."""
    made = dict(read(name, files[name]) for name in sorted(files))
    lengths = json.dumps({name: len(data) for name, data in made.items()})
    Path(path).write_bytes(lengths.encode() + b"\n" + b"".join(made.values()))


def unpacked(path: str | Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as given:
        return {name: given.read(name) for name in given.namelist() if not name.endswith("/")}


library = unpacked("/python_stdlib.zip").items()
write(
    {name: data for name, data in library if name.split("/")[0].removesuffix(".py") not in LEFT_OUT},
    "/python_stdlib.made",
)
wheels = [unpacked(wheel) for wheel in Path("/").glob("*.whl")]
ours = json.loads(Path("/polyopolis.json").read_text(encoding="utf-8"))
write_in_a_row(
    {name: data for wheel in wheels for name, data in wheel.items() if not name.endswith(".pyi")}
    | {name: text.encode("latin-1") for name, text in ours.items()},
    "/polyopolis.made",
)
