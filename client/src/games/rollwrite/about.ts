import { openBook } from '../../i18n/books.svelte';
import type words from '../../i18n/en/books/about-rollwrite.json';
import { signed, t, tMaybe } from '../../i18n/index.svelte';
import type { TableView } from '../../wire/rollwrite';
import { cellNow, makeExplain, lineNow, openExplanationTexts, shortcuts, type RulesOfThings } from '../placing/about';
import { riverSides } from '../placing/boards/riverEdges';
import type { ThingExplanation, ExplainRequest, Explainer, ExplainContext } from '../types';
import { outlines } from './outline';
import { buildingAt, groundAt, winnersOf } from './sheet/sheet';
import type { ROLLWRITE_THINGS } from './things';
import { describeCell, goalName, lineName, taskName } from './words';

type Words = typeof words;

declare module '../../i18n/types' {
  interface English extends Words {}
}

type Own = (typeof ROLLWRITE_THINGS)[number];

const RULES: RulesOfThings<Own> = {
  piece: 'RW-4',
  turn: 'RW-4',
  mirror: 'RW-4',
  pass: 'RW-10',
  stop: 'RW-11',
  build: 'RW-7',
  'take-back-decision': 'RW-9',
  player: 'RW-18',
  score: 'RW-18',
  total: 'RW-18',
  dice: 'RW-2',
  die: 'RW-2',
  chances: 'RW-3',
  compass: 'RW-21',
  circles: 'RW-14',
  race: 'RW-26',
  purses: 'RW-25',
};

const ON_CELL_RULES: Readonly<Record<string, string>> = {
  meadow: 'RW-15',
  trees: 'RW-15',
  rocks: 'RW-15',
  well: 'RW-17',
  gold: 'RW-28',
  forest: 'RW-27',
  mountain: 'RW-5',
  plains: 'RW-26',
  flood: 'RW-26',
  bandit: 'RW-30',
  caught: 'RW-30',
  residential: 'RW-16',
  industrial: 'RW-16',
  administrative: 'RW-16',
  church: 'RW-23',
  fort: 'RW-32',
  sawmill: 'RW-25',
};

export async function loadExplainer(): Promise<Explainer> {
  await Promise.all([openExplanationTexts(), openBook('about-rollwrite')]);
  return { explain: makeExplain({ rules: RULES, cell, line, own }), shortcuts: () => shortcuts(true) };
}

function cell(asked: ExplainRequest, game: ExplainContext, table: TableView): ThingExplanation {
  const { which: at, seat } = asked;
  const city = table.cities[seat];
  const building = buildingAt(city, at);
  const ground = groundAt(table, at);
  const sides = riverSides(table.river).get(at) ?? [];
  const bandit = city?.caught.includes(at) ? 'caught' : city?.bandits.includes(at) ? 'bandit' : undefined;
  const there = building?.kind ?? bandit ?? ground;
  const open = there === 'forest' && table.builds_on.includes('forest') ? 'forest.open' : there;
  return {
    title: describeCell(table, seat, at, sides, t),
    text: [open, ...(sides.length ? ['river'] : [])].map((what) => tMaybe(`about.rollwrite.on.${what}`, '')).join(' '),
    now: cellNow(table, asked, game, { lines: table.in_sight, ground, built: !!building }, (name) => lineName(name, t)),
    rule: ON_CELL_RULES[there],
  };
}

function line({ which, seat }: ExplainRequest, table: TableView): ThingExplanation {
  return {
    title: lineName(which, t),
    text: tMaybe(`about.rollwrite.line.${which}`, ''),
    now: lineNow(table, seat, which),
    rule: outlines.current?.rules.lines[which],
  };
}

function own(
  { kind, which, seat }: ExplainRequest & { readonly kind: Own },
  game: ExplainContext,
  table: TableView,
): ThingExplanation {
  return {
    title: kind === 'race' ? goalName(which, t) : tMaybe(`about.rollwrite.${kind}.title`, ''),
    text: tMaybe(which ? `about.rollwrite.${kind}.${which}` : `about.rollwrite.${kind}`, t(`about.rollwrite.${kind}`)),
    now: nowOf(kind, which, seat, game, table),
    rule: kind === 'race' ? outlines.current?.rules.lines[which] : RULES[kind],
  };
}

function nowOf(kind: Own, which: string, seat: number, { names }: ExplainContext, table: TableView): readonly string[] {
  const city = table.cities[seat];
  if (!city) return [];
  switch (kind) {
    case 'dice':
      return table.roll ? [taskName(table.roll, t)] : [t('rollwrite.roll.none')];
    case 'compass':
      return [t(table.compass?.states.includes('next') ? 'rollwrite.compass.means' : 'rollwrite.compass.blank')];
    case 'circles':
      return table.passing.length
        ? [
            t('rollwrite.passing.told', {
              count: city.circles,
              of: table.passing.length,
              price: signed(city.price),
            }),
          ]
        : [t('rollwrite.passing.none')];
    case 'race':
      return raceNow(which, seat, names, table);
    case 'purses':
      return [t('rollwrite.purses', { count: city.purses })];
    case 'die':
    case 'chances':
      return [];
  }
}

function raceNow(name: string, seat: number, names: readonly string[], table: TableView): readonly string[] {
  const race = table.races.find((other) => other.race === name);
  if (!race) return [];
  const winners = winnersOf(name, table);
  return [
    t('rollwrite.race.cells', { count: table.cities[seat]?.covered[name] ?? 0, of: race.cells.length }),
    winners.length
      ? t('rollwrite.race.won', { names: winners.map((winner) => names[winner] ?? '').join(', ') })
      : t('rollwrite.race.open', { points: signed(race.points) }),
  ];
}
