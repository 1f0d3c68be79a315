"""The options of a server as flags of a command, made from where they are declared."""

import inspect
from collections.abc import Callable
from typing import Annotated, Any

import typer

from polyopolis.server.settings import Setting, settings_of


def with_flags(kind: type) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A command that takes them as its last argument, by their names: those that were given."""

    def decorated(command: Callable[..., None]) -> Callable[..., None]:
        own = inspect.signature(command)
        *others, _ = own.parameters.values()
        flags = [_parameter(setting) for setting in settings_of(kind) if not setting.about.secret]
        names = [flag.name for flag in flags]

        def called(**given: Any) -> None:
            command(**{name: value for name, value in given.items() if name not in names},
                    flags={name: given[name] for name in names})  # fmt: skip

        called.__name__, called.__doc__ = command.__name__, command.__doc__
        called.__annotations__ = {each.name: each.annotation for each in (*flags, *others)}
        called.__signature__ = own.replace(parameters=[*flags, *others])  # type: ignore[attr-defined]
        return called

    return decorated


def _parameter(setting: Setting) -> inspect.Parameter:
    about, text = setting.about, f"{setting.about.help} [{setting.default_text}]"
    option = typer.Option(setting.flag, metavar=about.metavar, help=text, show_default=False)
    annotation = Annotated[list[str] | None, option] if setting.several else Annotated[str | None, option]
    return inspect.Parameter(setting.name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None, annotation=annotation)
