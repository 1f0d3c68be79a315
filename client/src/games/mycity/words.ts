import type { Cell } from '../../board/cells';
import type { Body, Ground } from '../../board/terrain';
import type { Key, Translate } from '../../i18n/index.svelte';
import type { Event } from '../../wire/mycity';
import type { Reason } from '../../wire/server';
import type { GameMode } from '../types';
import { BLOCK, kindOf, shapeName } from './cards';
import type { Side } from './town';

const SHAPES: Readonly<Record<string, Key>> = {
  i4: 'mycity.shape.i4',
  o4: 'mycity.shape.o4',
  t4: 'mycity.shape.t4',
  s4: 'mycity.shape.s4',
  z4: 'mycity.shape.z4',
  j4: 'mycity.shape.j4',
  l4: 'mycity.shape.l4',
  u5: 'mycity.shape.u5',
  i2: 'mycity.shape.i2',
  l3: 'mycity.shape.l3',
};

const LINES: Readonly<Record<string, Key>> = {
  start: 'mycity.line.start',
  passes: 'mycity.line.passes',
  gold: 'mycity.line.gold',
  trees: 'mycity.line.trees',
  rocks: 'mycity.line.rocks',
  'group-yellow': 'mycity.line.group-yellow',
  'group-red': 'mycity.line.group-red',
  'group-blue': 'mycity.line.group-blue',
  churches: 'mycity.line.churches',
  wells: 'mycity.line.wells',
  empty: 'mycity.line.empty',
  limit: 'mycity.line.limit',
};

const REASONS: Readonly<Record<string, Key>> = {
  'off-board': 'mycity.reason.off-board',
  'not-the-shape': 'mycity.reason.not-the-shape',
  flipped: 'mycity.reason.flipped',
  'not-meadow': 'mycity.reason.not-meadow',
  'built-over': 'mycity.reason.built-over',
  'both-banks': 'mycity.reason.both-banks',
  'not-touching': 'mycity.reason.not-touching',
  'not-at-river': 'mycity.reason.not-at-river',
  'must-build': 'mycity.reason.must-build',
  'marker-at-zero': 'mycity.reason.marker-at-zero',
  'not-due': 'mycity.reason.not-due',
  'game-over': 'mycity.reason.game-over',
  'not-your-seat': 'mycity.reason.not-your-seat',
  'out-of-step': 'mycity.reason.out-of-step',
  'nothing-to-take-back': 'mycity.reason.nothing-to-take-back',
  'not-an-action': 'mycity.reason.not-an-action',
};

const RACES: Readonly<Record<string, Key>> = { gold: 'mycity.race.gold' };

export function shapeWord(card: string, t: Translate): string {
  const key = SHAPES[shapeName(card)];
  return key ? t(key) : shapeName(card);
}

export function cardName(card: string, t: Translate): string {
  if (card === BLOCK) return t('mycity.card.block');
  return t('mycity.card.name', { kind: t(`mycity.kind.${kindOf(card)}`), shape: shapeWord(card, t) });
}

export function lineName(line: string, t: Translate): string {
  const key = LINES[line];
  return key ? t(key) : line;
}

export function reason({ code }: Reason, t: Translate): string | undefined {
  const key = REASONS[code];
  return key && t(key);
}

export function modeName(mode: GameMode, t: Translate): string {
  const episode = mode['episode'];
  return typeof episode === 'number' ? t('mycity.mode.episode', { episode }) : t('mycity.mode.eternal');
}

/** An event as a sentence. */
export function describe(event: unknown, names: readonly string[], t: Translate): string {
  const happened = event as Event;
  switch (happened.type) {
    case 'revealed':
      if (happened.card === BLOCK) return t('mycity.event.block');
      return t('mycity.event.revealed', { card: cardName(happened.card, t) });
    case 'forbidden':
      return t('mycity.event.forbidden', { card: cardName(happened.card, t) });
    case 'built':
      return t('mycity.event.built', {
        name: names[happened.seat] ?? '',
        card: cardName(happened.card, t),
        cell: happened.cells[0] ?? '',
      });
    case 'passed':
      return t('mycity.event.passed', { name: names[happened.seat] ?? '', marker: happened.marker });
    case 'stopped':
      return t('mycity.event.stopped', { name: names[happened.seat] ?? '' });
    case 'race-won': {
      const race = RACES[happened.race];
      return t('mycity.event.race-won', {
        name: names[happened.seat] ?? '',
        race: race ? t(race) : happened.race,
        count: happened.points,
      });
    }
    case 'ended':
      return t('mycity.event.ended');
    default:
      return '';
  }
}

interface CellSeen {
  readonly cell: Cell;
  readonly ground: Ground;
  readonly body: Body | undefined;
  readonly sides: readonly Side[];
}

/** A cell in words: `c4, two trees, river left`. */
export function describeCell({ cell, ground, body, sides }: CellSeen, t: Translate): string {
  const label = body
    ? t('mycity.cell.built', { cell, building: t(`mycity.building.${body.kind}`), shape: shapeWord(body.id, t) })
    : t('mycity.cell.free', { cell, what: t(`mycity.ground.${ground}`) });
  if (sides.length === 0) return label;
  return t('mycity.cell.river', { label, sides: sides.map((side) => t(`mycity.side.${side}`)).join(', ') });
}

/** Points with their sign: a true minus, and a plus where it matters. */
export function signed(points: number, language: string): string {
  return new Intl.NumberFormat(language, { signDisplay: 'exceptZero' }).format(points).replace('-', '−');
}

export function plainPoints(points: number, language: string): string {
  return new Intl.NumberFormat(language).format(points).replace('-', '−');
}
