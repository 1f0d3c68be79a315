import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { pythonSources } from './vite.local-backend';

const OURS = new URL('../src/polyopolis/', import.meta.url);
const sources = pythonSources('1.2.3');

it.each([
  ['Python', 'games/mycity/rules.py'],
  ['content', 'games/mycity/content/v1/eternal.toml'],
  ['weights', 'bots/weights/mycity.toml'],
  ['a net', 'bots/nets/mycity-eternal.net'],
  ['patterns', 'bots/nets/rollwrite-episode-12.patterns'],
])('the local backend contains %s unchanged', (_, path) => {
  const kept = Buffer.from(sources[`polyopolis/${path}`] ?? '', 'latin1');
  expect(kept.equals(readFileSync(new URL(path, OURS)))).toBe(true);
});

it('contains no server packages and no caches of the machine', () => {
  const names = Object.keys(sources);
  expect(names.filter((name) => /__pycache__|\/(server|cli|lab|train)\//.test(name))).toEqual([]);
  expect(sources['polyopolis/play/version.py']).toBe('VERSION = "1.2.3"\n');
});

it('contains every module that its modules import', () => {
  const missing = Object.entries(sources).flatMap(([name, text]) =>
    [...text.matchAll(/^from (polyopolis[\w.]*) import/gm)]
      .map(([, module]) => module!.replaceAll('.', '/'))
      .filter((path) => !(`${path}.py` in sources) && !(`${path}/__init__.py` in sources))
      .map((path) => `${name} imports ${path}`),
  );
  expect(missing).toEqual([]);
});
