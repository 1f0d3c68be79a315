import type { Outline } from '../../wire/pointcity';

/** A part of the material, for tests. */
export const TEST_OUTLINE: Outline = {
  content: 1,
  rules: { reasons: { 'cannot-pay': 'PC-9' }, lines: { buildings: 'PC-18', economy: 'PC-18' } },
  modes: [
    { group: 'several', setup: {}, seats: [2, 3, 4] },
    { group: 'alone', setup: { automa: 'easy' }, seats: [1] },
    { group: 'alone', setup: { automa: 'medium' }, seats: [1] },
    { group: 'alone', setup: { automa: 'hard' }, seats: [1] },
    { group: 'chosen', setup: { automa: 'easy', tokens: 'chosen' }, seats: [1] },
    { group: 'chosen', setup: { automa: 'medium', tokens: 'chosen' }, seats: [1] },
    { group: 'chosen', setup: { automa: 'hard', tokens: 'chosen' }, seats: [1] },
  ],
  faces: {
    ecology: { sign: 'ecology', symbols: 1 },
    'ecology-2': { sign: 'ecology', symbols: 2 },
    economy: { sign: 'economy', symbols: 1 },
    energy: { sign: 'energy', symbols: 1 },
    'energy-2': { sign: 'energy', symbols: 2 },
    ingenuity: { sign: 'ingenuity', symbols: 1 },
  },
  cards: {
    'a1-economy': { title: '1-resource-economy-1', kind: 'resource' },
    'a4-industry': { title: '1-resource-industry-1', kind: 'resource' },
    'a11-energy': { title: '1-civic-energy-1', kind: 'civic' },
  },
  tokens: {
    'flat-5': { counts: 'flat', points: 5, signs: [], copies: 0 },
    'flat-7': { counts: 'flat', points: 7, signs: [], copies: 0 },
    economy: { counts: 'signs', points: 2, signs: ['economy'], copies: 0 },
    'community-energy': { counts: 'signs', points: 3, signs: ['community', 'energy'], copies: 0 },
    ingenuity: { counts: 'signs', points: 2, signs: ['ingenuity'], copies: 0 },
    missing: { counts: 'none', points: 4, signs: [], copies: 0 },
    'three-plus': { counts: 'same', points: 3, signs: [], copies: 3 },
  },
};
