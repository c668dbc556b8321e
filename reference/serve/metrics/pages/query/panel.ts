import type { VNode } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { html } from "../html.ts";
import { type Loading, State, useLoaded } from "../load.ts";
import { Editor } from "./editor.ts";
import { ExplainView } from "./explain.ts";
import { GraphView } from "./graph.ts";
import { type Panel, stepOf, type Tab, TABS } from "./panels.ts";
import { type QueryData, sizeOf } from "./result.ts";
import { TableView } from "./table.ts";
import { TimeControls } from "./time-controls.ts";

const NAMES: Readonly<Record<Tab, string>> = { table: "Table", graph: "Graph", explain: "Explain" };
const ORDER: readonly Tab[] = ["table", "graph", "explain"];

/** The most series that are asked for: more of them make a page slow, and nobody reads them. */
const MOST_SERIES = { table: "2000", graph: "500", explain: "2000" } as const;

type PanelProps = {
  readonly panel: Panel;
  /** Undefined if there is only one. */
  readonly number: number | undefined;
  readonly onChange: (panel: Panel) => void;
  readonly onRemove: (() => void) | undefined;
};

/** One expression: its editor, and its result in one of three forms. */
export function PanelView({ panel, number, onChange, onRemove }: PanelProps): VNode {
  const id = useId();
  const text = useRef(panel.expr);
  // The time of the last run: the same expression is asked again when somebody runs it again.
  const [ranAt, setRanAt] = useState(() => Date.now());
  const endMs = panel.endMs ?? ranAt;
  const query = queryOf(panel, endMs);
  const loading = useLoaded<QueryData>(query?.path, query?.form);
  const change = (patch: Partial<Panel>): void => {
    setRanAt(Date.now());
    onChange({ ...panel, expr: text.current.trim(), ...patch });
  };
  const run = (): void => change({});
  const name = number === undefined ? "Expression" : `Expression ${number}`;
  return html`<section class="panel" aria-label=${number === undefined ? "Query" : `Query ${number}`}>
    <div class="ask">
      <${Editor} name=${name} text=${panel.expr} onChange=${(next: string) => (text.current = next)} onRun=${run} />
      <div class="buttons">
        <button type="button" class="main" onClick=${run}>Execute</button>
        ${onRemove === undefined ? "" : html`<button type="button" onClick=${onRemove} aria-label=${`Remove panel ${number}`}>Remove</button>`}
      </div>
    </div>
    <${Tabs} id=${id} current=${panel.tab} onChange=${(tab: Tab) => change({ tab })} />
    <div role="tabpanel" id=${`${id}-panel`} aria-labelledby=${`${id}-${panel.tab}`}>
      <${TimeControls} panel=${panel} onChange=${change} />
      <p class="facts-line soft" role="status">${factsOf(loading)}</p>
      <${State} of=${{ ...loading, isLoading: false }} />
      ${[...(loading.answer?.warnings ?? []), ...(loading.answer?.infos ?? [])].map((one) => html`<p class="warning" key=${one}>${one}</p>`)}
      ${panel.expr === "" ? html`<p class="soft">Type an expression and press Enter.</p>` : resultOf(panel, loading.answer?.data, endMs, change)}
    </div>
  </section>`;
}

function resultOf(panel: Panel, data: QueryData | undefined, endMs: number, change: (patch: Partial<Panel>) => void): VNode | string {
  if (data === undefined) return "";
  switch (panel.tab) {
    case "table":
      return html`<${TableView} data=${data} />`;
    case "explain":
      return data.explain === undefined ? "" : html`<${ExplainView} root=${data.explain} />`;
    case "graph":
      return data.resultType !== "matrix"
        ? ""
        : html`<${GraphView}
            data=${data}
            startMs=${endMs - panel.rangeMs}
            endMs=${endMs}
            stepMs=${stepOf(panel)}
            onZoom=${(from: number, to: number) => change({ rangeMs: Math.max(1_000, Math.round(to - from)), endMs: Math.round(to) })}
          />`;
  }
}

function queryOf(panel: Panel, endMs: number): { readonly path: string; readonly form: Readonly<Record<string, string>> } | undefined {
  const { expr: query, tab, rangeMs } = panel;
  if (query === "") return undefined;
  const limit = MOST_SERIES[tab];
  const seconds = (ms: number): string => String(ms / 1_000);
  if (tab === "graph") {
    const step = seconds(stepOf(panel));
    return { path: "query_range", form: { query, start: seconds(endMs - rangeMs), end: seconds(endMs), step, limit, stats: "true" } };
  }
  return { path: "query", form: { query, time: seconds(endMs), limit, stats: "true", ...(tab === "explain" && { explain: "true" }) } };
}

function factsOf({ answer, isLoading }: Loading<QueryData>): string {
  if (isLoading) return "Evaluating…";
  if (answer === undefined) return "";
  const { timings, samples } = answer.data.stats ?? {};
  const took = timings === undefined ? "" : `, evaluated in ${Math.max(1, Math.round(timings.evalTotalTime * 1_000))} ms`;
  const read = samples === undefined ? "" : `, ${samples.totalQueryableSamples.toLocaleString("en-US")} samples read`;
  return `${sizeOf(answer.data)}${took}${read}`;
}

type TabsProps = { readonly id: string; readonly current: Tab; readonly onChange: (tab: Tab) => void };

/** Tabs as the authoring practices of ARIA have them: one stop of the Tab key, arrows between them. */
function Tabs({ id, current, onChange }: TabsProps): VNode {
  const pressed = (event: KeyboardEvent): void => {
    const to = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (to === undefined) return;
    const next = ORDER[(ORDER.indexOf(current) + to + TABS.length) % TABS.length]!;
    event.preventDefault();
    onChange(next);
    document.getElementById(`${id}-${next}`)?.focus();
  };
  return html`<div class="tabs" role="tablist" aria-label="Form of the result" onKeyDown=${pressed}>
    ${ORDER.map(
      (tab) =>
        html`<button
          key=${tab}
          type="button"
          role="tab"
          id=${`${id}-${tab}`}
          aria-selected=${tab === current}
          aria-controls=${`${id}-panel`}
          tabindex=${tab === current ? 0 : -1}
          onClick=${() => onChange(tab)}
        >
          ${NAMES[tab]}
        </button>`,
    )}
  </div>`;
}
