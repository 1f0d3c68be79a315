import { createSubscriber } from 'svelte/reactivity';
import { language } from '../../i18n/index.svelte';
import type { Pace, SeatClock } from '../../wire/server';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Seconds are shown below this. */
const SHOW_SECONDS_BELOW = 5 * MINUTE;

const tick = createSubscriber((update) => {
  const timer = setInterval(update, SECOND / 2);
  return () => clearInterval(timer);
});

/** A monotonic time in milliseconds; what reads it is updated regularly. */
export function tickingNow(): number {
  tick();
  return performance.now();
}

/** The time that is left at `now`, for a clock that was received at `heard`. */
export function timeLeftAt({ left, runs }: Pick<SeatClock, 'left' | 'runs'>, heard: number, now: number): number {
  return runs ? Math.max(0, left - (now - heard)) : left;
}

/** Whether a player has to decide and has no time left. */
export function isTimeUp({ left, deadline }: Pick<SeatClock, 'left' | 'deadline'>): boolean {
  return left === 0 && deadline !== null;
}

function unit(value: number, name: 'day' | 'hour' | 'minute', display: 'short' | 'long'): string {
  const style = { style: 'unit', unit: name, unitDisplay: display } as const;
  return new Intl.NumberFormat(language(), style).format(value);
}

/** A duration, with seconds only if it is short. */
export function durationText(time: number, display: 'short' | 'long' = 'short'): string {
  if (time >= 1.5 * DAY) return unit(Math.round(time / DAY), 'day', display);
  if (time >= 1.5 * HOUR) return unit(Math.round(time / HOUR), 'hour', display);
  if (time > SHOW_SECONDS_BELOW || display === 'long') return unit(Math.ceil(time / MINUTE), 'minute', display);
  const seconds = Math.ceil(time / SECOND);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** A moment: "Friday, 14:30", or with its date if it is further away. */
export function momentText(time: number, now = Date.now()): string {
  const near = Math.abs(time - now) < 6 * DAY;
  const day = near ? ({ weekday: 'long' } as const) : ({ day: 'numeric', month: 'long' } as const);
  const hour = { hour: 'numeric', minute: '2-digit' } as const;
  return new Intl.DateTimeFormat(language(), { ...day, ...hour }).format(new Date(time));
}

/** An hour of the day, in the local format. */
export function hourName(hour: number): string {
  const clock = new Intl.DateTimeFormat(language(), { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' });
  return clock.format(new Date(hour * HOUR));
}

/** The time zone of this browser. */
export function timeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** The choices of paces in the set-up form. */
export const BANK_MINUTES = [3, 5, 10, 15, 30, 60] as const;
export const INCREMENT_SECONDS = [0, 5, 10, 30, 60] as const;
export const DAYS_PER_MOVE = [1, 2, 3, 7, 14] as const;
export const RESERVE_DAYS = [0, 1, 3, 7, 14] as const;
export const UNHURRIED: Pace = { type: 'unhurried' };
