/**
 * Small values that outlive the page. One entry, one key: two tabs never overwrite each other.
 *
 * Where the browser gives no storage (or it is full) values live in memory, and `durable` says so.
 */
export class Storage {
  constructor(/** @type {string} */ prefix) {
    this.prefix = prefix;
    this.durable = true;
    this.memory = /** @type {Map<string, string>} */ (new Map());
  }

  put(/** @type {string} */ name, /** @type {any} */ value) {
    const text = JSON.stringify(value);
    try {
      localStorage.setItem(this.prefix + name, text);
      this.memory.delete(name);
    } catch {
      this.durable = false;
      this.memory.set(name, text);
    }
  }

  /** @param {string} name @returns {any} */
  get(name) {
    const text = this.memory.get(name) ?? this.stored(name);
    return text === null ? null : this.parse(text);
  }

  /** What `put` wrote; null for anything else. @param {string} text @returns {any} */
  parse(text) {
    try {
      return JSON.parse(text);
    } catch {
      return null;
    }
  }

  remove(/** @type {string} */ name) {
    this.memory.delete(name);
    try {
      localStorage.removeItem(this.prefix + name);
    } catch {
      // Nothing was stored there either.
    }
  }

  /** @returns {string[]} */
  names() {
    const found = new Set(this.memory.keys());
    try {
      for (let at = 0; at < localStorage.length; at++) {
        const key = localStorage.key(at) ?? "";
        if (key.startsWith(this.prefix)) found.add(key.slice(this.prefix.length));
      }
    } catch {
      this.durable = false;
    }
    return [...found].sort();
  }

  stored(/** @type {string} */ name) {
    try {
      return localStorage.getItem(this.prefix + name);
    } catch {
      return null;
    }
  }
}
