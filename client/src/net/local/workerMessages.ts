/** The bundle from which a local backend is loaded. */
export interface BundleSource {
  readonly folder: string;
  /** The unpacked length of each file, in bytes. */
  readonly bytes: Readonly<Record<string, number>>;
  /** Whether all files but modules are compressed. */
  readonly packed: boolean;
}

/** Messages between a page and the worker of its local backend. */
export type ToWorker =
  | { type: 'open'; from: BundleSource }
  | { type: 'request'; ask: number; method: 'GET' | 'POST'; path: string; body: string }
  | { type: 'connect'; line: number; path: string }
  | { type: 'say'; line: number; text: string }
  | { type: 'leave'; line: number };

export type FromWorker =
  /** Loaded share, from 0 to 1. */
  | { type: 'progress'; share: number }
  | { type: 'ready' }
  | { type: 'failed'; problem: string }
  /** Another tab has taken ownership of the storage: this backend cannot write any more. */
  | { type: 'elsewhere' }
  | { type: 'answer'; ask: number; status: number; text: string }
  | { type: 'line'; line: number; what: 'open' | 'message' | 'close'; text: string };
