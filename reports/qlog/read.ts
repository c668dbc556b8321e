/** Reads logs in the form of qlog (draft-ietf-quic-qlog-main-schema): those that `serve` and `connect` write, and those of other QUIC stacks. */
import { basename } from "node:path";
import { DamagedFile, firstLine } from "../damaged.ts";

/** One event: its time in milliseconds since the first moment of the log, its name without the name of its schema, and what it says. */
export type QlogEvent = { readonly at: number; readonly name: string; readonly data: Readonly<Record<string, unknown>> };
export type QlogTrace = {
  /** The name of the file. */
  readonly file: string;
  /** Who wrote it: client, server or network. */
  readonly side: string;
  /** The Destination Connection ID of the client's first packet, in hex; empty if the log does not say. */
  readonly id: string;
  readonly events: readonly QlogEvent[];
};
export type Fields = Readonly<Record<string, unknown>>;

/** Separates the records of a JSON text sequence (RFC 7464). */
const RECORD = "\u001e";
/** How much of a file says what it is. */
const HEAD = 400;
/** The limit on events; a page with more helps nobody. */
const MOST_EVENTS = 1_000_000;

/** Whether a file is a log of this form. */
export const isQlog = (text: string): boolean =>
  text.startsWith(RECORD) || /"(?:qlog_(?:version|format)|file_schema)"/.test(text.slice(0, HEAD));

/** The traces of a file: records with RS, one record a line, or one document. */
export function readQlog(path: string, text: string): QlogTrace[] {
  const file = basename(path);
  const [head, ...records] = recordsOf(path, text);
  if (head === undefined) throw new DamagedFile(`${path}: is a log without a record.`);
  const traces = fieldsIn(head["traces"]).map((trace) => ({ trace, events: fieldsIn(trace["events"]) }));
  if (records.length > 0 || traces.length === 0) traces.push({ trace: fields(head["trace"]), events: records });
  const count = traces.reduce((sum, { events }) => sum + events.length, 0);
  if (count === 0) throw new DamagedFile(`${path}: is a log without an event: did its connection ever begin?`);
  if (count > MOST_EVENTS) throw new DamagedFile(`${path}: has ${count} events; the limit is ${MOST_EVENTS}.`);
  return traces.map(({ trace, events }) => traceOf(file, trace, events));
}

function recordsOf(path: string, text: string): Fields[] {
  const sequence = text.startsWith(RECORD);
  const whole = sequence ? undefined : parsed(text);
  if (whole !== undefined) return [fields(whole)];
  const parts = text.split(sequence ? RECORD : "\n").filter((part) => part.trim() !== "");
  return parts.flatMap((part, at) => {
    const record = parsed(part);
    if (record !== undefined) return [fields(record)];
    // The process may have ended in the middle of the last record.
    if (at > 0 && at === parts.length - 1) return [];
    throw new DamagedFile(`${path}: record ${at + 1} of this log is not JSON: ${firstLine(part).slice(0, 60)}`);
  });
}

/** Undefined for what is not JSON: the caller knows whether that is a mistake. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A value as an object; empty if it is none. */
export const fields = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const fieldsIn = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fields) : []);
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
export const numberOf = (value: unknown): number | undefined => (typeof value === "number" && Number.isFinite(value) ? value : undefined);

function traceOf(file: string, trace: Fields, events: readonly Fields[]): QlogTrace {
  const common = fields(trace["common_fields"]);
  const times = timesOf(textOf(common["time_format"]), events);
  return {
    file,
    side: textOf(fields(trace["vantage_point"])["type"]) || "unknown side",
    id: textOf(common["ODCID"]) || textOf(common["group_id"]) || textOf(events.find((event) => "ODCID" in event)?.["ODCID"]),
    events: events.map((event, at) => ({
      at: times[at] ?? 0,
      name: textOf(event["name"]).replace(/^.*:/, ""),
      data: fields(event["data"]),
    })),
  };
}

/** Milliseconds since the first moment: each event may count from the one before it, from an epoch, or from a time that the log names. */
function timesOf(format: string, events: readonly Fields[]): number[] {
  const given = events.map((event) => numberOf(event["time"]) ?? 0);
  if (format === "delta" || format === "relative_to_previous_event") {
    let now = 0;
    return given.map((step) => (now += step));
  }
  // Without a word about it, older drafts count from an epoch, and newer ones from the beginning of the log.
  if (format !== "absolute" && format !== "") return given;
  const [first = 0] = given;
  return given.map((time) => time - first);
}
