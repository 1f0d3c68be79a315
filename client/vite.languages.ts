import { readdirSync, readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const FOLDER = new URL('./src/i18n/', import.meta.url);

type Keys = Readonly<Record<string, readonly string[]>>;

/** The keys of every catalogue, by language and file. */
function keysIn(folder: URL): Keys {
  const languages = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const files = languages.flatMap(({ name }) =>
    readdirSync(new URL(`${name}/`, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.json'))
      .map((file) => `${name}/${file}`),
  );
  const read = (file: string): object => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as object;
  return Object.fromEntries(files.map((file) => [file, Object.keys(read(file))]));
}

/** Returns one line for each key that a language lacks, or has in addition to English. */
export function differences(keys: Keys): string[] {
  const languages = new Set(Object.keys(keys).map((file) => file.split('/')[0] ?? ''));
  const files = new Set(Object.keys(keys).map((file) => file.split('/').slice(1).join('/')));
  return [...languages].flatMap((language) =>
    [...files].flatMap((file) => {
      const [english, own] = [keys[`en/${file}`] ?? [], keys[`${language}/${file}`] ?? []];
      return [
        ...english.filter((key) => !own.includes(key)).map((key) => `${language}/${file} lacks ${key}`),
        ...own.filter((key) => !english.includes(key)).map((key) => `en/${file} does not have ${key} of ${language}`),
      ];
    }),
  );
}

/** Fails the build if a language is incomplete. */
export function completeLanguages(): Plugin {
  return {
    name: 'complete-languages',
    apply: 'build',
    buildStart() {
      const found = differences(keysIn(FOLDER));
      if (found.length) this.error(found.join('\n'));
    },
  };
}

/** The chunk of a catalogue: all of a language together; each book is a chunk of its own. */
export function wordsOf(path: string): string | null {
  const language = /\/src\/i18n\/([^/]+)\/[^/]+\.json$/.exec(path)?.[1];
  return language === undefined ? null : `words-${language}`;
}
