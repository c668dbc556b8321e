import type { VNode } from "preact";
import type { CaseResult, Result } from "../../conformance/harness/result.ts";
import { coverageByDocument, coverageWords, type DocumentCoverage, type SectionCoverage } from "../coverage.ts";
import { address, docName } from "../order.ts";
import { html } from "./html.ts";
import { CoverageBar, Mark } from "./marks.ts";
import { counted } from "../words.ts";

type ById = ReadonlyMap<string, readonly CaseResult[]>;

/** The requirements of each specification by section. The script of the page fills a section when it is opened. */
export function Coverage({ results }: { readonly results: readonly Result[] }): VNode | string {
  const documents = coverageByDocument(results);
  if (documents.length === 0) return "";
  const cases = Map.groupBy(
    results.flatMap((result) => result.cases),
    ({ id }) => id,
  );
  return html`
    <section id="coverage" aria-labelledby="coverage-title">
      <h2 id="coverage-title">Requirements</h2>
      <p class="aside">
        What this run says of each requirement that its cases are about: <${Mark} of="fail" /> if a case failed, otherwise
        <${Mark} of="warn" /> if one warned, and <${Mark} of="pass" /> if one passed.
      </p>
      ${documents.map((document) => html`<${Document} document=${document} cases=${cases} />`)}
    </section>
  `;
}

function Document({ document, cases }: { readonly document: DocumentCoverage; readonly cases: ById }): VNode {
  const { doc, title, counts, sections } = document;
  return html`
    <section class="document" aria-label=${docName(doc)}>
      <h3>${docName(doc)}${title === undefined ? "" : html` <span class="who">${title}</span>`}</h3>
      <p class="aside">${coverageWords(counts)}</p>
      <${CoverageBar} counts=${counts} />
      <div class="sections">${sections.map((section) => html`<${Section} section=${section} cases=${cases} />`)}</div>
    </section>
  `;
}

function Section({ section: { ref, title, counts, entries }, cases }: { readonly section: SectionCoverage; readonly cases: ById }): VNode {
  const ran = new Set(entries.flatMap((entry) => entry.cases.flatMap((id) => cases.get(id) ?? [])));
  const failed = [...ran].filter((c) => c.verdict === "fail").length;
  return html`
    <details data-section=${ref}>
      <summary>
        <span class="number">${address(ref).section}</span>
        <span class="name"
          >${title ?? ""}${failed > 0 ? html` <${Mark} of="fail" words=${`${counted(failed, "case")} failed`} />` : ""}</span
        >
        <${CoverageBar} counts=${counts} />
        <span class="words">${coverageWords(counts)}</span>
      </summary>
      <ul class="requirements"></ul>
    </details>
  `;
}
