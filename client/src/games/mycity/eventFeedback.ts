import type { Event } from '../../wire/mycity';
import type { Feel } from '../types';

const FEELS: Readonly<Partial<Record<Event['type'], Feel>>> = {
  revealed: 'turn',
  forbidden: 'turn',
  built: 'place',
  stuck: 'place',
  'race-won': 'gold',
  received: 'gold',
  'took-church': 'gold',
  ticked: 'gold',
};

/** What others want to know of a move. */
const TOLD: readonly Event['type'][] = ['built', 'passed', 'stopped', 'race-won', 'stuck'];

export function feelOf(event: unknown): Feel | undefined {
  return FEELS[(event as Event).type];
}

export function tells(event: unknown): boolean {
  return TOLD.includes((event as Event).type);
}
