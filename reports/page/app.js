// The page's own script: filters, transcripts on unfolding, and the address that brings both back. It writes text, never markup.
"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const make = (name, className, text) => {
    const element = document.createElement(name);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  };

  // Transcripts.
  let parsed;
  const transcripts = () => (parsed ??= JSON.parse(byId("data")?.textContent || "{}"));
  const WAYS = { "->": ["→", "sent"], "<-": ["←", "received"], "--": ["·", "note"] };

  /** Sixteen octets a row: offset, octets, and the characters of those that are printable ASCII. */
  function dump(hex) {
    const octets = hex.match(/../g) ?? [];
    const rows = [];
    for (let from = 0; from < octets.length; from += 16) {
      const row = octets.slice(from, from + 16);
      const chars = row.map((octet) => {
        const code = Number.parseInt(octet, 16);
        return code > 0x1f && code < 0x7f ? String.fromCharCode(code) : ".";
      });
      rows.push(`${from.toString(16).padStart(4, "0")}  ${row.join(" ").padEnd(47)}  ${chars.join("")}`);
    }
    return rows.join("\n");
  }

  function hexOf(hex, octets) {
    const shown = hex.length / 2;
    const details = make("details", "hex");
    details.append(make("summary", "", `${octets} ${octets === 1 ? "octet" : "octets"}`));
    details.addEventListener("toggle", () => {
      if (details.childElementCount > 1) return;
      const block = make("pre", "", dump(hex));
      block.tabIndex = 0;
      details.append(block);
      if (shown < octets) details.append(make("p", "aside", `The first ${shown} of ${octets} octets.`));
    });
    return details;
  }

  function wire(lines, name) {
    const list = make("ol", "wire");
    list.setAttribute("aria-label", name);
    for (const [at, way, means, hex, octets] of lines) {
      const [arrow, words] = WAYS[way] ?? WAYS["--"];
      const item = make("li", words);
      const direction = make("span", "way");
      const sign = make("span", "", arrow);
      sign.setAttribute("aria-hidden", "true");
      direction.append(sign, make("span", "unseen", words));
      item.append(make("span", "at", Number(at).toFixed(1)), direction, make("span", "means", means));
      if (hex) item.append(hexOf(hex, octets));
      list.append(item);
    }
    return list;
  }

  function fill(details) {
    const place = details.querySelector(".transcript");
    const found = transcripts()[details.id];
    if (!place || place.childElementCount > 0 || !found) return;
    const title = make("h4", "", "Transcript");
    title.append(make("span", "aside", "  ms, → sent to the subject, ← received from it"));
    place.append(title, wire(found.lines, "Transcript"));
    if (!found.control) return;
    const control = make("details", "more");
    control.append(
      make("summary", "", "The control: the same steps without the mistake"),
      wire(found.control, "Transcript of the control"),
    );
    place.append(control);
  }

  const form = byId("filters");
  if (!form) return;
  const cases = [...document.querySelectorAll("details.case")];
  for (const one of cases) one.addEventListener("toggle", () => one.open && fill(one));

  // Filters. What they say is in the address, so that a view can be sent to somebody.
  const words = new Map();
  const textOf = (one) => {
    if (!words.has(one)) words.set(one, one.textContent.toLowerCase());
    return words.get(one);
  };
  const FIELDS = ["q", "section", "level", "suite"];
  const fields = () => FIELDS.map((name) => form.elements.namedItem(name)).filter(Boolean);
  const boxes = [...form.querySelectorAll("input[name=verdict]")];

  function apply() {
    const verdicts = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    const wanted = Object.fromEntries(fields().map((field) => [field.name, field.value]));
    const terms = (wanted.q ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const one of cases) {
      const { verdict, level, section, suite } = one.dataset;
      const fits =
        (verdicts.size === 0 || verdicts.has(verdict)) &&
        (!wanted.level || wanted.level === level) &&
        (!wanted.section || wanted.section === section) &&
        (!wanted.suite || wanted.suite === suite) &&
        terms.every((term) => textOf(one).includes(term));
      one.hidden = !fits;
      if (fits) shown++;
    }
    for (const group of document.querySelectorAll("#cases .group")) group.hidden = !group.querySelector("details.case:not([hidden])");
    byId("none").hidden = shown > 0;
    byId("shown").textContent = shown === cases.length ? `All ${shown} cases.` : `${shown} of ${cases.length} cases.`;
  }

  function remember() {
    const state = new URLSearchParams();
    for (const box of boxes) if (box.checked) state.append("verdict", box.value);
    for (const field of fields()) if (field.value) state.set(field.name, field.value);
    const hash = state.size > 0 ? `#${state}` : "#cases";
    history.replaceState(null, "", hash);
  }

  function clear() {
    for (const box of boxes) box.checked = false;
    for (const field of fields()) field.value = "";
  }

  /** A filter (`#verdict=fail&section=…`) is put into the form; a case is shown and unfolded. */
  function obey() {
    const hash = location.hash.slice(1);
    if (hash.includes("=")) {
      const state = new URLSearchParams(hash);
      clear();
      for (const box of boxes) box.checked = state.getAll("verdict").includes(box.value);
      for (const field of fields()) field.value = state.get(field.name) ?? "";
      apply();
      byId("cases").scrollIntoView();
      return;
    }
    const target = cases.find((one) => one.id === hash);
    if (!target) return;
    if (target.hidden) {
      clear();
      apply();
    }
    target.open = true;
    fill(target);
    target.scrollIntoView();
    target.querySelector("summary").focus({ preventScroll: true });
  }

  form.hidden = false;
  form.addEventListener("input", () => {
    apply();
    remember();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  byId("clear").addEventListener("click", () => {
    clear();
    apply();
    remember();
    form.elements.namedItem("q").focus();
  });
  addEventListener("hashchange", obey);
  apply();
  obey();
})();
