import type { Cell } from '../../board/geometry/cells';
import { shapeFromDrawing, orientationsOf, sameShape } from '../../board/geometry/shapes';
import { number, signed, tMaybe, type Key, type Translate } from '../../i18n/index.svelte';
import { ruleAddress } from '../../lib/routing/ruleLinks';
import type { Event, RollView, Setup, TableView } from '../../wire/rollwrite';
import type { Line, Reason } from '../../wire/server';
import type { Side } from '../placing/boards/riverEdges';
import { cellInWords, sharedReason } from '../placing/words';
import type { GameMode, StandingLine } from '../types';
import { chapterOf, outlines } from './outline';
import { buildingAt, groundAt, type Kind } from './sheet/sheet';

const SHAPES: readonly (readonly [drawing: string, word: Key])[] = [
  ['#', 'rollwrite.shape.i1'],
  ['##', 'rollwrite.shape.i2'],
  ['###', 'rollwrite.shape.i3'],
  ['####', 'rollwrite.shape.i4'],
  ['#.\n##', 'rollwrite.shape.l3'],
  ['##\n##', 'rollwrite.shape.o4'],
  ['#..\n###', 'rollwrite.shape.l4'],
  ['.#.\n###', 'rollwrite.shape.t4'],
  ['#...\n####', 'rollwrite.shape.l5'],
  ['#.#\n###', 'rollwrite.shape.u5'],
  ['.#.\n###\n.#.', 'rollwrite.shape.plus'],
];

const LINES: Readonly<Record<string, Key>> = {
  passes: 'rollwrite.line.passes',
  plains: 'rollwrite.line.plains',
  forest: 'rollwrite.line.forest',
  gold: 'rollwrite.line.gold',
  trees: 'rollwrite.line.trees',
  rocks: 'rollwrite.line.rocks',
  empty: 'rollwrite.line.empty',
  'group-residential': 'rollwrite.line.group-residential',
  'group-industrial': 'rollwrite.line.group-industrial',
  'group-administrative': 'rollwrite.line.group-administrative',
  wells: 'rollwrite.line.wells',
  churches: 'rollwrite.line.churches',
  bandits: 'rollwrite.line.bandits',
  complete: 'rollwrite.line.complete',
  'never-passed': 'rollwrite.line.never-passed',
  'all-trees': 'rollwrite.line.all-trees',
  'no-rocks': 'rollwrite.line.no-rocks',
  'no-empty': 'rollwrite.line.no-empty',
  purses: 'rollwrite.line.purses',
};

const REASONS: Readonly<Record<string, Key>> = {
  'not-meadow': 'rollwrite.reason.not-meadow',
  bandit: 'rollwrite.reason.bandit',
  'no-passing': 'rollwrite.reason.no-passing',
  'row-full': 'rollwrite.reason.row-full',
};

const GOALS: Readonly<Record<string, Key>> = {
  plains: 'rollwrite.goal.plains',
  forest: 'rollwrite.goal.forest',
  gold: 'rollwrite.goal.gold',
};

const FACES: Readonly<Record<string, Key>> = {
  corner: 'rollwrite.face.corner',
  single: 'rollwrite.face.single',
  vertical: 'rollwrite.face.vertical',
  horizontal: 'rollwrite.face.horizontal',
  blank: 'rollwrite.face.blank',
  compass: 'rollwrite.face.compass',
  residential: 'rollwrite.kind.residential',
  industrial: 'rollwrite.kind.industrial',
  administrative: 'rollwrite.kind.administrative',
};

export function shapeWord(drawing: string, t: Translate): string {
  const ways = orientationsOf(drawing);
  const known = SHAPES.find(([shape]) => ways.some((way) => sameShape(way, shapeFromDrawing(shape))));
  return known ? t(known[1]) : '';
}

/** Names the building of the round: `industrial corner`. */
export function taskName({ kind, shape }: Pick<RollView, 'kind' | 'shape'>, t: Translate): string {
  return t('rollwrite.task', { kind: t(`rollwrite.kind.${kind}`), shape: shapeWord(shape, t) });
}

export function faceName(face: string, t: Translate): string {
  const key = FACES[face];
  return key ? t(key) : face;
}

export function goalName(goal: string, t: Translate): string {
  const key = GOALS[goal];
  return key ? t(key) : '';
}

export function lineName(line: string, t: Translate): string {
  const key = LINES[line];
  return key ? t(key) : line;
}

/** Returns the address of the rule behind a refusal. */
export function ruleAt({ code }: Reason): string | undefined {
  return ruleAddress('rollwrite', outlines.current?.rules.reasons[code]);
}

export function reason(reason: Reason, t: Translate): string | undefined {
  const key = REASONS[reason.code];
  return key ? t(key) : sharedReason(reason, t);
}

