import { afterAll, vi } from 'vitest';
import { BOOKS, openBook } from './i18n/books.svelte';

// A test speaks of whatever it likes: every book is open.
await Promise.all(BOOKS.map(openBook));

// What a file pretends to have is not there for the next one.
afterAll(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  vi.resetModules();
});
