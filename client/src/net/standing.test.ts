import { expect, test } from 'vitest';
import type { SeatInfo } from '../wire/server';
import { statuses } from './standing';

const seats = [0, 1, 2].map((seat) => ({ seat, kind: 'person', online: seat < 2 })) as SeatInfo[];
const view = (acting: readonly number[], stopped: readonly boolean[] = [], over = false): unknown => ({
  table: {
    acting,
    over,
    cities: stopped.map((one) => ({ stopped: one })),
    result: { scores: [], ranks: [], sheets: [] },
  },
});

test('who decides is thinking, ready or away; the others wait', () => {
  expect(statuses(view([0, 2]), seats, [])).toEqual(['thinking', 'waiting', 'away']);
  expect(statuses(view([0, 2]), seats, [0])).toEqual(['ready', 'waiting', 'away']);
  expect(statuses(view([], [], true), seats, [])).toEqual(['done', 'done', 'done']);
});

test('who has stopped is thinking again when something else is asked', () => {
  expect(statuses(view([1], [true, false]), seats, [])).toEqual(['stopped', 'thinking', 'waiting']);
  expect(statuses(view([0, 1], [true, false]), seats, [])).toEqual(['thinking', 'thinking', 'waiting']);
});
