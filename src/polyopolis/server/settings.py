"""Reads options from flags, environment variables and a TOML file, in this order of precedence.

An option is a dataclass field with an `About`; errors name the source of an invalid value.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from polyopolis.engine import PolyopolisError

PREFIX = "POLYOPOLIS_"
CONFIG_FILE_VARIABLE = f"{PREFIX}CONFIG"
"""The variable with the path of the configuration file."""
OTHER_VARIABLES = frozenset({CONFIG_FILE_VARIABLE, *(f"{PREFIX}{name}" for name in ("GAMES", "PLAIN", "SOAK"))})
"""Variables with the prefix that are not server options."""

Settable = TypeVar("Settable")


class SettingError(PolyopolisError):
    """An invalid option."""


@dataclass(frozen=True)
class About:
    """Describes an option."""

    metavar: str
    """Placeholder of the value, such as DIR."""
    takes: str
    """The valid values, for error messages."""
    help: str
    default: str = ""
    """Description of the default; empty to show the default value."""
    secret: bool = False
    """Whether the option has no flag, because all users of the machine can read flags."""


@dataclass(frozen=True)
class Password:
    """Text that is never shown in logs or errors."""

    said: str = field(default="", repr=False)

    @classmethod
    def read(cls, text: str) -> "Password":
        return cls(text)


@dataclass(frozen=True)
class Group:
    """Marks a field with a dataclass of options, whose names get this prefix."""

    word: str


@dataclass(frozen=True)
class Setting:
    key: str
    """The name in the file."""
    path: tuple[str, ...]
    """The names of the fields from the outermost dataclass to the option."""
    kind: Any
    about: About
    usual: Any

    @property
    def flag(self) -> str:
        return f"--{self.key}"

    @property
    def variable(self) -> str:
        return PREFIX + self.name.upper()

    @property
    def name(self) -> str:
        return self.key.replace("-", "_")

    @property
    def several(self) -> bool:
        """Whether the option accepts several values."""
        return get_origin(_bare(self.kind)) is tuple

    @property
    def default_text(self) -> str:
        usual = f"{self.usual:g}" if isinstance(self.usual, float) else str(self.usual)
        return self.about.default or usual


def settings_of(kind: type) -> Iterator[Setting]:
    """Yields all options of a dataclass in the order of their declaration."""
    return _settings(kind, "", ())


def _settings(kind: type, word: str, path: tuple[str, ...]) -> Iterator[Setting]:
    hints = get_type_hints(kind, include_extras=True)
    for each in fields(kind):
        hint, own = hints[each.name], (*path, each.name)
        about = next((note for note in getattr(hint, "__metadata__", ()) if isinstance(note, About | Group)), None)
        match about:
            case Group(prefix):
                yield from _settings(_bare(hint), f"{prefix}-", own)
            case About():
                yield Setting(word + each.name.replace("_", "-"), own, hint, about, each.default)


def _bare(hint: Any) -> Any:
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint


def load_settings(
    kind: type[Settable], file: Path | None, environment: Mapping[str, str], flags: Mapping[str, Any]
) -> Settable:
    """Returns an instance of the dataclass; raises `SettingError` for invalid values."""
    settings = tuple(settings_of(kind))
    if file is None and environment.get(CONFIG_FILE_VARIABLE):
        file = Path(environment[CONFIG_FILE_VARIABLE])
    found = kind()
    for key, (where, given) in (
        (_of_file(settings, file) if file else {}) | _of_environment(settings, environment) | _of_flags(settings, flags)
    ).items():
        setting = next(setting for setting in settings if setting.key == key)
        found = _filled(found, setting.path, _read(setting, where, given))
    return found


GivenValues = dict[str, tuple[str, Any]]
"""Values by key, each with its source."""


def _of_file(settings: tuple[Setting, ...], file: Path) -> GivenValues:
    try:
        content = tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        raise SettingError(f"{file} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingError(f"{file} is not valid TOML: {error}") from error
    known = [setting.key for setting in settings]
    if unknown := sorted(content.keys() - set(known)):
        raise SettingError(f"{file}: there is no option {unknown[0]!r}; the options are {', '.join(known)}")
    return {key: (f"{file}: {key}", value) for key, value in content.items()}


def _of_environment(settings: tuple[Setting, ...], environment: Mapping[str, str]) -> GivenValues:
    given = {setting: environment.get(setting.variable) for setting in settings}
    return {
        setting.key: (setting.variable, value.split(",") if setting.several else value)
        for setting, value in given.items()
        if value
    }


def _of_flags(settings: tuple[Setting, ...], flags: Mapping[str, Any]) -> GivenValues:
    return {
        setting.key: (setting.flag, flags[setting.name])
        for setting in settings
        if flags.get(setting.name) not in (None, [])
    }


def unknown_variables(kind: type, environment: Mapping[str, str]) -> tuple[str, ...]:
    """Returns variables with the prefix that are not options: misspelled, or of another version."""
    known = OTHER_VARIABLES | {setting.variable for setting in settings_of(kind)}
    return tuple(sorted(name for name in environment if name.startswith(PREFIX) and name not in known))


def _read(setting: Setting, where: str, given: Any) -> Any:
    try:
        return _value(setting.kind, given)
    except (msgspec.ValidationError, ValueError) as error:
        raise SettingError(f"{where} takes {setting.about.takes}, not {_shown(given)}") from error


def _value(kind: Any, given: Any) -> Any:
    """Converts a value by the `read` method of its type, or else by msgspec."""
    kinds = (_bare(kind), *get_args(_bare(kind)))
    if own := next((found for found in kinds if hasattr(found, "read")), None):
        return own.read(str(given))
    return msgspec.convert(given, kind, strict=False, dec_hook=lambda kind, text: kind(text))


def _shown(given: Any) -> str:
    return repr(", ".join(map(str, given)) if isinstance(given, list) else given)


def _filled(value: Any, path: tuple[str, ...], filling: Any) -> Any:
    first, *others = path
    inner = _filled(getattr(value, first), tuple(others), filling) if others else filling
    return replace(value, **{first: inner})
