"""Options of a server from flags, the environment and a file."""

from pathlib import Path

import pytest

from polyopolis.server import options_manual
from polyopolis.server.limits.rate_limits import RateLimit
from polyopolis.server.ops.metrics import MetricsAddress
from polyopolis.server.options import Options
from polyopolis.server.settings import load_settings, settings_of, unknown_variables
from tests.cli.conftest import Run

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "hosting.md"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "polyopolis.toml"


def test_flags_take_precedence_over_the_environment_and_the_file(file: Path) -> None:
    file.write_text('port = 1\nhost = "1.1.1.1"\nabsence = 1\nlimit-requests = "1/1"\ntrusted-proxy = ["a", "b"]\n')
    environment = {"POLYOPOLIS_CONFIG": str(file), "POLYOPOLIS_PORT": "2", "POLYOPOLIS_HOST": "2.2.2.2", "PORT": "9"}
    found = load_settings(Options, None, environment, {"port": "3", "host": None, "trusted_proxy": []})
    assert (found.port, found.host, found.absence) == (3, "2.2.2.2", 1.0)
    assert (found.limits.requests, found.limits.reading) == (RateLimit(1, 1), Options().limits.reading)
    assert found.trusted_proxy == ("a", "b")


def test_every_option_can_be_set_in_each_way(file: Path) -> None:
    other = {
        "data": "elsewhere", "database": "postgresql://x/y", "workers": "3",
        "host": "::", "port": "81", "public-url": "https://x.example", "trusted-proxy": "10.0.0.1",
        "bot-processes": "7", "review-futures": "8", "absence": "1.5", "talk": "off", "log-level": "debug",
        "log-format": "json", "metrics": "[::1]:9",
        "keep-unbegun": "2", "keep-left": "3", "keep-unplayed": "4", "keep-guests": "5", "keep-imports": "never",
        "limit-import-megabytes": "1/2", "limit-imports-kept": "2", "limit-tables-daily": "2/3", "limit-unplayed": "4",
        "limit-requests": "1/2", "limit-reading": "3/4", "limit-sockets": "5/6",
        "limit-messages": "7/8.5", "limit-tries": "9/9", "limit-letters": "8/8", "limit-mails": "9/8",
        "limit-imports": "9/10", "limit-receivers": "4/5", "limit-tables": "5/5", "limit-remarks": "6/6",
        "limit-patience": "3", "limit-tokens": "7/7", "limit-streams": "4", "limit-pages": "8",
        "notices-pause": "6", "notices-reach": "anywhere",
        "smtp-host": "mail.example", "smtp-port": "26",
        "smtp-security": "tls", "smtp-user": "cities", "smtp-password": "a secret", "smtp-sender": "c@x.example",
    }  # fmt: skip
    settings = list(settings_of(Options))
    written = {key: [value] if key == "trusted-proxy" else value for key, value in other.items()}
    file.write_text("".join(f"{key} = {value!r}\n" for key, value in written.items()))
    by_file = load_settings(Options, file, {}, {})
    by_variables = load_settings(Options, None, {setting.variable: other[setting.key] for setting in settings}, {})
    several = {setting.name: [other[setting.key]] if setting.several else other[setting.key] for setting in settings}
    assert by_file == by_variables == load_settings(Options, None, {}, several)
    assert by_file.metrics == MetricsAddress("::1", 9)
    assert by_file.limits.messages == RateLimit(7, 8.5)
    usual = load_settings(Options, None, {setting.variable: "" for setting in settings}, {})
    assert usual == Options()
    for name in vars(usual):
        assert getattr(by_file, name) != getattr(usual, name)


@pytest.mark.parametrize(
    ("content", "result"),
    [
        ("prot = 80", "there is no option 'prot'; the options are data, "),
        ("port = 'x'", "port takes a number from 1 to 65535, not 'x'"),
        ("port = [1, 2]", "port takes a number from 1 to 65535, not '1, 2'"),
        ("keep-left = -1", "keep-left takes a number of days, or never, not -1"),
        ("log-level = 'loud'", "log-level takes debug, info, warning or error, not 'loud'"),
        ("limit-requests = 600", "limit-requests takes MOST/SECONDS, such as 600/60, not 600"),
        ("limit-requests = '0/60'", "limit-requests takes MOST/SECONDS, such as 600/60, not '0/60'"),
        (
            "public-url = 'cities.example'",
            "public-url takes an address such as https://cities.example, not 'cities.example'",
        ),
        ("metrics = 'host'", "metrics takes a port, or an address and a port, not 'host'"),
        ("port = ", "is not valid TOML: "),
    ],
)
def test_an_invalid_file_is_one_sentence(run: Run, file: Path, content: str, result: str) -> None:
    file.write_text(content)
    found = run("serve", "--config", file)
    assert (found.code, found.out) == (2, "")
    assert found.err.startswith(f"polyopolis: {file}")
    assert result in found.err
    assert found.err.count("\n") == 1


def test_an_error_names_the_source_of_the_value(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert "polyopolis: --port takes a number" in run("serve", "--port", "0").err
    assert f"{tmp_path / 'none'} cannot be read: No such file" in run("serve", "--config", tmp_path / "none").err
    monkeypatch.setenv("POLYOPOLIS_PORT", "tcp://10.0.0.1:80")
    assert "polyopolis: POLYOPOLIS_PORT takes a number" in run("serve").err


def test_an_unknown_variable_is_found() -> None:
    environment = {"POLYOPOLIS_PROT": "1", "POLYOPOLIS_GAMES": "x", "PATH": ""}
    assert unknown_variables(Options, environment) == ("POLYOPOLIS_PROT",)


def test_the_help_and_the_hosting_guide_list_every_option(run: Run) -> None:
    shown = run("serve", "--help").out
    for setting in settings_of(Options):
        assert (f"{setting.flag} {setting.about.metavar}" in shown) is not setting.about.secret
    assert max(map(len, shown.splitlines())) <= 100
    page = PAGE.read_text("utf-8")
    assert options_manual.with_options_table(page) == page, "make manual"


def test_mail_needs_a_sender(run: Run, tmp_path: Path) -> None:
    result = run("serve", "--smtp-host", "mail.example", "--data", tmp_path)
    assert (result.code, result.err) == (2, "polyopolis: mail needs a sender (--smtp-sender).\n")


def test_several_processes_need_postgresql(run: Run, tmp_path: Path) -> None:
    result = run("serve", "--workers", "2", "--data", tmp_path)
    assert result.code == 2
    assert result.err == "polyopolis: several workers need a PostgreSQL database (--database).\n"
