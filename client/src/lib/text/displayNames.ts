import { t, tMaybe } from '../../i18n/index.svelte';
import type { SeatInfo } from '../../wire/server';

/** Placeholder for a player without a name; each page translates it. */
export const NAMELESS = '-';

/** Placeholder for a deleted account. */
const DEPARTED = '--';

/** The name of a person, with the placeholders translated. */
export function personName(name: string): string {
  return name === NAMELESS ? t('name.usual') : name === DEPARTED ? t('name.somebody') : name;
}

/** The name of a player in a record: people by their names, bots by their keys. */
export function playerName(name: string): string {
  return botName(personName(name));
}

export function botName(bot: string): string {
  return tMaybe(`bot.${bot}`, bot);
}

/** The strength of a bot, in a word. */
export function botLevel(bot: string): string {
  return tMaybe(`bot.${bot}.level`, '');
}

/** The name of a game for small places. */
export function shortName(game: string): string {
  return tMaybe(`game.${game}.short`, tMaybe(`game.${game}`, game));
}

/** The names of the seats on the screen; equal names are numbered. */
export function displayNames(seats: readonly Pick<SeatInfo, 'name' | 'kind' | 'bot' | 'outside'>[]): string[] {
  const names = seats.map((seat) =>
    seat.kind === 'open' && seat.name !== DEPARTED
      ? t('seat.open')
      : seat.kind === 'bot'
        ? botName(seat.bot ?? seat.name)
        : nameWithBotMark(personName(seat.name), seat.outside),
  );
  return numbered(names);
}

/** A name with a mark for outside bots. */
export function nameWithBotMark(name: string, outside = false): string {
  return outside ? t('name.outside', { name }) : name;
}

/** Whether a bot plays there: one of the server, or an outside bot. */
export function isBot(seat: Pick<SeatInfo, 'bot' | 'outside'> | undefined): boolean {
  return seat !== undefined && (seat.bot !== null || seat.outside === true);
}

export function numbered(names: readonly string[]): string[] {
  return names.map((name, seat) => {
    const before = names.slice(0, seat).filter((other) => other === name).length;
    return names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} ${before + 1}`;
  });
}

/** One or two letters for an avatar. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase();
}
