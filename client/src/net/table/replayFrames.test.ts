import { beforeEach, describe, expect, it } from 'vitest';
import type { ReplayFrame, ReplayFrameList, Replay } from '../../wire/server';
import { match } from './fakeServer';
import { ReplayFrames } from './replayFrames.svelte';

const SIZE = 4;
const LENGTH = 11;

const frame = (at: number): ReplayFrame => ({
  moves: 2 * at,
  events: [],
  view: { at },
  result: { scores: [], ranks: [], sheets: [] },
});
const piece = (first: number): ReplayFrameList => ({
  first,
  frames: Array.from({ length: Math.min(SIZE, LENGTH - first) }, (_, index) => frame(first + index)),
});
const replay: Replay = {
  match: match({ over: true }),
  names: ['P0', 'P1'],
  stops: Array.from({ length: LENGTH }, (_, at) => 2 * at),
  frames: piece(0).frames,
};

let asked: number[];
let frames: ReplayFrames;
let broken: boolean;

const here = (): number[] => replay.stops.flatMap((_, at) => (frames.frame(at) ? [at] : []));

beforeEach(() => {
  [asked, broken] = [[], false];
  frames = new ReplayFrames(replay, (first) => {
    asked.push(first);
    return broken ? Promise.reject(new Error('gone')) : Promise.resolve(piece(first));
  });
});

describe('the frames', () => {
  it('have a length and the first piece', () => {
    expect(frames.length).toBe(LENGTH);
    expect(here()).toEqual([0, 1, 2, 3]);
  });

  it('request neither loaded frames nor those outside of the replay', async () => {
    await Promise.all([frames.seek(0), frames.seek(3), frames.seek(-1), frames.seek(LENGTH)]);
    expect(asked).toEqual([]);
  });

  it('jump with one request', async () => {
    await frames.seek(10);
    expect(asked).toEqual([8]);
    expect(frames.frame(10)?.view).toEqual({ at: 10 });
    expect(here()).toEqual([0, 1, 2, 3, 8, 9, 10]);
  });

  it('request a piece once', async () => {
    await Promise.all([frames.seek(5), frames.seek(6), frames.seekAhead(2)]);
    expect(asked).toEqual([4]);
  });

  it('load the next piece ahead, and none after the last', async () => {
    await frames.seekAhead(1);
    expect(here()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    await frames.seekAhead(9);
    expect(asked).toEqual([4]);
  });

  it('report an error, and may be requested again', async () => {
    broken = true;
    await frames.seek(9);
    expect(frames.problem).toEqual(new Error('gone'));
    broken = false;
    await frames.seek(9);
    expect(frames.problem).toBeNull();
    expect(frames.frame(9)).toBeDefined();
  });
});
