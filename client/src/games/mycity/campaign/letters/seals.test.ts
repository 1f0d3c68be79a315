import { beforeEach, describe, expect, it, vi } from 'vitest';
import { TEST_OUTLINE } from '../../testOutline';

const kept = new Map<string, string>();
vi.stubGlobal('localStorage', {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
});
vi.setConfig({ testTimeout: 20_000 }); // each page reloads its modules
vi.stubGlobal('document', { documentElement: { dataset: {}, lang: '' } });

/** Returns the modules of a page that was just opened on this device. */
async function page() {
  vi.resetModules();
  const [seals, settings, letters, { outlines }] = await Promise.all([
    import('./seals.svelte'),
    import('../../../../lib/site/settings.svelte'),
    import('./letters'),
    import('../../outline'),
  ]);
  outlines.keep(TEST_OUTLINE);
  return { ...seals, ...settings, letters };
}

beforeEach(() => kept.clear());

describe('a chapter', () => {
  it('is sealed until one of its episodes is played, and then stays open', async () => {
    const first = await page();
    expect([1, 2, 3].map(first.isOpen)).toEqual([false, false, false]);
    await first.openFor(5);
    expect([1, 2, 3].map(first.isOpen)).toEqual([true, true, false]);
    const later = await page();
    expect([1, 2, 3].map(later.isOpen)).toEqual([true, true, false]);
    await later.openFor(1);
    expect(later.isOpen(2)).toBe(true);
  });

  it('is open with the setting that shows all chapters', async () => {
    const { isOpen, setRevealsSealed } = await page();
    setRevealsSealed(true);
    expect(isOpen(8)).toBe(true);
    expect((await page()).isOpen(8)).toBe(true);
    setRevealsSealed(false);
    expect(isOpen(8)).toBe(false);
  });

  it('stays sealed if the storage contains invalid data', async () => {
    kept.set('polyopolis.chapters', 'all of them');
    expect((await page()).isOpen(1)).toBe(false);
  });
});

describe('a letter', () => {
  const setup = (episode: number) => ({ mode: 'episode', episode });

  it('is unread at each table and for each episode until it is read', async () => {
    const { letters } = await page();
    expect(letters.waits('t', setup(4))).toBe(true);
    letters.keep('t', setup(4));
    expect(letters.waits('t', setup(4))).toBe(false);
    expect(letters.waits('t', setup(5))).toBe(true);
    expect(letters.waits('other', setup(4))).toBe(true);
    expect((await page()).letters.waits('t', setup(4))).toBe(false);
  });

  it('does not exist in the eternal game, nor with the setting that shows all chapters', async () => {
    const { letters, setRevealsSealed } = await page();
    expect(letters.waits('t', { mode: 'eternal' })).toBe(false);
    setRevealsSealed(true);
    expect(letters.waits('t', setup(4))).toBe(false);
  });
});
