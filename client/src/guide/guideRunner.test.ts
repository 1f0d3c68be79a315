import { describe, expect, it } from 'vitest';
import { GuideRunner } from './guideRunner.svelte';
import type { Progress } from './progress';
import type { GuideData, GuideMoment, Section } from './types';

const LESSON: readonly Section[] = [
  {
    id: 'start',
    steps: [{ text: 'hello' }, { text: 'build', until: { event: ['built', 'passed'] } }, { text: 'built' }],
  },
  {
    id: 'land',
    steps: [
      { text: 'look', until: { used: 'line' } },
      { text: 'rocks', if: { moment: 'rocks' } },
      { text: 'take', until: { due: 'take' } },
    ],
  },
  { id: 'church', from: { moment: 'church' }, urgent: true, steps: [{ text: 'church', until: { event: 'built' } }] },
  { id: 'end', from: 'over', steps: [{ text: 'end' }] },
];

interface World {
  church?: boolean;
  rocks?: boolean;
}

function guided(sections: readonly Section[] = LESSON, progress?: Progress) {
  const guide: GuideData = {
    table: { setup: {}, seats: 2, bot: 'random', seed: 'x' },
    fits: { setup: {}, seats: [2] },
    sections,
  };
  const kept: Progress[] = [];
  const moments = {
    church: (now: GuideMoment) => (now.view as World).church === true,
    rocks: (now: GuideMoment) => (now.view as World).rocks === true,
  };
  const course = new GuideRunner(guide, moments as never, progress, (to) => kept.push(to));
  let number = 0;
  let score = 0;
  const hear = (events: readonly object[] = [], more: Partial<GuideMoment> = {}): void => {
    score += events.length;
    course.update({
      view: {},
      seat: 0,
      events,
      choices: [],
      number: ++number,
      score,
      over: false,
      prepared: true,
      ...more,
    });
  };
  const at = (): string => `${course.part?.id ?? '-'}/${course.step?.text ?? '-'}`;
  return { course, hear, at, kept };
}

const built = { type: 'built', seat: 0 };

describe('GuideRunner', () => {
  it('goes from step to step after reading and after decisions', () => {
    const { course, hear, at } = guided();
    hear();
    expect(at()).toBe('start/hello');
    expect(course.waitsForReading).toBe(true);
    course.next();
    expect(at()).toBe('start/build');
    expect(course.waitsForReading).toBe(false);
    hear([{ type: 'built', seat: 1 }]);
    expect(at()).toBe('start/build');
    hear([built]);
    expect(at()).toBe('start/built');
    expect(course.change).toBe(1);
    course.next();
    expect(at()).toBe('land/look');
  });

  it('skips steps to read when the player decides without reading them', () => {
    const { hear, at } = guided();
    hear();
    hear([{ type: 'passed', seat: 0 }]);
    expect(at()).toBe('start/built');
    hear([built]);
    expect(at()).toBe('land/look');
  });

  it('ignores events before it was opened', () => {
    const { hear, at } = guided();
    hear([built]);
    expect(at()).toBe('start/hello');
  });

  it('handles clicks on things, conditions of steps, and decisions that are due', () => {
    const { course, hear, at } = guided(LESSON, { done: ['start'], part: null, step: 0 });
    hear();
    course.use('cell:c4');
    expect(at()).toBe('land/look');
    course.use('line:trees');
    expect(at()).toBe('land/take');
    hear([], { choices: [{ type: 'take' }] });
    expect(at()).toBe('-/-');
  });

  it('checks the condition of a step only when the step begins', () => {
    const { course, hear, at } = guided(LESSON, { done: ['start'], part: null, step: 0 });
    hear([], { view: { rocks: true } });
    course.next();
    expect(at()).toBe('land/rocks');
    hear();
    expect(at()).toBe('land/rocks');
    course.next();
    expect(at()).toBe('land/take');
    course.back();
    expect(at()).toBe('land/look');
  });

  it('interrupts a part for an urgent one, and continues afterwards', () => {
    const { course, hear, at } = guided();
    hear();
    course.next();
    hear([], { view: { church: true } });
    expect(at()).toBe('church/church');
    hear([built]);
    expect(at()).toBe('start/build');
  });

  it('jumps to its last part when the match ends', () => {
    const { course, hear, at } = guided();
    hear();
    hear([], { over: true });
    expect(at()).toBe('end/end');
    course.next();
    expect(at()).toBe('-/-');
  });

  it('skips and repeats parts, and goes back a step', () => {
    const { course, hear, at } = guided();
    hear();
    course.next();
    expect(course.canBack).toBe(true);
    course.back();
    expect(at()).toBe('start/hello');
    expect(course.canBack).toBe(false);
    course.skip();
    expect(at()).toBe('land/look');
    course.repeat('start');
    expect(at()).toBe('start/hello');
    expect(course.progress.done).toEqual(['land']);
  });

  it('restores its progress', () => {
    const { course, hear, kept } = guided();
    hear();
    course.next();
    const last = kept.at(-1);
    expect(last).toEqual({ done: [], part: 'start', step: 1 });
    const later = guided(LESSON, last);
    later.hear();
    expect(later.at()).toBe('start/build');
    const strange = guided(LESSON, { done: [], part: 'gone', step: 7 });
    strange.hear();
    expect(strange.at()).toBe('start/hello');
  });
});
