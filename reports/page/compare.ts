import type { VNode } from "preact";
import { CHANGE_WORDS, CHANGES, changesIn } from "../compare/changes.ts";
import { disagreements, type Column, type Comparison, type Matrix } from "../compare/matrix.ts";
import { columnsFor, levelClass, VERDICTS } from "../order.ts";
import { html } from "./html.ts";
import { Mark, VerdictBar } from "./marks.ts";
import { Needs } from "./needs.ts";
import { Legend } from "./overview.ts";
import { counted } from "../words.ts";

const anchor = (matrix: Matrix): string => matrix.suite.replaceAll(/[^\w.-]+/g, "-");

/** The matrices as a page: totals, then the cases, which the script of the page filters and draws. */
export function ComparePage({
  comparison: { matrices },
  site,
}: {
  readonly comparison: Comparison;
  readonly site?: string | undefined;
}): VNode {
  const names = [...new Set(matrices.flatMap((matrix) => matrix.columns.map(({ name }) => name)))];
  return html`
    <a class="skip" href="#main">Skip to content</a>
    <div class="page wide">
      <header>
        <p class="brand">Touchstone · ${matrices.map(({ suite }) => suite).join(", ")}</p>
        <h1>${names.length <= 4 ? names.join(", ") : `${names.length} implementations compared`}</h1>
        <p class="lede">${differWords(matrices)}</p>
      </header>
      <nav aria-label="Parts of this page">
        ${matrices.map((matrix) => html`<a href=${`#${anchor(matrix)}`}>${matrix.suite}</a>`)}<a href="#cases">The cases</a
        ><a href="#verdicts">The verdicts</a>${site === undefined ? "" : html`<a href=${site}>By implementation and requirement</a>`}
      </nav>
      <main id="main">
        ${matrices.map((matrix) => html`<${Whole} matrix=${matrix} />`)}
        <${Cases} matrices=${matrices} />
      </main>
      <footer id="verdicts">
        <h2>The verdicts</h2>
        <${Legend} />
      </footer>
    </div>
  `;
}

function differWords(matrices: readonly Matrix[]): string {
  const differ = matrices.reduce((sum, matrix) => sum + disagreements(matrix).length, 0);
  return differ === 0 ? "They agree on all cases." : `They differ on ${counted(differ, "case")}.`;
}

const Whole = ({ matrix }: { readonly matrix: Matrix }): VNode => html`
  <section id=${anchor(matrix)} aria-label=${matrix.suite}>
    <h2>${matrix.suite} <span class="who">${matrix.rows.length} cases</span></h2>
    <${Totals} columns=${matrix.columns} />
    <${Changed} matrix=${matrix} />
  </section>
`;

/** What changed between two runs. */
function Changed({ matrix }: { readonly matrix: Matrix }): VNode | null {
  const changes = changesIn(matrix);
  if (changes === undefined) return null;
  const kinds = CHANGES.filter((kind) => changes[kind].length > 0);
  return html`
    <h3 class="changes">From the first run to the second</h3>
    ${kinds.length === 0 ? html`<p>No verdict changed.</p>` : ""}
    ${kinds.map(
      (kind) => html`
        <details open=${kind !== "moved"}>
          <summary>${CHANGE_WORDS[kind]} <span class="who">${changes[kind].length}</span></summary>
          <ul class="lines">
            ${changes[kind].map(
              ({ id, title, cells: [before, now] }) => html`
                <li><code class="id">${id}</code> <${Mark} of=${before?.verdict} /> → <${Mark} of=${now?.verdict} /> ${title}</li>
              `,
            )}
          </ul>
        </details>
      `,
    )}
  `;
}

function Totals({ columns }: { readonly columns: readonly Column[] }): VNode {
  const shown = columnsFor(columns.map(({ summary }) => summary));
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label="Totals">
      <table class="totals">
        <thead>
          <tr>
            <th scope="col">Implementation</th>
            <th scope="col" class="plot"><span class="unseen">Chart</span></th>
            ${shown.map((verdict) => html`<th scope="col"><${Mark} of=${verdict} /></th>`)}
          </tr>
        </thead>
        <tbody>
          ${columns.map(
            ({ name, target, startedAt, summary }) => html`
              <tr>
                <th scope="row">
                  <b>${name}</b><br /><span class="aside"><code>${target}</code> <span class="date">${startedAt.slice(0, 10)}</span></span>
                </th>
                <td class="plot"><${VerdictBar} summary=${summary} /></td>
                ${shown.map((verdict) => html`<td class=${summary[verdict] === 0 ? "zero" : ""}>${summary[verdict]}</td>`)}
              </tr>
            `,
          )}
        </tbody>
      </table>
    </div>
  `;
}

/** The frame of the cases. ARIA roles make it a table: real tables cannot be drawn in parts. */
const Cases = ({ matrices }: { readonly matrices: readonly Matrix[] }): VNode => html`
  <section id="cases" aria-labelledby="cases-title">
    <h2 id="cases-title">The cases</h2>
    <${Needs}
      >The totals above are complete. <code>touchstone compare</code> prints the cases in a terminal, and writes them as Markdown.<//
    >
    <${Filters} matrices=${matrices} />
    <div id="matrix" role="table" hidden>
      <div role="rowgroup" class="head"><div id="head" role="row" class="row" aria-rowindex="1"></div></div>
      <div id="rows" role="rowgroup" class="rows" tabindex="0"></div>
    </div>
    <p id="none" hidden>No case matches. <button type="button" id="clear">Show all cases</button></p>
  </section>
`;

/** The script fills the fields whose values depend on the suite. */
function Filters({ matrices }: { readonly matrices: readonly Matrix[] }): VNode {
  const rows = matrices.flatMap((matrix) => matrix.rows);
  const levels = ["MUST", "SHOULD", "MAY"].filter((level) => rows.some((row) => levelClass(row.level) === level));
  const verdicts = VERDICTS.filter((verdict) => rows.some((row) => row.cells.some((cell) => cell?.verdict === verdict)));
  const select = (name: string, words: string): VNode =>
    html`<label
      ><span>${words}</span
      ><select name=${name}></select
    ></label>`;
  return html`
    <form id="filters" class="compare" role="search" aria-label="Filter the cases" hidden>
      <fieldset>
        <legend class="unseen">Verdict of any implementation, or of the chosen one</legend>
        ${verdicts.map(
          (verdict) =>
            html`<label class=${`chip is-${verdict}`}
              ><input type="checkbox" name="verdict" value=${verdict} /><${Mark} of=${verdict} /> <b></b
            ></label>`,
        )}
      </fieldset>
      <div class="fields">
        <label><span>Text</span><input type="search" name="q" placeholder="words, id, frame…" autocomplete="off" /></label>
        ${
          matrices.length > 1
            ? html`<label
                ><span>Suite</span
                ><select name="suite" data-standard="0">
                  ${matrices.map(({ suite }, at) => html`<option value=${String(at)}>${suite}</option>`)}
                </select></label
              >`
            : ""
        }
        ${select("show", "Show")} ${select("section", "Section")} ${select("who", "Implementation")}
        <label
          ><span>Level</span
          ><select name="level">
            <option value="">any</option>
            ${levels.map((level) => html`<option value=${level}>${level}</option>`)}
          </select></label
        >
      </div>
      <p class="aside" role="status" id="shown"></p>
    </form>
  `;
}
