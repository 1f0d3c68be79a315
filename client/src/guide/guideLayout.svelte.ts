import { placeCard, type Box, type CardPosition, type Size } from './cardPlacement';
import { boxOf, firstOf, otherBoxes } from './targetElements';

/** Only a wide screen has space beside the board; on others the card is a strip above it. */
const WIDE = '(min-width: 1100px)';
const HEADER = '--header';
/** Areas that the player has to see and click. */
const NEEDED = '.hand, [role="grid"], main .button';
/** Distance in pixels between the target and the things above and below it. */
const MARGIN = 10;

/** The positions of a guide's targets on the screen, and of its card. */
export class GuideLayout {
  box = $state.raw<Box | null>(null);
  advised = $state.raw<readonly Box[]>([]);
  place = $state.raw<CardPosition | null>(null);
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

  /** Follows changes of the page until the returned function is called. */
  follow(): () => void {
    const media = matchMedia(WIDE);
    const look = (): void => this.soon();
    const changes = new MutationObserver(look);
    changes.observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['class'] });
    const sizes = new ResizeObserver(look);
    sizes.observe(document.body);
    const moves = ['scroll', 'resize', 'transitionend', 'animationend'] as const;
    for (const event of moves) window.addEventListener(event, look, { capture: true, passive: true });
    media.addEventListener('change', look);
    this.look();
    return () => {
      changes.disconnect();
      sizes.disconnect();
      for (const event of moves) window.removeEventListener(event, look, { capture: true });
      media.removeEventListener('change', look);
      if (this.#asked !== undefined) cancelAnimationFrame(this.#asked);
      this.#asked = undefined;
    };
  }

  /** Measures again in the next frame. */
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
    this.advised = changed(this.advised, boxesOf(advised.flatMap((thing) => firstOf([thing]))));
    this.place = card && this.wide ? this.#placed(card) : null;
  }

  /** Scrolls to the target if it is out of sight. */
  bringIntoSight(smooth: boolean): void {
    const { box } = this;
    const [first] = this.#elements;
    if (!box || !first || this.wide || first.closest('.hand')) return;
    const top = (this.wants().card?.getBoundingClientRect().bottom ?? 0) + MARGIN;
    const bottom = (document.querySelector('.hand')?.getBoundingClientRect().top ?? window.innerHeight) - MARGIN;
    const over = Math.max(0, box.top + box.height - bottom);
    const by = box.top < top ? box.top - top : Math.min(over, box.top - top);
    if (Math.abs(by) > 1) window.scrollBy({ top: by, behavior: smooth ? 'smooth' : 'instant' });
  }

  #placed(card: HTMLElement): CardPosition {
    const size: Size = { width: card.offsetWidth, height: card.offsetHeight };
    const needed = boxesOf([...document.querySelectorAll(NEEDED)]);
    const others = otherBoxes(this.#elements);
    const header = getComputedStyle(document.documentElement).getPropertyValue(HEADER);
    const top = Number.parseFloat(header) * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    const screen = { width: window.innerWidth, height: window.innerHeight };
    return placeCard(size, { screen, top, target: this.box, needed, others }, this.place);
  }
}

function boxesOf(elements: readonly Element[]): readonly Box[] {
  return elements.map((element) => element.getBoundingClientRect());
}

/** Returns the old value if the new one is equal, so that nothing is redrawn. */
function changed<Value>(old: Value, now: Value): Value {
  return JSON.stringify(old) === JSON.stringify(now) ? old : now;
}
