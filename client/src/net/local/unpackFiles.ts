/** The part of Emscripten's file system that is used here. */
export interface FileSystem {
  mkdirTree(folder: string): void;
  writeFile(path: string, data: Uint8Array): void;
}

const LINE_FEED = 10;

/**
 * Writes the files of a bundle into a folder. `client/pyodide/compiling.py` writes the bundle: a line with the
 * length of each file, then the files.
 */
export function unpackFiles(row: ArrayBuffer, folder: string, files: FileSystem): void {
  const bytes = new Uint8Array(row);
  const head = bytes.indexOf(LINE_FEED);
  const lengths = JSON.parse(new TextDecoder().decode(bytes.subarray(0, head))) as Record<string, number>;
  const made = new Set<string>();
  let at = head + 1;
  for (const [name, length] of Object.entries(lengths)) {
    const path = `${folder}/${name}`;
    const place = path.slice(0, path.lastIndexOf('/'));
    if (!made.has(place)) files.mkdirTree(place);
    made.add(place);
    files.writeFile(path, bytes.subarray(at, (at += length)));
  }
}
