import type { Backend } from './backend';
import { SERVER } from './serverBackend';

let current: Backend = SERVER;

/** Sets the backend of this page. */
export function setBackend(backend: Backend): void {
  current = backend;
}

/** Delegates to the current backend. */
export const BACKEND: Backend = {
  request: (path, body) => current.request(path, body),
  connect: (path) => current.connect(path),
};
