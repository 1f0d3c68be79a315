import { beforeAll, describe as group, expect, test } from 'vitest';
import { LANGUAGES, speak, t } from '../../i18n/index.svelte';
import type { Event } from '../../wire/mycity';
import { openChapters } from './chapters/index.svelte';
import { outlines } from './outline';
import { TEST_OUTLINE } from './testOutline';
import { cardName, describe, describeCell, groupName, lineName, matchName, modeName, reason } from './words';

outlines.keep(TEST_OUTLINE);
const { modes } = TEST_OUTLINE;
const names = ['Ada', 'Bo'];
const events: readonly Event[] = [
  { type: 'revealed', card: 'blue-t4' },
  { type: 'revealed', card: 'block' },
  { type: 'forbidden', card: 'yellow-i4' },
  { type: 'built', seat: 0, card: 'church-l4', cells: ['c4', 'c5'] },
  { type: 'passed', seat: 1, marker: 9 },
  { type: 'stopped', seat: 1 },
  { type: 'race-won', seat: 0, race: 'gold', points: 3 },
  { type: 'ended' },
];
const sealed: readonly Event[] = [
  { type: 'received', seat: 0, reward: 'circle', number: 2 },
  { type: 'received', seat: 1, reward: 'nugget', number: 1 },
  { type: 'stuck', seat: 0, sticker: 'rock', cells: ['g1'] },
  { type: 'stuck', seat: 0, sticker: 'forest-tree', cells: ['j8'] },
  { type: 'took-church', seat: 1, church: 'z5' },
  { type: 'built', seat: 1, card: 'church-4th', cells: ['c4'] },
  { type: 'race-won', seat: 0, race: 'stations', points: 0 },
  { type: 'scored', seat: 0, line: 'investor', points: 1 },
  { type: 'geared', seat: 0, card: 'blue-u5' },
  { type: 'ticked', seat: 1, colour: 'blue', boxes: 2, box: 6 },
  { type: 'planted', seat: 0, cells: ['d6', 'g3'] },
  { type: 'lost', seat: 1, reward: 'gear' },
];
const REASONS = [
  'off-board',
  'not-the-shape',
  'flipped',
  'not-meadow',
  'built-over',
  'both-banks',
  'not-touching',
  'not-at-river',
  'must-build',
  'marker-at-zero',
  'not-due',
  'game-over',
  'not-your-seat',
  'out-of-step',
  'nothing-to-take-back',
  'not-an-action',
];

group('in English', () => {
  beforeAll(() => speak('en'));

  test('describes events in sentences', () => {
    expect(events.map((event) => describe(event, names, t))).toEqual([
      'Next card: industrial T.',
      'Blocking card: the next building is for nobody.',
      'Blocked: nobody builds the residential bar.',
      'Ada built the church L at c4.',
      'Bo passed; marker at 9.',
      'Bo stopped.',
      'Ada won the gold: 3 points at once.',
      'The cities are built.',
    ]);
  });

  test('describes events of a sealed chapter after it is opened', async () => {
    expect(describe(sealed[0], names, t)).toBe('');
    await openChapters(8);
    expect(sealed.map((event) => describe(event, names, t))).toEqual([
      'Ada marks 2 circles.',
      'Bo finds 1 nugget.',
      'Ada puts rocks on g1.',
      'Ada clears the forest on j8 around a tree.',
      'Bo takes a fourth church: large Z.',
      'Bo built the fourth church at c4.',
      'Ada won the race along the track.',
      'Ada: 1 point at once from the investor.',
      'Ada puts a gear on the industrial U.',
      'Bo ticks 2 boxes, now at 6: Blue shaft.',
      'Ada has new parks: d6 and g3.',
      'Bo has no place left for: gear.',
    ]);
  });

  test('describes the things that an episode puts on a cell', () => {
    const cell = { cell: 'a11', ground: 'yellow-entrance', body: undefined, sides: [], track: true } as const;
    expect(describeCell(cell, t)).toBe('a11, entrance of the yellow shaft, track');
    const palace = { id: 'red-palace@e6', card: 'red-palace', kind: 'public', roof: 'palace', cells: ['e6'] } as const;
    expect(describeCell({ cell: 'e6', ground: 'meadow', body: palace, sides: [] }, t)).toBe('e6, palace');
    const factory = { id: 'blue-i2@c4', card: 'blue-i2', kind: 'industrial', roof: 'factory', cells: ['c4'] } as const;
    expect(describeCell({ cell: 'c4', ground: 'meadow', body: factory, sides: [], invested: true }, t)).toBe(
      'c4, factory, pair, the investor stands here',
    );
    expect(describeCell({ cell: 'd6', ground: 'meadow', body: undefined, sides: [], park: true }, t)).toBe('d6, park');
  });

  test('returns empty texts for unknown values', () => {
    expect(describe({ type: 'moon-landing' }, names, t)).toBe('');
    expect(lineName('moon')).toBe('moon');
    expect(reason({ code: 'moon' }, t)).toBeUndefined();
  });

  test('describes a cell with its things and the river', () => {
    const cell = { cell: 'c4', ground: 'trees', body: undefined, sides: [] } as const;
    expect(describeCell(cell, t)).toBe('c4, two trees');
    expect(describeCell({ ...cell, sides: ['left', 'bottom'] }, t)).toBe('c4, two trees, river left, below');
    const body = { id: 'yellow-i4@c4', card: 'yellow-i4', kind: 'residential', cells: ['c4'] } as const;
    expect(describeCell({ ...cell, body }, t)).toBe('c4, residential building, bar');
  });

  test('modes have names', () => {
    expect(modes.map((mode) => modeName(mode, t))).toEqual([
      'The eternal game',
      'The campaign: 24 episodes',
      '2',
      '1',
      '2',
    ]);
    expect(['eternal', 'campaign', 'chapter', 'episode'].map((group) => groupName(group, t))).toEqual([
      'Eternal game',
      'Campaign',
      'A chapter',
      'A single episode',
    ]);
    expect(matchName({ mode: 'episode', episode: 7 }, t)).toBe('Episode 7');
  });
});

