import type { VNode } from "preact";
import { agreements, disagreements, type Cell, type Column, type Comparison, type Matrix, type Row } from "../compare/matrix.ts";
import { address, docName, grouped, columnsFor, prose, sectionOf } from "../order.ts";
import { html } from "./html.ts";
import { Mark, SectionLink, VerdictBar } from "./marks.ts";
import { Legend } from "./overview.ts";

const anchor = (matrix: Matrix): string => matrix.suite.replaceAll(/[^\w.-]+/g, "-");
type Titles = Comparison["titles"];

/** The matrix as a page: totals, then the rows on which the implementations differ, then those on which they agree. */
export function ComparePage({ comparison: { matrices, titles } }: { readonly comparison: Comparison }): VNode {
  const names = [...new Set(matrices.flatMap((matrix) => matrix.columns.map(({ name }) => name)))];
  const differ = matrices.reduce((sum, matrix) => sum + disagreements(matrix).length, 0);
  return html`
    <a class="skip" href="#main">Skip to content</a>
    <div class="page wide">
      <header>
        <p class="brand">Touchstone · ${matrices.map(({ suite }) => suite).join(", ")}</p>
        <h1>${names.length <= 4 ? names.join(", ") : `${names.length} implementations compared`}</h1>
        <p class="lede">${differ === 0 ? "They agree on all cases." : `They differ on ${differ} ${differ === 1 ? "case" : "cases"}.`}</p>
      </header>
      <nav aria-label="Parts of this page">
        ${matrices.map((matrix) => html`<a href=${`#${anchor(matrix)}`}>${matrix.suite}</a>`)}<a href="#verdicts">The verdicts</a>
      </nav>
      <main id="main">${matrices.map((matrix) => html`<${Whole} matrix=${matrix} titles=${titles} />`)}</main>
      <footer id="verdicts">
        <h2>The verdicts</h2>
        <${Legend} />
      </footer>
    </div>
  `;
}

function Whole({ matrix, titles }: { readonly matrix: Matrix; readonly titles: Titles }): VNode {
  const differ = disagreements(matrix);
  return html`
    <section id=${anchor(matrix)} aria-label=${matrix.suite}>
      <h2>${matrix.suite} <span class="who">${matrix.rows.length} cases</span></h2>
      <${Totals} columns=${matrix.columns} />
      ${
        differ.length === 0
          ? ""
          : html`<h3 class="part">Where they differ <span class="who">${differ.length}</span></h3>
              <${Rows} matrix=${matrix} rows=${differ} titles=${titles} name=${`${matrix.suite}: where they differ`} />`
      }
      ${agreements(matrix).map(
        ({ verdict, rows }) => html`
          <details class="more">
            <summary>All agree on ${verdict} (${rows.length})</summary>
            <${Rows} matrix=${matrix} rows=${rows} titles=${titles} name=${`${matrix.suite}: all agree on ${verdict}`} />
          </details>
        `,
      )}
    </section>
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

type RowsProps = { readonly matrix: Matrix; readonly rows: readonly Row[]; readonly titles: Titles; readonly name: string };

/**
 * The ARIA roles keep it a table even if a narrow screen shows each row as a block.
 * Grouped by section in the order of the rows.
 */
function Rows({ matrix, rows, titles, name }: RowsProps): VNode {
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label=${name}>
      <table class="matrix" role="table">
        <thead role="rowgroup">
          <tr role="row">
            <th scope="col" role="columnheader">Case</th>
            ${matrix.columns.map((column) => html`<th scope="col" role="columnheader"><b>${column.name}</b></th>`)}
          </tr>
        </thead>
        ${[...grouped(rows, (row) => sectionOf(row.spec))].map(
          ([ref, inSection]) => html`
            <tbody role="rowgroup">
              <tr role="row">
                <th scope="rowgroup" role="rowheader" colspan=${matrix.columns.length + 1}>
                  §${address(ref).section} ${titles[ref] ?? ""} <span class="who">${docName(address(ref).doc)}</span>
                </th>
              </tr>
              ${inSection.map((row) => html`<${CaseRow} row=${row} columns=${matrix.columns} />`)}
            </tbody>
          `,
        )}
      </table>
    </div>
  `;
}

function CaseRow({ row, columns }: { readonly row: Row; readonly columns: readonly Column[] }): VNode {
  return html`
    <tr role="row">
      <th scope="row" role="rowheader">
        <details>
          <summary>${row.title}</summary>
          <p class="aside"><span class="level">${row.level}</span> <${SectionLink} spec=${row.spec} /> <code class="id">${row.id}</code></p>
          <dl class="detail">${row.cells.map((cell, at) => html`<${Detail} cell=${cell} name=${columns[at]?.name ?? ""} />`)}</dl>
        </details>
      </th>
      ${row.cells.map((cell, at) => html`<td role="cell" data-name=${columns[at]?.name ?? ""}>${cell === undefined ? html`<span class="absent">not run</span>` : html`<${Mark} of=${cell.verdict} />`}</td>`)}
    </tr>
  `;
}

function Detail({ cell, name }: { readonly cell: Cell | undefined; readonly name: string }): VNode | string {
  if (cell === undefined) return "";
  return html`<div>
    <dt>${name}: ${cell.verdict}</dt>
    <dd>${cell.observed}</dd>
    <dd class="aside">${prose(cell.reason)}</dd>
  </div>`;
}
