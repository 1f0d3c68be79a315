import type { Event } from '../../wire/pointcity';
import type { FeedbackKind } from '../types';

const FEEDBACK: Readonly<Partial<Record<Event['type'], FeedbackKind>>> = {
  turned: 'turn',
  dealt: 'turn',
  flipped: 'turn',
  took: 'turn',
  drew: 'turn',
  built: 'place',
  'token-taken': 'gold',
};

/** Events that are announced to the other players. */
const ANNOUNCED: readonly Event['type'][] = ['took', 'drew', 'built', 'token-taken', 'skipped', 'flipped'];

export function feedbackOf(event: unknown): FeedbackKind | undefined {
  return FEEDBACK[(event as Event).type];
}

export function isAnnounced(event: unknown): boolean {
  return ANNOUNCED.includes((event as Event).type);
}
