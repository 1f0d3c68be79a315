import type { Square } from '../geometry/cells';
import type { Drop, HeldPiece } from './heldPiece.svelte';
import type { Covering } from './placements';

/** A pointer that moves further than this number of pixels drags; otherwise it taps. */
const TAP_PIXELS = 6;
/** Angle in degrees by which two fingers must turn to rotate the piece by a quarter. */
const TWIST = 35;
/** Distance in pixels of the piece above a finger. */
const LIFT = 34;

interface DragOptions<Choice extends Covering> {
  readonly hand: HeldPiece<Choice>;
  /** The screen area of the cells, and the number of columns. */
  readonly frame: () => { readonly box: DOMRect; readonly columns: number } | null;
  /** The point at which the pointer holds the piece, in cells from its top left corner; null without a piece. */
  readonly held: Square | null;
  readonly tapped?: () => void;
  readonly dropped: (drop: Drop) => void;
}

/** Follows a pointer until it is lifted: it taps, drags the piece, or rotates it together with a second finger. */
export function startDrag<Choice extends Covering>(start: PointerEvent, carrying: DragOptions<Choice>): void {
  const { hand, held } = carrying;
  const follow = new AbortController();
  const { signal } = follow;
  let last: Point = start;
  let second: Finger | null = null;
  let twisted = false;
  let moving = false;

  const toCells = (point: Point): (Square & { readonly side: number }) | null => {
    const frame = carrying.frame();
    if (!frame) return null;
    const side = frame.box.width / frame.columns;
    return { x: (point.clientX - frame.box.left) / side, y: (point.clientY - frame.box.top) / side, side };
  };

  const lift = (): void => {
    const at = toCells(start);
    if (!at || !held || !hand.shape) return;
    moving = true;
    const above = start.pointerType === 'touch' ? hand.shape.height - held.y + LIFT / at.side : 0;
    hand.drag({ x: at.x - held.x, y: at.y - held.y - above });
  };

  const move = (event: PointerEvent): void => {
    if (event.pointerId === second?.id) twist(event, second);
    if (event.pointerId !== start.pointerId) return;
    if (!moving && !second && Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) > TAP_PIXELS) {
      last = start;
      lift();
    }
    const from = toCells(last);
    const to = toCells(event);
    if (moving && hand.dragged && from && to) {
      hand.drag({ x: hand.dragged.x + to.x - from.x, y: hand.dragged.y + to.y - from.y });
    }
    last = event;
  };

  const twist = (event: PointerEvent, finger: Finger): void => {
    const turned = turnBetween(finger.angle, angle(last, event));
    if (Math.abs(turned) < TWIST) return;
    hand.rotate(Math.sign(turned));
    finger.angle = angle(last, event);
    finger.turned = true;
  };

  const secondDown = (event: PointerEvent): void => {
    if (event.pointerType !== 'touch' || event.pointerId === start.pointerId || second) return;
    second = { id: event.pointerId, angle: angle(last, event), turned: false };
    twisted = true;
  };

  const up = (event: PointerEvent): void => {
    if (event.pointerId === second?.id) {
      if (!second.turned) hand.rotate(1);
      second = null;
    }
    if (event.pointerId !== start.pointerId) return;
    follow.abort();
    if (moving) carrying.dropped(hand.drop());
    else if (!twisted) carrying.tapped?.();
  };

  const cancel = (event: PointerEvent): void => {
    if (event.pointerId !== start.pointerId) return;
    follow.abort();
    if (moving) hand.putBack();
  };

  const escape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !moving) return;
    follow.abort();
    hand.putBack();
  };

  window.addEventListener('pointermove', move, { signal });
  window.addEventListener('pointerdown', secondDown, { signal });
  window.addEventListener('pointerup', up, { signal });
  window.addEventListener('pointercancel', cancel, { signal });
  window.addEventListener('keydown', escape, { signal });
}

interface Point {
  readonly clientX: number;
  readonly clientY: number;
}

interface Finger {
  readonly id: number;
  angle: number;
  turned: boolean;
}

function angle(a: Point, b: Point): number {
  return (Math.atan2(b.clientY - a.clientY, b.clientX - a.clientX) * 180) / Math.PI;
}

/** Returns the shorter turn from one angle to another; clockwise is positive. */
export function turnBetween(from: number, to: number): number {
  return ((((to - from + 180) % 360) + 360) % 360) - 180;
}
