import { requestResult, openDatabase, readableStore, writableStore } from './indexedDb';

/** Who may write: the house that was opened last. */
const OWNER = 'owner';

/** Rows of text by their names, as the house in a page keeps them. */
export class RowStorage {
  readonly #owner = crypto.getRandomValues(new Uint32Array(4)).join('-');

  private constructor(
    private readonly database: IDBDatabase,
    private readonly onTakenOver: () => void,
  ) {}

  /** From now on this one writes; whoever did before is told once they try to. */
  static async open(elsewhere: () => void): Promise<RowStorage> {
    const storage = new RowStorage(await openDatabase(), elsewhere);
    const { store, kept } = writableStore(storage.database);
    store.put(storage.#owner, OWNER);
    await kept;
    return storage;
  }

  /** Rows as JSON, null to take one away: all of them or none, and on the disk once it is done. */
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
    await new Promise(() => {}); // nothing happens here any more
  }

  /** Every row whose name begins like this, in the order of their names, as JSON. */
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
