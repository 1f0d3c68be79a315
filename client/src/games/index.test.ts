import { expect, it, vi } from 'vitest';
import { api } from '../net/api/api';
import { artOf, GAMES, loadGame } from './index';

it('finds the games in the order of the home page', () => expect(GAMES).toEqual(['mycity', 'rollwrite', 'pointcity']));

it('finds a picture and screens for each game, with the modes that the server offers', async () => {
  const modes = [{ setup: {}, group: 'some' }];
  vi.spyOn(api, 'outline').mockImplementation(() => Promise.resolve({ content: 1, modes } as never));
  for (const game of GAMES) {
    expect(artOf(game), game).toBeDefined();
    expect(await loadGame(game), game).toMatchObject({ screen: expect.anything() as unknown, modes });
    expect(await loadGame(game), game).toBe(await loadGame(game));
  }
}, 60_000);

it('rejects unknown games', async () => {
  expect(artOf('building')).toBeUndefined();
  await expect(loadGame('building')).rejects.toThrow('no screens for building');
});
