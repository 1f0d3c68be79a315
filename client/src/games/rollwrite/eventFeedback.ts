import type { Event } from '../../wire/rollwrite';
import type { Feedback } from '../types';

const FEEDBACK: Readonly<Partial<Record<Event['type'], Feedback>>> = {
  rolled: 'dice',
  built: 'place',
  'race-won': 'gold',
};

/** What others want to know of a move. */
const ANNOUNCED: readonly Event['type'][] = ['built', 'passed', 'stopped', 'race-won'];

export function feelOf(event: unknown): Feedback | undefined {
  return FEEDBACK[(event as Event).type];
}

export function tells(event: unknown): boolean {
  return ANNOUNCED.includes((event as Event).type);
}
