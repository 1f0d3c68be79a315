import type { Cell } from '../../board/geometry/cells';
import type { Key, Translate } from '../../i18n/index.svelte';
import type { Reason } from '../../wire/server';
import type { Side } from './boards/riverEdges';

/** Texts that all placing games share. */
const REASONS: Readonly<Record<string, Key>> = {
  'off-board': 'building.reason.off-board',
  'not-the-shape': 'building.reason.not-the-shape',
  'built-over': 'building.reason.built-over',
  'both-banks': 'building.reason.both-banks',
  'not-touching': 'building.reason.not-touching',
  'not-at-river': 'building.reason.not-at-river',
  'must-build': 'building.reason.must-build',
  'not-due': 'building.reason.not-due',
  'game-over': 'building.reason.game-over',
  'not-your-seat': 'building.reason.not-your-seat',
  'out-of-step': 'building.reason.out-of-step',
  'nothing-to-take-back': 'building.reason.nothing-to-take-back',
  'not-an-action': 'building.reason.not-an-action',
};

export function sharedReason({ code }: Reason, t: Translate): string | undefined {
  const key = REASONS[code];
  return key && t(key);
}

interface CellSeen {
  readonly cell: Cell;
  /** The name of the ground. */
  readonly ground: string;
  /** The building on the cell and its shape. */
  readonly built: { readonly building: string; readonly shape: string } | undefined;
  readonly sides: readonly Side[];
}

/** Describes a cell: `c4, two trees, river left`. */
export function cellInWords({ cell, ground, built, sides }: CellSeen, t: Translate): string {
  const label = built ? t('building.cell.built', { cell, ...built }) : t('building.cell.free', { cell, what: ground });
  if (sides.length === 0) return label;
  return t('building.cell.river', { label, sides: sides.map((side) => t(`building.side.${side}`)).join(', ') });
}
