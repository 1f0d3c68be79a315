import type { GameModule } from './types';

const MODULES: Readonly<Record<string, () => Promise<GameModule>>> = {
  mycity: () => import('./mycity/index'),
};

/** Whether this client can show a game that the server knows. */
export function hasScreens(game: string): boolean {
  return Object.hasOwn(MODULES, game);
}

/** The screens of a game arrive when somebody sits down to it. */
export function loadGame(game: string): Promise<GameModule> {
  const load = MODULES[game];
  return load ? load() : Promise.reject(new Error(`no screens for ${game}`));
}
