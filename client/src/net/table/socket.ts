import { NO_TABLE, SEALED, UNREADABLE, WRONG_ORIGIN } from '../../wire/closeCodes';
import type { FromScreen, ToScreen } from '../../wire/server';
import type { Backend, BackendSocket } from '../backend';

/** State of a connection. The last four are fatal: the socket does not try again. */
export type Connection = 'joining' | 'open' | 'lost' | FatalConnection;
export type FatalConnection = 'no-table' | 'unreadable' | 'sealed' | 'refused';

export interface SocketListener {
  message(message: ToScreen): void;
  connection(connection: Connection): void;
  /**
   * The last received scene, so that the server sends the missed ones: its number and its match; null if there was
   * none.
   */
  since(): { readonly number: number; readonly match: number } | null;
}

const FATAL_CODES: Readonly<Record<number, FatalConnection>> = {
  [WRONG_ORIGIN]: 'refused',
  [NO_TABLE]: 'no-table',
  [UNREADABLE]: 'unreadable',
  [SEALED]: 'sealed',
};
const MAX_WAIT_MILLISECONDS = 15_000;

/** Milliseconds before the next try: doubled after each failure, with jitter so that not all clients return at once. */
export function backoff(tries: number, chance: number): number {
  return Math.round(Math.min(MAX_WAIT_MILLISECONDS, 500 * 2 ** tries) * (0.75 + chance / 2));
}

/** The connection of a table. It reconnects until it is closed or the server rejects it for good. */
export class TableSocket {
  #socket: BackendSocket | null = null;
  #tries = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #open = false;
  #closed = false;

  constructor(
    private readonly address: string,
    private readonly listener: SocketListener,
    private readonly connect: Backend['connect'],
  ) {
    this.#try();
  }

  get open(): boolean {
    return this.#open;
  }

  /**
   * Sends a message if the connection is open, and returns whether it did. Messages are not queued: later they may
   * mean another decision.
   */
  send(message: FromScreen): boolean {
    if (!this.#open || !this.#socket) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  /** Tries at once, for example because the network is back or the page is visible again. */
  reconnectNow(): void {
    if (this.#closed || this.#socket) return;
    clearTimeout(this.#timer);
    this.#tries = 0;
    this.#try();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#socket?.close();
    this.#socket = null;
    this.#open = false;
  }

  #try(): void {
    const since = this.listener.since();
    const wire = this.connect(
      since === null ? this.address : `${this.address}?since=${since.number}&match=${since.match}`,
    );
    this.#socket = wire;
    wire.onopen = () => {
      if (wire !== this.#socket) return;
      this.#open = true;
      this.listener.connection('open');
    };
    wire.onmessage = ({ data }) => {
      if (wire !== this.#socket || typeof data !== 'string') return;
      this.#tries = 0;
      this.listener.message(JSON.parse(data) as ToScreen);
    };
    wire.onclose = ({ code }) => {
      if (wire !== this.#socket || this.#closed) return;
      this.#socket = null;
      this.#open = false;
      const useless = FATAL_CODES[code];
      if (useless) {
        this.#closed = true;
        this.listener.connection(useless);
        return;
      }
      this.listener.connection('lost');
      this.#timer = setTimeout(() => this.#try(), backoff(this.#tries++, Math.random()));
    };
  }
}
