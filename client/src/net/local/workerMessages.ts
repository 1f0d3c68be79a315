/** Where a house comes from. */
export interface BundleSource {
  /** The address of its folder. */
  readonly folder: string;
  /** How long each of its files is, unpacked. */
  readonly bytes: Readonly<Record<string, number>>;
  /** Whether all but modules is packed there. */
  readonly packed: boolean;
}

/** What a page and the worker in which its house lives say to each other. */
export type ToWorker =
  | { type: 'open'; from: BundleSource }
  | { type: 'request'; ask: number; method: 'GET' | 'POST'; path: string; body: string }
  | { type: 'connect'; line: number; path: string }
  | { type: 'say'; line: number; text: string }
  | { type: 'leave'; line: number };

export type FromWorker =
  /** How much of it is there, from 0 to 1. */
  | { type: 'progress'; share: number }
  | { type: 'ready' }
  | { type: 'failed'; problem: string }
  /** Another tab has opened the house since: nothing is kept from here any more. */
  | { type: 'elsewhere' }
  | { type: 'answer'; ask: number; status: number; text: string }
  | { type: 'line'; line: number; what: 'open' | 'message' | 'close'; text: string };
