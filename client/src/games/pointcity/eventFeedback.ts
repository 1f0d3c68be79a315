import type { Event } from '../../wire/pointcity';
import type { Feel } from '../types';

const FEELS: Readonly<Partial<Record<Event['type'], Feel>>> = {
  turned: 'turn',
  dealt: 'turn',
  flipped: 'turn',
  took: 'turn',
  drew: 'turn',
  built: 'place',
  'token-taken': 'gold',
};

/** What others want to know of a move. */
const TOLD: readonly Event['type'][] = ['took', 'drew', 'built', 'token-taken', 'skipped', 'flipped'];

export function feelOf(event: unknown): Feel | undefined {
  return FEELS[(event as Event).type];
}

export function tells(event: unknown): boolean {
  return TOLD.includes((event as Event).type);
}
