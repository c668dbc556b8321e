import { durationText, readDuration, readUtc, utcText } from "../times.ts";

/** The panels of the query page, as its address has them: `g0.expr=up&g0.tab=1`, the names that links of alerts and operators use. */

export const TABS = ["graph", "table", "explain"] as const;
export type Tab = (typeof TABS)[number];

/** One expression and how it is shown. */
export type Panel = {
  readonly key: number;
  readonly expr: string;
  readonly tab: Tab;
  /** Milliseconds. */
  readonly rangeMs: number;
  /** The end of a graph and the time of a table, in milliseconds since 1970; undefined is now. */
  readonly endMs: number | undefined;
  /** Undefined: by the range. */
  readonly stepMs: number | undefined;
};

const HOUR_MS = 3_600_000;
const MOST_PANELS = 20;
let lastKey = 0;

export const newPanel = (): Panel => ({ key: ++lastKey, expr: "", tab: "table", rangeMs: HOUR_MS, endMs: undefined, stepMs: undefined });

export function readPanels(search: string): Panel[] {
  const params = new URLSearchParams(search);
  const panels: Panel[] = [];
  for (let at = 0; at < MOST_PANELS && params.has(`g${at}.expr`); at++) {
    const of = (name: string): string => params.get(`g${at}.${name}`) ?? "";
    const end = of("end_input") || of("moment_input");
    panels.push({
      ...newPanel(),
      expr: of("expr"),
      tab: tabOf(of("tab")),
      rangeMs: readDuration(of("range_input")) ?? HOUR_MS,
      endMs: end === "" ? undefined : readUtc(end),
      stepMs: readDuration(of("step_input")),
    });
  }
  return panels.length === 0 ? [newPanel()] : panels;
}

/** By number, as addresses of old have them, or by name. */
const tabOf = (text: string): Tab => TABS.find((tab, at) => text === tab || text === String(at)) ?? "table";

/** The search part of an address. */
export function writePanels(panels: readonly Panel[]): string {
  const params = new URLSearchParams();
  for (const [at, { expr, tab, rangeMs, endMs, stepMs }] of panels.entries()) {
    const set = (name: string, value: string): void => params.set(`g${at}.${name}`, value);
    set("expr", expr);
    set("tab", String(TABS.indexOf(tab)));
    set("range_input", durationText(rangeMs));
    if (endMs !== undefined) set(tab === "graph" ? "end_input" : "moment_input", utcText(endMs));
    if (stepMs !== undefined) set("step_input", String(stepMs / 1_000));
  }
  return `?${params}`;
}

const STEPS = 250;

/** The step of a graph: as many points as a screen shows, and whole seconds. */
export const stepOf = ({ rangeMs, stepMs }: Panel): number => stepMs ?? Math.max(1_000, Math.ceil(rangeMs / STEPS / 1_000) * 1_000);
