import { t, tMaybe } from '../i18n/index.svelte';
import type { SeatInfo } from '../wire/server';

export function botName(bot: string): string {
  return tMaybe(`bot.${bot}`, bot);
}

/** How a game is called where there is little room. */
export function shortName(game: string): string {
  return tMaybe(`game.${game}.short`, tMaybe(`game.${game}`, game));
}

/** How the seats are called on the screen; two of the same name are told apart by a number. */
export function displayNames(seats: readonly Pick<SeatInfo, 'name' | 'kind' | 'bot'>[]): string[] {
  const names = seats.map((seat) =>
    seat.kind === 'open' ? t('seat.open') : seat.kind === 'bot' ? botName(seat.bot ?? seat.name) : seat.name,
  );
  return numbered(names);
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
