import { openBook } from '../../i18n/books.svelte';
import type words from '../../i18n/en/books/about-mycity.json';
import { number, signed, t, tMaybe } from '../../i18n/index.svelte';
import type { TableView } from '../../wire/mycity';
import { cellNow, makeExplain, lineNow, openExplanationTexts, shortcuts, type RulesOfThings } from '../placing/about';
import { riverSides } from '../placing/boards/riverEdges';
import type { ThingExplanation, ExplainRequest, Explainer, ExplainContext } from '../types';
import { groundAt, cityLayoutOf, winnersOf } from './board/cityLayout';
import { outlines } from './outline';
import type { MYCITY_THINGS } from './things';
import { cardName, describeCell, lineAbout, lineName, rewardsInWords, shaftName } from './words';

type Words = typeof words;

declare module '../../i18n/types' {
  interface English extends Words {}
}

type Own = (typeof MYCITY_THINGS)[number];

const RULES: RulesOfThings<Own> = {
  piece: 'MC-1',
  turn: 'MC-1',
  pass: 'MC-11',
  stop: 'MC-12',
  build: 'MC-9',
  'take-back-decision': 'MC-10',
  player: 'MC-19',
  score: 'MC-19',
  total: 'MC-19',
  card: 'MC-5',
  blocked: 'MC-26',
  deck: 'MC-5',
  coming: 'MC-1',
  block: 'MC-26',
  race: 'MC-28',
  marker: 'MC-5',
  episode: 'MC-32',
  rank: 'MC-20',
  shaft: 'MC-E16',
  circles: 'MC-20',
  nuggets: 'MC-E10',
  arms: 'MC-30',
  rewards: 'MC-33',
  gear: 'MC-E13',
};

/** The rule for each thing on a cell. Sealed things use the rules of their chapter. */
const GROUND_RULES: Readonly<Record<string, string>> = {
  meadow: 'MC-16',
  tree: 'MC-14',
  trees: 'MC-14',
  rocks: 'MC-15',
  well: 'MC-27',
  gold: 'MC-28',
  forest: 'MC-6',
  mountain: 'MC-6',
  water: 'MC-E7',
  'blue-entrance': 'MC-E16',
  'red-entrance': 'MC-E17',
  'yellow-entrance': 'MC-E18',
  residential: 'MC-23',
  public: 'MC-23',
  industrial: 'MC-23',
  church: 'MC-24',
  factory: 'MC-E14',
  sawmill: 'MC-E11',
  port: 'MC-E20',
  palace: 'MC-E22',
  kiosk: 'MC-E23',
};

export async function loadExplainer(): Promise<Explainer> {
  await Promise.all([openExplanationTexts(), openBook('about-mycity')]);
  return { explain: makeExplain({ rules: RULES, cell, line, own }), shortcuts: () => shortcuts(false) };
}

/** Returns the explanation of a thing on a board; those of sealed things are in their chapter. */
function explanationOf(thing: string): string {
  return tMaybe(`about.mycity.on.${thing}`, tMaybe(`mycity.about.${thing}`, ''));
}

function cell(asked: ExplainRequest, game: ExplainContext, table: TableView): ThingExplanation {
  const { which: at, seat } = asked;
  const town = cityLayoutOf(table, seat);
  const ground = groundAt(town.terrain, at);
  const body = town.bodies.find(({ cells }) => cells.includes(at));
  const park = town.parks.includes(at);
  const invested = town.investor.includes(at);
  const track = town.track.includes(at);
  const sides = riverSides(table.river).get(at) ?? [];
  const built = body?.roof ?? body?.kind;
  const also = [
    park ? 'park' : '',
    invested ? 'investor' : '',
    track ? 'track' : '',
    !body && town.dykes.includes(at) ? 'dyke' : '',
    !body && town.squares.includes(at) ? 'square' : '',
    sides.length ? 'river' : '',
  ].filter(Boolean);
  return {
    title: describeCell({ cell: at, ground, body, sides, park, invested, track }, t),
    text: [built ?? ground, ...also].map(explanationOf).filter(Boolean).join(' '),
    now: cellNow(table, asked, game, { lines: table.episode.in_sight, ground, built: !!body }, lineName),
    rule: GROUND_RULES[built ?? ground] ?? 'MC-6',
  };
}

function line({ which, seat }: ExplainRequest, table: TableView): ThingExplanation {
  return {
    title: lineName(which),
    text: tMaybe(`about.mycity.line.${which}`, lineAbout(which)),
    now: lineNow(table, seat, which),
    rule: outlines.current?.rules.lines[which],
  };
}

