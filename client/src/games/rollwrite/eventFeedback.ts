import type { Event } from '../../wire/rollwrite';
import type { Feel } from '../types';

const FEELS: Readonly<Partial<Record<Event['type'], Feel>>> = {
  rolled: 'dice',
  built: 'place',
  'race-won': 'gold',
};

/** What others want to know of a move. */
const TOLD: readonly Event['type'][] = ['built', 'passed', 'stopped', 'race-won'];

export function feelOf(event: unknown): Feel | undefined {
  return FEELS[(event as Event).type];
}

export function tells(event: unknown): boolean {
  return TOLD.includes((event as Event).type);
}
