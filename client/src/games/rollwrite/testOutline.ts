import type { Outline } from '../../wire/rollwrite';

/** A part of the material, for tests. */
export const TEST_OUTLINE: Outline = {
  content: 1,
  rules: { reasons: { 'not-touching': 'RW-7' }, lines: { trees: 'RW-15' } },
  modes: [
    { group: 'episode', setup: { episode: 1 } },
    { group: 'episode', setup: { episode: 5 } },
    { group: 'chapter', setup: { episode: 7 }, plan: [7, 8, 9] },
    { group: 'campaign', setup: { episode: 1 }, plan: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] },
    { group: 'campaign', setup: { episode: 3 }, plan: [3, 6, 12] },
  ],
  chapters: { 1: 1, 2: 1, 3: 1, 4: 2, 5: 2, 6: 2, 7: 3, 8: 3, 9: 3, 10: 4, 11: 4, 12: 4 },
  papers: {},
};
