import { findGuide } from '../../../guide/guideIndex';
import { openGuideAt, guideAt } from '../../../guide/guideStorage.svelte';
import { t } from '../../../i18n/index.svelte';
import type { TableSession } from './tableSession.svelte';

/** Whether a guide can be opened or reopened at this table. */
export class GuideOffer {
  #fitting = $state.raw<string | null>(null);

  constructor(private readonly session: () => TableSession) {
    $effect(() => {
      const { table, match, seated, running } = this.session().tableView;
      this.#fitting = null;
      if (!table || table.rated || !match || !seated || !running || this.session().panel !== 'menu') return;
      const { game, seats } = table;
      void findGuide(game, match.setup, seats.length)
        .then((name) => (this.#fitting = name && `${game}/${name}`))
        .catch(() => undefined); // then it is not offered
    });
  }

  get offer(): { readonly words: string; open(): void } | null {
    const { id, tableView } = this.session();
    const { match } = tableView;
    const kept = match ? guideAt(id, match.number) : undefined;
    const guide = kept?.guide ?? this.#fitting;
    if (!guide || !match || kept?.open) return null;
    return {
      words: t(kept ? 'guide.menu.back' : 'guide.menu'),
      open: () => {
        openGuideAt(id, guide, match.number);
        this.session().panel = null;
      },
    };
  }
}
