import type { GameScreenProps } from '../../games/types';
import type { Trial } from '../../wire/server';

/** Props of a game screen without a player: in a replay, and after a match. */
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

/** Props of a game screen on which a reader tries moves. All answers are known, by the key of their action. */
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

/** Whether the page is visible. */
export function isPageVisible(): boolean {
  return typeof document === 'undefined' || document.visibilityState === 'visible';
}
