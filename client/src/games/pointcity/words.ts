import { tMaybe, type Key, type Translate } from '../../i18n/index.svelte';
import { ruleAddress } from '../../lib/routing/ruleLinks';
import type { Action, CardView, CellView, Event, Setup, TableView, View } from '../../wire/pointcity';
import type { Reason, Argument } from '../../wire/server';
import type { GameMode } from '../types';
import { titleOf } from './material/cards';
import { RESOURCES, signsOf, type Sign } from './material/resources';
import { outlines } from './outline';

const REASONS: Readonly<Record<string, Key>> = {
  'flipped-already': 'pointcity.reason.flipped-already',
  'deck-empty': 'pointcity.reason.deck-empty',
  'must-take': 'pointcity.reason.must-take',
  'no-token': 'pointcity.reason.no-token',
  'line-begun': 'pointcity.reason.line-begun',
  'not-an-action': 'pointcity.reason.not-an-action',
  'not-now': 'pointcity.reason.not-now',
  'off-market': 'pointcity.reason.off-market',
  'building-already': 'pointcity.reason.building-already',
  'no-resource-line': 'pointcity.reason.no-resource-line',
  'not-neighbours': 'pointcity.reason.not-neighbours',
  'cannot-pay': 'pointcity.reason.cannot-pay',
  'not-held': 'pointcity.reason.not-held',
  'too-little': 'pointcity.reason.too-little',
  'too-much': 'pointcity.reason.too-much',
  'not-due': 'pointcity.reason.not-due',
  'game-over': 'pointcity.reason.game-over',
};

const LINES: Readonly<Record<string, Key>> = {
  buildings: 'pointcity.line.buildings',
  unspent: 'pointcity.line.unspent',
  permanents: 'pointcity.line.permanents',
  tokens: 'pointcity.line.tokens',
  ingenuity: 'pointcity.line.ingenuity',
};

const LEVELS: Readonly<Record<string, Key>> = {
  easy: 'pointcity.level.easy',
  medium: 'pointcity.level.medium',
  hard: 'pointcity.level.hard',
};

export function signName(sign: Sign, t: Translate): string {
  return t(`pointcity.sign.${sign}`);
}

/** Names a face: "Energy", "two Energy". */
export function faceName(face: string, t: Translate): string {
  const { sign, symbols } = signsOf(face);
  return symbols === 2 ? t('pointcity.face.double', { sign: signName(sign, t) }) : signName(sign, t);
}

/** Names a building by the code of its name. */
export function titleName(title: string): string {
  return tMaybe(`pointcity.title.${title}`, title);
}

/** Names a building by its card. */
export function buildingName(card: string): string {
  const title = titleOf(card);
  return title === undefined ? card : titleName(title);
}

/** Names the content of a cell before a move: a face, or a building. */
function shownName(shown: string, t: Translate): string {
  return titleOf(shown) === undefined ? faceName(shown, t) : buildingName(shown);
}

export function tokenName(token: string, t: Translate): string {
  const known = outlines.current?.tokens[token];
  if (!known) return token;
  const { counts, points, signs } = known;
  const [first, second] = signs;
  if (counts === 'flat') return t('pointcity.token.flat', { count: points });
  if (counts === 'signs' && first && second)
    return t('pointcity.token.pair', { points, one: signName(first, t), other: signName(second, t) });
  const single = first ? t('pointcity.token.single', { points, sign: signName(first, t) }) : token;
  return tMaybe(`pointcity.token.${token}`, single, { points });
}

export function costName(cost: Readonly<Record<string, number>>, t: Translate): string {
  return RESOURCES.flatMap((resource) => {
    const count = cost[resource];
    return count ? [t('pointcity.amount', { count, sign: signName(resource, t) })] : [];
  }).join(', ');
}

/** Describes a building: its name, gain and cost. */
export function buildingWords(card: CardView, t: Translate): string {
  const gives =
    card.kind === 'civic'
      ? t('pointcity.gives.civic')
      : card.kind === 'resource'
        ? t('pointcity.gives.resource', { sign: signName(card.resource, t) })
        : '';
  const points = card.points ? t('pointcity.points', { count: card.points }) : '';
  const gain = [gives, points].filter(Boolean).join(', ');
  return t('pointcity.building.words', { title: titleName(card.title), gain, cost: costName(card.cost, t) });
}

/** Describes the content of a space of the market. */
export function shownWords({ building, face }: CellView, t: Translate): string {
  if (building) return buildingWords(building, t);
  return face ? faceName(face, t) : t('pointcity.cell.empty');
}

