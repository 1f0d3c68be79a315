import type { Cell } from '../../board/cells';
import type { Body, Ground } from '../../board/terrain';
import type { Key, Translate } from '../../i18n/index.svelte';
import type { Event } from '../../wire/mycity';
import type { Reason } from '../../wire/server';
import type { Side } from '../building/shore';
import { cellInWords, sharedReason } from '../building/words';
import type { GameMode } from '../types';
import { BLOCK, kindOf, shapeName } from './cards';

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
  flipped: 'mycity.reason.flipped',
  'not-meadow': 'mycity.reason.not-meadow',
  'marker-at-zero': 'mycity.reason.marker-at-zero',
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

export function reason(reason: Reason, t: Translate): string | undefined {
  const key = REASONS[reason.code];
  return key ? t(key) : sharedReason(reason, t);
}

export function modeName({ setup }: GameMode, t: Translate): string {
  const episode = setup['episode'];
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
  const built = body && { building: t(`mycity.building.${body.kind}`), shape: shapeWord(body.id, t) };
  return cellInWords({ cell, ground: t(`mycity.ground.${ground}`), built, sides }, t);
}
