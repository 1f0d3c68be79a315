import { beforeAll, describe, expect, it } from 'vitest';
import { openBook } from '../../i18n/books.svelte';
import { speak } from '../../i18n/index.svelte';
import { kindName } from './matchKinds';
import { nearestBot } from './nearestBot';

beforeAll(async () => {
  await speak('en');
  await openBook('who');
});

describe('a kind of matches', () => {
  it.each([
    ['eternal', 'Eternal game'],
    ['episode-3', 'Episode 3'],
    ['single-episode-12', 'Episode 12'],
    ['campaign-episode-12', 'Episode 12 of a campaign'],
    ['for-1', 'For 1 player'],
    ['for-4', 'For 4 players'],
    ['alone', 'Alone against the Automa'],
    ['of-another-game', 'of-another-game'],
  ])('%s', (kind, name) => expect(kindName(kind)).toBe(name));
});

describe('nearestBot', () => {
  const rungs = [
    { bot: 'level-5', rating: 37 },
    { bot: 'level-3', rating: 28 },
    { bot: 'level-1', rating: 11 },
  ];
  it.each([
    [50, 'level-5'],
    [33, 'level-5'],
    [32, 'level-3'],
    [5, 'level-1'],
  ])('of %d', (rating, bot) => expect(nearestBot(rungs, rating)?.bot).toBe(bot));
  it('is undefined without rated bots', () => expect(nearestBot([], 25)).toBeUndefined());
});
