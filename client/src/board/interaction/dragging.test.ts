import { expect, test } from 'vitest';
import { turnBetween } from './dragging';

test('turnBetween takes the shorter way', () => {
  expect(turnBetween(10, 50)).toBe(40);
  expect(turnBetween(50, 10)).toBe(-40);
  expect(turnBetween(170, -170)).toBe(20);
  expect(turnBetween(-170, 170)).toBe(-20);
});
