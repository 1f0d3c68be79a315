import type { GameScreenProps } from '../../games/types';
import type { Trial } from '../../wire/server';

/** What a screen gets where nobody plays on it: in a replay, and when a match is over. */
export const READ_ONLY_PROPS = {
  seat: null,
  choices: [],
  barred: [],
  staged: null,
  act: () => undefined,
  retract: () => undefined,
  why: () => Promise.resolve(null),
  preview: () => Promise.resolve({ changes: [], events: [], view: null }),
} as const satisfies Partial<GameScreenProps>;

/** What a screen gets where a reader tries things: every answer is there already, under the key of its action. */
export function trialProps({ view, seat, tries }: Trial, key: (action: unknown) => string): GameScreenProps {
  const answers = new Map(tries.map((answer) => [key(answer.action), answer]));
  return {
    ...READ_ONLY_PROPS,
    view,
    seat,
    names: [],
    status: [],
    events: [],
    choices: tries.filter(({ reason }) => !reason).map(({ action }) => action),
    why: (action) => Promise.resolve(answers.get(key(action))?.reason ?? null),
    preview: (action) => Promise.resolve({ changes: answers.get(key(action))?.changes ?? [], events: [], view }),
  };
}

/** Whether the page is before somebody's eyes. */
export function isPageVisible(): boolean {
  return typeof document === 'undefined' || document.visibilityState === 'visible';
}
