import type { VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import { html } from "../html.ts";
import { Series, seriesText } from "../labels.ts";
import { localText } from "../times.ts";
import { columnsOf } from "./columns.ts";
import type { QueryData } from "./result.ts";

type GraphProps = {
  readonly data: QueryData & { readonly resultType: "matrix" };
  readonly startMs: number;
  readonly endMs: number;
  readonly stepMs: number;
  readonly onZoom: (fromMs: number, toMs: number) => void;
};

const DARK = matchMedia("(prefers-color-scheme: dark)");
/** Neighbours differ most in hue. */
const colourOf = (at: number, isDark: boolean): string => `oklch(${isDark ? 0.76 : 0.52} 0.15 ${(255 + at * 137.5) % 360})`;
const HEIGHT = 340;

/** The result of a range query as lines. Arrows move the cursor, dragging zooms; the legend shows the values at the cursor and hides lines. */
export function GraphView(props: GraphProps): VNode {
  const { data, startMs, endMs, stepMs } = props;
  const columns = useMemo(() => columnsOf(data.result, { startMs, endMs, stepMs }), [data]);
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const [at, setAt] = useState<number | undefined>(undefined);
  const [hidden, setHidden] = useState<ReadonlySet<number>>(new Set());
  const [isDark, setDark] = useState(DARK.matches);
  const zoom = useRef(props.onZoom);
  zoom.current = props.onZoom;
  useEffect(() => {
    const changed = (): void => setDark(DARK.matches);
    DARK.addEventListener("change", changed);
    return () => DARK.removeEventListener("change", changed);
  }, []);
  useEffect(() => setHidden(new Set()), [data]);
  useEffect(() => {
    const element = host.current!;
    if (columns.lines.length === 0) return undefined;
    const chart = new uPlot(
      optionsOf(element, columns.lines.length, isDark, {
        onCursor: (index) => setAt(index),
        onZoom: (from, to) => zoom.current(from * 1_000, to * 1_000),
        range: [startMs / 1_000, endMs / 1_000],
      }),
      [columns.times, ...columns.lines] as uPlot.AlignedData,
      element,
    );
    plot.current = chart;
    const resized = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: HEIGHT }));
    resized.observe(element);
    return () => {
      resized.disconnect();
      chart.destroy();
      plot.current = undefined;
    };
  }, [columns, isDark]);
  useEffect(() => {
    for (let line = 0; line < columns.lines.length; line++) plot.current?.setSeries(line + 1, { show: !hidden.has(line) });
  }, [hidden, columns, isDark]);

  if (data.result.length === 0) return html`<p>No series in this range.</p>`;
  const step = (event: KeyboardEvent): void => {
    const by = { ArrowRight: 1, ArrowLeft: -1, PageDown: 10, PageUp: -10 }[event.key];
    const chart = plot.current;
    if (by === undefined || chart === undefined) return;
    event.preventDefault();
    const next = Math.min(columns.times.length - 1, Math.max(0, (at ?? columns.times.length) + by));
    chart.setCursor({ left: chart.valToPos(columns.times[next] ?? 0, "x"), top: 10 });
  };
  const hide = (line: number): void => setHidden((before) => before.symmetricDifference(new Set([line])));
  const only = (line: number): void =>
    setHidden((before) => {
      const others = new Set(columns.lines.keys().filter((one) => one !== line));
      return before.size === others.size && !before.has(line) ? new Set() : others;
    });
  const time = at === undefined ? "" : localText((columns.times[at] ?? 0) * 1_000);
  const about = `Graph of ${data.result.length} series from ${localText(startMs)} to ${localText(endMs)}. Arrow keys move the cursor; the values are in the list below.`;
  return html`<div class="graph" ref=${host} role="img" tabindex="0" aria-label=${about} onKeyDown=${step}></div>
    ${columns.histograms > 0 ? html`<p class="warning">${columns.histograms} series are native histograms: a graph cannot show them, the table can.</p>` : ""}
    ${columns.undrawn > 0 ? html`<p class="warning">${columns.undrawn} samples are infinite or not a number: they are not drawn.</p>` : ""}
    <p class="soft" role="status">${time === "" ? "Point at the graph, or move with the arrow keys, to see values." : time}</p>
    <ul class="legend" aria-label="Series">
      ${data.result.map(
        ({ metric }, line) =>
          html`<li key=${seriesText(metric)}>
            <button
              type="button"
              aria-pressed=${!hidden.has(line)}
              onClick=${(event: MouseEvent) => (event.ctrlKey || event.metaKey ? only(line) : hide(line))}
              title="Hides or shows this series; with Ctrl, shows only this one"
            >
              <span class="swatch" aria-hidden="true" style=${{ backgroundColor: colourOf(line, isDark) }}></span>
              <${Series} labels=${metric} />
              <span class="value">${at === undefined ? "" : valueText(columns.lines[line]?.[at])}</span>
            </button>
          </li>`,
      )}
    </ul>`;
}

const valueText = (value: number | null | undefined): string => (value === null || value === undefined ? "no sample" : String(value));

type Actions = {
  readonly onCursor: (index: number | undefined) => void;
  /** Seconds since 1970. */
  readonly onZoom: (from: number, to: number) => void;
  readonly range: readonly [number, number];
};

function optionsOf(element: HTMLElement, lines: number, isDark: boolean, { onCursor, onZoom, range }: Actions): uPlot.Options {
  const style = getComputedStyle(element);
  const [ink, rule] = [style.getPropertyValue("--soft"), style.getPropertyValue("--rule")];
  const axis: uPlot.Axis = { stroke: ink, grid: { stroke: rule, width: 1 }, ticks: { stroke: rule, width: 1 }, font: "12px system-ui" };
  return {
    width: element.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    scales: { x: { range: () => [...range] } },
    axes: [
      { ...axis, values: timesOf },
      { ...axis, size: 64, values: (_, values) => values.map(shortNumber) },
    ],
    cursor: { y: false, drag: { x: true, y: false, setScale: false }, points: { size: 6 } },
    series: [
      {},
      ...Array.from({ length: lines }, (_, line): uPlot.Series => ({ stroke: colourOf(line, isDark), width: 1.5, spanGaps: false })),
    ],
    hooks: {
      setCursor: [({ cursor }) => onCursor(cursor.idx ?? undefined)],
      setSelect: [
        (chart) => {
          const { left, width } = chart.select;
          if (width > 4) onZoom(chart.posToVal(left, "x"), chart.posToVal(left + width, "x"));
        },
      ],
    },
  };
}

/** Local times; the date where a day begins, and at the first tick. */
function timesOf(_: uPlot, ticks: number[]): string[] {
  const step = (ticks[1] ?? 0) - (ticks[0] ?? 0);
  let day = "";
  return ticks.map((tick) => {
    const text = localText(tick * 1_000);
    const [date = "", time = ""] = text.split(" ");
    const clock = step < 60 ? time : time.slice(0, 5);
    const isNew = date !== day;
    day = date;
    if (step >= 86_400) return date.slice(5);
    return isNew ? `${clock}\n${date.slice(5)}` : clock;
  });
}

const PREFIXES = ["", "k", "M", "G", "T", "P", "E"];

/** 1500000 is 1.5M; small numbers as they are. */
function shortNumber(value: number): string {
  const size = Math.abs(value);
  if (size < 1_000) return size !== 0 && size < 0.001 ? value.toExponential(1) : String(Number(value.toPrecision(6)));
  const power = Math.min(PREFIXES.length - 1, Math.floor(Math.log10(size) / 3));
  return `${Number((value / 1_000 ** power).toPrecision(4))}${PREFIXES[power]}`;
}
