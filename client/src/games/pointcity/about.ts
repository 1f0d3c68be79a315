import { squareOf } from '../../board/geometry/cells';
import { openBook } from '../../i18n/books.svelte';
import type words from '../../i18n/en/books/about-pointcity.json';
import { number, signed, t, tMaybe } from '../../i18n/index.svelte';
import type { TableView, View } from '../../wire/pointcity';
import type { ThingExplanation, ExplainRequest, Explainer, ExplainContext, Shortcut } from '../types';
import { heldResources, type Sign } from './material/resources';
import { outlines } from './outline';
import type { THINGS } from './things';
import {
  buildingWords,
  cardAt,
  costName,
  faceName,
  lineName,
  nameAt,
  shownWords,
  signName,
  titleName,
  tokenName,
} from './words';

type Words = typeof words;

declare module '../../i18n/types' {
  interface English extends Words {}
}

type Kind = (typeof THINGS)[number];

const RULES: Readonly<Record<Kind, string>> = {
  cell: 'PC-7',
  automa: 'PC-22',
  deck: 'PC-13',
  'deck-left': 'PC-16',
  tier: 'PC-2',
  tokens: 'PC-14',
  token: 'PC-18',
  purse: 'PC-9',
  stock: 'PC-11',
  player: 'PC-8',
  score: 'PC-18',
  line: 'PC-18',
  total: 'PC-18',
  city: 'PC-18',
  building: 'PC-18',
  price: 'PC-9',
  'left-over': 'PC-11',
  next: 'PC-15',
  take: 'PC-7',
  flip: 'PC-6',
  draw: 'PC-13',
  skip: 'PC-17',
  clear: 'PC-7',
  way: 'PC-11',
  pick: 'PC-14',
  'line-up': 'PC-21',
  'as-drawn': 'PC-21',
};

export async function loadExplainer(): Promise<Explainer> {
  await openBook('about-pointcity');
  return { explain, shortcuts };
}

function isKind(kind: string): kind is Kind {
  return kind in RULES;
}

function explain(asked: ExplainRequest, game: ExplainContext): ThingExplanation | undefined {
  if (!isKind(asked.kind)) return undefined;
  const { table } = game.view as View;
  const { kind, which } = asked;
  if (kind === 'cell') return cell(which, table);
  if (kind === 'line') return line(asked, table);
  return {
    title: titleOf(kind, asked, game, table),
    text: t(`about.pointcity.${kind}`),
    now: nowOf(kind, asked, game, table),
    rule: RULES[kind],
  };
}

function cell(at: string, table: TableView): ThingExplanation {
  const entry = table.market.find(({ cell: name }) => name === at);
  const building = entry?.building;
  const kind = building ? (`building.${building.kind}` as const) : entry?.face ? 'resource' : 'empty';
  return {
    title: entry ? shownWords(entry, t) : '',
    text: t(`about.pointcity.cell.${kind}`),
    now: [
      ...offersOf(at, table),
      ...(entry?.next ? [t(`about.pointcity.cell.next.${entry.next}`)] : []),
      ...(table.automa?.cells.includes(at) ? [t('about.pointcity.automa')] : []),
    ],
    rule: building?.kind === 'civic' ? 'PC-14' : building ? 'PC-9' : entry?.face === 'ingenuity' ? 'PC-12' : 'PC-8',
  };
}

/** Describes the offers of a card with each of its neighbours. */
function offersOf(at: string, table: TableView): readonly string[] {
  return table.offers
    .filter(({ cells }) => cells.includes(at))
    .map(({ cells, price = [], short }) => {
      const cost = costName(
        Object.fromEntries(price.map((share) => [share.resource, share.cost - (share.free ?? 0)])),
        t,
      );
      const other = neighbourName(at, cells.find((name) => name !== at) ?? at, table);
      if (short) return t('about.pointcity.cell.short', { other, count: short });
      return cost ? t('about.pointcity.cell.with', { other, cost }) : t('about.pointcity.cell.free', { other });
    });
}

/** Names a neighbour by its face and its direction, because the market shows no coordinates. */
function neighbourName(at: string, other: string, table: TableView): string {
  const [here, there] = [squareOf(at), squareOf(other)];
  const across = there.x < here.x ? 'left' : 'right';
  const side = there.x === here.x ? (there.y < here.y ? 'above' : 'below') : across;
  return t(`about.pointcity.side.${side}`, { card: cardAt(other, table, t) });
}

