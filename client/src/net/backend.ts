/**
 * Interface of a backend, which stores the tables and answers requests. `api/` lists the requests, `table/` holds
 * live tables. `serverBackend.ts` works over the network, `local/` in a web worker of the page; `currentBackend.ts`
 * knows which of them the page uses.
 */
export interface Backend {
  /** Sends a GET request, or with a body a POST request. Throws `ApiError`. */
  request<Answer>(path: string, body?: object): Promise<Answer>;
  /** Opens a two-way connection for messages. */
  connect(path: string): BackendSocket;
}

/** A two-way connection to a table, with the interface of a WebSocket. */
export interface BackendSocket {
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
  send(text: string): void;
  close(): void;
}

/** A failed request. `status` is 0 if the backend was not reached. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** Seconds after which the request may be repeated; 0 if unknown. */
    readonly wait = 0,
  ) {
    super(message);
  }
}
