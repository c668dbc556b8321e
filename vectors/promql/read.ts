import type { Labels } from "../../reference/metrics/model/index.ts";
import { parseSelector, readDuration, readNumber, readSequence, readSeries, readSigned } from "../../reference/metrics/promql/index.ts";
import type { Clear, Demands, Evaluation, Load, Outcome, Row, Script, Step, When, Wording } from "./script.ts";
import { ScriptError } from "./script-error.ts";

/** A line with its number, from 1. A line without indentation begins a step. */
type Line = { readonly text: string; readonly number: number; readonly indented: boolean };
/** The heading of the next case: `#: its-id its#address`. */
type Heading = { readonly id: string; readonly spec: string; readonly line: number };

const HEADING = /^#:\s*([a-z0-9]+(?:-[a-z0-9]+)*)\s+(prometheus-[a-z]+#[a-z][a-z0-9.-]*)$/;

/** Parses a file of cases in the form described in `README.md`. Throws `ScriptError`. */
export function readScript(text: string): Script {
  const lines = text.split(/\r?\n/).map((line, at) => ({ text: line.trim(), number: at + 1, indented: /^\s/.test(line) }));
  const steps: Step[] = [];
  const ids = new Set<string>();
  let heading: Heading | undefined;
  for (let at = 0; at < lines.length;) {
    const line = lines[at++]!;
    if (line.text === "") continue;
    if (line.text.startsWith("#")) {
      const said = headingOf(line, ids);
      if (said !== undefined) refuseUnused(heading);
      heading = said ?? heading;
      continue;
    }
    if (line.indented) throw new ScriptError(line.number, "an indented line must follow a load or an eval");
    const block: Line[] = [];
    // A block ends with an empty line, a heading or the next step.
    for (let next = lines[at]; next !== undefined && (isComment(next) || (next.indented && next.text !== "")); next = lines[++at]) {
      if (!isComment(next)) block.push(next);
    }
    if (line.text.startsWith("eval ")) {
      steps.push(readEvaluation(line, heading, block));
      heading = undefined;
    } else steps.push(line.text.startsWith("load ") ? readLoad(line, block) : readClear(line, block));
  }
  refuseUnused(heading);
  return { steps };
}

const isComment = ({ text }: Line): boolean => text.startsWith("#") && !text.startsWith("#:");

function refuseUnused(heading: Heading | undefined): void {
  if (heading !== undefined) throw new ScriptError(heading.line, `the heading ${heading.id} has no eval`);
}

function headingOf({ text, number }: Line, ids: Set<string>): Heading | undefined {
  if (!text.startsWith("#:")) return undefined;
  const [, id = "", spec = ""] = HEADING.exec(text) ?? [];
  if (id === "")
    throw new ScriptError(number, "a heading must be an id in words and an address: #: sum-of-all prometheus-promql#operators.sum");
  if (ids.has(id)) throw new ScriptError(number, `the id ${id} is repeated`);
  ids.add(id);
  return { id, spec, line: number };
}

function readClear({ text, number }: Line, block: readonly Line[]): Clear {
  if (text !== "clear") throw new ScriptError(number, `a step must be load, eval or clear, not ${text.split(" ")[0]}`);
  if (block[0] !== undefined) throw new ScriptError(block[0].number, "a clear has no rows");
  return { is: "clear", line: number };
}

function readLoad({ text, number }: Line, block: readonly Line[]): Load {
  const gapMs = readTime(text.slice("load ".length).trim(), number);
  if (gapMs <= 0) throw new ScriptError(number, "the gap between two samples must be positive");
  return { is: "load", gapMs, rows: block.map(readRow), line: number };
}

/** `5m`, or seconds as a number, with an optional sign. */
function readTime(text: string, line: number): number {
  const [, sign = "", rest = ""] = /^(-?)(.+)$/.exec(text) ?? [];
  const duration = readDuration(rest);
  const ms = typeof duration === "number" ? duration : Math.round((readNumber(rest) ?? Number.NaN) * 1_000);
  if (!Number.isSafeInteger(ms)) throw new ScriptError(line, `invalid time "${text}": expected 5m, 1h30m or 90`);
  return sign === "-" && ms !== 0 ? -ms : ms;
}

const INSTANT = /^eval instant at (\S+)\s+(.+)$/;
const RANGE = /^eval range from (\S+) to (\S+) step (\S+)\s+(.+)$/;

function readEvaluation(line: Line, heading: Heading | undefined, block: readonly Line[]): Evaluation {
  const { text, number } = line;
  if (heading === undefined) throw new ScriptError(number, "an eval must follow a heading: #: id address");
  const [when, expr] = readWhen(text, number);
  const demands = block.filter((each) => each.text.startsWith("expect "));
  const rows = block.filter((each) => !each.text.startsWith("expect "));
  const { read, outcome } = readDemands(demands);
  if (read.fail !== undefined && rows[0] !== undefined) throw new ScriptError(rows[0].number, "a failing query cannot have a result");
  return { is: "eval", id: heading.id, spec: heading.spec, when, expr, demands: read, outcome: outcome(rows, when), line: number };
}

