import type { Event } from '../../wire/mycity';
import type { FeedbackKind } from '../types';

const FEEDBACK: Readonly<Partial<Record<Event['type'], FeedbackKind>>> = {
  revealed: 'turn',
  forbidden: 'turn',
  built: 'place',
  stuck: 'place',
  'race-won': 'gold',
  received: 'gold',
  'took-church': 'gold',
  ticked: 'gold',
};

/** Events that are announced to the other players. */
const ANNOUNCED: readonly Event['type'][] = ['built', 'passed', 'stopped', 'race-won', 'stuck'];

export function feedbackOf(event: unknown): FeedbackKind | undefined {
  return FEEDBACK[(event as Event).type];
}

export function isAnnounced(event: unknown): boolean {
  return ANNOUNCED.includes((event as Event).type);
}