group('in French', () => {
  beforeAll(() => speak('fr'));

  test('describes events in sentences', () => {
    expect(events.map((event) => describe(event, names, t).replace(/[\u00a0\u202f]/g, ' '))).toEqual([
      'Carte suivante : usine en T.',
      'Carte de blocage : le prochain bâtiment n’est pour personne.',
      'Blocage, personne ne construit : logements en barre.',
      'Ada construit en c4 : église en L.',
      'Bo passe ; marqueur à 9.',
      'Bo s’arrête.',
      'Ada gagne la course à l’or : 3 points tout de suite.',
      'Les villes sont construites.',
    ]);
  });

  test('cards have names', () => {
    expect(cardName('red-u5', t)).toBe('bâtiment public en U');
    expect(cardName('block', t)).toBe('carte de blocage');
  });
});

group('in German', () => {
  beforeAll(() => speak('de'));

  test('describes events in sentences', () => {
    expect(events.map((event) => describe(event, names, t))).toEqual([
      'Nächste Karte: Industriegebäude in T‑Form.',
      'Sperrkarte: Das nächste Gebäude ist für niemanden.',
      'Gesperrt, das baut niemand: Wohngebäude als Riegel.',
      'Ada baut auf c4: Kirche in L‑Form.',
      'Bo passt; Zählstein auf 9.',
      'Bo hört auf.',
      'Ada gewinnt das Rennen ums Gold: sofort 3 Punkte.',
      'Die Städte sind gebaut.',
    ]);
  });
});

group('in Dutch', () => {
  beforeAll(() => speak('nl'));

  test('describes events in sentences', () => {
    expect(events.map((event) => describe(event, names, t))).toEqual([
      'Volgende kaart: industriegebouw in T‑vorm.',
      'Blokkeerkaart: het volgende gebouw is voor niemand.',
      'Geblokkeerd, dit bouwt niemand: woongebouw als balk.',
      'Ada bouwt op c4: kerk in L‑vorm.',
      'Bo past; telsteen op 9.',
      'Bo stopt.',
      'Ada wint de wedloop om het goud: meteen 3 punten.',
      'De steden zijn gebouwd.',
    ]);
  });
});

test.each(LANGUAGES)('has a short text for every reason: %s', async (language) => {
  await speak(language);
  for (const code of REASONS) {
    const words = reason({ code }, t)?.split(/\s+/) ?? [];
    expect(words.length, code).toBeGreaterThan(1);
    expect(words.length, code).toBeLessThanOrEqual(8);
  }
});
