import type { VNode } from "preact";
import type { Summary, Verdict } from "../../conformance/harness/result.ts";
import { coverageWords, type Counts, STATES } from "../coverage.ts";
import { sectionLink, sectionName, summaryWords, VERDICTS } from "../order.ts";
import { html } from "./html.ts";

/** Each verdict has its own shape, so that colour is not needed to tell them apart. */
const SHAPES: Readonly<Record<Verdict, string>> = {
  pass: "M8 1.2a6.8 6.8 0 1 0 0 13.6A6.8 6.8 0 0 0 8 1.2ZM4.7 8.2l2.3 2.3 4.3-4.8",
  fail: "M1.8 1.8h12.4v12.4H1.8ZM5 5l6 6M11 5l-6 6",
  warn: "M8 1.4 15 14H1ZM8 6v4M8 11.6v.8",
  unproved: "M5.4 6.1a2.6 2.6 0 1 1 3.6 2.4c-.7.3-1 .8-1 1.5v.3M8 12.6v.4M2 1.2h12v13.6H2Z",
  skip: "M2 8h12",
  error: "M8 .8 15.2 8 8 15.2.8 8ZM8 4.4v4.4M8 10.6v.8",
};

/** The shapes, once per page; every mark refers to them. */
export const Shapes = (): VNode => html`
  <svg width="0" height="0" class="shapes" aria-hidden="true">
    <defs>
      ${Object.entries(SHAPES).map(([name, d]) => html`<symbol id=${`shape-${name}`} viewBox="0 0 16 16"><path d=${d} /></symbol>`)}
    </defs>
  </svg>
`;

type MarkProps = { readonly of: Verdict; readonly words?: string; readonly bare?: boolean };

/** A verdict as shape and word; `bare` keeps the word for screen readers only. */
export const Mark = ({ of, words = of, bare = false }: MarkProps): VNode => html`
  <span class=${`mark is-${of}`}
    ><svg aria-hidden="true"><use href=${`#shape-${of}`} /></svg><span class=${bare ? "unseen" : "word"}>${words}</span></span
  >
`;

/** A bar of verdicts, worst first, with a text alternative for screen readers. */
export const VerdictBar = ({ summary }: { readonly summary: Summary }): VNode => html`
  <div class="bar" role="img" aria-label=${summaryWords(summary)}>
    ${VERDICTS.filter((verdict) => summary[verdict] > 0).map((verdict) => html`<i class=${`is-${verdict}`} style=${`flex-grow:${summary[verdict]}`} />`)}
  </div>
`;

/** A bar of requirements by what the run says of them. */
export const CoverageBar = ({ counts }: { readonly counts: Counts }): VNode => html`
  <span class="bar thin" role="img" aria-label=${coverageWords(counts)}>
    ${STATES.filter((state) => counts[state] > 0).map((state) => html`<i class=${`is-${state}`} style=${`flex-grow:${counts[state]}`} />`)}
  </span>
`;

/** The section of a case, as a link to its text. */
export function SectionLink({ spec }: { readonly spec: string }): VNode {
  const link = sectionLink(spec);
  const name = sectionName(spec);
  return link === undefined ? html`<span class="ref">${name}</span>` : html`<a class="ref" href=${link} rel="noreferrer">${name}</a>`;
}
