/** The version of pyproject.toml, written in by the build. */
declare const __VERSION__: string;
