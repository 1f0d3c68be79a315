import type { TableView } from '../../../wire/rollwrite';
import type { Kind } from '../sheet/sheet';

interface Scene {
  readonly sheet: Pick<TableView, 'rows' | 'signs' | 'river'>;
  readonly buildings: readonly { readonly kind: Kind; readonly cells: readonly string[]; readonly printed: boolean }[];
  readonly bandits: readonly string[];
  readonly caught?: readonly string[];
}

const SIGNS: TableView['signs'] = { '.': 'meadow', '2': 'trees', r: 'rocks', W: 'well', '^': 'mountain' };

/** Returns a small part of a sheet from a drawing with a sign for each cell, and its buildings. */
function scene(drawing: string, built: readonly (readonly [Kind, string])[], bandits: readonly string[] = []): Scene {
  return {
    sheet: { rows: drawing.split('/'), signs: SIGNS, river: [] },
    buildings: built.map(([kind, cells]) => ({ kind, cells: cells.split(' '), printed: false })),
    bandits,
  };
}

/** The illustrations of the rules that are sheets. */
export const SCENES: Readonly<Record<string, Scene>> = {
  sheet: scene('2..../..W../....r', [
    ['residential', 'b1 c1'],
    ['industrial', 'a2 b2'],
    ['administrative', 'd2 d3'],
    ['residential', 'b3 c3'],
  ]),
  church: scene('...../...../.....', [
    ['church', 'c1 b2 c2 d2'],
    ['residential', 'a1 b1'],
    ['industrial', 'd1 e1'],
    ['administrative', 'b3 c3 d3'],
  ]),
  bandit: {
    ...scene(
      '....../....../......',
      [
        ['residential', 'b1 a1'],
        ['industrial', 'a2 a3'],
        ['administrative', 'c1 c2'],
        ['residential', 'b3 c3'],
      ],
      ['b2', 'e2'],
    ),
    caught: ['b2'],
  },
};
