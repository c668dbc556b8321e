import { drawExpression } from "../../../conformance/metrics/differential/expressions.ts";
import { type Draw, oneOf } from "../../../conformance/metrics/differential/words.ts";
import { seeded } from "../../../reference/core/index.ts";
import {
  ALL_FEATURES,
  describeFault,
  ENGINE_DEFAULTS,
  evaluateInstant,
  evaluateRange,
  exceedsPoints,
  type Expr,
  finish,
  formatDuration,
  formatNumber,
  NO_FEATURES,
  parse,
  type ParseFault,
  type ParseOptions,
  parseSelector,
  QueryCanceled,
  QueryFailure,
  type QueryOptions,
  type QueryResult,
  readDuration,
  readNumber,
  renderFault,
  SamplePool,
  type Work,
} from "../../../reference/metrics/promql/index.ts";
import { loadVectors } from "../../../vectors/load.ts";
import type { When } from "../../../vectors/promql/script.ts";
import { changed, damaged, generated, number, numeral } from "./promql-texts.ts";
import { listsText } from "./promql-lists.ts";
import { exprText, resultText } from "./promql-words.ts";
import { type Asked, type Place, places } from "./promql-worlds.ts";

const PLACES = places();
const ASKED = PLACES.filter(({ asked }) => asked.length > 0);
const TEXTS = (loadVectors("promql/expressions").vectors as unknown as readonly { readonly text: string }[]).map(({ text }) => text);

/** The scenes of a life. */
const SCENES = 3;

/** One life of the query language: queries with their answers, texts with their trees, or some of its parts. */
export function live(seed: number): string {
  const random = seeded(seed);
  return Array.from({ length: SCENES }, (_, at) => scene(seed * SCENES + at, random)).join("\n\n");
}

function scene(seed: number, random: Draw): string {
  const kind = random();
  if (kind < 0.7) return queryLife(random);
  if (kind < 0.985) return textLife(seed, random);
  return kind < 0.995 ? numberLife(random) : listsText(random, oneOf(random, PLACES).storage);
}

/** Expressions longer than this come from floods. */
const LONG = 2_000;

function queryLife(random: Draw): string {
  const place = random() < 0.45 ? PLACES[0]! : oneOf(random, ASKED);
  const { expr, when } = drawQuery(random, place);
  const options = drawOptions(random, place);
  const lines = [expr, JSON.stringify([when, options])];
  const tree = parse(expr.slice(0, LONG));
  if (tree.is === "fault") return [...lines, faultText(expr, tree)].join("\n");
  const asked = { place, expr, tree, when };
  const first = answer(asked, options);
  lines.push(first.text);
  // At its own peak a query is allowed, and one sample below it is not.
  if (first.peak !== undefined && random() < 0.1)
    for (const maxSamples of [first.peak, first.peak - 1, Math.floor(first.peak * random())])
      lines.push(`at most ${maxSamples}`, answer(asked, { ...options, maxSamples }).text);
  if (first.peak !== undefined && random() < 0.1)
    for (const max of [first.peak, first.peak - 1]) {
      const pool = new SamplePool(max);
      lines.push(`pool of ${max}`, answer(asked, { ...options, pool }).text, `still held: ${pool.held}`);
    }
  if (random() < 0.05) {
    const pool = new SamplePool(1e9);
    const stop = 1 + Math.floor(random() * 3);
    lines.push(`canceled at ${stop}`, answer(asked, { ...options, pool }, stop).text, `still held: ${pool.held}`);
  }
  return lines.join("\n");
}

function drawQuery(random: Draw, place: Place): Asked {
  const { world, asked, gapMs } = place;
  const own = asked.length > 0 && random() < 0.75 ? oneOf(random, asked) : undefined;
  const text = own?.expr ?? drawExpression(random, world);
  const expr = random() < (own === undefined ? 0.3 : 0.45) ? changed(random, text) : text;
  if (own !== undefined && random() < 0.35) return { expr, when: own.when };
  const jitter = oneOf(random, [0, 0, 0, 1, -1, gapMs / 2, -gapMs, gapMs, 3 * gapMs, -5 * gapMs, 299_999, 300_000, 300_001]);
  const at = oneOf(random, world.times) * 1_000 + Math.floor(jitter);
  if (random() < 0.5) return { expr, when: { is: "instant", atMs: at } };
  const stepMs = Math.max(1, Math.floor(gapMs * oneOf(random, [1, 1, 0.5, 2, 3.3, 7, 0.01])));
  const endMs = at + stepMs * Math.floor(random() * 12) + oneOf(random, [0, 0, 1, stepMs - 1]);
  return { expr, when: { is: "range", startMs: at, endMs, stepMs } };
}

