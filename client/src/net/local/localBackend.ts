import { BYTES, FOLDER } from 'virtual:house';
import { ApiError, type House, type Wire } from '../backend';
import type { FromHouse, Source, ToHouse } from './workerMessages';

/** Whoever watches the house being opened. */
export interface Watcher {
  progress(share: number): void;
  ready(): void;
  failed(problem: string): void;
  elsewhere(): void;
}

interface Answer {
  status: number;
  text: string;
}

class Line implements Wire {
  onopen: Wire['onopen'] = null;
  onmessage: Wire['onmessage'] = null;
  onclose: Wire['onclose'] = null;

  constructor(
    private readonly line: number,
    private readonly house: PageHouse,
  ) {}

  hear(what: 'open' | 'message' | 'close', text: string): void {
    if (what === 'open') this.onopen?.();
    else if (what === 'message') this.onmessage?.({ data: text });
    else this.onclose?.({ code: Number(text) });
  }

  send(text: string): void {
    this.house.tell({ type: 'say', line: this.line, text });
  }

  close(): void {
    this.house.hangUp(this.line);
  }
}

/** A house in a worker of this page. */
export class PageHouse implements House {
  #asked = new Map<number, (answer: Answer) => void>();
  #lines = new Map<number, Line>();
  #next = 1;

  constructor(
    private readonly worker: Pick<Worker, 'postMessage' | 'addEventListener'>,
    private readonly watcher: Watcher,
    from: Source,
  ) {
    worker.addEventListener('message', (event) => this.#hear((event as MessageEvent<FromHouse>).data));
    worker.addEventListener('error', (event) => watcher.failed(event.message));
    this.tell({ type: 'open', from });
  }

  readonly request = async <Said>(path: string, body?: object): Promise<Said> =>
    JSON.parse(await this.text(path, body)) as Said;

  readonly connect = (path: string): Wire => {
    const line = this.#next++;
    const wire = new Line(line, this);
    this.#lines.set(line, wire);
    this.tell({ type: 'connect', line, path });
    return wire;
  };

  /** An answer as it was written. */
  async text(path: string, body?: object): Promise<string> {
    const ask = this.#next++;
    const answered = new Promise<Answer>((resolve) => this.#asked.set(ask, resolve));
    const method = body ? 'POST' : 'GET';
    this.tell({ type: 'request', ask, method, path, body: body ? JSON.stringify(body) : '' });
    const { status, text } = await answered;
    if (status >= 400) throw new ApiError(status, (JSON.parse(text) as { error: string }).error);
    return text;
  }

  tell(message: ToHouse): void {
    this.worker.postMessage(message);
  }

  hangUp(line: number): void {
    if (this.#lines.delete(line)) this.tell({ type: 'leave', line });
  }

  #hear(message: FromHouse): void {
    switch (message.type) {
      case 'progress':
        return this.watcher.progress(message.share);
      case 'ready':
        return this.watcher.ready();
      case 'failed':
        return this.watcher.failed(message.problem);
      case 'elsewhere':
        return this.watcher.elsewhere();
      case 'answer':
        this.#asked.get(message.ask)?.(message);
        this.#asked.delete(message.ask);
        return;
      case 'line': {
        const wire = this.#lines.get(message.line);
        if (message.what === 'close') this.hangUp(message.line);
        wire?.hear(message.what, message.text);
      }
    }
  }
}

/** Begins to load one; whether what it is made of comes packed. */
export function openHouse(watcher: Watcher, packed: boolean): PageHouse {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  return new PageHouse(worker, watcher, { folder: new URL(FOLDER, location.href).href, bytes: BYTES, packed });
}
