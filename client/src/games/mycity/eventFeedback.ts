import type { Event } from '../../wire/mycity';
import type { Feedback } from '../types';

const FEEDBACK: Readonly<Partial<Record<Event['type'], Feedback>>> = {
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
const ANNOUNCED: readonly Event['type'][] = ['built', 'passed', 'stopped', 'race-won', 'stuck'];

export function feelOf(event: unknown): Feedback | undefined {
  return FEEDBACK[(event as Event).type];
}

export function tells(event: unknown): boolean {
  return ANNOUNCED.includes((event as Event).type);
}
