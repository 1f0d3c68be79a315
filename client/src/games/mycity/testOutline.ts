import type { EpisodeOutline, Outline } from '../../wire/mycity';

/** Returns an episode that adds one rule to those before it. */
function episode(number: number): EpisodeOutline {
  const rules = Array.from({ length: number }, (_, i) => `${i + 1}.1`);
  return { episode: number, chapter: Math.ceil(number / 3), rules, brings: [`${number}.1`] };
}

const EPISODES = Array.from({ length: 24 }, (_, i) => episode(i + 1));

/** A part of the material, for tests. */
export const TEST_OUTLINE: Outline = {
  content: 1,
  rules: { reasons: { 'not-touching': 'MC-9' }, lines: { trees: 'MC-14', start: 'MC-5' } },
  modes: [
    { group: 'eternal', setup: { mode: 'eternal' } },
    {
      group: 'campaign',
      setup: { mode: 'episode', episode: 1, play: 'campaign' },
      plan: EPISODES.map((of) => of.episode),
    },
    { group: 'chapter', setup: { mode: 'episode', episode: 4, play: 'campaign' }, plan: [4, 5, 6] },
    { group: 'episode', setup: { mode: 'episode', episode: 1 } },
    { group: 'episode', setup: { mode: 'episode', episode: 2 } },
  ],
  cards: {
    'yellow-i4': { kind: 'residential', shape: 'i4' },
    'red-i4': { kind: 'public', shape: 'i4' },
    'red-u5': { kind: 'public', shape: 'u5' },
    'blue-i2': { kind: 'industrial', shape: 'i2' },
    'blue-i4': { kind: 'industrial', shape: 'i4' },
    'blue-t4': { kind: 'industrial', shape: 't4' },
    'blue-u5': { kind: 'industrial', shape: 'u5' },
    'church-l4': { kind: 'church', shape: 'l4' },
    'church-4th': { kind: 'church', shape: '4th' },
    block: { kind: 'block', shape: '' },
  },
  episodes: EPISODES,
  circles: 24,
  animals: ['bear', 'owl'],
  longest_name: 24,
};
