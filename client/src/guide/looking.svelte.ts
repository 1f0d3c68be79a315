import { boxOf, firstOf, otherBoxes } from './finding';
import { placed, type Box, type Size } from './place';

/** Only a wide screen has room beside the board; on others the card is a strip above it. */
const WIDE = '(min-width: 1100px)';
const HEADER = '--header';

/** Where on the screen that is which a guide speaks of, and where there is room for its card. */
export class Looking {
  box = $state.raw<Box | null>(null);
  advised = $state.raw<Box | null>(null);
  place = $state.raw<Pick<Box, 'left' | 'top'> | null>(null);
  wide = $state(false);
  #elements: readonly HTMLElement[] = [];
  #asked: number | undefined;

  constructor(
    private readonly wants: () => {
      readonly things: readonly string[];
      readonly advised: readonly string[];
      readonly card: HTMLElement | undefined;
    },
  ) {}

  get elements(): readonly HTMLElement[] {
    return this.#elements;
  }

  /** Follows the page from now on; what is given back ends it. */
  follow(): () => void {
    const media = matchMedia(WIDE);
    const look = (): void => this.soon();
    const changes = new MutationObserver(look);
    changes.observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['class'] });
    const sizes = new ResizeObserver(look);
    sizes.observe(document.body);
    const told = ['scroll', 'resize', 'transitionend', 'animationend'] as const;
    for (const event of told) window.addEventListener(event, look, { capture: true, passive: true });
    media.addEventListener('change', look);
    this.look();
    return () => {
      changes.disconnect();
      sizes.disconnect();
      for (const event of told) window.removeEventListener(event, look, { capture: true });
      media.removeEventListener('change', look);
      if (this.#asked !== undefined) cancelAnimationFrame(this.#asked);
      this.#asked = undefined;
    };
  }

  /** Once more, when the page has settled. */
  soon(): void {
    this.#asked ??= requestAnimationFrame(() => {
      this.#asked = undefined;
      this.look();
    });
  }

  look(): void {
    const { things, advised, card } = this.wants();
    this.wide = matchMedia(WIDE).matches;
    this.#elements = firstOf(things);
    this.box = changed(this.box, boxOf(this.#elements));
    this.advised = changed(this.advised, boxOf(advised.flatMap((thing) => firstOf([thing]))));
    this.place = card && this.wide ? this.#placed(card) : null;
  }

  /** Scrolls to what is spoken of, where it is out of sight. */
  bringIntoSight(smooth: boolean): void {
    const { box } = this;
    const [first] = this.#elements;
    if (!box || !first) return;
    const top = this.wants().card?.getBoundingClientRect().bottom ?? 0;
    const above = this.wide ? 0 : top;
    const outside = box.top < above || box.top + Math.min(box.height, 120) > window.innerHeight - (this.wide ? 0 : 150);
    if (outside) window.scrollBy({ top: box.top - above - 24, behavior: smooth ? 'smooth' : 'instant' });
  }

  #placed(card: HTMLElement): Pick<Box, 'left' | 'top'> {
    const size: Size = { width: card.offsetWidth, height: card.offsetHeight };
    const needed = boxesOf('.hand, [role="grid"]');
    const others = otherBoxes(this.#elements);
    const header = getComputedStyle(document.documentElement).getPropertyValue(HEADER);
    const top = Number.parseFloat(header) * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    const screen = { width: window.innerWidth, height: window.innerHeight };
    const next = placed(size, { screen, top, target: this.box, needed, others });
    return changed(this.place, next) ?? next;
  }
}

function boxesOf(selector: string): readonly Box[] {
  return [...document.querySelectorAll(selector)].map((element) => element.getBoundingClientRect());
}

/** The old one where nothing is new, so that nobody redraws for nothing. */
function changed<Value extends object>(old: Value | null, now: Value | null): Value | null {
  return JSON.stringify(old) === JSON.stringify(now) ? old : now;
}
