import type { AnyCase } from "../../harness/case.ts";
import { firstExchange as firstOfHttp2 } from "../../http2/cases/phrases.ts";
import { loadCases as casesOfHttp2 } from "../../http2/cases/load.ts";
import { firstExchange as firstOfHttp3 } from "../../http3/cases/phrases.ts";
import { loadCases as casesOfHttp3 } from "../../http3/cases/load.ts";
import { entriesOfCases } from "../../http1/diff/from-cases.ts";
import { inHttp1 } from "./http1-text.ts";
import { type Field, type Request, type RequestEntry, requestOf } from "./request.ts";

/** Placeholders that every subject can fill; `{post}` is the same path here. */
const KNOWN = /\{(?:path|authority|scheme)\}/g;
/** The end of the name of a case that sends the message of another one in other segments. */
const AGAIN = "-octet-by-octet";
/** A larger message is about a limit. */
const MOST_OCTETS = 70_000;

/**
 * The requests of the suites: every case for servers that sends a single one, whole and in frames or lines without a fault of their own, so that
 * whatever a suite judges about a message can be compared. A request that an earlier entry sends is left out.
 */
export async function entriesOfSuites(others: readonly RequestEntry[]): Promise<RequestEntry[]> {
  const known = new Set(others.map(({ request }) => keyOf(request)));
  const names = new Set(others.map(({ id }) => id));
  const entries: RequestEntry[] = [];
  const add = (full: string, about: string, request: Request | undefined): void => {
    if (request === undefined || known.has(keyOf(request))) return;
    const short = full.slice(full.indexOf("/") + 1);
    const id = names.has(short) ? full : short;
    known.add(keyOf(request));
    names.add(id);
    entries.push({ id, about, request });
  };
  for (const one of await casesOfHttp3("server")) add(one.id, one.title, requestIn(one, firstOfHttp3));
  for (const one of await casesOfHttp2("server")) add(one.id, one.title, requestIn(one, firstOfHttp2));
  for (const { id, about, text } of await entriesOfCases([])) {
    if (!id.endsWith(AGAIN)) add(`http1/${id}`, about, requestOfText(text));
  }
  return entries;
}

const keyOf = (request: Request): string => JSON.stringify([request.fields, request.content ?? null, request.trailers ?? null]);

/** What both frame specifications share. */
type Frame = {
  readonly type: string | number;
  readonly stream?: unknown;
  readonly flags?: readonly string[] | number;
  readonly fields?: readonly (readonly [string, string, ...unknown[]])[];
  readonly data?: string | number;
};
type Sending = { readonly do: string; readonly on?: string; readonly frames?: readonly Frame[]; readonly end?: true };
const MEMBERS = new Set(["type", "stream", "flags", "fields", "data"]);
const FLAGS = new Set(["END_STREAM", "END_HEADERS"]);

/** The request of a case that sends one, after nothing but the handshake and a plain exchange. */
function requestIn({ steps, group }: AnyCase, first: readonly unknown[]): Request | undefined {
  if (group !== undefined) return undefined;
  const isAfterFirst = JSON.stringify(steps.slice(0, first.length)) === JSON.stringify(first);
  const [greeting, ...sends] = (isAfterFirst ? [steps[0], ...steps.slice(first.length)] : steps) as readonly Sending[];
  if (JSON.stringify(greeting) !== JSON.stringify({ do: "handshake" }) || sends.length === 0) return undefined;
  if (sends.some((step) => step.do !== "send" || Object.keys(step).some((key) => !["do", "on", "frames", "end"].includes(key))))
    return undefined;
  const places = new Set(sends.flatMap((step) => (step.frames ?? []).map(({ stream }) => JSON.stringify(stream ?? step.on))));
  const frames = sends.flatMap((step) => step.frames ?? []);
  const hasEnd = sends.at(-1)?.end === true || hasFlag(frames.at(-1), "END_STREAM");
  if (places.size !== 1 || !hasEnd || !frames.every(isPlain)) return undefined;
  return requestOfFrames(frames);
}

const hasFlag = (frame: Frame | undefined, flag: string): boolean => Array.isArray(frame?.flags) && frame.flags.includes(flag);
const isPlain = (frame: Frame): boolean =>
  Object.keys(frame).every((key) => MEMBERS.has(key)) &&
  (frame.flags === undefined || (Array.isArray(frame.flags) && frame.flags.every((flag) => FLAGS.has(flag))));

/** HEADERS, then any DATA, then trailers or none. */
function requestOfFrames(frames: readonly Frame[]): Request | undefined {
  const [head, ...rest] = frames;
  const tail = rest.at(-1)?.type === "HEADERS" ? rest.at(-1) : undefined;
  const data = tail === undefined ? rest : rest.slice(0, -1);
  if (head?.type !== "HEADERS" || head.fields === undefined || data.some(({ type }) => type !== "DATA")) return undefined;
  const content = data.map((frame) => (typeof frame.data === "number" ? "\0".repeat(frame.data) : (frame.data ?? ""))).join("");
  return sayable({
    fields: fieldsOf(head),
    ...(data.length > 0 && { content }),
    ...(tail?.fields !== undefined && { trailers: fieldsOf(tail) }),
  });
}
const fieldsOf = ({ fields = [] }: Frame): Field[] => fields.map(([name, value]) => [name, value.replaceAll("{post}", "{path}")]);

/** Leaves out what only some subjects can be asked, and what is about sizes. */
function sayable(request: Request): Request | undefined {
  const text = JSON.stringify(request);
  const hasBraces = (value: string): boolean => /[{}]/.test(value.replaceAll(KNOWN, ""));
  const isUnknown = [...request.fields, ...(request.trailers ?? [])].some(([, value]) => /^\{\w+\}$/.test(value) && hasBraces(value));
  return text.length > MOST_OCTETS || isUnknown || (request.content ?? "").includes("{") ? undefined : request;
}

/** The request in the octets of HTTP/1.1, if writing it again gives the same octets: then nothing in it is about lines or chunks alone. */
function requestOfText(text: string): Request | undefined {
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const [start = "", ...lines] = head.split("\r\n");
  const [method = "", target = ""] = start.split(" ");
  const pairs = lines.map((line): Field => [line.slice(0, line.indexOf(": ")).toLowerCase(), line.slice(line.indexOf(": ") + 2)]);
  const [, host] = pairs.find(([name]) => name === "host") ?? [];
  const after = rest.join("\r\n\r\n");
  const content = /^[0-9a-f]+\r\n([^]*)\r\n0$/.exec(rest[0] ?? "")?.[1] ?? after;
  const fields = [...requestOf(method).map(([name, value]): Field => [name, name === ":path" ? target : value]), ...pairs];
  const isFramed = pairs.some(([name]) => name === "content-length");
  const made: Request = {
    fields: fields.flatMap(([name, value]): Field[] => {
      if (name === ":authority") return host === undefined ? [] : [[name, host]];
      return name === "host" && value === host ? [] : [[name, value]];
    }),
    ...((content !== "" || isFramed) && { content }),
  };
  return inHttp1(made)?.toLowerCase() === text.toLowerCase() ? sayable(made) : undefined;
}
