/** The version of pyproject.toml, written in by the build. */
declare const __VERSION__: string;

/** The house for pages that have no server, as `vite.local-backend.ts` bundles it. */
declare module 'virtual:local-backend' {
  /** The address of its folder. */
  export const FOLDER: string;
  /** How long each of its files is, unpacked. */
  export const BYTES: Readonly<Record<string, number>>;
}
