// From a folder (file:) browsers start no worker, and the search of the site is one: its script runs in a frame here.
// Zensical adds a polyfill of another server unless one whose name has "iframe-worker" is there.

if (location.protocol === "file:") {
  window.Worker = class {
    constructor(address) {
      this.onmessage = null;
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.documentElement.append(frame);
      const inside = frame.contentWindow;
      const load = (script) =>
        new Promise((loaded, failed) => {
          const element = inside.document.createElement("script");
          element.src = new URL(script, document.baseURI).href;
          element.onload = loaded;
          element.onerror = failed;
          inside.document.head.append(element);
        });
      inside.postMessage = (data) => {
        this.onmessage?.(new MessageEvent("message", { data: structuredClone(data) }));
      };
      inside.importScripts = (...scripts) => Promise.all(scripts.map(load));
      this.inside = inside;
      this.frame = frame;
      this.ready = load(address);
    }

    async postMessage(data) {
      await this.ready;
      this.inside.dispatchEvent(new MessageEvent("message", { data: this.inside.structuredClone(data) }));
    }

    terminate() {
      this.frame.remove();
    }
  };
}
