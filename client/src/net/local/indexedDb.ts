/** The storage of the local backend: texts by name, in IndexedDB. */
const [DATABASE, STORE] = ['polyopolis', 'rows'];

export async function openDatabase(): Promise<IDBDatabase> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  return requestResult(opening);
}

export function readableStore(database: IDBDatabase): IDBObjectStore {
  return database.transaction(STORE).objectStore(STORE);
}

/** A store for one transaction. `kept` resolves when all its writes are on the disk, and rejects if none is. */
export function writableStore(database: IDBDatabase): { store: IDBObjectStore; kept: Promise<void> } {
  const transaction = database.transaction(STORE, 'readwrite', { durability: 'strict' });
  const kept = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error('it was not kept'));
  });
  return { store: transaction.objectStore(STORE), kept };
}

export function requestResult<Answer>(request: IDBRequest<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('the browser keeps nothing here'));
  });
}
