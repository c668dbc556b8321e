import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { html } from "./html.ts";

/** The most rows that a page shows before somebody opens a group: with more of them it would take seconds to appear. */
const MOST_OPEN_ROWS = 500;

type GroupProps = { readonly name: string; readonly about: unknown; readonly isOpen: boolean; readonly children: () => unknown };

/** A part of a page that can be closed. What is in it exists only while it is open. */
export function Group({ name, about, isOpen: isOpenFirst, children }: GroupProps): VNode {
  const [isOpen, setOpen] = useState(isOpenFirst);
  return html`<details class="group" open=${isOpen} onToggle=${(event: Event) => setOpen((event.currentTarget as HTMLDetailsElement).open)}>
    <summary>
      <h2>${name}</h2>
      ${about}
    </summary>
    ${isOpen ? children() : ""}
  </details>`;
}

/** Which groups are open at first: those at the top, as many as fit. */
export function openAtFirst(rows: readonly number[]): boolean[] {
  let shown = 0;
  return rows.map((count) => {
    shown += count;
    return shown === count || shown <= MOST_OPEN_ROWS;
  });
}
