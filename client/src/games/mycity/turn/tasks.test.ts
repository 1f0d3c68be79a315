import { beforeAll, expect, test } from 'vitest';
import { speak } from '../../../i18n/index.svelte';
import type { TableView } from '../../../wire/mycity';
import { openChapters } from '../chapters/index.svelte';
import { rulesOf } from '../episode/rules';
import { outlines } from '../outline';
import { TEST_OUTLINE } from '../testOutline';
import { rewardsInWords } from '../words';
import { rewardsOf, roundOf, taskOf, waitingText } from './tasks';

beforeAll(async () => {
  outlines.keep(TEST_OUTLINE);
  await speak('en');
  await openChapters(8);
});

const city = { stopped: false, gone: ['blue-i4'], kiosks: 2, legacy: { rewards: ['tree', 'tree', 'gear'] } };
const table = {
  asks: 'building',
  card: 'blue-i4',
  revealed: ['blue-i4'],
  cities: [city, { ...city, legacy: { rewards: ['gear'] } }, { ...city, legacy: { rewards: [] } }],
  setup: { play: 'campaign' },
  episode: {
    start: 'palace',
    passing: null,
    must_build: ['church'],
    kiosks: 2,
    forest: false,
    ranks: [],
    marker: 0,
    limit: 50,
  },
} as unknown as TableView;
const rewarding: TableView = { ...table, asks: 'reward', card: null };

test('has no rewards before the end of an episode', () => {
  expect(rewardsOf(table, 0)).toEqual([]);
  expect(taskOf(table, 0)).toEqual({ round: 'building/1/blue-i4', name: 'industrial bar' });
});

test('asks for rewards one by one and counts the remaining ones', () => {
  const task = taskOf(rewarding, 0);
  expect(task?.name).toBe('tree');
  expect(task?.thing?.more).toBe('2 more to place');
  expect(task?.thing?.at('g1')).toEqual({ type: 'sticker', kind: 'tree', cell: 'g1' });
  expect(task?.thing?.decline).toBeUndefined();
});

test('a gear is not placed on a board', () => {
  expect(taskOf(rewarding, 1)).toBeNull();
  expect(roundOf(rewarding, 1)).not.toBe(roundOf(rewarding, 0));
});

test('a kiosk may be declined', () => {
  const { thing } = taskOf({ ...table, asks: 'kiosk' }, 0) ?? {};
  expect(thing?.at('d4')).toEqual({ type: 'kiosk', cell: 'd4' });
  expect(thing?.decline?.action).toEqual({ type: 'no-kiosk' });
});

test('a waiting seat has a text with the reason', () => {
  expect(waitingText(table, 0, null)).toBe('Your industrial bar has left: you wait this round.');
  expect(waitingText({ ...table, card: 'red-i4' }, 0, null)).toBeUndefined();
  expect(waitingText(rewarding, 2, null)).toBe('You have placed all your rewards.');
  expect(waitingText(rewarding, 1, { type: 'gear', shape: 'i4' })).toBe('You have decided: a gear for the bar.');
  expect(waitingText(table, 0, { type: 'pass' })).toBeUndefined();
});

test('rulesOf returns the rules of an episode, the most important first', () => {
  expect(rulesOf(table, 0)).toEqual([
    'The first building lies beside the palace',
    'Nobody may pass',
    '2 kiosks left',
    'Churches must be built',
    'Industrial buildings without a gear have left',
    'The marker starts at 0',
    'At 50 the counting stops, and one circle is marked',
  ]);
});

test('rewards are counted by kind', () => {
  expect(rewardsInWords(['circle', 'circle', 'gear'])).toBe('2 circles and 1 gear');
});
