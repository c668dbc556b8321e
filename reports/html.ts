import type { BenchResult } from "../bench/lib/result.ts";
import type { DiffResult } from "../conformance/diff/result.ts";
import type { Result } from "../conformance/harness/result.ts";
import { cleaned } from "./clean.ts";
import type { Comparison } from "./compare/matrix.ts";
import { caseBlocks } from "./page/case-blocks.ts";
import { Benches } from "./page/bench.ts";
import { Cases } from "./page/cases.ts";
import { ComparePage } from "./page/compare.ts";
import { Connections } from "./page/connection.ts";
import { Coverage } from "./page/coverage.ts";
import { DiffPage } from "./page/diff.ts";
import { html } from "./page/html.ts";
import { matrixBlocks } from "./page/matrix.ts";
import { headline, Legend, Overview, subjects } from "./page/overview.ts";
import { page } from "./page/shell.ts";
import { Troubles } from "./page/troubles.ts";
import type { Connection } from "./qlog/connection.ts";
import { sumOf } from "./order.ts";

/** What a report may show beside results: benchmarks as charts, and connections of QUIC by their logs. */
export type Beside = { readonly benches?: readonly BenchResult[]; readonly connections?: readonly Connection[] };

/** The report as one self-contained HTML file, with all results, the charts of the benchmarks, and the view of each connection. */
export function toHtml(dirty: readonly Result[], beside: Beside = {}): string {
  const [results, benches, connections] = [cleaned(dirty), cleaned(beside.benches ?? []), cleaned(beside.connections ?? [])];
  const checked = results.length > 0;
  const otherTitle = benches.length > 0 ? "Benchmarks" : "Connections";
  const body = html`
    <a class="skip" href="#main">Skip to content</a>
    <div class="page">
      ${
        checked
          ? html`<${Overview} results=${results} />`
          : html`<header>
              <p class="brand">Touchstone</p>
              <h1>${otherTitle}</h1>
            </header>`
      }
      <nav aria-label="Parts of this page">
        ${checked ? html`<a href="#failures">Failures</a><a href="#coverage">Requirements</a><a href="#cases">All cases</a>` : ""}
        ${benches.length > 0 ? html`<a href="#benchmarks">Benchmarks</a>` : ""}
        ${connections.length > 0 ? html`<a href="#connections">Connections</a>` : ""}
      </nav>
      <main id="main">
        ${checked ? html`<${Troubles} results=${results} /><${Coverage} results=${results} /><${Cases} results=${results} />` : ""}
        <${Benches} benches=${benches} />
        <${Connections} connections=${connections} />
      </main>
      <footer>
        ${
          checked
            ? html`<h2>The verdicts</h2>
                <${Legend} />`
            : ""
        }
      </footer>
    </div>
  `;
  const title = checked ? `${headline(sumOf(results)).replace(/\.$/, "")}: ${subjects(results)}` : otherTitle;
  return page({ title: `${title} · Touchstone`, body, scripted: checked ? { start: "cases", blocks: caseBlocks(results) } : undefined });
}

/** A comparison as one self-contained HTML file. `site` is the address of a page that it belongs to. */
export function comparisonHtml(dirty: Comparison, { site }: { readonly site?: string } = {}): string {
  const comparison = cleaned(dirty);
  const body = html`<${ComparePage} comparison=${comparison} site=${site} />`;
  return page({ title: "Implementations compared · Touchstone", body, scripted: { start: "matrix", blocks: matrixBlocks(comparison) } });
}

/** The messages that several implementations understand differently, as one self-contained HTML file. */
export const diffHtml = (dirty: DiffResult): string =>
  page({ title: "Messages understood differently · Touchstone", body: html`<${DiffPage} result=${cleaned(dirty)} />` });
