import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Linter } from 'eslint';
import { describe, expect, it } from 'vitest';
import borders, { areaOf, BORDERS, mayImport } from './eslint.borders.js';

const SRC = new URL('./src/', import.meta.url);

function crossed(path: string, code: string): string[] {
  const linter = new Linter({ configType: 'flat', cwd: fileURLToPath(new URL('..', SRC)) });
  const config: Linter.Config = {
    files: ['**/*.ts'],
    plugins: { borders },
    rules: { 'borders/imports': 'error' },
  };
  return linter.verify(code, config, fileURLToPath(new URL(path, SRC))).map(({ message }) => message);
}

describe('the borders', () => {
  it('name every folder', () => {
    const folders = readdirSync(SRC, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => name).filter((name) => !(name in BORDERS))).toEqual([]);
  });

  it('have no cycles', () => {
    const above = (area: string, seen: readonly string[]): readonly string[] =>
      Object.keys(BORDERS)
        .filter((other) => other !== area && mayImport(other, area) && !seen.includes(other))
        .flatMap((other) => [other, ...above(other, [...seen, other])]);
    for (const area of Object.keys(BORDERS)) expect(above(area, []), area).not.toContain(area);
  });

  it.each([
    ['main.ts', ''],
    ['net/table/socket.ts', 'net'],
    ['pages/table/TablePage.svelte', 'pages'],
    ['games/index.ts', 'games'],
    ['games/types', 'games/types'],
    ['games/mycity/campaign/Path.svelte', 'games/mycity'],
  ])('%s lies in %j', (path, area) => expect(areaOf(path)).toBe(area));
});

describe('an import', () => {
  it.each([
    ['games/mycity/words.ts', "import { t } from '../../i18n/index.svelte';"],
    ['games/mycity/words.ts', "import { word } from '../placing/words';"],
    ['games/mycity/campaign/words.ts', "import { word } from '../words';"],
    ['pages/home.ts', "import { tick } from 'svelte';"],
    ['games/index.ts', "const load = () => import('./mycity/index');"],
  ])('in %s: %s', (path, code) => expect(crossed(path, code)).toEqual([]));

  it.each([
    ['board/heldPiece.ts', "import { word } from '../games/placing/words';", 'games/placing'],
    ['games/mycity/words.ts', "import { word } from '../pointcity/words';", 'games/pointcity'],
    ['games/mycity/campaign/words.ts', "export * from '../../rollwrite/words';", 'games/rollwrite'],
    ['games/placing/words.ts', "export { word } from '../mycity/words';", 'games/mycity'],
    ['games/mycity/words.ts', "const page = () => import('../../pages/Home.svelte');", 'pages'],
    ['games/mycity/words.ts', "import { api } from '../../net/api/api';", 'net'],
    ['net/table/socket.ts', "import { go } from '../../lib/routing/location.svelte';", 'lib'],
    ['shell/log.ts', "import Home from '../pages/Home.svelte';", 'pages'],
    ['pages/home.ts', "import { word } from '../games/mycity/words';", 'games/mycity'],
  ])('in %s is forbidden: %s', (path, code, to) =>
    expect(crossed(path, code)).toEqual([`${areaOf(path)} may not import ${to} (eslint.borders.js)`]),
  );
});
