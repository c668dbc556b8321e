// A long list whose parts are drawn as they come into view.
import { part } from "./dom.js";

/** How far outside the window a part is drawn, in CSS pixels. */
const AHEAD = "600px 0px";

/**
 * Shows `count` items in `host`, `size` in a part. `draw(at)` returns the elements of an item, `height` is a guess for items that are not drawn
 * yet. `reach(at)` draws an item at once.
 */
export function lazyList(host, { count, size, height, draw }) {
  const parts = [];
  const fill = (box) => {
    const { at, done } = parts[Number(box.dataset.part)];
    if (done) return;
    parts[Number(box.dataset.part)].done = true;
    watcher.unobserve(box);
    for (let item = at; item < Math.min(at + size, count); item++) box.append(...draw(item));
    box.style.height = "";
  };
  const watcher = new IntersectionObserver((seen) => seen.forEach(({ isIntersecting, target }) => isIntersecting && fill(target)), {
    rootMargin: AHEAD,
  });
  const boxes = [];
  for (let at = 0; at < count; at += size) {
    const box = part("none", "chunk");
    box.dataset.part = String(parts.length);
    box.style.height = `${height * Math.min(size, count - at)}px`;
    parts.push({ at, done: false });
    boxes.push(box);
  }
  host.replaceChildren(...boxes);
  // The first part is there before the next frame, so that the page does not flicker.
  if (boxes.length > 0) fill(boxes[0]);
  for (const box of boxes.slice(1)) watcher.observe(box);
  return {
    reach: (item) => fill(boxes[Math.floor(item / size)]),
    drawAll: () => boxes.forEach(fill),
    end: () => watcher.disconnect(),
  };
}
