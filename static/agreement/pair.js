/** The frame of a pair's document is as high as the document, as far as the style sheet lets it; without this it has that height. */

import { byId } from "../elements.js";

const frame = /** @type {HTMLIFrameElement} */ (byId("pair-document"));

/** @param {HTMLElement} root */
function fit(root) {
  const border = frame.offsetHeight - frame.clientHeight;
  frame.style.height = `${Math.ceil(root.getBoundingClientRect().height) + border}px`;
}

function follow() {
  const root = frame.contentDocument?.documentElement;
  // A fold that is opened inside makes it higher.
  if (root) new ResizeObserver(() => fit(root)).observe(root);
}

frame.addEventListener("load", follow);
if (frame.contentDocument?.readyState === "complete") follow();
