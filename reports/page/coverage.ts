import type { VNode } from "preact";
import type { CaseResult, CoverageEntry, Result } from "../../conformance/harness/result.ts";
import { coverageByDocument, coverageWords, type DocumentCoverage, type SectionCoverage } from "../coverage.ts";
import { address, docName, grouped, prose } from "../order.ts";
import { html } from "./html.ts";
import { CoverageBar, Mark } from "./marks.ts";
import { anchorOf } from "./wire.ts";

type Ran = { readonly c: CaseResult; readonly anchor: string };
type Index = ReadonlyMap<string, readonly Ran[]>;

/** The requirements of each specification by section; a section opens to its requirements, each with its cases. */
export function Coverage({ results }: { readonly results: readonly Result[] }): VNode | string {
  const documents = coverageByDocument(results);
  if (documents.length === 0) return "";
  const index: Index = grouped(
    results.flatMap((result, run) => result.cases.map((c): Ran => ({ c, anchor: anchorOf(run, c) }))),
    ({ c }) => c.id,
  );
  return html`
    <section id="coverage" aria-labelledby="coverage-title">
      <h2 id="coverage-title">Requirements</h2>
      <p class="aside">
        What this run says of each requirement that its cases are about: <${Mark} of="fail" /> if a case failed, otherwise
        <${Mark} of="warn" /> if one warned, and <${Mark} of="pass" /> if one passed.
      </p>
      ${documents.map((document) => html`<${Document} document=${document} index=${index} />`)}
    </section>
  `;
}

function Document({ document, index }: { readonly document: DocumentCoverage; readonly index: Index }): VNode {
  const { doc, title, counts, sections } = document;
  return html`
    <section class="document" aria-label=${docName(doc)}>
      <h3>${docName(doc)}${title === undefined ? "" : html` <span class="who">${title}</span>`}</h3>
      <p class="aside">${coverageWords(counts)}</p>
      <${CoverageBar} counts=${counts} />
      <div class="sections">${sections.map((section) => html`<${Section} section=${section} index=${index} />`)}</div>
    </section>
  `;
}

function Section({ section: { ref, title, counts, entries }, index }: { readonly section: SectionCoverage; readonly index: Index }): VNode {
  const ran = new Map(entries.flatMap((entry) => entry.cases.flatMap((id) => index.get(id) ?? []).map(({ c, anchor }) => [anchor, c])));
  const failed = [...ran.values()].filter((c) => c.verdict === "fail").length;
  return html`
    <details>
      <summary>
        <span class="number">${address(ref).section}</span>
        <span class="name"
          >${title ?? ""}${failed > 0 ? html` <${Mark} of="fail" words=${`${failed} ${failed === 1 ? "case" : "cases"} failed`} />` : ""}</span
        >
        <${CoverageBar} counts=${counts} />
        <span class="words">${coverageWords(counts)}</span>
      </summary>
      <ul class="requirements">
        ${entries.map((entry) => html`<${Requirement} entry=${entry} index=${index} />`)}
      </ul>
    </details>
  `;
}

function Requirement({ entry, index }: { readonly entry: CoverageEntry; readonly index: Index }): VNode {
  return html`
    <li>
      <${Mark} of=${entry.state} /> <span class="level">${entry.level}</span> ${prose(entry.text)}
      ${entry.cases.length === 0 ? "" : html`<p class="cases">${entry.cases.flatMap((id) => linksTo(id, index))}</p>`}
    </li>
  `;
}

/** A case that was not part of this run has no anchor to link to. */
function linksTo(id: string, index: Index): VNode[] {
  const ran = index.get(id);
  if (ran === undefined) return [html`<code class="id">${id}</code> `];
  return ran.map(
    ({ c, anchor }) => html`<a href=${`#${anchor}`}><${Mark} of=${c.verdict} bare=${true} /> <code class="id">${id}</code></a> `,
  );
}
