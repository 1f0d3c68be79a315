import { number, t, tMaybe, type Translate } from '../../../i18n/index.svelte';
import type { Line } from '../../../wire/server';
import type { StandingLine } from '../../types';
import { rewardsInWords, shaftName } from '../words';
import type { EpisodeGift, Origin } from './history/history';

/** Describes the ticks of a mine shaft. */
export function shaftLine(colour: string, count: number): string {
  return tMaybe('mycity.chapter.6.shaft', '', { shaft: shaftName(colour), count });
}

/** Describes a line of the standings: the circles of an episode, or a bonus after the last one. */
export function standingLine(line: Line, t: Translate): StandingLine | undefined {
  const episode = /^episode-(\d+)$/.exec(line.line)?.[1];
  if (episode) return { name: t('mycity.mode.episode', { episode: Number(episode) }), value: number(line.points) };
  if (line.line === 'before')
    return line.points ? { name: t('mycity.campaign.before'), value: number(line.points) } : undefined;
  return {
    name: tMaybe(`mycity.chapter.8.${line.line}`, line.line),
    value: `${number(line.count)} → ${number(line.points)}`,
  };
}

/** Describes a reward: "2 circles", "1 tree on g1". */
export function giftName({ what, count, cells }: EpisodeGift): string {
  const name = thing(what, count);
  return cells.length ? t('mycity.campaign.at', { what: name, cells: cells.join(' ') }) : name;
}

function thing(what: string, count: number): string {
  switch (what) {
    case 'church':
      return tMaybe('mycity.piece.church-4th', '');
    case 'ticks':
      return tMaybe('mycity.chapter.6.ticks', '', { count });
    case 'park':
      return tMaybe('mycity.ground.park', '');
    default:
      return rewardsInWords(Array<string>(count).fill(what));
  }
}

/** Describes the origin of a sticker: "1 tree on g1 (second, episode 3)". */
export function originName({ cell, sticker, episode, by }: Origin): string {
  const what = t('mycity.campaign.at', { what: thing(sticker, 1), cells: cell });
  const why = by === 'park' ? thing('park', 1) : t(`mycity.campaign.rank.${by}`);
  return t('mycity.campaign.origin', { what, why, episode });
}
