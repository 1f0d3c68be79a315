"""What a host can set: each option is described where it is declared, and read from flags, the environment or a file.

A flag goes before the environment, the environment before the file, the file before what is usual. Whatever cannot be
meant is one sentence that says where it stands.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from polyopolis.engine import PolyopolisError

PREFIX = "POLYOPOLIS_"
FILE = f"{PREFIX}CONFIG"
"""The variable that names the file."""
ELSEWHERE = frozenset({FILE, *(f"{PREFIX}{name}" for name in ("GAMES", "PLAIN", "SOAK"))})
"""Variables of ours that are no options of a server."""

Settable = TypeVar("Settable")


class BadSetting(PolyopolisError):
    """Something that a host has set cannot be meant."""


@dataclass(frozen=True)
class About:
    """An option in words."""

    sign: str
    """What stands for its value, as DIR."""
    takes: str
    """Which values there are, as it is said to whoever gave another one."""
    what: str
    otherwise: str = ""
    """What holds if nobody says anything, where the usual value does not say it."""
    secret: bool = False
    """It is no flag, which everybody on the machine could read: it stands in the environment or in the file."""


@dataclass(frozen=True)
class Password:
    """Text that is never shown."""

    said: str = field(default="", repr=False)

    @classmethod
    def read(cls, text: str) -> "Password":
        return cls(text)


@dataclass(frozen=True)
class Group:
    """Options that are declared elsewhere, each name with this word before it."""

    word: str


@dataclass(frozen=True)
class Setting:
    key: str
    """As the file calls it."""
    path: tuple[str, ...]
    """The field that it fills, from the outside in."""
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
        """Whether it may be given more than once."""
        return get_origin(_bare(self.kind)) is tuple

    @property
    def otherwise(self) -> str:
        """What holds if nobody says anything, in words."""
        usual = f"{self.usual:g}" if isinstance(self.usual, float) else str(self.usual)
        return self.about.otherwise or usual


def settings_of(kind: type) -> Iterator[Setting]:
    """All that can be set in a dataclass, in the order in which it is declared."""
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


def gathered(
    kind: type[Settable], file: Path | None, environment: Mapping[str, str], flags: Mapping[str, Any]
) -> Settable:
    """A value of the dataclass, from all that was said."""
    settings = tuple(settings_of(kind))
    if file is None and environment.get(FILE):
        file = Path(environment[FILE])
    found = kind()
    for key, (where, given) in (
        (_of_file(settings, file) if file else {}) | _of_environment(settings, environment) | _of_flags(settings, flags)
    ).items():
        setting = next(setting for setting in settings if setting.key == key)
        found = _filled(found, setting.path, _read(setting, where, given))
    return found


Said = dict[str, tuple[str, Any]]
"""What was said of an option, and where."""


def _of_file(settings: tuple[Setting, ...], file: Path) -> Said:
    try:
        content = tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        raise BadSetting(f"{file} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadSetting(f"{file} is no TOML: {error}") from error
    known = [setting.key for setting in settings]
    if unknown := sorted(content.keys() - set(known)):
        raise BadSetting(f"{file}: there is no option {unknown[0]!r}; the options are {', '.join(known)}")
    return {key: (f"{file}: {key}", value) for key, value in content.items()}


def _of_environment(settings: tuple[Setting, ...], environment: Mapping[str, str]) -> Said:
    given = {setting: environment.get(setting.variable) for setting in settings}
    return {
        setting.key: (setting.variable, value.split(",") if setting.several else value)
        for setting, value in given.items()
        if value
    }


def _of_flags(settings: tuple[Setting, ...], flags: Mapping[str, Any]) -> Said:
    return {
        setting.key: (setting.flag, flags[setting.name])
        for setting in settings
        if flags.get(setting.name) not in (None, [])
    }


def unknown_variables(kind: type, environment: Mapping[str, str]) -> tuple[str, ...]:
    """Those that look like ours and mean nothing: misspelt, or of another version."""
    known = ELSEWHERE | {setting.variable for setting in settings_of(kind)}
    return tuple(sorted(name for name in environment if name.startswith(PREFIX) and name not in known))


def _read(setting: Setting, where: str, given: Any) -> Any:
    try:
        return _value(setting.kind, given)
    except (msgspec.ValidationError, ValueError) as error:
        raise BadSetting(f"{where} takes {setting.about.takes}, not {_shown(given)}") from error


def _value(kind: Any, given: Any) -> Any:
    """Values of our own say how they are read; those of others are read by what they are."""
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
