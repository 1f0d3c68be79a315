"""Compiles Python to bytecode and TOML to JSON, so that a local backend starts faster.

The build runs this in the Python of Pyodide, because bytecode belongs to one version. The archives are not compressed:
the build compresses them as a whole, which is smaller and faster to read.
"""

import importlib._bootstrap_external as importing
import json
import tomllib
import zipfile
from collections.abc import Mapping
from pathlib import Path

EXCLUDED_MODULES = frozenset(
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
"""Modules of Python's library that a page cannot use (terminals, networks, debuggers, tests), and `tomllib`."""


def compile_file(name: str, source: bytes) -> tuple[str, bytes]:
    """Returns the compiled file and its name; files that do not compile (samples of old Python) stay unchanged."""
    if name.endswith(".toml"):
        return name, json.dumps(tomllib.loads(source.decode()), ensure_ascii=False).encode()
    if not name.endswith(".py"):
        return name, source
    try:
        code = compile(source, name, "exec", dont_inherit=True)
    except SyntaxError:
        return name, source
    return f"{name}c", bytes(importing._code_to_timestamp_pyc(code))


def write_archive(files: Mapping[str, bytes], path: str) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for name in sorted(files):
            found, data = compile_file(name, files[name])
            archive.writestr(zipfile.ZipInfo(found), data)


def write_bundle(files: Mapping[str, bytes], path: str) -> None:
    """Writes a line with the length of each file, then the files.

    `client/src/net/local/unpackFiles.ts` unpacks this at once; Python would need 0.1 s for a zip archive.
    """
    made = dict(compile_file(name, files[name]) for name in sorted(files))
    lengths = json.dumps({name: len(data) for name, data in made.items()})
    Path(path).write_bytes(lengths.encode() + b"\n" + b"".join(made.values()))


def read_archive(path: str | Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as given:
        return {name: given.read(name) for name in given.namelist() if not name.endswith("/")}


library = read_archive("/python_stdlib.zip").items()
write_archive(
    {name: data for name, data in library if name.split("/")[0].removesuffix(".py") not in EXCLUDED_MODULES},
    "/python_stdlib.made",
)
wheels = [read_archive(wheel) for wheel in Path("/").glob("*.whl")]
ours = json.loads(Path("/polyopolis.json").read_text(encoding="utf-8"))
write_bundle(
    {name: data for wheel in wheels for name, data in wheel.items() if not name.endswith(".pyi")}
    | {name: text.encode("latin-1") for name, text in ours.items()},
    "/polyopolis.made",
)
