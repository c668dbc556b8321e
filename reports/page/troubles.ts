import type { VNode } from "preact";
import type { CaseResult, Result } from "../../conformance/harness/result.ts";
import { baselineWords, beforeWords, differenceOf, findings, labels, prose, troubles } from "../order.ts";
import { html } from "./html.ts";
import { Mark, SectionLink } from "./marks.ts";
import { anchorOf, Evidence } from "./wire.ts";
import { counted } from "../words.ts";

/** The number of failures in full; the rest are links to their cases. */
const TOLD = 25;
/** The number of links in a list; a link to all of them follows. */
const LISTED = 200;
/** How many of these show the end of their transcript without a click. */
const OPEN = 3;

type Trouble = {
  readonly c: CaseResult;
  readonly name: string;
  readonly anchor: string;
  /** Those with the same cause. */
  readonly more: readonly Trouble[];
};

/** The failures, first on the page: the requirement, what was expected and observed, and the end of the transcript. */
export function Troubles({ results }: { readonly results: readonly Result[] }): VNode {
  const names = labels(results);
  const found = results.flatMap((result, run) =>
    findings(troubles(result.cases)).map(([first, ...more]): Trouble => {
      const one = (c: CaseResult): Trouble => ({ c, name: names[run] ?? "", anchor: anchorOf(run, c), more: [] });
      return { ...one(first), more: more.map(one) };
    }),
  );
  const stale = results.flatMap((result) => result.stale ?? []);
  return html`
    <section id="failures" aria-labelledby="failures-title">
      <h2 id="failures-title">Failures</h2>
      ${found.length === 0 && stale.length === 0 ? html`<p>Nothing.</p>` : ""}
      ${found.slice(0, TOLD).map((trouble, at) => html`<${Told} trouble=${trouble} open=${at < OPEN} />`)}
      ${
        found.length > TOLD
          ? html`<h3>And ${found.length - TOLD} more causes</h3>
              <${Lines} troubles=${found.slice(TOLD)} />`
          : ""
      }
      ${
        stale.length > 0
          ? html`<h3>Entries of the baseline that match no case</h3>
              <ul class="lines">
                ${stale.map((entry) => html`<li><code>${entry}</code></li>`)}
              </ul>`
          : ""
      }
      <${Folded} results=${results} verdict="unproved" words="proved nothing either way" />
      <${Folded} results=${results} verdict="warn" words="passed with a warning" />
    </section>
  `;
}

type ToldProps = { readonly trouble: Trouble; readonly open: boolean };

function Told({ trouble: { c, name, anchor, more }, open }: ToldProps): VNode {
  const note = baselineWords(c);
  return html`
    <article class=${`trouble is-${c.verdict}`}>
      <p class="head">
        <${Mark} of=${c.verdict} /> <span class="level">${c.level}</span> <${SectionLink} spec=${c.spec} />${
          name === "" ? "" : html` <span class="who">${name}</span>`
        }${note === undefined ? "" : html` <span class="tag">${note}</span>`}
      </p>
      <h3><a href=${`#${anchor}`}>${c.title}</a></h3>
      <p><code class="id">${c.id}</code></p>
      <${Sides} c=${c} />
      <p>${prose(differenceOf(c))}</p>
      ${more.length === 0 ? "" : html`<${Same} more=${more} />`}
      ${c.transcript.length === 0 ? "" : html`<${Evidence} transcript=${c.transcript} anchor=${anchor} open=${open} />`}
    </article>
  `;
}

/** The cases with the same cause. */
const Same = ({ more }: { readonly more: readonly Trouble[] }): VNode => html`
  <details class="more">
    <summary>The same in ${more.length} more ${more.length === 1 ? "case" : "cases"}</summary>
    <${Lines} troubles=${more} />
  </details>
`;

/** What was expected beside what was observed. */
const Sides = ({ c }: { readonly c: CaseResult }): VNode => html`
  <dl class="sides">
    <div>
      <dt>Expected</dt>
      ${c.expected.map((words, at) => html`<dd>${at === 0 ? "" : html`<i>or </i>`}${prose(words)}</dd>`)}
    </div>
    <div>
      <dt>Observed</dt>
      <dd>${c.observed}</dd>
    </div>
    ${
      c.before === undefined
        ? ""
        : html`<div>
            <dt>Before</dt>
            <dd>${beforeWords(c)}</dd>
          </div>`
    }
  </dl>
`;

/** Links to cases. A long list ends with a link to all cases of the verdict. */
function Lines({ troubles }: { readonly troubles: readonly Trouble[] }): VNode {
  const left = troubles.slice(LISTED);
  return html`
    <ul class="lines">
      ${troubles.slice(0, LISTED).map((trouble) => html`<${Line} trouble=${trouble} />`)}
      ${left.length === 0 ? "" : html`<li><a href=${`#verdict=${left[0]?.c.verdict ?? ""}`}>${left.length} more, among all cases</a></li>`}
    </ul>
  `;
}

const Line = ({ trouble: { c, anchor, more } }: { readonly trouble: Trouble }): VNode => html`
  <li>
    <${Mark} of=${c.verdict} /> <a href=${`#${anchor}`}>${c.title}</a> <${SectionLink} spec=${c.spec} />${
      more.length === 0 ? "" : html` <span class="who">and ${more.length} more</span>`
    }
  </li>
`;

type FoldedProps = { readonly results: readonly Result[]; readonly verdict: CaseResult["verdict"]; readonly words: string };

/** The cases with one verdict, as links. */
function Folded({ results, verdict, words }: FoldedProps): VNode | string {
  const those = results.flatMap((result, run) =>
    result.cases
      .filter((c) => c.verdict === verdict && c.baseline === undefined)
      .map((c): Trouble => ({ c, name: "", anchor: anchorOf(run, c), more: [] })),
  );
  if (those.length === 0) return "";
  return html`
    <details class="more">
      <summary>${counted(those.length, "case")} ${words}</summary>
      <${Lines} troubles=${those} />
    </details>
  `;
}
