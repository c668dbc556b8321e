// Elements of the page. Everything writes text, never markup.

export const byId = (id) => document.getElementById(id);

export function make(name, className, text) {
  const element = document.createElement(name);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

/** An element with ARIA roles and states, and its children. */
export function part(role, className, children = []) {
  const element = make("div", className);
  if (role) element.setAttribute("role", role);
  element.append(...children);
  return element;
}

/** A verdict as shape and word. */
export function mark(verdict, words = verdict) {
  const outer = make("span", `mark is-${verdict}`);
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `#shape-${verdict}`);
  svg.append(use);
  outer.append(svg, make("span", "word", words));
  return outer;
}

/** The section of a specification, as a link to its text if it has an address. */
export function sectionLink({ name, link }, text = name) {
  if (!link) return make("span", "ref", text);
  const anchor = make("a", "ref", text);
  anchor.href = link;
  anchor.rel = "noreferrer";
  return anchor;
}
