import { t, tMaybe } from '../../i18n/index.svelte';
import type {} from './words';

/** Names a kind of matches with the same scoring: an episode, a mode, a number of players. */
export function kindName(kind: string): string {
  const episode = /^(?:(single|campaign)-)?episode-(\d+)$/.exec(kind);
  if (episode) return t(episode[1] === 'campaign' ? 'who.kind.campaign' : 'who.kind.episode', { episode: episode[2]! });
  const players = /^for-(\d+)$/.exec(kind);
  if (players) return t('who.kind.for', { count: Number(players[1]) });
  return tMaybe(`who.kind.${kind}`, kind);
}
