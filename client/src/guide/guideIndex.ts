import type { Moments } from '../games/types';
import type { GuideData } from './types';

/** Every file in the folder `guides` of a game is a guide. The one called `first` is offered first. */
const FILES = import.meta.glob<GuideData>('../games/*/guides/*.json', { import: 'default' });
/** The conditions for the guides of a game. */
const MOMENTS = import.meta.glob<Moments>('../games/*/moments.ts', { import: 'default' });

export const FIRST_GUIDE = 'first';

/** The guides of a game, by name. */
export function guidesOf(game: string): readonly string[] {
  return Object.keys(FILES).flatMap((path) => {
    const [, , key, , file] = path.split('/');
    return key === game && file ? [file.replace('.json', '')] : [];
  });
}

export async function loadGuideData(game: string, name: string): Promise<GuideData> {
  const guide = await FILES[`../games/${game}/guides/${name}.json`]?.();
  if (!guide) throw new Error(`no guide ${name} for ${game}`);
  return guide;
}

export async function loadMoments(game: string): Promise<Moments> {
  return (await MOMENTS[`../games/${game}/moments.ts`]?.()) ?? {};
}

/** Returns the guide that fits a match; null without one. */
export async function findGuide(game: string, setup: unknown, seats: number): Promise<string | null> {
  for (const name of guidesOf(game)) {
    const { fits } = await loadGuideData(game, name);
    if (fits.seats.includes(seats) && holds(setup, fits.setup)) return name;
  }
  return null;
}

function holds(setup: unknown, wanted: Readonly<Record<string, unknown>>): boolean {
  const given = setup as Readonly<Record<string, unknown>>;
  return Object.entries(wanted).every(([key, value]) => given[key] === value);
}
