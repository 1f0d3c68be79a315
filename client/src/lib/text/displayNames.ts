import { t, tMaybe } from '../../i18n/index.svelte';
import type { SeatInfo } from '../../wire/server';

/** What stands for the name of somebody who has not told one: each page says it in its own language. */
export const NAMELESS = '-';

/** What stands for the name of somebody who has gone for good. */
const DEPARTED = '--';

/** The name of a person as it was told; the usual one otherwise. */
export function personName(name: string): string {
  return name === NAMELESS ? t('name.usual') : name === DEPARTED ? t('name.somebody') : name;
}

/** Who played a match, as it is kept: people by their names, bots by their keys. */
export function playerName(name: string): string {
  return botName(personName(name));
}

export function botName(bot: string): string {
  return tMaybe(`bot.${bot}`, bot);
}

/** How well a bot plays, in a word. */
export function botLevel(bot: string): string {
  return tMaybe(`bot.${bot}.level`, '');
}

/** How a game is called where there is little room. */
export function shortName(game: string): string {
  return tMaybe(`game.${game}.short`, tMaybe(`game.${game}`, game));
}

/** How the seats are called on the screen; two of the same name are told apart by a number. */
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

/** A name as it is shown everywhere: with an outside bot it is said that it is one. */
export function nameWithBotMark(name: string, outside = false): string {
  return outside ? t('name.outside', { name }) : name;
}

/** Whether a program plays there: one of the house, or an outside bot. */
export function isBot(seat: Pick<SeatInfo, 'bot' | 'outside'> | undefined): boolean {
  return seat !== undefined && (seat.bot !== null || seat.outside === true);
}

export function numbered(names: readonly string[]): string[] {
  return names.map((name, seat) => {
    const before = names.slice(0, seat).filter((other) => other === name).length;
    return names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} ${before + 1}`;
  });
}

/** One or two letters for a small round face. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase();
}
