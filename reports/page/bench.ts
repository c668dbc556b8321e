import type { VNode } from "preact";
import type { BenchGroup, BenchResult, BenchRow } from "../../bench/lib/result.ts";
import { html } from "./html.ts";

/** Charts of the benchmarks: a bar for each median, a line for the spread, and a darker bar for CPU time in user code. */
export function Benches({ benches }: { readonly benches: readonly BenchResult[] }): VNode | string {
  if (benches.length === 0) return "";
  return html`
    <section id="benchmarks" aria-labelledby="benchmarks-title">
      <h2 id="benchmarks-title">Benchmarks</h2>
      ${benches.map(
        ({ machine, startedAt, groups }) => html`
          <p class="aside">
            ${[machine.cpu, machine.cores === 1 ? "1 core" : `${machine.cores} cores`, `Node ${machine.node.replace(/^v/, "")}`, startedAt.slice(0, 10)].join(" · ")}
          </p>
          <div class="charts">${groups.map((group) => html`<${Chart} group=${group} />`)}</div>
        `,
      )}
    </section>
  `;
}

function Chart({ group }: { readonly group: BenchGroup }): VNode {
  const { title, unit, better, rows, note } = group;
  const scale = Math.max(...rows.flatMap((row) => [row.median, row.spread[1]]), Number.MIN_VALUE);
  const best = (better === "lower" ? Math.min : Math.max)(...rows.map((row) => row.median));
  const user = rows.some((row) => row.userCpu !== undefined);
  return html`
    <figure class="chart" id=${`bench-${group.id.replaceAll(/[^\w.-]+/g, "-")}`}>
      <figcaption><b>${title}</b> <span class="aside">${unit}, ${better} is better</span></figcaption>
      <table>
        <thead class="unseen">
          <tr>
            <th scope="col">Subject</th>
            <th scope="col">Chart</th>
            <th scope="col">Median and spread, ${unit}</th>
            <th scope="col">Against the best</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map((row) => html`<${Row} row=${row} scale=${scale} best=${best} better=${better} />`)}
        </tbody>
      </table>
      ${user ? html`<p class="aside">The darker part of a bar is CPU time in user code.</p>` : ""}
      ${note === undefined ? "" : html`<p class="aside">${note}</p>`}
    </figure>
  `;
}

type RowProps = { readonly row: BenchRow; readonly scale: number; readonly best: number; readonly better: BenchGroup["better"] };

function Row({ row, scale, best, better }: RowProps): VNode {
  const { subject, median, spread, userCpu } = row;
  const ours = /^touchstone\b/i.test(subject);
  const at = (value: number): string => `${Math.min(100, Math.max(0, (100 * value) / scale)).toFixed(2)}%`;
  const ratio = better === "lower" ? median / best : best / median;
  return html`
    <tr class=${ours ? "ours" : ""}>
      <th scope="row">${subject}</th>
      <td class="plot">
        <svg aria-hidden="true">
          <rect class="median" y="4" height="12" width=${at(median)} />
          ${userCpu === undefined ? "" : html`<rect class="user" y="4" height="12" width=${at(userCpu)} />`}
          <line x1=${at(spread[0])} x2=${at(spread[1])} y1="10" y2="10" />
          ${spread.map((end) => html`<line x1=${at(end)} x2=${at(end)} y1="6" y2="14" />`)}
        </svg>
      </td>
      <td class="value"><b>${figure(median)}</b> <span class="aside">${figure(spread[0])} to ${figure(spread[1])}</span></td>
      <td class="ratio">${median === best ? "best" : Number.isFinite(ratio) ? `${ratio.toFixed(ratio < 10 ? 1 : 0)} ×` : ""}</td>
    </tr>
  `;
}

/** Three significant digits; digit groups from 1,000 on. */
const figure = (value: number): string =>
  Math.abs(value) >= 1000 ? Math.round(value).toLocaleString("en-US") : String(Number(value.toPrecision(3)));
