import type { Event } from '../../wire/rollwrite';
import type { FeedbackKind } from '../types';

const FEEDBACK: Readonly<Partial<Record<Event['type'], FeedbackKind>>> = {
  rolled: 'dice',
  built: 'place',
  'race-won': 'gold',
};

/** Events that are announced to the other players. */
const ANNOUNCED: readonly Event['type'][] = ['built', 'passed', 'stopped', 'race-won'];

export function feedbackOf(event: unknown): FeedbackKind | undefined {
  return FEEDBACK[(event as Event).type];
}

export function isAnnounced(event: unknown): boolean {
  return ANNOUNCED.includes((event as Event).type);
}
