import type { Backend } from './backend';
import { SERVER } from './serverBackend';

let current: Backend = SERVER;

/** Every page speaks with one house. */
export function setBackend(house: Backend): void {
  current = house;
}

/** The one that was chosen, whoever that is. */
export const BACKEND: Backend = {
  request: (path, body) => current.request(path, body),
  connect: (path) => current.connect(path),
};