function readWhen(text: string, line: number): [When, string] {
  const [, at, instant] = INSTANT.exec(text) ?? [];
  if (at !== undefined && instant !== undefined) return [{ is: "instant", atMs: readTime(at, line) }, instant];
  const [, from, to, step, expr] = RANGE.exec(text) ?? [];
  if (from === undefined || to === undefined || step === undefined || expr === undefined)
    throw new ScriptError(line, "an eval must be: eval instant at 5m EXPR, or eval range from 0 to 5m step 1m EXPR");
  const range = { startMs: readTime(from, line), endMs: readTime(to, line), stepMs: readTime(step, line) };
  if (range.stepMs <= 0 || range.endMs < range.startMs) throw new ScriptError(line, "a range must go forward in positive steps");
  return [{ is: "range", ...range }, expr];
}

type OutcomeReader = (rows: readonly Line[], when: When) => Outcome;
const EXPECT = /^expect (fail|warn|info)(?:\s+(msg|regex):\s*(.+))?$/;
const MATRIX = /^expect range vector from (\S+) to (\S+) step (\S+)$/;
const STRING = /^expect string (["'`].*["'`])$/;

function readDemands(lines: readonly Line[]): { readonly read: Demands; readonly outcome: OutcomeReader } {
  let outcome: OutcomeReader = readOutcome;
  let ordered = false;
  const found: Record<"fail" | "warn" | "info", Wording[]> = { fail: [], warn: [], info: [] };
  const none = new Set<string>();
  for (const { text, number } of lines) {
    const [, kind, form, words = ""] = EXPECT.exec(text) ?? [];
    const [, from, to, step] = MATRIX.exec(text) ?? [];
    const [, quoted] = STRING.exec(text) ?? [];
    if (kind === "fail" || kind === "warn" || kind === "info") found[kind].push(readWording(form, words, number));
    else if (text === "expect ordered") ordered = true;
    else if (text === "expect no_warn" || text === "expect no_info") none.add(text.slice("expect no_".length));
    else if (quoted !== undefined) outcome = (rows) => ({ is: "string", value: onlyString(quoted, rows, number) });
    else if (from !== undefined && to !== undefined && step !== undefined) {
      const [startMs, stepMs] = [readTime(from, number), readTime(step, number)];
      outcome = (rows) => ({ is: "matrix", startMs, stepMs, rows: rows.map(readRow) });
    } else throw new ScriptError(number, `unknown expectation: ${text}`);
  }
  for (const kind of ["warn", "info"] as const) {
    const first = lines[0];
    if (none.has(kind) && found[kind].length > 0 && first !== undefined)
      throw new ScriptError(first.number, `expect ${kind} and expect no_${kind} exclude each other`);
  }
  const of = (kind: "warn" | "info"): readonly Wording[] | "none" => (none.has(kind) ? "none" : found[kind]);
  return { read: { fail: found.fail[0], warn: of("warn"), info: of("info"), ordered }, outcome };
}

function readWording(form: string | undefined, words: string, line: number): Wording {
  if (form === undefined) return { is: "any" };
  if (form === "msg") return { is: "text", text: words };
  try {
    return { is: "pattern", pattern: new RegExp(words, "u").source };
  } catch (error) {
    throw new ScriptError(line, error instanceof Error ? error.message : String(error));
  }
}

function onlyString(quoted: string, rows: readonly Line[], line: number): string {
  if (rows[0] !== undefined) throw new ScriptError(rows[0].number, "a result with a string cannot have rows");
  // A string literal of the language, read as a label's value.
  const selector = parseSelector(`{a!="",a=${quoted}}`);
  if (selector.is === "fault") throw new ScriptError(line, `${quoted} is not a string: ${selector.message}`);
  return selector.matchers[1]?.value ?? "";
}

function readOutcome(lines: readonly Line[], when: When): Outcome {
  const [first] = lines;
  const scalar = first !== undefined && lines.length === 1 && when.is === "instant" ? readSigned(first.text) : undefined;
  if (scalar !== undefined) return { is: "scalar", value: scalar };
  const rows = lines.map(readRow);
  for (const { samples, line } of rows) {
    const most = when.is === "instant" ? 1 : Math.floor((when.endMs - when.startMs) / when.stepMs) + 1;
    if (samples.length > most) throw new ScriptError(line, `${samples.length} samples for ${most} steps`);
    if (when.is === "instant" && samples.length === 0) throw new ScriptError(line, "a series must have a value");
    if (samples.some((sample) => sample?.is === "stale")) throw new ScriptError(line, "a result cannot be stale");
  }
  return { is: "series", rows };
}

function readRow({ text, number }: Line): Row {
  const end = endOfLabels(text);
  const labels = readLabels(text.slice(0, end), number);
  const samples = readSequence(text.slice(end));
  if (typeof samples === "string") throw new ScriptError(number, samples);
  return { labels, samples, line: number };
}

/** The position after the closing brace, or after the name if there are no braces. */
function endOfLabels(text: string): number {
  const [head = ""] = /^[a-zA-Z_:][\w:]*\s*(?=\{(?!\{))|^(?=\{(?!\{))|^\S+/.exec(text) ?? [];
  if (text[head.length] !== "{") return head.length;
  let quote = "";
  for (let at = head.length; at < text.length; at++) {
    const sign = text[at] ?? "";
    if (quote === "") {
      if (sign === "}") return at + 1;
      if (`"'\``.includes(sign)) quote = sign;
    } else if (sign === "\\" && quote !== "`") at++;
    else if (sign === quote) quote = "";
  }
  return text.length;
}

function readLabels(text: string, line: number): Labels {
  const labels = readSeries(text);
  if (typeof labels === "string") throw new ScriptError(line, labels);
  return labels;
}
