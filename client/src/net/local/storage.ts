import { requestResult, openDatabase, readableStore, writableStore } from './indexedDb';

/** Key of the owner: the backend that was opened last. Only the owner may write. */
const OWNER = 'owner';

/** Texts by name, for the local backend. */
export class RowStorage {
  readonly #owner = crypto.getRandomValues(new Uint32Array(4)).join('-');

  private constructor(
    private readonly database: IDBDatabase,
    private readonly onTakenOver: () => void,
  ) {}

  /** Takes ownership. The previous owner learns of it at its next write. */
  static async open(elsewhere: () => void): Promise<RowStorage> {
    const storage = new RowStorage(await openDatabase(), elsewhere);
    const { store, kept } = writableStore(storage.database);
    store.put(storage.#owner, OWNER);
    await kept;
    return storage;
  }

  /** Writes all rows of a JSON object in one transaction; null deletes a row. Resolves when they are on the disk. */
  async put(rows: string): Promise<void> {
    const { store, kept } = writableStore(this.database);
    const asked = store.get(OWNER);
    asked.onsuccess = () => {
      if (asked.result !== this.#owner) return;
      for (const [name, text] of Object.entries(JSON.parse(rows) as Record<string, string | null>))
        if (text === null) store.delete(name);
        else store.put(text, name);
    };
    await kept;
    if (asked.result === this.#owner) return;
    this.onTakenOver();
    await new Promise(() => {}); // never resolves: another tab owns the storage
  }

  /** Returns all rows whose names begin with `folder`, sorted by name, as JSON. */
  async below(folder: string): Promise<string> {
    const store = readableStore(this.database);
    const range = IDBKeyRange.bound(folder, `${folder}\uffff`);
    const [names, texts] = await Promise.all([
      requestResult(store.getAllKeys(range)),
      requestResult(store.getAll(range)),
    ]);
    return JSON.stringify(Object.fromEntries(names.map((name, index) => [name, texts[index] as string])));
  }
}
