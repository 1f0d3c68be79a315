import { BYTES, FOLDER } from 'virtual:local-backend';
import { ApiError, type Backend, type BackendSocket } from '../backend';
import type { FromWorker, BundleSource, ToWorker } from './workerMessages';

/** Observes the start of a local backend. */
export interface BackendObserver {
  progress(share: number): void;
  ready(): void;
  failed(problem: string): void;
  elsewhere(): void;
}

interface Answer {
  status: number;
  text: string;
}

class LocalSocket implements BackendSocket {
  onopen: BackendSocket['onopen'] = null;
  onmessage: BackendSocket['onmessage'] = null;
  onclose: BackendSocket['onclose'] = null;

  constructor(
    private readonly line: number,
    private readonly backend: LocalBackend,
  ) {}

  receive(what: 'open' | 'message' | 'close', text: string): void {
    if (what === 'open') this.onopen?.();
    else if (what === 'message') this.onmessage?.({ data: text });
    else this.onclose?.({ code: Number(text) });
  }

  send(text: string): void {
    this.backend.post({ type: 'say', line: this.line, text });
  }

  close(): void {
    this.backend.closeLine(this.line);
  }
}

/** A backend in a web worker of this page. */
export class LocalBackend implements Backend {
  #pending = new Map<number, (answer: Answer) => void>();
  #lines = new Map<number, LocalSocket>();
  #next = 1;

  constructor(
    private readonly worker: Pick<Worker, 'postMessage' | 'addEventListener'>,
    private readonly observer: BackendObserver,
    from: BundleSource,
  ) {
    worker.addEventListener('message', (event) => this.#receive((event as MessageEvent<FromWorker>).data));
    worker.addEventListener('error', (event) => observer.failed(event.message));
    this.post({ type: 'open', from });
  }

  readonly request = async <Said>(path: string, body?: object): Promise<Said> =>
    JSON.parse(await this.text(path, body)) as Said;

  readonly connect = (path: string): BackendSocket => {
    const line = this.#next++;
    const wire = new LocalSocket(line, this);
    this.#lines.set(line, wire);
    this.post({ type: 'connect', line, path });
    return wire;
  };

  /** Returns the body of a response as text. */
  async text(path: string, body?: object): Promise<string> {
    const ask = this.#next++;
    const answered = new Promise<Answer>((resolve) => this.#pending.set(ask, resolve));
    const method = body ? 'POST' : 'GET';
    this.post({ type: 'request', ask, method, path, body: body ? JSON.stringify(body) : '' });
    const { status, text } = await answered;
    if (status >= 400) throw new ApiError(status, (JSON.parse(text) as { error: string }).error);
    return text;
  }

  post(message: ToWorker): void {
    this.worker.postMessage(message);
  }

  closeLine(line: number): void {
    if (this.#lines.delete(line)) this.post({ type: 'leave', line });
  }

  #receive(message: FromWorker): void {
    switch (message.type) {
      case 'progress':
        return this.observer.progress(message.share);
      case 'ready':
        return this.observer.ready();
      case 'failed':
        return this.observer.failed(message.problem);
      case 'elsewhere':
        return this.observer.elsewhere();
      case 'answer':
        this.#pending.get(message.ask)?.(message);
        this.#pending.delete(message.ask);
        return;
      case 'line': {
        const wire = this.#lines.get(message.line);
        if (message.what === 'close') this.closeLine(message.line);
        wire?.receive(message.what, message.text);
      }
    }
  }
}

/** Starts loading a local backend; `packed` tells whether its files are compressed. */
export function startLocalBackend(watcher: BackendObserver, packed: boolean): LocalBackend {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  return new LocalBackend(worker, watcher, { folder: new URL(FOLDER, location.href).href, bytes: BYTES, packed });
}
