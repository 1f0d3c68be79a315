import { describe, expect, it } from 'vitest';
import { LANGUAGES, listed, number, ownName, percent, signed, speak, t, tenths, tMaybe } from './index.svelte';
import { filled, preferred } from './message';

describe('a message', () => {
  it('has its gaps filled', () => expect(filled('en', 'Seat {number}', { number: 3 })).toBe('Seat 3'));
  it('keeps a gap without a value', () => expect(filled('en', 'Hello {name}')).toBe('Hello {name}'));
  it('does not fill gaps inside of values', () =>
    expect(filled('en', '{name}: {score}', { name: '{score}', score: 1 })).toBe('{score}: 1'));
  it('formats numbers in the language', () => {
    expect(filled('en', '{n}', { n: 1234.5 })).toBe('1,234.5');
    expect(filled('fr', '{n}', { n: 1234.5 })).toMatch(/^1\s234,5$/);
    expect(filled('de', '{n}', { n: 1234.5 })).toBe('1.234,5');
    expect(filled('nl', '{n}', { n: -1234.5 })).toBe('−1.234,5');
  });
  it('picks the plural', () => {
    const message = { one: 'one', other: 'many' };
    expect(filled('en', message, { count: 0 })).toBe('many');
    expect(filled('fr', message, { count: 0 })).toBe('one');
    expect(filled('en', message, { count: 1 })).toBe('one');
    expect(filled('de', message, { count: 0 })).toBe('many');
  });
  it('elides before a vowel in French', () => {
    const city = (language: string, name: string): string => filled(language, 'ville de {name}', { name });
    expect(['Ada', 'Élise', 'Ben', '{name}'].map((name) => city('fr', name))).toEqual([
      'ville d’Ada',
      'ville d’Élise',
      'ville de Ben',
      'ville de {name}',
    ]);
    expect(city('nl', 'Ada')).toBe('ville de Ada');
    expect(filled('fr', 'Règles de {game}')).toBe('Règles de {game}');
  });
  it('has no-break spaces before French double punctuation', () => {
    expect(filled('fr', 'Prêt ? Oui ; {name} : 3 !', { name: 'a ; b' })).toBe(
      'Prêt\u202f? Oui\u202f; a ; b\u00a0: 3\u202f!',
    );
    expect(filled('en', 'a : b')).toBe('a : b');
  });
});

describe('the language', () => {
  it.each([
    [['fr-CA', 'en'], 'fr'],
    [['de-AT'], 'de'],
    [['nl-BE', 'fr-BE'], 'nl'],
    [['pt', 'fr'], 'fr'],
    [['pt'], 'en'],
    [[], 'en'],
    [['EN-gb'], 'en'],
    [['den', 'nld'], 'en'],
  ] as const)('%j', (wanted, expected) => expect(preferred(wanted, LANGUAGES)).toBe(expected));

  it.each([
    ['en', 'Play', 'Ana and Ben', 'Pip, very easy', '−1,234', '50%'],
    ['de', 'Spielen', 'Ana und Ben', 'Pip, sehr leicht', '−1.234', '50 %'],
    ['fr', 'Jouer', 'Ana et Ben', 'Pip, très facile', '−1 234', '50 %'],
    ['nl', 'Spelen', 'Ana en Ben', 'Pip, heel makkelijk', '−1.234', '50%'],
  ] as const)('%s has texts, lists and number formats', async (language, play, both, bot, many, half) => {
    const plain = (text: string): string => text.replace(/\s/g, ' ');
    await speak(language);
    expect(t('home.play')).toBe(play);
    expect(listed(['Ana', 'Ben'])).toBe(both);
    expect(`${tMaybe('bot.novice', '?')}, ${tMaybe('bot.novice.level', '?')}`).toBe(bot);
    expect(plain(number(-1234))).toBe(many);
    expect(plain(percent(0.5))).toBe(half);
  });

  it('shows the sign of a difference', async () => {
    await speak('de');
    expect([3, 0, -12].map(signed)).toEqual(['+3', '0', '−12']);
    expect([tenths(-2), tenths(2.25), tenths(2.25, 'exceptZero')]).toEqual(['−2,0', '2,3', '+2,3']);
  });

  it('is found, English first, with its own name', () =>
    expect(LANGUAGES.map(ownName)).toEqual(['English', 'Deutsch', 'Français', 'Nederlands']));

  it('returns the key of a missing text', () => {
    expect(tMaybe('bot.unheard', 'unheard')).toBe('unheard');
    expect(tMaybe('toString', 'no')).toBe('no');
  });
});
