import { LANGUAGES, speak, type Language } from '../../i18n/index.svelte';
import { preferred } from '../../i18n/message';

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];
export const MOTIONS = ['auto', 'off'] as const;
export type Motion = (typeof MOTIONS)[number];

interface Settings {
  language: Language | null;
  theme: Theme;
  motion: Motion;
  /** The player knows the games: show sealed content. */
  knows: boolean;
  /** From 0 to 1; 0 until the player changes it. */
  volume: number;
  /** Vibrate when a piece is placed. */
  touch: boolean;
}

const KEY = 'polyopolis.settings';
const settings = $state<Settings>(read());

function read(): Settings {
  let kept: Partial<Record<keyof Settings, unknown>> = {};
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    if (typeof value === 'object' && value) kept = value;
  } catch {
    // No storage, or a value of another program: use the defaults.
  }
  return {
    language: LANGUAGES.find((language) => language === kept.language) ?? null,
    theme: THEMES.find((theme) => theme === kept.theme) ?? 'auto',
    motion: MOTIONS.find((motion) => motion === kept.motion) ?? 'auto',
    knows: kept.knows === true,
    volume: typeof kept.volume === 'number' ? Math.min(1, Math.max(0, kept.volume)) : 0,
    touch: kept.touch !== false,
  };
}

function keep(): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // The setting lasts for this visit.
  }
}

function show(): void {
  const root = document.documentElement;
  if (settings.theme === 'auto') delete root.dataset['theme'];
  else root.dataset['theme'] = settings.theme;
  if (settings.motion === 'auto') delete root.dataset['motion'];
  else root.dataset['motion'] = settings.motion;
}

export async function startSettings(): Promise<void> {
  show();
  await speak(settings.language ?? preferred(navigator.languages, LANGUAGES));
}

export function theme(): Theme {
  return settings.theme;
}

export function motion(): Motion {
  return settings.motion;
}

/** Whether sealed content is shown. */
export function revealsSealed(): boolean {
  return settings.knows;
}

/** The volume, from 0 to 1. */
export function volume(): number {
  return settings.volume;
}

export function vibrates(): boolean {
  return settings.touch;
}

/** Whether animations are off, in the settings of the page or of the system. */
export function isMotionReduced(): boolean {
  return settings.motion === 'off' || matchMedia('(prefers-reduced-motion: reduce)').matches;
}

export function setTheme(to: Theme): void {
  settings.theme = to;
  show();
  keep();
}

export function setMotion(to: Motion): void {
  settings.motion = to;
  show();
  keep();
}

export function setRevealsSealed(to: boolean): void {
  settings.knows = to;
  keep();
}

export function setVolume(to: number): void {
  settings.volume = to;
  keep();
}

export function setVibrates(to: boolean): void {
  settings.touch = to;
  keep();
}

export async function setLanguage(to: Language): Promise<void> {
  settings.language = to;
  keep();
  await speak(to);
}
