/**
 * Who keeps the tables and speaks for them. Pages say the same to every house: `api.ts` is what they ask of it,
 * `table.svelte.ts` how they sit at one of its tables. `server.ts` is the house at the other end of the network, `page/`
 * one in the browser itself; `houses.ts` knows which of them this page speaks with.
 */
export interface Backend {
  /** Asks for something, or with a body wants something done; fails with an `ApiError`. */
  request<Answer>(path: string, body?: object): Promise<Answer>;
  /** Opens a line on which messages go both ways. */
  connect(path: string): BackendSocket;
}

/** A line to a table; a WebSocket is one. */
export interface BackendSocket {
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
  send(text: string): void;
  close(): void;
}

/** What went wrong with a request. `status` 0: the house was not reached. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** Seconds after which it may be tried again, where that was said. */
    readonly wait = 0,
  ) {
    super(message);
  }
}
