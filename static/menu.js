/** The groups of the menu: Escape, a click elsewhere and leaving by Tab fold the open one; arrow keys go from group to group and page to page. */
import { stepOf } from "./direction.js";
import { Jump } from "./jump.js";

const groups = /** @type {HTMLDetailsElement[]} */ ([...document.querySelectorAll(".menu details")]);

/** @param {HTMLDetailsElement} group */
function summary(group) {
  return /** @type {HTMLElement} */ (group.firstElementChild);
}

/** Folds the open group, and says which one it was. */
function fold() {
  const open = groups.find((group) => group.open);
  if (open) open.open = false;
  return open;
}

/** The element `by` places further in a ring. @template T @param {T[]} ring @param {T} from @param {number} by */
function further(ring, from, by) {
  return ring[(ring.indexOf(from) + by + ring.length) % ring.length];
}

/** @param {HTMLDetailsElement} group @param {KeyboardEvent} event */
function move(group, event) {
  const step = stepOf(event.key, group);
  if (!step) return;
  event.preventDefault();
  if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
    const next = further(groups, group, step);
    next.open = group.open;
    summary(next).focus();
  } else {
    group.open = true;
    const stops = [summary(group), .../** @type {NodeListOf<HTMLElement>} */ (group.querySelectorAll("a"))];
    further(stops, /** @type {HTMLElement} */ (event.target), step).focus();
  }
}

for (const group of groups) {
  group.addEventListener("keydown", (event) => move(group, event));
  group.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !group.contains(relatedTarget)) group.open = false;
  });
}
document.addEventListener("keydown", (event) => {
  const folded = event.key === "Escape" && fold();
  if (folded) summary(folded).focus();
});
document.addEventListener("pointerdown", ({ target }) => {
  if (target instanceof Node && !groups.some((group) => group.contains(target))) fold();
});

const way = document.getElementById("jump-way");
if (way) new Jump(way);
