/** A chart of values over time, drawn without a script. */
import type { VNode } from "preact";
import type { Point } from "../qlog/connection.ts";
import { milliseconds } from "../qlog/connection.ts";
import { html } from "./html.ts";

/** Columns of a chart: the values of one are drawn as their lowest and their highest. */
const COLUMNS = 500;
const WIDTH = 1000;
const HEIGHT = 160;

export type Curve = { readonly name: string; readonly points: readonly Point[] };
type CurvesProps = {
  readonly title: string;
  readonly unit: string;
  readonly curves: readonly Curve[];
  /** Times that get a mark at the foot of the chart, and what they are. */
  readonly marks?: { readonly name: string; readonly at: readonly number[] };
  readonly lastsMs: number;
};

/** A value holds until the next one: the curves are steps. */
export function Curves({ title, unit, curves, marks, lastsMs }: CurvesProps): VNode | string {
  const drawn = curves.filter(({ points }) => points.length > 0);
  if (drawn.length === 0) return "";
  const top = Math.max(...drawn.map(({ points }) => highest(points)), Number.MIN_VALUE);
  const x = (at: number): number => (lastsMs === 0 ? 0 : (WIDTH * Math.min(at, lastsMs)) / lastsMs);
  const y = (value: number): number => HEIGHT - (HEIGHT * value) / top;
  return html`
    <figure class="curves">
      <figcaption>
        <b>${title}</b> <span class="aside">${unit}</span>
        ${drawn.map(({ name }, at) => html`<span class=${`key curve-${at}`}><i aria-hidden="true"></i>${name}</span>`)}
        ${marks === undefined || marks.at.length === 0 ? "" : html`<span class="key mark"><i aria-hidden="true"></i>${marks.name}</span>`}
      </figcaption>
      <div class="canvas">
        <span class="top">${figure(top)}</span>
        <svg
          viewBox=${`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label=${`${title}: ${drawn.map(spoken).join("; ")}, ${unit}, over ${milliseconds(lastsMs)}`}
        >
          ${drawn.map(({ points }, at) => html`<path class=${`curve-${at}`} d=${path(thinned(points, lastsMs), x, y, WIDTH)} />`)}
          ${columnsOf(marks?.at ?? [], lastsMs).map(
            (at) => html`<line class="mark" x1=${x(at).toFixed(1)} x2=${x(at).toFixed(1)} y1=${HEIGHT - 14} y2=${HEIGHT} />`,
          )}
        </svg>
        <span class="from">0</span><span class="to">${milliseconds(lastsMs)}</span>
      </div>
    </figure>
  `;
}

const highest = (points: readonly Point[]): number => points.reduce((most, [, value]) => Math.max(most, value), 0);
const lowest = (points: readonly Point[]): number => points.reduce((least, [, value]) => Math.min(least, value), Infinity);
const figure = (value: number): string => (value >= 100 ? Math.round(value).toLocaleString("en-US") : String(Number(value.toPrecision(3))));
const spoken = ({ name, points }: Curve): string => `${name} from ${figure(lowest(points))} to ${figure(highest(points))}`;

const columnOf = (at: number, lastsMs: number): number => (lastsMs === 0 ? 0 : Math.floor((COLUMNS * at) / lastsMs));
const columnsOf = (times: readonly number[], lastsMs: number): readonly number[] => [
  ...new Map(times.map((at) => [columnOf(at, lastsMs), at])).values(),
];

/** Of each column the lowest, the highest and the last point, so that no peak is lost. */
function thinned(points: readonly Point[], lastsMs: number): readonly Point[] {
  if (points.length <= 4 * COLUMNS) return points;
  const columns = Map.groupBy(points, ([at]) => columnOf(at, lastsMs));
  return [...columns.values()].flatMap((column) => {
    const [least, most] = [lowest(column), highest(column)];
    const kept = new Set([column.find(([, value]) => value === least), column.find(([, value]) => value === most), column.at(-1)]);
    return column.filter((point) => kept.has(point));
  });
}

function path(points: readonly Point[], x: (at: number) => number, y: (value: number) => number, end: number): string {
  const [first] = points;
  if (first === undefined) return "";
  const steps = points.slice(1).map(([at, value]) => `H${x(at).toFixed(1)}V${y(value).toFixed(1)}`);
  return `M${x(first[0]).toFixed(1)} ${y(first[1]).toFixed(1)}${steps.join("")}H${end}`;
}
