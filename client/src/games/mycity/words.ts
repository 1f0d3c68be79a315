import type { Cell } from '../../board/geometry/cells';
import type { Ground } from '../../board/pictures/terrain';
import { listed, tMaybe, type Params, type Translate } from '../../i18n/index.svelte';
import { ruleAddress } from '../../lib/routing/ruleLinks';
import type { Event } from '../../wire/mycity';
import type { Reason } from '../../wire/server';
import type { Side } from '../placing/boards/riverEdges';
import { cellInWords, sharedReason } from '../placing/words';
import type { GameMode } from '../types';
import type { PlacedBuilding } from './board/cityLayout';
import { cardOf, chapterOf, outlines } from './outline';

// Many texts of this module are in sealed chapters, so their keys are known only at run time.

export function shapeWord(shape: string): string {
  return tMaybe(`mycity.shape.${shape}`, '');
}

export function cardName(card: string, t: Translate): string {
  const known = cardOf(card);
  if (known?.kind === 'block') return t('mycity.card.block');
  const usual =
    !known || known.kind === 'neutral'
      ? card
      : t('mycity.card.name', { kind: t(`mycity.kind.${known.kind}`), shape: shapeWord(known.shape) });
  return tMaybe(`mycity.piece.${card}`, usual);
}

export function lineName(line: string): string {
  return tMaybe(`mycity.line.${line}`, line);
}

/** Returns a sentence on a line of the score sheet. */
export function lineAbout(line: string): string {
  return tMaybe(`mycity.line.${line}.about`, '');
}

export function stickerName(reward: string): string {
  return tMaybe(`mycity.sticker.${reward}`, reward);
}

/** Describes rewards: "2 circles and 1 tree". */
export function rewardsInWords(rewards: readonly string[]): string {
  const kinds = [...new Set(rewards)];
  return listed(
    kinds.map((kind) =>
      tMaybe(`mycity.sticker.${kind}.count`, kind, { count: rewards.filter((reward) => reward === kind).length }),
    ),
  );
}

/** Returns the address of the rule behind a refusal. */
export function ruleAt({ code }: Reason): string | undefined {
  return ruleAddress('mycity', outlines.current?.rules.reasons[code]);
}

export function reason(reason: Reason, t: Translate): string | undefined {
  return tMaybe(`mycity.reason.${reason.code}`, '') || sharedReason(reason, t);
}

/** Returns the name of a mode within its group: its distinctive part. */
export function modeName({ setup, plan, group }: GameMode, t: Translate): string {
  if (group === 'chapter') return String(chapterOf(plan?.[0] ?? 1));
  if (plan) return t('mycity.mode.campaign', { count: plan.length });
  return typeof setup['episode'] === 'number' ? String(setup['episode']) : t('mycity.mode.eternal');
}

export function groupName(group: string, t: Translate): string {
  return group === 'campaign' || group === 'chapter' || group === 'episode'
    ? t(`mycity.group.${group}`)
    : t('mycity.group.eternal');
}

/** Returns the subtitle of a match. */
export function matchName(setup: unknown, t: Translate): string {
  const { episode } = setup as { episode?: number };
  return episode === undefined ? t('mycity.mode.eternal') : t('mycity.mode.episode', { episode });
}

/** Describes an event in a sentence. */
export function describe(event: unknown, names: readonly string[], t: Translate): string {
  const happened = event as Event;
  const name = 'seat' in happened ? (names[happened.seat] ?? '') : '';
  switch (happened.type) {
    case 'revealed':
      if (cardOf(happened.card)?.kind === 'block') return t('mycity.event.block');
      return t('mycity.event.revealed', { card: cardName(happened.card, t) });
    case 'forbidden':
      return t('mycity.event.forbidden', { card: cardName(happened.card, t) });
    case 'built':
      return t('mycity.event.built', { name, card: cardName(happened.card, t), cell: happened.cells[0] ?? '' });
    case 'passed':
      return t('mycity.event.passed', { name, marker: happened.marker });
    case 'stopped':
      return t('mycity.event.stopped', { name });
    case 'scored':
      return sealed(`scored.${happened.line}`, { name, count: happened.points });
    case 'race-won': {
      const race = tMaybe(`mycity.race.${happened.race}`, happened.race);
      if (happened.points === 0) return t('mycity.event.race-first', { name, race });
      return t('mycity.event.race-won', { name, race, count: happened.points });
    }
    case 'received':
      return sealed(`received.${happened.reward}`, { name, count: happened.number });
    case 'planted':
      return sealed('planted', { name, cells: listed(happened.cells) });
    case 'took-church':
      return sealed('took-church', { name, shape: shapeWord(happened.church) });
    case 'ticked':
      return sealed('ticked', { name, count: happened.boxes, box: happened.box, shaft: shaftName(happened.colour) });
    case 'stuck':
      return sealed(`stuck.${happened.sticker}`, { name, cell: happened.cells[0] ?? '' });
    case 'geared':
      return sealed('geared', { name, card: cardName(happened.card, t) });
    case 'lost':
      return sealed('lost', { name, reward: stickerName(happened.reward) });
    case 'ended':
      return t('mycity.event.ended');
    default:
      return '';
  }
}

function sealed(event: string, params: Params): string {
  return tMaybe(`mycity.event.${event}`, '', params);
}

export function shaftName(colour: string): string {
  return tMaybe(`mycity.shaft.${colour}`, colour);
}

interface CellSeen {
  readonly cell: Cell;
  readonly ground: Ground;
  readonly body: PlacedBuilding | undefined;
  readonly sides: readonly Side[];
  /** It becomes a park if the match ends now. */
  readonly park?: boolean;
  /** The investor stands on this building. */
  readonly invested?: boolean;
  /** A railway cell. */
  readonly track?: boolean;
}

/** Describes a cell: `c4, two trees, river left`. */
export function describeCell({ cell, ground, body, sides, park, invested, track }: CellSeen, t: Translate): string {
  const label = cellInWords({ cell, ...whatIsThere(ground, body, park ?? false, t), sides }, t);
  const railed = track ? tMaybe('mycity.ground.track', label, { label }) : label;
  return invested ? `${railed}, ${tMaybe('mycity.piece.investor', '')}` : railed;
}

type There = Pick<Parameters<typeof cellInWords>[0], 'ground' | 'built'>;

function whatIsThere(ground: Ground, body: PlacedBuilding | undefined, park: boolean, t: Translate): There {
  if (!body) return { ground: tMaybe(`mycity.ground.${park ? 'park' : ground}`, ground), built: undefined };
  const piece = tMaybe(`mycity.piece.${body.card}`, '');
  if (piece || body.kind === 'neutral') return { ground: piece || body.card, built: undefined };
  const usual = t(`mycity.building.${body.kind}`);
  const building = body.roof === 'factory' ? tMaybe('mycity.piece.factory', usual) : usual;
  return { ground: '', built: { building, shape: shapeWord(cardOf(body.card)?.shape ?? '') } };
}
