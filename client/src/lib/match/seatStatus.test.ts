import { expect, test } from 'vitest';
import { match, person } from '../../net/table/fakeServer';
import { seatStatuses } from './seatStatus';

const seats = [person(0), person(1), person(2, { online: false })];
const at = (due: readonly number[], decided: readonly number[] = [], over = false) => ({
  match: match({ over }),
  due,
  decided,
});
const nobody = (): boolean => false;

test('a due seat is thinking or away, a decided one is ready, the others wait', () => {
  expect(seatStatuses(at([0, 2]), seats, nobody)).toEqual(['thinking', 'waiting', 'away']);
  expect(seatStatuses(at([2], [0]), seats, nobody)).toEqual(['ready', 'waiting', 'away']);
  expect(seatStatuses(at([], [], true), seats, nobody)).toEqual(['done', 'done', 'done']);
});

test('an open seat is not thinking', () =>
  expect(seatStatuses(at([0]), [person(0, { kind: 'open', online: true })], nobody)).toEqual(['away']));

test('a stopped seat is thinking while it is due', () => {
  const first = (seat: number): boolean => seat === 0;
  expect(seatStatuses(at([1]), seats, first)).toEqual(['stopped', 'thinking', 'waiting']);
  expect(seatStatuses(at([0, 1]), seats, first)).toEqual(['thinking', 'thinking', 'waiting']);
});
