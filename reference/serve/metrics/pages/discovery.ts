import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Group, openAtFirst } from "./group.ts";
import { html } from "./html.ts";
import { type LabelSet, Labels, Mark } from "./labels.ts";
import { Heading, State, useLoaded } from "./load.ts";
import { typed } from "./targets.ts";

type Found = { readonly discoveredLabels: LabelSet; readonly labels?: LabelSet; readonly scrapePool: string };
type Answer = {
  readonly activeTargets: readonly Found[];
  readonly droppedTargets: readonly Found[];
  readonly droppedTargetCounts: Readonly<Record<string, number>>;
};
type Step = { readonly rule: Readonly<Record<string, unknown>>; readonly output: LabelSet; readonly keep: boolean };

const MOST_ROWS = 200;

/** What discovery found for each job, and what the relabelling rules made of it, step by step. */
export function Discovery(): VNode {
  const loading = useLoaded<Answer>("targets");
  const [text, setText] = useState("");
  const { activeTargets = [], droppedTargets = [], droppedTargetCounts = {} } = loading.answer?.data ?? {};
  const wanted = text.toLowerCase();
  const all = [...activeTargets, ...droppedTargets].filter(({ discoveredLabels }) =>
    Object.values(discoveredLabels).some((value) => value.toLowerCase().includes(wanted)),
  );
  const byPool = Map.groupBy(all, ({ scrapePool }) => scrapePool);
  const activeByPool = Map.groupBy(activeTargets, ({ scrapePool }) => scrapePool);
  const pools = Object.entries(droppedTargetCounts)
    .map(([name, dropped]) => {
      const active = activeByPool.get(name)?.length ?? 0;
      return { name, rows: byPool.get(name) ?? [], active, count: active + dropped };
    })
    .filter(({ rows }) => rows.length > 0 || wanted === "")
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const isOpen = openAtFirst(pools.map(({ rows }) => rows.length));
  return html`<${Heading} title="Service discovery" loading=${loading} />
    <${State} of=${loading} />
    <form class="filters" onSubmit=${(event: Event) => event.preventDefault()}>
      <label>Filter by discovered label <input type="search" value=${text} onInput=${typed(setText)} /></label>
    </form>
    ${pools.map(({ name, rows, active, count }, at) => {
      const about = html`<span class="soft">${active} active of ${count} discovered</span>`;
      return html`<${Group} key=${`${name} ${isOpen[at]}`} name=${name} about=${about} isOpen=${isOpen[at]}>
        ${() => html`<${Rows} rows=${rows} />`}
      <//>`;
    })}`;
}

function Rows({ rows }: { readonly rows: readonly Found[] }): VNode {
  return html`<div>
    ${rows.slice(0, MOST_ROWS).map((found) => html`<${Row} key=${JSON.stringify(found.discoveredLabels)} found=${found} />`)}
    ${rows.length > MOST_ROWS ? html`<p class="soft">${rows.length - MOST_ROWS} more: filter them.</p>` : ""}
  </div>`;
}

function Row({ found }: { readonly found: Found }): VNode {
  const [isOpen, setOpen] = useState(false);
  const { discoveredLabels, labels, scrapePool } = found;
  return html`<article class="card">
    <h3>${discoveredLabels["__address__"] ?? "(no address)"} <${Mark} of=${labels === undefined ? "dropped" : "active"} /></h3>
    <div class="columns">
      <section>
        <h4>Discovered labels</h4>
        <${Labels} of=${discoveredLabels} />
      </section>
      <section>
        <h4>Labels of the target</h4>
        ${labels === undefined ? html`<p class="soft">None: it is not scraped.</p>` : html`<${Labels} of=${labels} />`}
      </section>
    </div>
    <button type="button" aria-expanded=${isOpen} onClick=${() => setOpen(!isOpen)}>
      ${isOpen ? "Hide relabelling" : "Show relabelling step by step"}
    </button>
    ${isOpen ? html`<${Steps} pool=${scrapePool} labels=${discoveredLabels} />` : ""}
  </article>`;
}

function Steps({ pool, labels }: { readonly pool: string; readonly labels: LabelSet }): VNode {
  const query = new URLSearchParams({ scrapePool: pool, labels: JSON.stringify(labels) });
  const loading = useLoaded<{ readonly steps: readonly Step[] }>(`targets/relabel_steps?${query}`);
  const steps = loading.answer?.data.steps ?? [];
  return html`<${State} of=${loading} />
    ${loading.answer !== undefined && steps.length === 0 ? html`<p class="soft">The job has no relabelling rules.</p>` : ""}
    <ol class="steps">
      ${steps.map((step, at) => {
        const before = at === 0 ? labels : steps[at - 1]!.output;
        const isReached = at === 0 || steps[at - 1]!.keep;
        return html`<li key=${at}>
          <${Rule} rule=${step.rule} />
          ${isReached ? html`<${Change} before=${before} step=${step} />` : html`<p class="soft">Not reached.</p>`}
        </li>`;
      })}
    </ol>`;
}

/** The fields of a rule that say something. */
function Rule({ rule }: { readonly rule: Readonly<Record<string, unknown>> }): VNode {
  const usual: Readonly<Record<string, unknown>> = { separator: ";", regex: "(.*)", replacement: "$1" };
  const { action, ...fields } = rule;
  const shown = Object.entries(fields).filter(([name, value]) => usual[name] !== value);
  return html`<p class="rule">
    <b>${String(action)}</b>
    ${shown.map(([name, value]) => html` <span key=${name}>${name}: <code>${Array.isArray(value) ? value.join(", ") : String(value)}</code></span>`)}
  </p>`;
}

function Change({ before, step }: { readonly before: LabelSet; readonly step: Step }): VNode {
  if (!step.keep) return html`<p class="error">Dropped: the target is not scraped.</p>`;
  const names = [...new Set([...Object.keys(before), ...Object.keys(step.output)])].sort();
  const changed = names.filter((name) => before[name] !== step.output[name]);
  if (changed.length === 0) return html`<p class="soft">Nothing changes.</p>`;
  return html`<ul class="changes">
    ${changed.map((name) => {
      const [old, next] = [before[name], step.output[name]];
      return html`<li key=${name}>
        <b>${name}</b>: ${old === undefined ? "added" : html`<del>${old}</del>`}
        ${next === undefined ? " removed" : html` <span aria-hidden="true">→</span> <ins>${next}</ins>`}
      </li>`;
    })}
  </ul>`;
}
