/** Which seat uses a screen that several players share. */
export interface HotSeat {
  /** The seat that uses the screen. */
  readonly seat: number | null;
  /** The seat that gets the screen next; a curtain hides the decisions of the previous one. */
  readonly passTo: number | null;
}

export const NO_SEAT: HotSeat = { seat: null, passTo: null };

/**
 * Returns the next state, given the seats of this screen, those of them that have to decide, and all seats with
 * hidden decisions. The player who closes a round also begins the next one, so that the screen is passed once a
 * round and not twice. No curtain is shown if nothing is hidden.
 */
export function nextSeat(
  now: HotSeat,
  own: readonly number[],
  due: readonly number[],
  decided: readonly number[] = [],
): HotSeat {
  const seat = now.seat !== null && own.includes(now.seat) ? now.seat : null;
  const hides = seat !== null && decided.includes(seat);
  if (now.passTo !== null && hides && due.includes(now.passTo) && !due.includes(seat))
    return same(now, { seat, passTo: now.passTo });
  if (seat !== null && (due.includes(seat) || due.length === 0)) return same(now, { seat, passTo: null });
  const candidate = following(seat, due) ?? own[0] ?? null;
  return same(now, hides ? { seat, passTo: candidate } : { seat: candidate, passTo: null });
}

/** The state after the awaited player has opened the curtain. */
export function revealed(now: HotSeat): HotSeat {
  return now.passTo === null ? now : { seat: now.passTo, passTo: null };
}

/** The state after the previous player has asked for the screen again. */
export function returned(now: HotSeat): HotSeat {
  return now.passTo === null ? now : { seat: now.seat, passTo: null };
}

function following(seat: number | null, due: readonly number[]): number | undefined {
  const sorted = [...due].sort((a, b) => a - b);
  return sorted.find((next) => seat !== null && next > seat) ?? sorted[0];
}

function same(before: HotSeat, after: HotSeat): HotSeat {
  return before.seat === after.seat && before.passTo === after.passTo ? before : after;
}