function own(
  { kind, which, seat }: ExplainRequest & { readonly kind: Own },
  game: ExplainContext,
  table: TableView,
): ThingExplanation {
  const race = kind === 'race' ? table.episode.races[which] : undefined;
  return {
    title: titleOf(kind, which, game, table),
    text: race
      ? tMaybe(`mycity.race.${which}.about`, '', { count: race.goal })
      : tMaybe(`about.mycity.${kind}`, tMaybe(`mycity.about.${kind}`, '')),
    now: nowOf(kind, which, seat, game, table).filter(Boolean),
    rule: race ? outlines.current?.rules.lines[which] : RULES[kind],
  };
}

function titleOf(kind: Own, which: string, { names }: ExplainContext, table: TableView): string {
  switch (kind) {
    case 'card':
      return table.card ? cardName(table.card, t) : t('about.mycity.card.title');
    case 'coming':
      return t(`mycity.kinds.${which as 'church'}`);
    case 'race':
      return tMaybe(`mycity.race.${which}.title`, which);
    case 'rank':
      return t(`mycity.campaign.play.rank.${which === 'others' && names.length === 2 ? 'other' : (which as 'first')}`);
    case 'shaft':
      return shaftName(which);
    default:
      return tMaybe(`about.mycity.${kind}.title`, tMaybe(`mycity.about.${kind}.title`, ''));
  }
}

function nowOf(kind: Own, which: string, seat: number, { names }: ExplainContext, table: TableView): readonly string[] {
  const city = table.cities[seat];
  if (!city) return [];
  switch (kind) {
    case 'deck':
      return [t('mycity.deck.left', { count: table.remaining.length })];
    case 'coming': {
      const coming = table.cards.filter((card) => card.kind === which && table.remaining.includes(card.card));
      return [t('about.mycity.coming.now', { count: coming.length })];
    }
    case 'block':
      return table.block ? [t(`mycity.deck.block.${table.block}`)] : [];
    case 'blocked':
      return table.blocked ? [t('mycity.card.blocked', { card: cardName(table.blocked, t) })] : [];
    case 'marker':
      return [t('mycity.sheet.marker', { marker: city.marker })];
    case 'race':
      return raceNow(which, seat, names, table);
    case 'rank':
      return rankNow(which, seat, table);
    case 'circles':
      return [tMaybe('mycity.sticker.circle.count', '', { count: city.legacy?.circles ?? 0 })];
    case 'nuggets':
      return [tMaybe('mycity.sticker.nugget.count', '', { count: city.legacy?.nuggets ?? 0 })];
    case 'arms':
      return [city.legacy?.city ?? ''];
    case 'rewards':
    case 'gear':
      return [rewardsInWords(city.legacy?.rewards ?? [])];
    case 'shaft':
      return shaftNow(which, seat, table);
    case 'card':
      return [t('mycity.card.number', { number: table.revealed.length, cards: table.cards.length })];
    case 'episode':
      return [];
  }
}

function raceNow(race: string, seat: number, names: readonly string[], table: TableView): readonly string[] {
  const rules = table.episode.races[race];
  const winners = winnersOf(table, race);
  if (!rules) return [];
  return [
    t('mycity.race.progress', { count: table.cities[seat]?.progress[race] ?? 0, goal: rules.goal }),
    winners.length
      ? t('mycity.race.won', { names: winners.map((winner) => names[winner] ?? '').join(', ') })
      : t('mycity.race.points', { count: rules.points, points: number(rules.points) }),
  ];
}

function rankNow(rank: string, seat: number, table: TableView): readonly string[] {
  const rewards = table.episode.ranks.find((other) => other.rank === rank)?.rewards ?? [];
  const count = table.result.scores[seat] ?? 0;
  return [
    rewardsInWords(rewards),
    table.cities[seat]?.rank === rank ? t('about.mycity.rank.now', { count, points: signed(count) }) : '',
  ];
}

function shaftNow(colour: string, seat: number, table: TableView): readonly string[] {
  const legacy = table.cities[seat]?.legacy;
  const shaft = table.episode.shafts.find((other) => other.colour === colour);
  if (!shaft) return [];
  const shafts: Readonly<Record<string, number>> = legacy?.shafts ?? {};
  const ticks: Readonly<Record<string, number>> = legacy?.ticks ?? {};
  return [
    tMaybe('mycity.shaft.state', '', {
      shaft: shaftName(colour),
      ticked: number(shafts[colour] ?? 0),
      boxes: shaft.boxes,
    }),
    ticks[colour] ? tMaybe('mycity.shaft.now', '', { count: ticks[colour] }) : '',
  ];
}
