import type { House } from './house';
import { SERVER } from './server';

let chosen: House = SERVER;

/** Every page speaks with one house. */
export function choose(house: House): void {
  chosen = house;
}

/** The one that was chosen, whoever that is. */
export const HOUSE: House = {
  request: (path, body) => chosen.request(path, body),
  connect: (path) => chosen.connect(path),
};
