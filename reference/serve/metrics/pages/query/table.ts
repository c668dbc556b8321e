import type { VNode } from "preact";
import { html } from "../html.ts";
import { Series } from "../labels.ts";
import { localText } from "../times.ts";
import type { Histogram, QueryData } from "./result.ts";

/** The most samples of a range vector that one cell lists. */
const MOST_SAMPLES = 200;

/** The result of an instant query. */
export function TableView({ data }: { readonly data: QueryData }): VNode {
  if (data.resultType === "scalar" || data.resultType === "string")
    return html`<table class="result">
      <caption class="hidden">
        Result
      </caption>
      <tbody>
        <tr>
          <th scope="row">${data.resultType}</th>
          <td class="value">${data.result[1]}</td>
        </tr>
      </tbody>
    </table>`;
  if (data.result.length === 0) return html`<p>No series: the expression has no result at this time.</p>`;
  return html`<table class="result">
    <caption class="hidden">
      Result
    </caption>
    <thead>
      <tr>
        <th scope="col">Series</th>
        <th scope="col" class="value">Value</th>
      </tr>
    </thead>
    <tbody>
      ${
        data.resultType === "vector"
          ? data.result.map(
              ({ metric, value, histogram }) =>
                html`<tr key=${JSON.stringify(metric)}>
                  <th scope="row"><${Series} labels=${metric} /></th>
                  <td class="value">${histogram === undefined ? value?.[1] : html`<${HistogramCell} of=${histogram[1]} />`}</td>
                </tr>`,
            )
          : data.result.map(
              ({ metric, values = [], histograms = [] }) =>
                html`<tr key=${JSON.stringify(metric)}>
                  <th scope="row"><${Series} labels=${metric} /></th>
                  <td class="value">
                    ${values.slice(0, MOST_SAMPLES).map(([at, value]) => html`<div key=${at}>${value} <span class="soft">@ ${localText(at * 1_000)}</span></div>`)}
                    ${histograms
                      .slice(0, MOST_SAMPLES)
                      .map(
                        ([at, one]) =>
                          html`<div key=${at}><${HistogramCell} of=${one} /> <span class="soft">@ ${localText(at * 1_000)}</span></div>`,
                      )}
                    ${values.length > MOST_SAMPLES ? html`<div class="soft">${values.length - MOST_SAMPLES} more</div>` : ""}
                  </td>
                </tr>`,
            )
      }
    </tbody>
  </table>`;
}

/** The brackets of a bucket by its kind of boundaries: open at the left, at the right, at both ends, at none. */
const BRACKETS: readonly (readonly [string, string])[] = [
  ["(", "]"],
  ["[", ")"],
  ["(", ")"],
  ["[", "]"],
];

/** The count and sum of a native histogram, and its buckets on demand; bars are the share of each in the largest. */
function HistogramCell({ of: { count, sum, buckets = [] } }: { readonly of: Histogram }): VNode {
  const most = Math.max(...buckets.map(([, , , inside]) => Number(inside)), 0);
  return html`<details class="histogram">
    <summary>count ${count}, sum ${sum}</summary>
    <table class="counts">
      <thead>
        <tr>
          <th scope="col">Bucket</th>
          <th scope="col" class="number">Count</th>
        </tr>
      </thead>
      <tbody>
        ${buckets.map(
          ([kind, from, to, inside]) =>
            html`<tr key=${`${from} ${to}`}>
              <td>
                ${BRACKETS[kind]?.[0]}${from}, ${to}${BRACKETS[kind]?.[1]}
                <span class="bar" aria-hidden="true" style=${{ width: `${most > 0 ? (100 * Number(inside)) / most : 0}%` }}></span>
              </td>
              <td class="number">${inside}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </details>`;
}
