/** Several people at one screen: who sits in front of it, and who is asked to come. */
export interface HotSeat {
  /** The seat in front of the screen. */
  readonly seat: number | null;
  /** The seat that the screen is being passed to: a curtain hides what the one before decided. */
  readonly passTo: number | null;
}

export const NO_SEAT: HotSeat = { seat: null, passTo: null };

/**
 * Who comes next, given the seats of this screen, those of them that have to decide, and all that have decided what
 * nobody may see yet. Whoever closes a round begins the next one, so that the screen is passed once a round and not
 * twice. Where nothing is hidden there is no curtain.
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

/** The one who was asked for is here. */
export function revealed(now: HotSeat): HotSeat {
  return now.passTo === null ? now : { seat: now.passTo, passTo: null };
}

/** The one before wants the screen back. */
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
