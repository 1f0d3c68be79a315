import { expect, it } from 'vitest';
import { artOf, GAMES, loadGame } from './index';

it('finds the games in the order of the home page', () => expect(GAMES).toEqual(['mycity', 'rollwrite', 'pointcity']));

it('finds a picture and screens for each of them', async () => {
  for (const game of GAMES) {
    expect(artOf(game), game).toBeDefined();
    expect((await loadGame(game)).screen, game).toBeDefined();
  }
}, 60_000);

it('knows no others', async () => {
  expect(artOf('building')).toBeUndefined();
  await expect(loadGame('building')).rejects.toThrow('no screens for building');
});
