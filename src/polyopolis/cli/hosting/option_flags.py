"""Command-line flags for the options of a server, generated from their declarations."""

import inspect
from collections.abc import Callable
from typing import Annotated, Any

import typer

from polyopolis.server.settings import Setting, settings_of


def with_flags(kind: type) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Decorates a command with a flag for each setting of `kind` that is not secret.

    The last parameter of the command receives the values by name; flags that were not given are `None`.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(command)
        *others, _ = signature.parameters.values()
        flags = [_parameter(setting) for setting in settings_of(kind) if not setting.about.secret]
        names = [flag.name for flag in flags]

        def decorated(**given: Any) -> None:
            command(**{name: value for name, value in given.items() if name not in names},
                    flags={name: given[name] for name in names})  # fmt: skip

        decorated.__name__, decorated.__doc__ = command.__name__, command.__doc__
        decorated.__annotations__ = {each.name: each.annotation for each in (*flags, *others)}
        decorated.__signature__ = signature.replace(parameters=[*flags, *others])  # type: ignore[attr-defined]
        return decorated

    return decorate


def _parameter(setting: Setting) -> inspect.Parameter:
    about, text = setting.about, f"{setting.about.help} [{setting.default_text}]"
    option = typer.Option(setting.flag, metavar=about.metavar, help=text, show_default=False)
    annotation = Annotated[list[str] | None, option] if setting.several else Annotated[str | None, option]
    return inspect.Parameter(setting.name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None, annotation=annotation)