function line({ which, seat }: ExplainRequest, table: TableView): ThingExplanation {
  const entry = table.result.sheets[seat]?.find((other) => other.line === which);
  const automa = seat >= table.setup.seats;
  return {
    title: lineName(which, t),
    text: tMaybe(`about.pointcity.line.${which}${automa ? '.automa' : ''}`, t('about.pointcity.line')),
    now: entry ? [t('about.pointcity.line.now', { count: number(entry.count), points: signed(entry.points) })] : [],
    rule: automa && which !== 'buildings' ? 'PC-24' : outlines.current?.rules.lines[which],
  };
}

type Plain = Exclude<Kind, 'cell' | 'line'>;

function titleOf(kind: Plain, { which, seat }: ExplainRequest, { names }: ExplainContext, table: TableView): string {
  switch (kind) {
    case 'token':
      return tokenName(which, t);
    case 'stock':
      return signName(which as Sign, t);
    case 'player':
      return nameAt(seat, names, t);
    case 'building': {
      const card = table.players[seat]?.city.find((other) => other.card === which);
      return card ? titleName(card.title) : t('about.pointcity.building.title');
    }
    case 'tier':
      return t('about.pointcity.tier.title', { tier: which });
    default:
      return t(`about.pointcity.${kind}.title`);
  }
}

function nowOf(
  kind: Plain,
  { which, seat }: ExplainRequest,
  game: ExplainContext,
  table: TableView,
): readonly string[] {
  const player = table.players[seat];
  if (!player) return [];
  switch (kind) {
    case 'deck':
      return table.deck.top
        ? [
            t('pointcity.deck.top', {
              face: faceName(table.deck.top, t),
              cards: t('pointcity.deck.cards', { count: table.deck.cards }),
            }),
          ]
        : [t('pointcity.deck.empty')];
    case 'tier':
      return [t('pointcity.deck.cards', { count: table.deck.left[which] ?? 0 })];
    case 'token':
      return tokenNow(which, seat, table);
    case 'stock': {
      const { singles, doubles } = heldResources(player.stock, which as Sign);
      return which === 'ingenuity'
        ? [t('pointcity.purse.joker', { sign: signName('ingenuity', t), singles })]
        : [
            t('pointcity.purse.sign', {
              sign: signName(which as Sign, t),
              permanents: player.permanents[which] ?? 0,
              singles,
              doubles,
            }),
          ];
    }
    case 'player':
    case 'score':
    case 'total':
      return [
        t('about.pointcity.standing', {
          count: table.result.scores[seat] ?? 0,
          rank: table.result.ranks[seat] ?? 1,
          of: table.result.scores.length,
        }),
        t('pointcity.player.turns', { count: player.turns_left }),
      ];
    case 'building': {
      const card = player.city.find((other) => other.card === which);
      return card ? [buildingWords(card, t)] : [];
    }
    case 'take':
    case 'price':
    case 'left-over':
      return [t('about.pointcity.takes', { count: game.choices.filter(isTake).length })];
    default:
      return [];
  }
}

function isTake(choice: unknown): boolean {
  return (choice as { type: string }).type === 'take';
}

/** Describes the value of a token for a player, or its count in their city. */
function tokenNow(token: string, seat: number, table: TableView): readonly string[] {
  const worth = table.tokens.find((other) => other.token === token)?.worth[seat];
  if (worth)
    return [
      worth.now === worth.most
        ? t('pointcity.token.now', { now: worth.now })
        : t('pointcity.token.worth', { now: worth.now, most: worth.most }),
    ];
  const owned = table.result.sheets[seat]?.find(({ line: name }) => name === token);
  return owned ? [t('pointcity.token.now', { now: owned.points })] : [];
}

function shortcuts(): readonly Shortcut[] {
  return [
    { keys: t('about.pointcity.key.tap'), does: t('about.pointcity.key.tap.does') },
    { keys: t('about.pointcity.key.arrows'), does: t('about.pointcity.key.arrows.does') },
    { keys: t('about.pointcity.key.enter'), does: t('about.pointcity.key.enter.does') },
    { keys: t('about.pointcity.key.escape'), does: t('about.pointcity.key.escape.does') },
  ];
}