function drawOptions(random: Draw, { gapMs }: Place): QueryOptions {
  return {
    ...(random() < 0.2 ? { lookbackMs: oneOf(random, [gapMs, gapMs - 1, gapMs + 1, 1, 2 * gapMs, 60_000]) } : {}),
    ...(random() < 0.08 ? { maxSamples: Math.floor(random() * 60) } : {}),
    ...(random() < 0.1 ? { subqueryStepMs: oneOf(random, [15_000, 7_000, gapMs]) } : {}),
    ...(random() < 0.15 ? { rateGaps: "nan" as const } : {}),
    ...(random() < 0.3 ? { countSamples: true } : {}),
  };
}

type Question = { readonly place: Place; readonly expr: string; readonly tree: Expr; readonly when: When };

/** The text of an answer or a failure, and the peak of an answer. `stop`: the pause at which the caller cancels. */
function answer({ place, expr, tree, when }: Question, options: QueryOptions, stop = Infinity): { text: string; peak?: number } {
  let pauses = 0;
  const pause = (): void => {
    if (++pauses >= stop) throw new QueryCanceled();
  };
  try {
    const result = finish(workOf(place, tree, when, options), pause);
    return { text: `${resultText(expr, result)}${paused(pauses)}`, peak: result.peakSamples };
  } catch (error) {
    if (error instanceof QueryFailure) return { text: `${error.name} ${error.kind} ${error.message}${paused(pauses)}` };
    throw error;
  }
}

/** Its order of magnitude: a caller sees whether long work pauses, and nobody whether it does so one series sooner. */
const paused = (pauses: number): string => (pauses === 0 ? "" : `\npauses: about 4^${Math.floor(Math.log2(pauses) / 2)}`);

function workOf({ storage }: Place, tree: Expr, when: When, options: QueryOptions): Work<QueryResult> {
  return when.is === "instant" ? evaluateInstant(storage, tree, when.atMs, options) : evaluateRange(storage, tree, when, options);
}

const faultText = (text: string, fault: ParseFault): string =>
  [describeFault(text, fault), renderFault(text, fault), fault.concerns, fault.span.start, fault.span.end].join("\n");

/** A text, most often damaged, and its tree or its fault. */
function textLife(seed: number, random: Draw): string {
  const kind = random();
  const text =
    kind < 0.2
      ? generated(seed, random)
      : kind < 0.5
        ? drawExpression(random, oneOf(random, PLACES).world)
        : kind < 0.7
          ? oneOf(random, oneOf(random, ASKED).asked).expr
          : oneOf(random, TEXTS);
  const given = (random() < 0.25 ? text : random() < 0.4 ? changed(random, text) : damaged(random, text)).slice(0, LONG);
  const options = random() < 0.3 ? drawLimits(random, given) : {};
  const expr = parse(given, options);
  const lines = [given, JSON.stringify(options), expr.is === "fault" ? faultText(given, expr) : exprText(expr)];
  if (random() < 0.15) {
    const selector = parseSelector(given);
    lines.push("as a selector", selector.is === "fault" ? faultText(given, selector) : exprText(selector));
  }
  return lines.join("\n");
}

function drawLimits(random: Draw, text: string): ParseOptions {
  const features = {
    experimentalFunctions: random() < 0.5,
    fillModifiers: random() < 0.5,
    extendedRanges: random() < 0.5,
  };
  const small = 1 + Math.floor(random() * 6);
  const limits = oneOf(random, [
    {},
    { maxLength: text.length - (random() < 0.5 ? 1 : 0) },
    { maxNesting: small },
    { maxDepth: small },
    { maxPatterns: Math.floor(random() * 14) },
  ]);
  return { features: oneOf(random, [ALL_FEATURES, NO_FEATURES, features]), limits };
}

function numberLife(random: Draw): string {
  const lines: string[] = [];
  for (let at = 0; at < 8; at++) {
    const [text, value] = [numeral(random), number(random)];
    lines.push(`${text} ${readDuration(text)} ${readNumber(text)}`, `${value} ${formatDuration(value)} ${formatNumber(value)}`);
    const steps = { startMs: 0, endMs: oneOf(random, [11_000, 11_001, 10_999]) * at, stepMs: at };
    lines.push(`${exceedsPoints(steps)}`);
  }
  return [...lines, JSON.stringify(ENGINE_DEFAULTS)].join("\n");
}
