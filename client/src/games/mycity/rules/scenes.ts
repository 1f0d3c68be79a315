import type { Point } from '../../../board/geometry/paths';
import type { Body, Ground, Kind, Terrain } from '../../../board/pictures/terrain';

const SIGNS: Readonly<Record<string, Ground>> = {
  '.': 'meadow',
  '2': 'trees',
  r: 'rocks',
  W: 'well',
  g: 'gold',
  '#': 'forest',
  '^': 'mountain',
};

interface Scene {
  readonly terrain: Terrain;
  readonly river: readonly Point[];
  readonly bodies: readonly Body[];
}

/** Returns a small part of a board from a drawing with a sign for each cell, and its buildings. */
function scene(drawing: string, built: readonly (readonly [Kind, string])[], river: Scene['river'] = []): Scene {
  return {
    terrain: drawing.split('/').map((row) => [...row].map((sign) => SIGNS[sign] ?? 'meadow')),
    river,
    bodies: built.map(([kind, cells]): Body => ({ id: cells, kind, cells: cells.split(' ') })),
  };
}

/** The illustrations of the rules that are boards. */
export const SCENES: Readonly<Record<string, Scene>> = {
  touching: scene(
    '...../...../.....',
    [
      ['industrial', 'a1 a2'],
      ['residential', 'b2 c2 c3'],
      ['public', 'd1 e1 d2 e2'],
    ],
    [
      [3, 0],
      [3, 3],
    ],
  ),
  card: scene(
    '...../...../.....',
    [['public', 'b1 a2 b2 c2']],
    [
      [3, 0],
      [3, 3],
    ],
  ),
  sight: scene('2..r/.r../....', [
    ['industrial', 'a2 b2 c2 d2'],
    ['public', 'c3 d3'],
  ]),
  groups: scene('....../....../......', [
    ['residential', 'a1 b1'],
    ['residential', 'b2 c2 c3'],
    ['residential', 'd2 d3'],
    ['public', 'd1 e1'],
    ['residential', 'f1 f2'],
  ]),
  church: scene('......./......./.....W./.......', [
    ['church', 'c1 b2 c2 d2'],
    ['residential', 'a1 b1'],
    ['public', 'd1 e1'],
    ['industrial', 'b3 c3'],
    ['industrial', 'e2 e3'],
    ['residential', 'f1 f2'],
    ['public', 'g2 g3'],
    ['residential', 'e4 f4'],
  ]),
};

/** Drawings of the eight shapes. */
export const SHAPES = ['####', '##\n##', '.#.\n###', '.##\n##.', '#..\n###', '###\n#.#', '##', '#.\n##'] as const;
