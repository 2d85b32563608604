/**
 * Small values that outlive the page, or the tab. One entry, one key: two tabs never overwrite each other. Where the browser
 * gives no storage (or it is full) values live in memory.
 */
export class Storage {
  constructor(/** @type {string} */ prefix, place = () => localStorage) {
    this.prefix = prefix;
    this.place = place;
    this.memory = /** @type {Map<string, string>} */ (new Map());
  }

  put(/** @type {string} */ name, /** @type {any} */ value) {
    const text = JSON.stringify(value);
    try {
      this.place().setItem(this.prefix + name, text);
      this.memory.delete(name);
    } catch {
      this.memory.set(name, text);
    }
  }

  /** What `put` wrote; null for anything else. @param {string} name @returns {any} */
  get(name) {
    try {
      return JSON.parse(this.memory.get(name) ?? this.place().getItem(this.prefix + name) ?? "null");
    } catch {
      return null;
    }
  }

  remove(/** @type {string} */ name) {
    this.memory.delete(name);
    try {
      this.place().removeItem(this.prefix + name);
    } catch {
      // Nothing was stored there either.
    }
  }

  /** In ascending order. */
  names() {
    const found = new Set(this.memory.keys());
    try {
      for (const key of Object.keys(this.place())) if (key.startsWith(this.prefix)) found.add(key.slice(this.prefix.length));
    } catch {
      // Nothing is stored there.
    }
    return [...found].sort();
  }
}
