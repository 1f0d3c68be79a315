import { readdirSync, readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const WORDS = new URL('./src/i18n/', import.meta.url);

/** Returns the web app manifest for a language. All its addresses are relative. */
export function manifest(language: string, words: Readonly<Record<string, string>>): object {
  const icon = (size: number, purpose: 'any' | 'maskable'): object => ({
    src: `icon-${purpose === 'any' ? '' : 'maskable-'}${size}.png`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  });
  return {
    lang: language,
    dir: 'ltr',
    name: 'Polyopolis',
    short_name: 'Polyopolis',
    description: words['here.manifest'],
    start_url: 'here/',
    scope: './',
    display: 'standalone',
    background_color: '#F7F2E6',
    theme_color: '#F7F2E6',
    categories: ['games'],
    icons: [
      { src: 'icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
      ...[192, 512].flatMap((size) => [icon(size, 'any'), icon(size, 'maskable')]),
    ],
  };
}

/** Writes a manifest for each language; a page names the one of its language when it can be installed. */
export function installable(): Plugin {
  return {
    name: 'installable',
    apply: 'build',
    generateBundle() {
      for (const { name: language } of readdirSync(WORDS, { withFileTypes: true }).filter((entry) =>
        entry.isDirectory(),
      )) {
        const book = readFileSync(new URL(`${language}/books/here.json`, WORDS), 'utf8');
        const said = manifest(language, JSON.parse(book) as Record<string, string>);
        const source = `${JSON.stringify(said, null, 2)}\n`;
        this.emitFile({ type: 'asset', fileName: `manifest.${language}.webmanifest`, source });
      }
    },
  };
}
