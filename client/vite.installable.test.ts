import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { manifest } from './vite.installable.ts';

interface Manifest {
  start_url: string;
  scope: string;
  description: string;
  icons: { src: string; purpose: string; sizes: string }[];
}

it('uses relative addresses', () => {
  const said = manifest('de', { 'here.manifest': 'Städte' }) as Manifest;
  expect(said.description).toBe('Städte');
  const at = (address: string) => new URL(address, 'https://host/some/folder/manifest.de.webmanifest').href;
  expect(at(said.start_url).startsWith(at(said.scope))).toBe(true);
  for (const { src } of said.icons) expect(existsSync(new URL(`public/${src}`, import.meta.url)), src).toBe(true);
  const sizes = (purpose: string) => said.icons.filter((icon) => icon.purpose === purpose).map((icon) => icon.sizes);
  expect(sizes('any')).toEqual(['any', '192x192', '512x512']);
  expect(sizes('maskable')).toEqual(['192x192', '512x512']);
});
