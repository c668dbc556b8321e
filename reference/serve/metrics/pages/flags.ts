import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { html } from "./html.ts";
import { Heading, State, useLoaded } from "./load.ts";
import { typed } from "./targets.ts";

/** The options of the command line with their values. */
export function Flags(): VNode {
  const loading = useLoaded<Readonly<Record<string, string>>>("status/flags");
  const [text, setText] = useState("");
  const flags = Object.entries(loading.answer?.data ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const shown = flags.filter(([name, value]) => `${name} ${value}`.toLowerCase().includes(text.toLowerCase()));
  return html`<${Heading} title="Flags" loading=${loading} />
    <${State} of=${loading} />
    <form class="filters" onSubmit=${(event: Event) => event.preventDefault()}>
      <label>Filter by name or value <input type="search" value=${text} onInput=${typed(setText)} /></label>
    </form>
    <${Pairs} rows=${shown.map(([name, value]) => [`--${name}`, value] as const)} head=${["Flag", "Value"]} />`;
}

type PairsProps = { readonly rows: readonly (readonly [string, string])[]; readonly head: readonly [string, string] };

/** A table of names and values. */
export function Pairs({ rows, head }: PairsProps): VNode {
  return html`<table class="pairs">
    <thead>
      <tr>
        <th scope="col">${head[0]}</th>
        <th scope="col">${head[1]}</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ([name, value]) =>
          html`<tr key=${name}>
            <th scope="row">${name}</th>
            <td>${value}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}
