import { isMotionReduced } from '../site/settings.svelte';

const FLIGHT_MILLISECONDS = 620;
const DELAY_MILLISECONDS = 90;

/** The start or end of a flight, in pixels of the viewport. */
export type ScreenBox = Pick<DOMRect, 'left' | 'top' | 'width' | 'height'>;

/** The box of an element; null if it is not visible. */
export function screenBoxOf(element: Element | null | undefined): ScreenBox | null {
  const box = element?.getBoundingClientRect();
  if (!box?.width || !box.height) return null;
  return { left: box.left, top: box.top, width: box.width, height: box.height };
}

/**
 * Moves an element from one box to another above everything in `sky`, and removes it. Does nothing if motion is
 * reduced.
 */
export async function fly(
  sky: HTMLElement,
  what: HTMLElement,
  from: ScreenBox,
  to: ScreenBox,
  order = 0,
): Promise<void> {
  if (isMotionReduced()) return;
  what.classList.add('flying');
  what.setAttribute('aria-hidden', 'true');
  Object.assign(what.style, {
    position: 'fixed',
    zIndex: '30',
    left: `${from.left}px`,
    top: `${from.top}px`,
    width: `${from.width}px`,
    height: `${from.height}px`,
    margin: '0',
    pointerEvents: 'none',
  });
  sky.append(what);
  const x = to.left + to.width / 2 - from.left - from.width / 2;
  const y = to.top + to.height / 2 - from.top - from.height / 2;
  const scale = Math.min(1, to.height / from.height);
  const motion = what.animate(
    [
      { transform: 'none', opacity: 1 },
      { transform: `translate(${x * 0.1}px, ${y * 0.1 - 10}px) scale(1.04)`, opacity: 1, offset: 0.25 },
      { transform: `translate(${x}px, ${y}px) scale(${scale})`, opacity: 0.2 },
    ],
    {
      duration: FLIGHT_MILLISECONDS,
      delay: order * DELAY_MILLISECONDS,
      easing: 'cubic-bezier(0.45, 0, 0.3, 1)',
      fill: 'both',
    },
  );
  await motion.finished.catch(() => undefined);
  what.remove();
}

/** A small label with points. */
export function pointsChip(text: string, less = false): HTMLElement {
  const paper = document.createElement('span');
  paper.className = less ? 'chip less' : 'chip';
  paper.textContent = text;
  return paper;
}

/** A line of a score sheet, or the change of one. */
export interface LinePoints {
  readonly line: string;
  readonly points: number;
}

/** Returns the lines whose points changed, the largest change first. */
export function lineGains(before: readonly LinePoints[], now: readonly LinePoints[]): readonly LinePoints[] {
  const old = new Map(before.map(({ line, points }) => [line, points]));
  return now
    .map(({ line, points }) => ({ line, points: points - (old.get(line) ?? 0) }))
    .filter(({ points }) => points !== 0)
    .sort((gain, other) => Math.abs(other.points) - Math.abs(gain.points));
}
