import { beforeAll, describe, expect, it } from 'vitest';
import en from './en/index';
import fr from './fr/index';
import { listed, speak, t, tMaybe } from './index.svelte';
import { filled, preferred } from './message';
import type { Message } from './types';

const texts = (message: Message): string[] => (typeof message === 'string' ? [message] : Object.values(message));
const gaps = (text: string): string[] => [...new Set([...text.matchAll(/\{(\w+)\}/g)].map((found) => found[1] ?? ''))].sort();

describe('the catalogues', () => {
  const english: Readonly<Record<string, Message>> = en;
  const french: Readonly<Record<string, Message>> = fr;

  it('have the same keys', () => expect(Object.keys(french).sort()).toEqual(Object.keys(english).sort()));

  it('have the same gaps', () => {
    for (const [key, message] of Object.entries(english)) {
      const expected = gaps(texts(message).join());
      expect(gaps(texts(french[key] ?? '').join()), key).toEqual(expected);
    }
  });

  it.each(['en', 'fr'] as const)('have the plural forms of %s', (language) => {
    // `many` of French is for millions, which nobody scores here; `other` says it as well.
    for (const [key, message] of Object.entries(language === 'en' ? english : french))
      if (typeof message !== 'string') expect(Object.keys(message).sort(), key).toEqual(['one', 'other']);
  });

  it('say something under every key', () => {
    for (const catalogue of [english, french])
      for (const [key, message] of Object.entries(catalogue))
        for (const text of texts(message)) expect(text.trim(), key).not.toBe('');
  });

  it('write French with its own apostrophe', () => {
    for (const [key, message] of Object.entries(french)) for (const text of texts(message)) expect(text, key).not.toContain("'");
  });
});

describe('a message', () => {
  it('has its gaps filled', () => expect(filled('en', 'Seat {number}', { number: 3 })).toBe('Seat 3'));
  it('keeps a gap that nobody fills', () => expect(filled('en', 'Hello {name}')).toBe('Hello {name}'));
  it('does not fill gaps of what was filled in', () =>
    expect(filled('en', '{name}: {score}', { name: '{score}', score: 1 })).toBe('{score}: 1'));
  it('writes numbers as the language does', () => {
    expect(filled('en', '{n}', { n: 1234.5 })).toBe('1,234.5');
    expect(filled('fr', '{n}', { n: 1234.5 })).toMatch(/^1\s234,5$/);
  });
  it('picks the plural', () => {
    const message = { one: 'one', other: 'many' };
    expect(filled('en', message, { count: 0 })).toBe('many');
    expect(filled('fr', message, { count: 0 })).toBe('one');
    expect(filled('en', message, { count: 1 })).toBe('one');
  });
});

describe('the language', () => {
  it.each([
    [['fr-CA', 'en'], 'fr'],
    [['de', 'fr'], 'fr'],
    [['de'], 'en'],
    [[], 'en'],
    [['EN-gb'], 'en'],
  ] as const)('%j', (wanted, expected) => expect(preferred(wanted, ['en', 'fr'])).toBe(expected));

  beforeAll(() => speak('fr'));

  it('is spoken everywhere', () => {
    expect(t('home.play')).toBe('Jouer');
    expect(listed(['Ana', 'Ben'])).toBe('Ana et Ben');
    expect(tMaybe('bot.greedy', '?')).toBe('Robot glouton');
    expect(tMaybe('bot.unheard', 'unheard')).toBe('unheard');
    expect(tMaybe('toString', 'no')).toBe('no');
  });
});
