import type { VNode } from "preact";
import { html } from "../html.ts";
import { secondsText } from "../times.ts";
import type { Explained } from "./result.ts";

const KINDS: Readonly<Record<string, string>> = {
  vectorSelector: "selector",
  matrixSelector: "range selector",
  aggregate: "aggregation",
  call: "function",
  binary: "operator",
  paren: "parentheses",
};

/** The tree of an expression: each node with its series, its samples, and its time with that of the nodes below it. */
export function ExplainView({ root }: { readonly root: Explained }): VNode {
  return html`<ul class="tree" aria-label="Tree of the expression">
      <${Node} node=${root} total=${root.seconds ?? 0} />
    </ul>
    <p class="soft">Times include the nodes below. A node without numbers is evaluated as part of the node above it.</p>`;
}

function Node({ node, total }: { readonly node: Explained; readonly total: number }): VNode {
  const { type, text, series, samples, seconds, children } = node;
  return html`<li>
    <div class="node">
      <code>${text}</code>
      <p class="soft">
        <span>${KINDS[type] ?? type}</span>
        ${series === undefined ? "" : html`<span>, <b>${series.toLocaleString("en-US")}</b> series</span>`}
        ${samples === undefined ? "" : html`<span>, ${samples.toLocaleString("en-US")} samples</span>`}
        ${seconds === undefined ? "" : html`<span>, <b>${secondsText(seconds)}</b></span>`}
      </p>
      ${seconds === undefined || total === 0 ? "" : html`<span class="bar" aria-hidden="true" style=${{ width: `${(100 * seconds) / total}%` }}></span>`}
    </div>
    ${
      children.length === 0
        ? ""
        : html`<ul>
            ${children.map((child, at) => html`<${Node} key=${at} node=${child} total=${total} />`)}
          </ul>`
    }
  </li>`;
}
