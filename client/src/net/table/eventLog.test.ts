import { beforeEach, describe, expect, it } from 'vitest';
import type { PastEvents } from '../../wire/server';
import { EventLog } from './eventLog.svelte';
import { scene } from './fakeServer';

let asked: number[];
let answers: { give(heard: PastEvents): void; fail(error: Error): void }[];
let log: EventLog;

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
const at = (moves: number, ...events: string[]): PastEvents => ({ moves, rounds: [events] });

beforeEach(() => {
  [asked, answers] = [[], []];
  log = new EventLog((since) => {
    asked.push(since);
    return new Promise((give, fail) => answers.push({ give, fail }));
  });
});

describe('the log', () => {
  it('requests events once, and adds those of new scenes', async () => {
    answers[0]!.give(at(2, 'a', 'b'));
    await settle();
    log.update(scene({ moves: 3, events: ['c'] }));
    log.update(scene({ moves: 5, events: ['d', 'e'] }));
    expect(log.rounds).toEqual([['a', 'b'], ['c'], ['d', 'e']]);
    expect(asked).toEqual([0]);
  });

  it('has every event once, in any order of arrival', async () => {
    log.update(scene({ moves: 3, events: ['c'] }));
    log.update(scene({ moves: 4, events: ['d'] }));
    answers[0]!.give(at(3, 'a', 'b', 'c'));
    await settle();
    expect(log.rounds.flat()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('reloads after a takeback', async () => {
    answers[0]!.give(at(3, 'a', 'b', 'c'));
    await settle();
    log.update(scene({ moves: 1, events: [], back: true }));
    log.update(scene({ moves: 2, events: ['B'] }));
    answers[1]!.give(at(1, 'a'));
    await settle();
    expect(log.rounds.flat()).toEqual(['a', 'B']);
    expect(asked).toEqual([0, 0]);
  });

  it('keeps the known events during a reload', async () => {
    answers[0]!.give(at(3, 'a'));
    await settle();
    log.reload();
    expect(log.rounds.flat()).toEqual(['a']);
    answers[1]!.give(at(5, 'a', 'b'));
    await settle();
    expect(log.rounds.flat()).toEqual(['a', 'b']);
  });

  it('drops the answer to an outdated request', async () => {
    log.update(scene({ moves: 1, back: true }));
    answers[1]!.give(at(1, 'a'));
    answers[0]!.give(at(3, 'a', 'b', 'c'));
    await settle();
    expect(log.rounds.flat()).toEqual(['a']);
  });

  it('reports an error, and repeats the request with the next scene', async () => {
    answers[0]!.fail(new Error('gone'));
    await settle();
    expect(log.problem).toEqual(new Error('gone'));
    log.update(scene({ moves: 2, events: ['b'] }));
    expect(asked).toEqual([0, 0]);
    answers[1]!.give(at(2, 'a', 'b'));
    await settle();
    expect(log.problem).toBeNull();
    expect(log.rounds.flat()).toEqual(['a', 'b']);
  });
});
