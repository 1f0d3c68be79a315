import { expect, test } from 'vitest';
import { marksOf } from './chartAxis';

test.each([
  [0, 42, [0, 10, 20, 30, 40]],
  [-76, 30, [-50, 0]],
  [-7, 12, [-5, 0, 5, 10]],
  [0, 1, [0, 1]],
  [0, 24, [0, 5, 10, 15, 20]],
])('the marks from %d to %d are round', (low, high, marks) => expect(marksOf(low, high)).toEqual(marks));
