import { afterAll, vi } from 'vitest';
import { BOOKS, openBook } from './i18n/books.svelte';

// Tests need the texts of all books.
await Promise.all(BOOKS.map(openBook));

// Stubs of one file must not affect the next one.
afterAll(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  vi.resetModules();
});
