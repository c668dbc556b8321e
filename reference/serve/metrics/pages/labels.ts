import type { VNode } from "preact";
import { html } from "./html.ts";

export type LabelSet = Readonly<Record<string, string>>;

/** Labels, sorted as the API has them. */
export function Labels({ of, without = [] }: { readonly of: LabelSet; readonly without?: readonly string[] }): VNode {
  const shown = Object.entries(of).filter(([name]) => !without.includes(name));
  return html`<span class="labels">
    ${shown.map(([name, value]) => html`<span class="label" key=${name}><b>${name}</b>="${escaped(value)}"</span> `)}
  </span>`;
}

/** A series as the query language writes it, in one text. */
export function seriesText(labels: LabelSet): string {
  const { __name__: name = "", ...rest } = labels;
  const list = Object.entries(rest).map(([label, value]) => `${label}="${escaped(value)}"`);
  return list.length === 0 && name !== "" ? name : `${name}{${list.join(", ")}}`;
}

/** A series with its name apart from its labels. */
export function Series({ labels }: { readonly labels: LabelSet }): VNode {
  const { __name__: name = "", ...rest } = labels;
  const list = Object.entries(rest);
  if (name === "" && list.length === 0) return html`<span class="series">{}</span>`;
  return html`<span class="series"
    >${name}${
      list.length === 0
        ? ""
        : html`{${list.map(([label, value], at) => html`<span key=${label}>${at === 0 ? "" : ", "}<b>${label}</b>="${escaped(value)}"</span>`)}}`
    }</span
  >`;
}

/** Line breaks and other controls in a value must not look like something else. */
const escaped = (value: string): string =>
  value.replaceAll(/["\\\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, (sign) =>
    sign === '"' || sign === "\\" ? `\\${sign}` : `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** A link to an address that another program gave, if it is one of the web; its text otherwise. */
export function Link({ to }: { readonly to: string }): VNode {
  const isWeb = /^https?:\/\//i.test(to) && URL.canParse(to);
  return isWeb ? html`<a href=${to} rel="noreferrer noopener" target="_blank">${to}</a>` : html`<span>${to}</span>`;
}

const WORDS: Readonly<Record<string, string>> = {
  up: "good",
  ok: "good",
  inactive: "good",
  down: "bad",
  err: "bad",
  firing: "bad",
  pending: "wait",
  unknown: "idle",
};

/** A state as a word in its colour. */
export const Mark = ({ of }: { readonly of: string }): VNode => html`<span class=${`mark ${WORDS[of] ?? "idle"}`}>${of}</span>`;

/** A link that opens an expression on the query page. */
export const exprLink = (expr: string): string => `graph?${new URLSearchParams({ "g0.expr": expr, "g0.tab": "1" })}`;