/** Returns the name of a mode within its group: its distinctive part. */
export function modeName({ setup, plan, group }: GameMode, t: Translate): string {
  const first = plan?.[0] ?? 1;
  if (group === 'chapter') return chapterTitle(chapterOf(first), t);
  if (plan)
    return isWhole(plan)
      ? t('rollwrite.mode.whole', { count: plan.length })
      : t('rollwrite.mode.mini', { others: plan.slice(0, -1).join(', '), last: plan.at(-1) ?? '' });
  return String(setup['episode']);
}

export function groupName(group: string, t: Translate): string {
  return group === 'chapter' || group === 'campaign' ? t(`rollwrite.group.${group}`) : t('rollwrite.group.episode');
}

export function matchName(setup: unknown, t: Translate): string {
  return t('rollwrite.mode.episode', { episode: (setup as Partial<Setup>).episode ?? 1 });
}

/** Whether a plan skips no episode. */
function isWhole(plan: readonly number[]): boolean {
  return plan.every((episode, i) => i === 0 || episode === plan[i - 1]! + 1);
}

export function chapterName(episode: number): string {
  return nameOfChapter(chapterOf(episode));
}

function nameOfChapter(number: number): string {
  return tMaybe(`rollwrite.chapter.${number}`, String(number));
}

function chapterTitle(number: number, t: Translate): string {
  return t('rollwrite.mode.chapter', { number, name: nameOfChapter(number) });
}

export function title(rank: number): string {
  return tMaybe(`rollwrite.title.${rank}`, '');
}

/** Describes a line of the standings: episodes, purses, chapters, and the titles of solo matches. */
export function standingLine({ line, count, points }: Line, t: Translate): StandingLine | undefined {
  const which = Number(/\d+$/.exec(line)?.[0] ?? 0);
  if (line.startsWith('episode-')) return { name: matchName({ episode: which }, t), value: number(points) };
  if (line === 'purses')
    return {
      name: t('rollwrite.line.purses'),
      value: points ? `${number(count)} (${signed(points)})` : number(count),
    };
  if (line.startsWith('chapter-title-')) return { name: t('rollwrite.standing.title'), value: title(count) };
  if (line.startsWith('chapter-'))
    return {
      name: chapterTitle(which, t),
      value: number(count),
      strong: true,
    };
  if (line === 'campaign') return { name: t('rollwrite.standing.campaign'), value: number(count), strong: true };
  if (line === 'title') return { name: t('rollwrite.standing.last'), value: title(count), strong: true };
  return undefined;
}

/** Describes an event in a sentence. */
export function describe(event: unknown, names: readonly string[], t: Translate): string {
  const happened = event as Event;
  switch (happened.type) {
    case 'rolled':
      return t('rollwrite.event.rolled', { building: t(`rollwrite.building.${happened.kind as Kind}`) });
    case 'built':
      return t('rollwrite.event.built', {
        name: names[happened.seat] ?? '',
        building: t(`rollwrite.building.${happened.kind as Kind}`),
        cell: happened.cells[0] ?? '',
      });
    case 'passed':
      return t('rollwrite.event.passed', { name: names[happened.seat] ?? '', count: happened.circles });
    case 'stopped':
      return t('rollwrite.event.stopped', { name: names[happened.seat] ?? '' });
    case 'race-won':
      return t('rollwrite.event.race-won', {
        name: names[happened.seat] ?? '',
        race: goalName(happened.race, t),
        count: happened.points,
      });
    case 'ended':
      return t('rollwrite.event.ended');
    default:
      return '';
  }
}

/** Describes a cell of a sheet. */
export function describeCell(table: TableView, seat: number, cell: Cell, sides: readonly Side[], t: Translate): string {
  const city = table.cities[seat];
  const body = buildingAt(city, cell);
  const built = body && {
    building: t(`rollwrite.building.${body.kind}`),
    shape: shapeWord(sketch(body.cells), t),
  };
  const ground = city?.bandits.includes(cell)
    ? t(city.caught.includes(cell) ? 'rollwrite.ground.caught' : 'rollwrite.ground.bandit')
    : t(`rollwrite.ground.${groundAt(table, cell)}`);
  return cellInWords({ cell, ground, built, sides }, t);
}

/** Returns a drawing of the shape of cells. */
function sketch(cells: readonly Cell[]): string {
  const places = cells.map((cell) => ({ x: cell.charCodeAt(0), y: Number(cell.slice(1)) }));
  const left = Math.min(...places.map(({ x }) => x));
  const top = Math.min(...places.map(({ y }) => y));
  const width = Math.max(...places.map(({ x }) => x)) - left + 1;
  const height = Math.max(...places.map(({ y }) => y)) - top + 1;
  const has = (x: number, y: number): boolean => places.some((place) => place.x === left + x && place.y === top + y);
  return Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_, x) => (has(x, y) ? '#' : '.')).join(''),
  ).join('\n');
}
