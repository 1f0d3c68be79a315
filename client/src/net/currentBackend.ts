import type { House } from './backend';
import { SERVER } from './serverBackend';

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
