import { readFileSync } from 'node:fs';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { localBackend } from './vite.local-backend.ts';
import { installable } from './vite.installable.ts';
import { completeLanguages, wordsOf } from './vite.languages.ts';

/** The client has the version of the server, from pyproject.toml. */
function version(): string {
  const found = /^version = "([^"]+)"$/m.exec(readFileSync(new URL('../pyproject.toml', import.meta.url), 'utf8'));
  if (!found?.[1]) throw new Error('pyproject.toml has no version');
  return found[1];
}

/** Small modules that every page needs: one file is smaller than several. */
const FIRST =
  /\/src\/(lib\/(page\/(announcer|feedback)|routing\/(location|router)|site\/(reloadOnce|settings|siteInfo)|text\/(displayNames|errorText)|match\/createTable)|net\/(api\/api|backend|currentBackend|localMode|serverBackend))(\.svelte)?\.ts$/;

/**
 * Modules of the client import each other by relative addresses, so that the client works in any folder. The page
 * alone uses addresses from the root, because a server returns it for deep paths, too; `polyopolis site` writes one
 * for a folder.
 */
function pageAtTheRoot(): Plugin {
  return {
    name: 'page-at-the-root',
    transformIndexHtml: { order: 'post', handler: (page) => page.replaceAll('"./', '"/') },
  };
}

export default defineConfig({
  base: './',
  plugins: [svelte(), completeLanguages(), installable(), localBackend(version()), pageAtTheRoot()],
  define: { __VERSION__: JSON.stringify(version()) },
  build: {
    outDir: '../src/polyopolis/server/static',
    emptyOutDir: true,
    assetsDir: 'assets',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: wordsOf }, { name: 'first', test: FIRST }] } } },
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
  },
  worker: { format: 'es' },
  server: {
    // The server checks the origin of changes, so the host must stay the one that the browser sees.
    proxy: { '/api': { target: 'http://127.0.0.1:8000', ws: true, changeOrigin: false } },
  },
  test: {
    environment: 'node',
    include: ['src/**/*.test.ts', '*.test.ts'],
    setupFiles: ['./src/testing.ts'],
    testTimeout: 60_000, // a guard against hanging, also on a slow machine
    hookTimeout: 60_000,
    pool: 'vmThreads', // isolates files in one process; a process for each takes three times as long
  },
});
