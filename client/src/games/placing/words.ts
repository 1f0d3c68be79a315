import type { Cell } from '../../board/cells';
import type { Key, Translate } from '../../i18n/index.svelte';
import type { Reason } from '../../wire/server';
import type { Side } from './boards/riverEdges';

/** What all games in which buildings are placed say in the same words. */
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
  /** What the ground is, in words. */
  readonly ground: string;
  /** What stands there, in words, and its shape. */
  readonly built: { readonly building: string; readonly shape: string } | undefined;
  readonly sides: readonly Side[];
}

/** A cell in words: `c4, two trees, river left`. */
export function cellInWords({ cell, ground, built, sides }: CellSeen, t: Translate): string {
  const label = built ? t('building.cell.built', { cell, ...built }) : t('building.cell.free', { cell, what: ground });
  if (sides.length === 0) return label;
  return t('building.cell.river', { label, sides: sides.map((side) => t(`building.side.${side}`)).join(', ') });
}
