/** What a browser keeps for the house of a page: rows of text by their names, in IndexedDB. */
const [DATABASE, STORE] = ['polyopolis', 'rows'];

export async function openDatabase(): Promise<IDBDatabase> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  return requestResult(opening);
}

export function readableStore(database: IDBDatabase): IDBObjectStore {
  return database.transaction(STORE).objectStore(STORE);
}

/** What is written together is kept as a whole or not at all, and on the disk once it is. */
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
