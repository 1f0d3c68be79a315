/** Rows of text by their names, as the house in a page keeps them: IndexedDB. */
const [DATABASE, STORE] = ['polyopolis', 'rows'];
/** Who may write: the house that was opened last. */
const OWNER = 'owner';

export class Cupboard {
  readonly #owner = crypto.getRandomValues(new Uint32Array(4)).join('-');

  private constructor(
    private readonly database: IDBDatabase,
    private readonly elsewhere: () => void,
  ) {}

  /** From now on this one writes; whoever did before is told once they try to. */
  static async open(elsewhere: () => void): Promise<Cupboard> {
    const opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    const cupboard = new Cupboard(await done(opening), elsewhere);
    const { store, kept } = cupboard.#write();
    store.put(cupboard.#owner, OWNER);
    await kept;
    return cupboard;
  }

  /** Rows as JSON, null to take one away: all of them or none, and on the disk once it is done. */
  async put(rows: string): Promise<void> {
    const { store, kept } = this.#write();
    const asked = store.get(OWNER);
    asked.onsuccess = () => {
      if (asked.result !== this.#owner) return;
      for (const [name, text] of Object.entries(JSON.parse(rows) as Record<string, string | null>))
        if (text === null) store.delete(name);
        else store.put(text, name);
    };
    await kept;
    if (asked.result === this.#owner) return;
    this.elsewhere();
    await new Promise(() => {}); // nothing happens here any more
  }

  /** Every row whose name begins like this, in the order of their names, as JSON. */
  async below(folder: string): Promise<string> {
    const store = this.database.transaction(STORE).objectStore(STORE);
    const range = IDBKeyRange.bound(folder, `${folder}\uffff`);
    const [names, texts] = await Promise.all([done(store.getAllKeys(range)), done(store.getAll(range))]);
    return JSON.stringify(Object.fromEntries(names.map((name, index) => [name, texts[index] as string])));
  }

  #write(): { store: IDBObjectStore; kept: Promise<void> } {
    const transaction = this.database.transaction(STORE, 'readwrite', { durability: 'strict' });
    const kept = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new Error('it was not kept'));
    });
    return { store: transaction.objectStore(STORE), kept };
  }
}

function done<Answer>(request: IDBRequest<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('the browser keeps nothing here'));
  });
}
