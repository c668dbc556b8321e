"use strict";
// The search box: words of which all must occur, in any order. The index is loaded when the box is used.
(() => {
  const MOST = 30;
  const up = document.currentScript.dataset.up;
  const box = document.getElementById("find");
  const list = document.getElementById("found");
  box.closest("search").hidden = false;
  let loading;
  const load = () =>
    (loading ??= new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = `${up}search-index.js`;
      script.addEventListener("load", () =>
        resolve(globalThis.touchstoneIndex.map((entry) => ({ entry, text: `${entry[0]} ${entry[1]}`.toLowerCase() }))),
      );
      script.addEventListener("error", () => reject(new Error("search-index.js is missing")));
      document.head.append(script);
    }));

  function item(text, href, kind) {
    const line = document.createElement("li");
    const place = document.createElement(href === undefined ? "span" : "a");
    place.textContent = text;
    if (href !== undefined) place.href = up + href;
    if (kind !== undefined) {
      const label = document.createElement("span");
      label.className = "tag";
      label.textContent = kind;
      line.append(label, " ");
    }
    line.append(place);
    return line;
  }

  async function show() {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    list.hidden = words.length === 0;
    if (words.length === 0) return;
    let lines;
    try {
      const found = (await load()).filter(({ text }) => words.every((word) => text.includes(word)));
      lines = found.slice(0, MOST).map(({ entry: [kind, text, href] }) => item(text, href, kind));
      if (found.length > MOST) lines.push(item(`And ${found.length - MOST} more: add a word.`));
      if (found.length === 0) lines.push(item("Nothing has all of these words."));
    } catch (error) {
      lines = [item(`The search does not work: ${error.message}.`)];
    }
    list.replaceChildren(...lines);
  }

  function close() {
    list.hidden = true;
    box.blur();
  }

  box.addEventListener("focus", () => void load().catch(() => undefined));
  box.addEventListener("input", () => void show());
  document.addEventListener("keydown", (event) => {
    const links = [...list.querySelectorAll("a")];
    const at = links.indexOf(document.activeElement);
    if (event.key === "/" && !/^(?:INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? "")) box.focus();
    else if (event.key === "Escape") close();
    else if (event.key === "ArrowDown" && (at >= 0 || document.activeElement === box)) links[at + 1]?.focus();
    else if (event.key === "ArrowUp" && at >= 0) (links[at - 1] ?? box).focus();
    else return;
    event.preventDefault();
  });
})();
