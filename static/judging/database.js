/**
 * The browser's database: judgments on their way (`outbox`), and what the server has acknowledged (`receipts`). There is one for all
 * campaigns and accounts of an origin. What is written in one call is there whole or not at all; "strict" means that the disk has it, not
 * only the system's memory.
 */
const NAME = "workbench";
const VERSION = 1;

/** Some browsers take their time, or never answer, when a database is opened: after this number of milliseconds a page goes on. */
const PATIENCE = 3_000;

/** @typedef {"outbox" | "receipts"} StoreName */
/** @typedef {{put?: Partial<Record<StoreName, object[]>>, remove?: Partial<Record<StoreName, string[]>>}} Changes */

function makeStores(/** @type {IDBDatabase} */ opened) {
  opened.createObjectStore("outbox", { keyPath: "uuid" }).createIndex("campaign", "campaign");
  const receipts = opened.createObjectStore("receipts", { keyPath: "uuid" });
  receipts.createIndex("owner", ["campaign", "account", "time"]);
  receipts.createIndex("time", "time");
}

/** @param {(connection: IDBDatabase) => void} [onlate] for a connection that comes after all @returns {Promise<IDBDatabase>} */
function connect(onlate = (connection) => connection.close()) {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, VERSION);
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      reject(new Error("the database does not open"));
    }, PATIENCE);
    request.onupgradeneeded = () => makeStores(request.result);
    request.onsuccess = () => {
      clearTimeout(timer);
      if (late) onlate(request.result);
      else resolve(request.result);
    };
    request.onerror = () => {
      clearTimeout(timer);
      reject(request.error);
    };
  });
}

export class Database {
  constructor(/** @type {IDBDatabase} */ connection) {
    this.connection = connection;
    this.use(connection);
  }

  /** The database, or null where the browser gives none, or none yet. @returns {Promise<Database | null>} */
  static async open(/** @type {(late: Database) => void} */ onlate) {
    try {
      return new Database(await connect((connection) => onlate(new Database(connection))));
    } catch {
      return null;
    }
  }

  use(/** @type {IDBDatabase} */ connection) {
    this.connection = connection;
    // A page with a newer form of the database has to be let through; this one opens it again when it writes.
    connection.onversionchange = () => connection.close();
  }

  /** Everything under an index that lies in the range, in the order of the index. @returns {Promise<any[]>} */
  async under(/** @type {StoreName} */ store, /** @type {string} */ index, /** @type {IDBValidKey | IDBKeyRange} */ range) {
    const transaction = await this.begin([store], "readonly", "default");
    return answerTo(transaction.objectStore(store).index(index).getAll(range));
  }

  /** The last values under an index that lie in the range, newest first. @returns {Promise<any[]>} */
  async last(/** @type {StoreName} */ store, /** @type {string} */ index, /** @type {IDBKeyRange} */ range, /** @type {number} */ count) {
    const transaction = await this.begin([store], "readonly", "default");
    const request = transaction.objectStore(store).index(index).openCursor(range, "prev");
    const found = /** @type {any[]} */ ([]);
    return new Promise((resolve, reject) => {
      request.onerror = () => reject(request.error);
      request.onsuccess = () => {
        const cursor = request.result;
        if (!cursor || found.push(cursor.value) === count) resolve(found);
        else cursor.continue();
      };
    });
  }

  /** The values with these keys that are there. @param {StoreName} store @param {string[]} keys @returns {Promise<any[]>} */
  async find(store, keys) {
    const transaction = await this.begin([store], "readonly", "default");
    const place = transaction.objectStore(store);
    const found = await Promise.all(keys.map((key) => answerTo(place.get(key))));
    return found.filter(Boolean);
  }

  /** Removes and puts; resolves when it is done, all of it, and throws when none of it is. */
  async write(/** @type {Changes} */ { put = {}, remove = {} }, /** @type {{strict: boolean}} */ { strict }) {
    const transaction = await this.begin(["outbox", "receipts"], "readwrite", strict ? "strict" : "relaxed");
    const done = completion(transaction);
    try {
      for (const [store, keys] of Object.entries(remove)) keys.forEach((key) => transaction.objectStore(store).delete(key));
      for (const [store, values] of Object.entries(put)) values.forEach((value) => transaction.objectStore(store).put(value));
      transaction.commit?.();
    } catch {
      transaction.abort();
    }
    return done;
  }

  /** @param {StoreName[]} stores @param {IDBTransactionMode} mode @param {"strict"|"relaxed"|"default"} durability */
  async begin(stores, mode, durability) {
    try {
      return this.connection.transaction(stores, mode, { durability });
    } catch {
      // The browser or another page has closed the connection.
      this.use(await connect());
      return this.connection.transaction(stores, mode, { durability });
    }
  }
}

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
function answerTo(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** @param {IDBTransaction} transaction @returns {Promise<void>} */
function completion(transaction) {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error("nothing was written"));
  });
}
