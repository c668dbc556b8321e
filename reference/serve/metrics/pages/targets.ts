import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { html } from "./html.ts";
import { type LabelSet, Labels, Link, Mark } from "./labels.ts";
import { Heading, State, useLoaded } from "./load.ts";
import { agoText, secondsText } from "./times.ts";

type Target = {
  readonly discoveredLabels: LabelSet;
  readonly labels: LabelSet;
  readonly scrapePool: string;
  readonly scrapeUrl: string;
  readonly lastError: string;
  readonly lastScrape: string;
  readonly lastScrapeDuration: number;
  readonly health: string;
  readonly scrapeInterval: string;
  readonly scrapeTimeout: string;
};
type Answer = { readonly activeTargets: readonly Target[] };

/** More rows than this make a page slow; the filter finds the others. */
const MOST_ROWS = 500;

/** The targets by job, with their state, last error and last scrape. */
export function Targets(): VNode {
  const loading = useLoaded<Answer>("targets?state=active");
  const [text, setText] = useState("");
  const [isOnlyDown, setOnlyDown] = useState(false);
  const all = loading.answer?.data.activeTargets ?? [];
  const wanted = text.toLowerCase();
  const shown = all.filter((target) => (!isOnlyDown || target.health !== "up") && textOf(target).includes(wanted));
  const pools = [...Map.groupBy(all, ({ scrapePool }) => scrapePool)].sort(([a], [b]) => (a < b ? -1 : 1));
  return html`<${Heading} title="Targets" loading=${loading} />
    <${State} of=${loading} />
    <form class="filters" onSubmit=${(event: Event) => event.preventDefault()}>
      <label>Filter by address or label <input type="search" value=${text} onInput=${typed(setText)} /></label>
      <label class="check"
        ><input type="checkbox" checked=${isOnlyDown} onChange=${() => setOnlyDown(!isOnlyDown)} /> Only targets that are not up</label
      >
    </form>
    ${loading.answer !== undefined && all.length === 0 ? html`<p>The configuration has no targets.</p>` : ""}
    ${pools.map(([name, targets]) => {
      const rows = shown.filter(({ scrapePool }) => scrapePool === name);
      const up = targets.filter(({ health }) => health === "up").length;
      return rows.length === 0 ? "" : html`<${Pool} key=${name} name=${name} rows=${rows} up=${up} count=${targets.length} />`;
    })}`;
}

const textOf = ({ scrapeUrl, labels }: Target): string => `${scrapeUrl} ${Object.values(labels).join(" ")}`.toLowerCase();

/** Gives the text of a field to a setter. */
export const typed =
  (set: (text: string) => void) =>
  (event: Event): void =>
    set((event.currentTarget as HTMLInputElement).value);

type PoolProps = { readonly name: string; readonly rows: readonly Target[]; readonly up: number; readonly count: number };

function Pool({ name, rows, up, count }: PoolProps): VNode {
  const now = Date.now();
  return html`<details class="group" open>
    <summary>
      <h2>${name}</h2>
      <span class=${up === count ? "mark good" : "mark bad"}>${up} of ${count} up</span>
    </summary>
    <table class="cards">
      <thead>
        <tr>
          <th scope="col">Address</th>
          <th scope="col">State</th>
          <th scope="col">Labels</th>
          <th scope="col">Last scrape</th>
          <th scope="col">Took</th>
        </tr>
      </thead>
      <tbody>
        ${rows.slice(0, MOST_ROWS).map((target) => {
          const { scrapeUrl, health, labels, lastError, lastScrape, lastScrapeDuration, scrapeInterval, scrapeTimeout } = target;
          return html`<tr key=${`${scrapeUrl} ${JSON.stringify(labels)}`}>
            <td data-title="Address"><${Link} to=${scrapeUrl} /></td>
            <td data-title="State"><${Mark} of=${health} /></td>
            <td data-title="Labels">
              <${Labels} of=${labels} />
              ${lastError === "" ? "" : html`<p class="error">${lastError}</p>`}
            </td>
            <td data-title="Last scrape">
              <time datetime=${lastScrape} title=${lastScrape}>${agoText(lastScrape, now)}</time>
              <span class="soft"> every ${scrapeInterval}</span>
            </td>
            <td data-title="Took">${secondsText(lastScrapeDuration)} <span class="soft">of ${scrapeTimeout}</span></td>
          </tr>`;
        })}
      </tbody>
    </table>
    ${rows.length > MOST_ROWS ? html`<p class="soft">${rows.length - MOST_ROWS} more: filter them.</p>` : ""}
  </details>`;
}
