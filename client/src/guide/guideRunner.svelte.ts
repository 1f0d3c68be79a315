import type { Moments } from '../games/types';
import { NO_PROGRESS, type Progress } from './progress';
import type { GuideData, GuideMoment, Section, Step, Condition } from './types';

/** The state of a guide: it follows the match, in any order of events. */
export class GuideRunner {
  #progress = $state.raw<Progress>(NO_PROGRESS);
  /** The change of the score by the last decision. */
  change = $state(0);
  #now: GuideMoment | null = null;
  /** The progress at the last update. */
  #shown: Progress | null = null;
  /** Interrupted parts that continue later, the last one first. */
  #paused: { readonly part: string; readonly step: number }[] = [];

  constructor(
    readonly guide: GuideData,
    private readonly moments: Moments,
    progress: Progress = NO_PROGRESS,
    private readonly keep: (progress: Progress) => void = () => undefined,
  ) {
    const known = guide.sections.some(({ id }) => id === progress.part);
    this.#progress = known || progress.part === null ? progress : { ...progress, part: null, step: 0 };
  }

  get progress(): Progress {
    return this.#progress;
  }

  get part(): Section | null {
    return this.guide.sections.find(({ id }) => id === this.#progress.part) ?? null;
  }

  get step(): Step | null {
    return this.part?.steps[this.#progress.step] ?? null;
  }

  /** Whether the step ends with the button of the card. */
  get waitsForReading(): boolean {
    return untilOf(this.step) === 'next';
  }

  get canBack(): boolean {
    return this.#before() !== null;
  }

  /** Whether the last part has begun. */
  get finished(): boolean {
    const last = this.guide.sections.at(-1)?.id ?? '';
    return this.#progress.part === last || this.#isDone(last);
  }

  /** Follows the match to a new moment. */
  update(now: GuideMoment): void {
    const before = this.#now;
    const first = now.number !== before?.number;
    // Events before the guide opened do not count.
    const fresh = before && first ? now : { ...now, events: [] };
    this.#now = now;
    this.#shown = this.#progress;
    if (fresh.events.some((event) => isBy(event, now.seat))) {
      this.change = now.score - (before?.score ?? now.score);
      this.#follow(fresh);
    } else if (fresh.events.length) this.#meet(fresh);
    this.#settle(fresh);
  }

  /** Ends the step if it waits for a click on this thing. */
  use(thing: string): void {
    const until = untilOf(this.step);
    if (typeof until === 'object' && 'used' in until && matches(until.used, thing)) this.next();
  }

  /** Ends the step. */
  next(): void {
    if (!this.step) return;
    this.#advance();
    if (this.#now) this.#settle({ ...this.#now, events: [] });
  }

  back(): void {
    const to = this.#before();
    if (to !== null) this.#set({ ...this.#progress, step: to });
  }

  /** Skips the rest of the part. */
  skip(): void {
    if (!this.part) return;
    this.#close();
    if (this.#now) this.#settle({ ...this.#now, events: [] });
  }

  /** Starts a part again, also a finished one. */
  repeat(part: string): void {
    this.#paused = [];
    const done = this.#progress.done.filter((id) => id !== part);
    const left = this.#progress.part;
    this.#set({ done: left && left !== part ? [...done, left] : done, part, step: 0 });
    if (this.#now) this.#settle({ ...this.#now, events: [] });
  }

  /** After a decision of this seat: ends the step that waits for it, and all steps to read before it. */
  #follow(now: GuideMoment): void {
    const { part } = this;
    if (!part) return;
    const waiting = part.steps.findIndex((step, at) => at >= this.#progress.step && waitsForEvent(untilOf(step)));
    const until = untilOf(part.steps[waiting] ?? null);
    if (this.#holds(until, now)) {
      this.#set({ ...this.#progress, step: waiting });
      this.#advance(now);
    } else if (this.waitsForReading) this.#advance(now);
  }

  /** Ends a step that waits for an event of another seat. */
  #meet(now: GuideMoment): void {
    const until = untilOf(this.step);
    if (waitsForEvent(until) && this.#holds(until, now)) this.#advance(now);
  }

  /** Advances to the first step that has not ended. */
  #settle(now: GuideMoment): void {
    this.#breakIn(now);
    const steps = this.guide.sections.reduce((sum, { steps }) => sum + steps.length + 1, 1);
    for (let turn = 0; turn < steps; turn++) {
      if (!this.part && !this.#begin(now)) return;
      const until = untilOf(this.step);
      if (!waitsForEvent(until) && this.#holds(until, now)) this.#advance(now);
      else if (this.step) return;
    }
  }

  /** Starts an urgent part at once; the interrupted one continues afterwards. */
  #breakIn(now: GuideMoment): void {
    const { part } = this;
    if (!part) return;
    const coming = this.guide.sections.find(
      (section) =>
        !this.#isOpen(section.id) && mayBreakIn(section) && !this.#isDone(section.id) && this.#isTime(section, now),
    );
    if (!coming) return;
    const read = this.waitsForReading && this.#progress === this.#shown ? 1 : 0;
    if (this.#progress.step + read < part.steps.length && !now.over)
      this.#paused.push({ part: part.id, step: this.#progress.step + read });
    else this.#set({ ...this.#progress, done: [...this.#progress.done, part.id] });
    this.#enter(coming, 0, now);
  }

  #begin(now: GuideMoment): boolean {
    const paused = now.over ? undefined : this.#paused.pop();
    if (paused) {
      this.#set({ ...this.#progress, ...paused });
      return true;
    }
    const next = this.guide.sections.find((section) => !this.#isDone(section.id) && this.#isTime(section, now));
    if (!next) return false;
    this.#enter(next, 0, now);
    return true;
  }

  #isTime({ from }: Section, now: GuideMoment): boolean {
    return from ? this.#holds(from, now) : !now.over;
  }

  #advance(now: GuideMoment | null = this.#now): void {
    if (this.part) this.#enter(this.part, this.#progress.step + 1, now);
  }

  /** Goes to a step of a part, or to the next one whose condition holds. */
  #enter(part: Section, from: number, now: GuideMoment | null): void {
    const step = part.steps.findIndex((next, at) => at >= from && !(now && this.#leftOut(next, now)));
    this.#set({ ...this.#progress, part: part.id, step: Math.max(0, step) });
    if (step < 0) this.#close();
  }

  #close(): void {
    const { done, part } = this.#progress;
    if (part !== null) this.#set({ done: done.includes(part) ? done : [...done, part], part: null, step: 0 });
  }

  #leftOut({ if: condition }: Step, now: GuideMoment): boolean {
    return condition !== undefined && !this.#holds(condition, now);
  }

  #before(): number | null {
    const before = this.part?.steps.findLastIndex((step, at) => at < this.#progress.step && !step.if) ?? -1;
    return before < 0 ? null : before;
  }

  /** Whether a part has begun and has not ended. */
  #isOpen(id: string): boolean {
    return this.#progress.part === id || this.#paused.some(({ part }) => part === id);
  }

  #isDone(id: string): boolean {
    return this.#progress.done.includes(id);
  }

  #holds(when: Condition, now: GuideMoment): boolean {
    if (when === 'next') return false;
    if (when === 'over') return now.over;
    if ('event' in when) {
      const wanted = [when.event].flat();
      return now.events.some(
        (event) => wanted.includes(typeOf(event)) && (when.by === 'anyone' || isBy(event, now.seat)),
      );
    }
    if ('due' in when) return now.choices.some((choice) => typeOf(choice) === when.due);
    if ('used' in when) return false;
    return this.moments[when.moment]?.(now as never) ?? false;
  }

  #set(progress: Progress): void {
    this.#progress = progress;
    this.keep(progress);
  }
}

function untilOf(step: Step | null): Condition {
  return step?.until ?? 'next';
}

function mayBreakIn({ from, urgent }: Section): boolean {
  return from === 'over' || (urgent ?? false);
}

function waitsForEvent(when: Condition): boolean {
  return typeof when === 'object' && 'event' in when;
}

/** Whether a thing equals or belongs to the wanted kind. */
export function matches(wanted: string, thing: string): boolean {
  return thing === wanted || thing.startsWith(`${wanted}:`);
}

function typeOf(value: unknown): string {
  return (value as { readonly type: string }).type;
}

function isBy(event: unknown, seat: number): boolean {
  return (event as { readonly seat?: number }).seat === seat;
}
