import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { html } from "./html.ts";
import { exprLink } from "./labels.ts";
import { Heading, State, useLoaded } from "./load.ts";
import { localText } from "./times.ts";

type Counted = { readonly name: string; readonly value: number };
type Stats = {
  readonly headStats: {
    readonly numSeries: number;
    readonly numLabelPairs: number;
    readonly chunkCount: number;
    readonly numSamples?: number;
    readonly minTime: number;
    readonly maxTime: number;
  };
  readonly seriesCountByMetricName: readonly Counted[];
  readonly labelValueCountByLabelName: readonly Counted[];
  readonly memoryInBytesByLabelName: readonly Counted[];
  readonly seriesCountByLabelValuePair: readonly Counted[];
};
type Block = {
  readonly ulid: string;
  readonly minTime: number;
  readonly maxTime: number;
  readonly stats: { readonly numSamples: number; readonly numSeries: number; readonly numChunks: number };
  readonly compaction: { readonly level: number };
};

const LIMITS = [10, 50, 200, 1_000];
const count = (value: number): string => value.toLocaleString("en-US");

/** What is in memory, which names and labels make most of its series, and the blocks on disk. */
export function TsdbStatus(): VNode {
  const [limit, setLimit] = useState(LIMITS[0]!);
  const loading = useLoaded<Stats>(`status/tsdb?limit=${limit}`);
  const blocks = useLoaded<{ readonly blocks: readonly Block[] }>("status/tsdb/blocks");
  const stats = loading.answer?.data;
  return html`<${Heading} title="TSDB status" loading=${loading} />
    <${State} of=${loading} />
    ${stats === undefined ? "" : html`<${Head} stats=${stats} />`}
    <form class="filters" onSubmit=${(event: Event) => event.preventDefault()}>
      <label
        >Rows of each table
        <select value=${limit} onChange=${(event: Event) => setLimit(Number((event.currentTarget as HTMLSelectElement).value))}>
          ${LIMITS.map((one) => html`<option key=${one} value=${one} selected=${one === limit}>${one}</option>`)}
        </select></label
      >
    </form>
    ${
      stats === undefined
        ? ""
        : html`<div class="tables">
            <${Counts} title="Series by metric name" unit="series" rows=${stats.seriesCountByMetricName} link=${byName} />
            <${Counts} title="Values by label name" unit="values" rows=${stats.labelValueCountByLabelName} link=${byLabel} />
            <${Counts} title="Series by label and value" unit="series" rows=${stats.seriesCountByLabelValuePair} />
            <${Counts} title="Memory by label name" unit="octets" rows=${stats.memoryInBytesByLabelName} />
          </div>`
    }
    <${Blocks} blocks=${blocks.answer?.data.blocks ?? []} />`;
}

const quoted = (text: string): string => JSON.stringify(text);
const byName = (name: string): string => exprLink(`count({__name__=${quoted(name)}})`);
/** The names of the older kind need no quotes; the language has them for all others. */
const byLabel = (name: string): string => {
  const label = /^[a-zA-Z_]\w*$/.test(name) ? name : quoted(name);
  return exprLink(`topk(20, count by (${label}) ({${label}!=""}))`);
};

function Head({ stats: { headStats } }: { readonly stats: Stats }): VNode {
  const { numSeries, numLabelPairs, chunkCount, numSamples, minTime, maxTime } = headStats;
  const facts: (readonly [string, string])[] = [
    ["Series", count(numSeries)],
    ["Chunks", count(chunkCount)],
    ...(numSamples === undefined ? [] : [["Samples", count(numSamples)] as const]),
    ["Label pairs", count(numLabelPairs)],
    ["Oldest sample", maxTime === 0 ? "none" : localText(minTime)],
    ["Newest sample", maxTime === 0 ? "none" : localText(maxTime)],
  ];
  return html`<section aria-labelledby="head">
    <h2 id="head">In memory</h2>
    <dl class="facts">
      ${facts.map(
        ([name, value]) =>
          html`<div key=${name}>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
  </section>`;
}

type CountsProps = {
  readonly title: string;
  readonly unit: string;
  readonly rows: readonly Counted[];
  readonly link?: (name: string) => string;
};

function Counts({ title, unit, rows, link }: CountsProps): VNode {
  const most = rows[0]?.value ?? 1;
  return html`<section>
    <h2>${title}</h2>
    <table class="counts">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col" class="number">${unit}</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ name, value }) =>
            html`<tr key=${name}>
              <td>
                ${link === undefined ? name : html`<a href=${link(name)}>${name}</a>`}
                <span class="bar" aria-hidden="true" style=${{ width: `${(100 * value) / most}%` }}></span>
              </td>
              <td class="number">${count(value)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}

function Blocks({ blocks }: { readonly blocks: readonly Block[] }): VNode {
  return html`<section aria-labelledby="blocks">
    <h2 id="blocks">Blocks on disk</h2>
    ${
      blocks.length === 0
        ? html`<p class="soft">There are no blocks yet.</p>`
        : html`<table class="cards">
            <thead>
              <tr>
                ${["Block", "From", "To", "Level", "Series", "Chunks", "Samples"].map((name) => html`<th key=${name} scope="col">${name}</th>`)}
              </tr>
            </thead>
            <tbody>
              ${blocks.map(
                ({ ulid, minTime, maxTime, stats, compaction }) =>
                  html`<tr key=${ulid}>
                    <td data-title="Block"><code>${ulid}</code></td>
                    <td data-title="From">${localText(minTime)}</td>
                    <td data-title="To">${localText(maxTime)}</td>
                    <td data-title="Level">${compaction.level}</td>
                    <td data-title="Series">${count(stats.numSeries)}</td>
                    <td data-title="Chunks">${count(stats.numChunks)}</td>
                    <td data-title="Samples">${count(stats.numSamples)}</td>
                  </tr>`,
              )}
            </tbody>
          </table>`
    }
  </section>`;
}
