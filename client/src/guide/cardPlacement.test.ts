import { describe, expect, it } from 'vitest';
import { boundingBox, placeCard, type Box } from './cardPlacement';

const CARD = { width: 300, height: 200 };
const SCREEN = { width: 1280, height: 800 };

function covers(card: Box, box: Box): boolean {
  return (
    card.left < box.left + box.width &&
    box.left < card.left + card.width &&
    card.top < box.top + box.height &&
    box.top < card.top + card.height
  );
}

function at(target: Box | null, needed: readonly Box[] = [], others: readonly Box[] = []): Box {
  return { ...CARD, ...placeCard(CARD, { screen: SCREEN, top: 56, target, needed, others }) };
}

describe('placeCard', () => {
  const board = { left: 300, top: 80, width: 600, height: 560 };
  const hand = { left: 300, top: 660, width: 600, height: 130 };

  it.each([
    ['a board in the middle', board],
    ['a button below', { left: 500, top: 740, width: 120, height: 44 }],
    ['a line at the right', { left: 1000, top: 400, width: 250, height: 30 }],
    ['a corner', { left: 0, top: 60, width: 40, height: 40 }],
  ])('never covers the target: %s', (_, target) => {
    const card = at(
      target,
      [board, hand].filter((box) => box !== target),
    );
    expect(covers(card, target)).toBe(false);
    expect(card.left).toBeGreaterThanOrEqual(0);
    expect(card.left + card.width).toBeLessThanOrEqual(SCREEN.width);
    expect(card.top).toBeGreaterThanOrEqual(56);
    expect(card.top + card.height).toBeLessThanOrEqual(SCREEN.height);
  });

  it('does not cover controls that are needed', () => expect(covers(at(board, [hand]), hand)).toBe(false));

  it('prefers empty areas', () => {
    const left = { left: 0, top: 56, width: 280, height: 744 };
    expect(at(board, [hand], [left]).left).toBeGreaterThan(900);
  });

  it('places the card without a target', () => expect(covers(at(null, [board, hand]), board)).toBe(false));
});

it('boundingBox returns one box around all', () => {
  expect(boundingBox([])).toBeNull();
  expect(
    boundingBox([
      { left: 10, top: 20, width: 5, height: 5 },
      { left: 0, top: 30, width: 5, height: 10 },
    ]),
  ).toEqual({ left: 0, top: 20, width: 15, height: 20 });
});
