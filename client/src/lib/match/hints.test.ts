import { describe, expect, it } from 'vitest';
import { speak } from '../../i18n/index.svelte';
import type { Advice } from '../../net/table/liveTable.svelte';
import { Hints, joinReasons, weightiestFeatures } from './hints.svelte';

const option = (cell: string, expected = 1, features: Record<string, number> = {}) => ({
  action: { type: 'place', cells: [cell] },
  expected,
  features,
  pro: [],
  con: [],
});
const OPTIONS = [option('a1', 9), option('b1', 8), option('c1', 7), option('d1', 6)];
const advice: Advice = {
  explanation: { bot: 'level-3', simulations: 500, final: true, options: OPTIONS },
  reason: null,
};

describe('hints', () => {
  it('show the best three options and the chosen one', async () => {
    const hints = new Hints(() => Promise.resolve(advice));
    expect(hints.shown).toBeNull();
    expect(await hints.request()).toBe(true);
    expect(hints.shown?.actions).toEqual(OPTIONS.slice(0, 3).map(({ action }) => action));
    hints.chosen = 2;
    expect(hints.option?.expected).toBe(7);
    expect(hints.shown?.chosen).toBe(2);
  });

  it('drop an answer that arrives after its decision', async () => {
    let answer: (advice: Advice) => void = () => undefined;
    const hints = new Hints(() => new Promise((resolve) => (answer = resolve)));
    const asked = hints.request();
    expect(hints.thinking).toBe(true);
    hints.clear();
    answer(advice);
    expect(await asked).toBe(false);
    expect(hints.shown).toBeNull();
    expect(hints.thinking).toBe(false);
  });

  it('are empty if the server has none', async () => {
    const hints = new Hints(() => Promise.resolve({ explanation: null, reason: { code: 'hint-among-people' } }));
    expect(await hints.request()).toBe(false);
    expect(hints.reason?.code).toBe('hint-among-people');
    hints.clear();
    expect(hints.reason).toBeNull();
    expect(hints.thinking).toBe(false);
  });
});

describe('a sentence', () => {
  it('joins the first reasons without repetition', async () => {
    await speak('en');
    expect(joinReasons(['covers rocks', '', 'covers rocks', 'fills a gap', 'brings points'], 2)).toBe(
      'covers rocks and fills a gap.',
    );
  });
  it('is empty without reasons', () => expect(joinReasons(['', ''], 2)).toBe(''));
});

describe('the features of an option', () => {
  it('are split into pro and con, sorted by weight', () => {
    const { pro, con } = weightiestFeatures(
      option('a1', 1, { trees: 0.2, wells: 1.4, ends: -0.6, bars: 0.01, empty: 0.5, pairs: 0.3 }),
    );
    expect(pro.map(({ feature }) => feature)).toEqual(['wells', 'empty', 'pairs']);
    expect(con).toEqual([{ feature: 'ends', points: -0.6 }]);
  });
});