/** Describes a space with its coordinates, for players who explore the market without seeing it. */
export function cellWords(cell: CellView, t: Translate): string {
  return t('pointcity.cell', { cell: cell.cell, what: shownWords(cell, t) });
}

export function levelName(level: string, t: Translate): string {
  const key = LEVELS[level];
  return key ? t(key) : level;
}

export function modeName({ setup }: GameMode, t: Translate): string {
  return automaName(setup, t) || t('pointcity.mode.several');
}

export function groupName(group: string, t: Translate): string {
  return group === 'alone' || group === 'chosen' ? t(`pointcity.mode.${group}`) : t('pointcity.mode.several');
}

/** Returns the subtitle of a match: the level of the Automa in a solo match. */
export function matchName(setup: unknown, t: Translate): string {
  return automaName(setup as Partial<Setup>, t);
}

function automaName({ automa }: { readonly automa?: unknown }, t: Translate): string {
  return typeof automa === 'string' ? t('pointcity.automa.level', { level: levelName(automa, t) }) : '';
}

/** Returns the players without a seat: the Automa. */
export function others(view: unknown, t: Translate): readonly string[] {
  return (view as View).table.automa ? [t('pointcity.automa')] : [];
}

export function lineName(line: string, t: Translate): string {
  const key = LINES[line];
  return key ? t(key) : tokenName(line, t);
}

/** Names the content of a cell of the market in a word or two. */
export function cardAt(cell: string, { market }: TableView, t: Translate): string {
  const space = market.find((other) => other.cell === cell);
  if (space?.building) return titleName(space.building.title);
  return space?.face ? faceName(space.face, t) : '';
}

/** Names an advised action. The market shows no coordinates, so cards are named by their content. */
export function actionName(action: unknown, t: Translate, view: unknown): string {
  const advised = action as Action;
  const card = (cell: string | undefined): string => cardAt(cell ?? '', (view as View).table, t);
  switch (advised.type) {
    case 'take':
      return t('pointcity.action.take', { one: card(advised.cells[0]), other: card(advised.cells[1]) });
    case 'flip':
      return t('pointcity.action.flip', { card: card(advised.at) });
    case 'draw':
      return t('pointcity.hand.draw');
    case 'skip':
      return t('pointcity.hand.skip');
    case 'pay':
      return t('pointcity.action.pay', { cards: advised.cards.map((card) => faceName(card, t)).join(', ') });
    case 'token':
    case 'line':
      return tokenName(advised.token, t);
    default:
      return t('pointcity.line.asDrawn');
  }
}

/** Describes the effect of a choice in the words of players. */
export function saying({ feature, how }: Argument): string {
  return tMaybe(`pointcity.because.${feature}.${how}`, '');
}

export function featureName(feature: string): string {
  return tMaybe(`pointcity.feature.${feature}`, feature);
}

/** Returns the address of the rule behind a refusal. */
export function ruleAt({ code }: Reason): string | undefined {
  return ruleAddress('pointcity', outlines.current?.rules.reasons[code]);
}

export function reason({ code }: Reason, t: Translate): string | undefined {
  const key = REASONS[code];
  return key && t(key);
}

/** Returns the name of a seat; the one after the last is the Automa. */
export function nameAt(seat: number, names: readonly string[], t: Translate): string {
  return names[seat] ?? t('pointcity.automa');
}

/** Describes an event in a sentence. */
export function describe(event: unknown, names: readonly string[], t: Translate): string {
  const happened = event as Event;
  const name = 'seat' in happened ? nameAt(happened.seat, names, t) : '';
  switch (happened.type) {
    case 'first-named':
      return t('pointcity.event.first', { name });
    case 'dealt':
      return t('pointcity.event.shows', { what: faceName(happened.face, t) });
    case 'turned':
      return t('pointcity.event.shows', { what: buildingName(happened.card) });
    case 'flipped':
      return t('pointcity.event.flipped', { name });
    case 'took':
      return t('pointcity.event.took', {
        name,
        one: shownName(happened.cards[0] ?? '', t),
        other: shownName(happened.cards[1] ?? '', t),
      });
    case 'drew':
      return t('pointcity.event.drew', { name, what: faceName(happened.face, t) });
    case 'paid':
      return t('pointcity.event.paid', { name, cards: happened.cards.map((card) => faceName(card, t)).join(', ') });
    case 'built':
      return t('pointcity.event.built', { name, what: buildingName(happened.card) });
    case 'token-taken':
      return t('pointcity.event.token', { name, token: tokenName(happened.token, t) });
    case 'skipped':
      return t('pointcity.event.skipped', { name });
    case 'ended':
      return t('pointcity.event.ended');
    default:
      return '';
  }
}
