/** The version of pyproject.toml; the build inserts it. */
declare const __VERSION__: string;

/** The address and sizes of the local backend's bundle, from `vite.local-backend.ts`. */
declare module 'virtual:local-backend' {
  export const FOLDER: string;
  /** The unpacked length of each file, in bytes. */
  export const BYTES: Readonly<Record<string, number>>;
}
