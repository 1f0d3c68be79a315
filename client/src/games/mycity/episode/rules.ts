import { signed, t, tMaybe } from '../../../i18n/index.svelte';
import type { TableView } from '../../../wire/mycity';

/** Returns the rules of an episode besides its scoring, in short sentences, the most important first. */
export function rulesOf({ episode, cities, setup }: TableView, seat: number): readonly string[] {
  const city = cities[seat];
  return [
    tMaybe(`mycity.ask.start.${episode.start}`, t('mycity.campaign.play.start')),
    episode.passing === null
      ? t('mycity.campaign.play.no-pass')
      : t('mycity.campaign.play.pass', { price: signed(episode.passing) }),
    city && episode.kiosks ? tMaybe('mycity.piece.kiosks', '', { count: city.kiosks }) : '',
    episode.forest ? tMaybe('mycity.ground.forest.open', '') : '',
    episode.must_build.includes('church') ? t('mycity.campaign.play.must-build') : '',
    cities.some(({ gone }) => gone.length > 0) ? tMaybe('mycity.piece.left.some', '') : '',
    episode.ranks.some(({ church }) => church) ? tMaybe('mycity.line.church-4th.about', '') : '',
    t('mycity.campaign.play.marker', { marker: episode.marker }),
    setup.play === 'campaign' && episode.limit ? t('mycity.campaign.play.limit', { limit: episode.limit }) : '',
  ].filter(Boolean);
}
