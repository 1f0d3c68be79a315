"""The sdist and the wheel contain the built client, and a server installed from either of them serves it."""

import os
import re
import signal
import subprocess
import sys
import sysconfig
import tarfile
import time
import tomllib
import venv
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder

from polyopolis.kernels.runtime.jit import PLAIN_ENV_VAR
from tests.server.support.server_process import free_port
from tools.processes import Guard

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[1]
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
PACKAGED = (
    "polyopolis/server/static/index.html",
    "polyopolis/games/mycity/content/v1/eternal.toml",
    "polyopolis/server/storage/migrations/env.py",
    "polyopolis/cli/words/en.toml",
    "polyopolis/cli/words/mycity.en.toml",
    "polyopolis/py.typed",
)
SOURCES = (
    "pyproject.toml",
    "hatch_build.py",
    "client/package-lock.json",
    "constraints.txt",
    "Makefile",
    "tests/conftest.py",
)
NEVER_PACKAGED = re.compile(
    r"(^|/)(node_modules|__pycache__|\.venv|\.git|\.ci|\.env|\.hypothesis)(/|$)|^(data|out|dist)/"
)
ENVIRONMENT = {
    name: value
    for name, value in os.environ.items()
    if not name.startswith("POLYOPOLIS_") and name not in ("PYTHONPATH", "PYTHONHOME")
} | {PLAIN_ENV_VAR: "1"}
"""Without the variables that conftest.py sets. Plain Python kernels, because compiling them would take a minute."""


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    (built,) = SdistBuilder(str(ROOT)).build(directory=str(tmp_path_factory.mktemp("sdist")), versions=["standard"])
    return Path(built)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    (built,) = WheelBuilder(str(ROOT)).build(directory=str(tmp_path_factory.mktemp("wheel")), versions=["standard"])
    return Path(built)


def test_wheel_contains_client_content_and_migrations(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert set(PACKAGED) <= set(names)
    assert any(re.fullmatch(r"polyopolis/server/static/assets/.*\.js", name) for name in names)
    assert {name.split("/")[0] for name in names} == {"polyopolis", f"polyopolis-{VERSION}.dist-info"}
    assert not [name for name in names if NEVER_PACKAGED.search(name)]


def test_sdist_contains_sources_and_built_client(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {f"src/{name}" for name in PACKAGED} | set(SOURCES) <= names
    assert not [name for name in names if NEVER_PACKAGED.search(name)]


@pytest.mark.parametrize("kind", ["sdist", "wheel"])
def test_installed_distribution_serves_the_client(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    python = install(request.getfixturevalue(kind), tmp_path / "venv")
    where = run(python, "-c", "import polyopolis; print(polyopolis.__file__)")
    assert Path(where).is_relative_to(tmp_path), "the checkout is imported instead of the distribution"
    with running_server(python, tmp_path / "data") as client:
        page = client.get("/").raise_for_status()
        assert page.headers["content-type"].startswith("text/html")
        assert client.get("/api/hello").raise_for_status().json()["version"] == VERSION
        (script,) = [client.get(path).raise_for_status() for path in re.findall(r'src="([^"]+\.js)"', page.text)]
        assert "javascript" in script.headers["content-type"]
        assert VERSION in script.text, "the client was built for another version"


@pytest.mark.parametrize("target", ["sdist", "wheel"])
def test_build_without_client_fails_with_one_sentence(target: str, tmp_path: Path) -> None:
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE", "NOTICE.md"):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    (tmp_path / "src" / "polyopolis").mkdir(parents=True)
    (tmp_path / "src" / "polyopolis" / "__init__.py").touch()
    built = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", target],
        cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert built.returncode == 1
    assert "The browser client is not built" in built.stdout + built.stderr
    assert "Traceback" not in built.stdout + built.stderr


def install(distribution: Path, folder: Path) -> Path:
    """Installs a distribution into a new environment and returns its Python.

    Its dependencies and the build backend are those of the running environment, through a `.pth` file. An editable
    install there stays invisible, because Python reads no `.pth` files of a directory that a `.pth` file names.
    """
    venv.create(folder, symlinks=True)
    python = folder / "bin" / "python"
    site_packages = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"))
    dependencies = {sysconfig.get_path(name) for name in ("purelib", "platlib")}
    (site_packages / "dependencies.pth").write_text("\n".join(sorted(dependencies)))
    options = ("--quiet", "--disable-pip-version-check", "--no-index", "--no-deps", "--no-build-isolation")
    run(Path(sys.executable), "-m", "pip", "--python", python, "install", *options, "--ignore-installed", distribution)
    return python


def run(program: Path, *arguments: str | Path) -> str:
    done = subprocess.run([program, *arguments], env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip()


@contextmanager
def running_server(python: Path, data: Path) -> Iterator[httpx.Client]:
    """Runs `polyopolis serve`, which must exit with code 0 when it receives SIGTERM."""
    port = free_port()
    command: list[str | Path] = [python.with_name("polyopolis"), "serve", "--port", str(port), "--data", data]
    with (
        subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.DEVNULL, start_new_session=True) as server,
        Guard.of_group(server.pid),
    ):
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=None) as client:
                wait_until_ready(server, client)
                yield client
            server.send_signal(signal.SIGTERM)
            assert server.wait() == 0
        finally:
            if server.poll() is None:
                os.killpg(server.pid, signal.SIGKILL)


def wait_until_ready(server: subprocess.Popen[bytes], client: httpx.Client) -> None:
    while server.poll() is None:
        try:
            client.get("/ready").raise_for_status()
        except httpx.HTTPError:
            time.sleep(0.05)
        else:
            return
    pytest.fail("the server ended before it was ready")
