import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Group, openAtFirst } from "./group.ts";
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
  const shownByPool = Map.groupBy(shown, ({ scrapePool }) => scrapePool);
  const pools = [...Map.groupBy(all, ({ scrapePool }) => scrapePool)]
    .map(([name, targets]) => ({
      name,
      rows: shownByPool.get(name) ?? [],
      up: targets.filter(({ health }) => health === "up").length,
      count: targets.length,
    }))
    .filter(({ rows }) => rows.length > 0)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const isOpen = openAtFirst(pools.map(({ rows }) => rows.length));
  return html`<${Heading} title="Targets" loading=${loading} />
    <${State} of=${loading} />
    <form class="filters" onSubmit=${(event: Event) => event.preventDefault()}>
      <label>Filter by address or label <input type="search" value=${text} onInput=${typed(setText)} /></label>
      <label class="check"
        ><input type="checkbox" checked=${isOnlyDown} onChange=${() => setOnlyDown(!isOnlyDown)} /> Only targets that are not up</label
      >
    </form>
    ${loading.answer !== undefined && all.length === 0 ? html`<p>The configuration has no targets.</p>` : ""}
    ${pools.map(({ name, rows, up, count }, at) => {
      const about = html`<span class=${up === count ? "mark good" : "mark bad"}>${up} of ${count} up</span>`;
      return html`<${Group} key=${`${name} ${isOpen[at]}`} name=${name} about=${about} isOpen=${isOpen[at]}>
        ${() => html`<${Rows} rows=${rows} />`}
      <//>`;
    })}`;
}

const textOf = ({ scrapeUrl, labels }: Target): string => `${scrapeUrl} ${Object.values(labels).join(" ")}`.toLowerCase();

/** Gives the text of a field to a setter. */
export const typed =
  (set: (text: string) => void) =>
  (event: Event): void =>
    set((event.currentTarget as HTMLInputElement).value);

function Rows({ rows }: { readonly rows: readonly Target[] }): VNode {
  const now = Date.now();
  return html`<table class="cards">
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
    ${rows.length > MOST_ROWS ? html`<p class="soft">${rows.length - MOST_ROWS} more: filter them.</p>` : ""}`;
}
