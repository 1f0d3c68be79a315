import { beforeAll, describe as group, expect, test } from 'vitest';
import { LANGUAGES, speak, t } from '../../i18n/index.svelte';
import type { CardView, CellView, Event } from '../../wire/pointcity';
import { outlines } from './outline';
import { TEST_OUTLINE } from './testOutline';
import {
  cellWords,
  describe,
  faceName,
  groupName,
  lineName,
  matchName,
  modeName,
  others,
  reason,
  tokenName,
} from './words';

outlines.keep(TEST_OUTLINE);
const names = ['Ada', 'Bo'];
const events: readonly Event[] = [
  { type: 'token-laid-out', token: 'flat-5' },
  { type: 'first-named', seat: 1 },
  { type: 'top-shown', face: 'energy' },
  { type: 'dealt', at: 'a1', face: 'energy-2' },
  { type: 'flipped', seat: 0, at: 'b2' },
  { type: 'turned', at: 'b2', card: 'a4-industry' },
  { type: 'took', seat: 0, cells: ['a1', 'b1'], cards: ['energy', 'a1-economy'] },
  { type: 'drew', seat: 1, face: 'ingenuity' },
  { type: 'paid', seat: 0, cards: ['energy', 'ecology-2'] },
  { type: 'built', seat: 0, card: 'a1-economy' },
  { type: 'token-taken', seat: 2, token: 'community-energy' },
  { type: 'skipped', seat: 1 },
  { type: 'ended' },
];
const REASONS = [
  'flipped-already',
  'deck-empty',
  'must-take',
  'no-token',
  'line-begun',
  'not-an-action',
  'not-now',
  'off-market',
  'building-already',
  'no-resource-line',
  'not-neighbours',
  'cannot-pay',
  'not-held',
  'too-little',
  'too-much',
];
const STALL: CardView = {
  card: 'a1-economy',
  title: '1-resource-economy-1',
  tier: 1,
  face: 'economy',
  kind: 'resource',
  resource: 'economy',
  cost: { ecology: 1, energy: 2 },
  points: 1,
};

group('in English', () => {
  beforeAll(() => speak('en'));

  test('describes events in sentences', () => {
    expect(events.map((event) => describe(event, names, t))).toEqual([
      '',
      'Bo begins.',
      '',
      'New in the market: double Energy.',
      'Ada turned a card over.',
      'New in the market: Smithy.',
      'Ada took Energy and Market stall.',
      'Bo drew Ingenuity.',
      'Ada paid Energy, double Ecology.',
      'Ada built: Market stall.',
      'Automa has a token: 3 for each pair Community and Energy.',
      'Bo skipped the turn.',
      'The cities stand.',
    ]);
  });

  test('describes cells with their content', () => {
    const cell: CellView = { cell: 'c3', tier: 1, face: 'economy', building: null, kinds: ['civic'], next: 'building' };
    expect(cellWords(cell, t)).toBe('c3, Economy');
    expect(cellWords({ ...cell, building: STALL }, t)).toBe(
      'c3, Market stall: gives Economy for good, 1 point; costs 2 Energy, 1 Ecology',
    );
    expect(cellWords({ ...cell, tier: null, face: null }, t)).toBe('c3, empty');
  });

  test('lines of the sheet have names', () => {
    expect(['buildings', 'unspent', 'flat-7', 'economy', 'ingenuity', 'moon'].map((line) => lineName(line, t))).toEqual(
      ['Buildings', 'Unspent cards, for a tie', '7 points', '2 for each Economy', 'Unspent Ingenuity', 'moon'],
    );
  });

  test('modes have names', () => {
    expect(TEST_OUTLINE.modes.map((mode) => modeName(mode, t))).toEqual([
      'With others',
      'Automa, easy',
      'Automa, medium',
      'Automa, hard',
      'Automa, easy',
      'Automa, medium',
      'Automa, hard',
    ]);
    expect(['several', 'alone', 'chosen'].map((group) => groupName(group, t))).toEqual([
      'With others',
      'Alone',
      'Alone, pick your tokens',
    ]);
    expect(matchName({ seats: 1, automa: 'hard' }, t)).toBe('Automa, hard');
    expect(matchName({ seats: 2 }, t)).toBe('');
  });

  test('the Automa has a name, and no seat', () => {
    expect(others({ table: { automa: { level: 'easy', cells: [] } } }, t)).toEqual(['Automa']);
    expect(others({ table: { automa: null } }, t)).toEqual([]);
  });

  test('returns empty texts for unknown values', () => {
    expect(describe({ type: 'moon-landing' }, names, t)).toBe('');
    expect(reason({ code: 'moon' }, t)).toBeUndefined();
  });
});

test.each(LANGUAGES)('has a short text for every reason: %s', async (language) => {
  await speak(language);
  for (const code of REASONS) {
    const words = reason({ code }, t)?.split(/\s+/) ?? [];
    expect(words.length, code).toBeGreaterThan(1);
    expect(words.length, code).toBeLessThanOrEqual(8);
  }
});

test('has French texts', async () => {
  await speak('fr');
  expect(faceName('energy-2', t)).toBe('Énergie double');
  expect(tokenName('missing', t)).toBe('4 par ressource absente');
  expect(describe(events[6], names, t)).toBe('Ada prend Énergie et Étal du marché.');
});
