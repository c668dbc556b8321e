import {
  membersOf,
  type OddityKind,
  type RawField,
  type ReadRequest,
  type ReadResponse,
  valueOf,
  valuesOf,
} from "../../wire/http1/read.ts";
import { printable, toLatin1 } from "../../wire/octets.ts";
import { saysClose } from "./connection.ts";
import type { Conversation } from "./conversation.ts";

/** Properties of everything that a server sends, in every case. Each returns its violation in words. */

/** A response, interim or final, and the request that it answers, if known. */
export type Answered = { readonly response: ReadResponse; readonly request: ReadRequest | undefined; readonly nth: number };

export type Watched = Pick<Conversation, "responses" | "interim" | "garbage" | "sent" | "ended" | "endedByUs" | "upgraded">;
type Monitor = (one: Watched) => string | undefined;

/** HTTP/1.1 responses, each final one after its interim ones. */
function answers({ responses, interim, sent }: Watched): Answered[] {
  const own = responses.filter(({ version }) => version !== "HTTP/2");
  const all = own.flatMap((response, at) =>
    [...response.interim, response].map((one) => ({ response: one, request: sent[at], nth: at + 1 })),
  );
  return [...all, ...interim.map((one) => ({ response: one, request: sent[own.length], nth: own.length + 1 }))];
}

const isFinal = ({ response }: Answered): boolean => response.status >= 200;

/** The first oddity of these kinds. */
const oddly =
  (...kinds: readonly OddityKind[]): Monitor =>
  (one) => {
    for (const { response, nth } of answers(one)) {
      const odd = response.oddities.find(({ kind }) => kinds.includes(kind));
      if (odd !== undefined) return `response ${nth} (${response.status}): ${odd.words}`;
    }
    return undefined;
  };

/** The first response with something wrong. */
const each =
  (wrong: (one: Answered, watched: Watched) => string | undefined): Monitor =>
  (watched) => {
    for (const one of answers(watched)) {
      const words = wrong(one, watched);
      if (words !== undefined) return `response ${one.nth} (${one.response.status}): ${words}`;
    }
    return undefined;
  };

/** Response fields that may occur only once, by their definitions in RFC 9110. */
const SINGLE = ["content-type", "content-range", "date", "etag", "last-modified", "location", "retry-after", "server", "expires", "age"];
const FIXDATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const DATES = ["date", "last-modified", "expires"];
/** Fields that no trailer section may have: those of framing, routing, authentication and content format (rfc9110#6.5.1). */
const NOT_IN_TRAILERS = [
  "transfer-encoding",
  "content-length",
  "host",
  "content-encoding",
  "content-type",
  "content-range",
  "trailer",
  "set-cookie",
  "connection",
];
const ENTITY_TAG = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/;
/** Fields that responses with a status must have (rfc9110#15). */
const REQUIRED: readonly (readonly [number, string])[] = [
  [401, "www-authenticate"],
  [405, "allow"],
  [407, "proxy-authenticate"],
  [426, "upgrade"],
];
const has = (fields: readonly RawField[], name: string): boolean => valuesOf(fields, name).length > 0;

/** Fields that may differ between two responses with the same content. */
const PER_MESSAGE = ["content-length", "transfer-encoding", "trailer", "date", "connection", "keep-alive", "upgrade", "vary"];
/** How much a clock may differ from ours. */
const ACCURATE_MS = 60_000;

/** Compares each response to HEAD, and each 304, with the response to a GET of the same target. */
const ofOneTarget =
  (differs: (response: ReadResponse, got: ReadResponse) => string | undefined): Monitor =>
  (watched) => {
    const all = answers(watched).filter(isFinal);
    for (const { response, request, nth } of all) {
      if (request?.method !== "HEAD" && response.status !== 304) continue;
      const got = all.find((one) => one.request?.method === "GET" && one.request.target === request?.target && one.response.status !== 304);
      const words = got === undefined ? undefined : differs(response, got.response);
      if (words !== undefined) return `response ${nth} (${response.status}): ${words}`;
    }
    return undefined;
  };

/** What is wrong with a 206 of one part: its content is the range that it names, of the page in `whole` (rfc9110#15.3.7.1). */
function rangeFault({ fields, content }: ReadResponse, whole: ReadResponse | undefined): string | undefined {
  const said = valueOf(fields, "content-range");
  if (said === undefined) return undefined;
  const [, first = "", last = "", length = ""] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(said) ?? [];
  if (first === "") return `Content-Range: ${printable(said)}`;
  const expected = Number(last) - Number(first) + 1;
  if (content.length !== expected) return `${content.length} octets of content, where Content-Range is ${said}`;
  if (whole === undefined || valueOf(whole.fields, "etag") !== valueOf(fields, "etag")) return undefined;
  if (length !== "*" && Number(length) !== whole.content.length)
    return `Content-Range is ${said}, and the page has ${whole.content.length} octets`;
  const part = whole.content.subarray(Number(first), Number(last) + 1);
  return toLatin1(part) === toLatin1(content) ? undefined : `its content is not that part of the page (${said})`;
}

/** Compares each 206 with the page of the same target, if that was sent. */
const ofPage =
  (differs: (response: ReadResponse, whole: ReadResponse | undefined) => string | undefined): Monitor =>
  (watched) => {
    const all = answers(watched).filter(isFinal);
    for (const { response, request, nth } of all) {
      const whole = all.find((one) => one.response.status === 200 && one.request?.target === request?.target);
      const words = response.status === 206 ? differs(response, whole?.response) : undefined;
      if (words !== undefined) return `response ${nth} (206): ${words}`;
    }
    return undefined;
  };

const MONITORS: Readonly<Record<string, Monitor>> = {
  "valid status line": oddly("start line", "version", "status"),
  "valid field lines": oddly("field line", "field name", "field value", "fold", "space before colon"),
  "lines end in CRLF": oddly("line end", "bare cr"),
  "unambiguous framing": oddly("length", "coding"),
  "chunked syntax": oddly("chunk", "trailer"),
  "complete messages": oddly("truncated"),
  "no octets between responses": ({ garbage, upgraded }) => {
    const [first] = garbage;
    return first === undefined || upgraded !== undefined
      ? undefined
      : `${first.octets.length} octets after response ${first.after} are not a response: "${printable(toLatin1(first.octets), 40)}"`;
  },
  "no Content-Length with Transfer-Encoding": each(({ response: { fields } }) =>
    has(fields, "transfer-encoding") && has(fields, "content-length") ? "it has both Transfer-Encoding and Content-Length" : undefined,
  ),
  "no framing fields without content": each(({ response: { status, fields } }) => {
    if (status >= 200 && status !== 204) return undefined;
    const name = ["content-length", "transfer-encoding"].find((one) => has(fields, one));
    return name === undefined ? undefined : `it cannot have content, but has ${name}`;
  }),
  "no Transfer-Encoding to HTTP/1.0": each(({ response, request }) =>
    request?.version === "HTTP/1.0" && has(response.fields, "transfer-encoding")
      ? "Transfer-Encoding in a response to HTTP/1.0"
      : undefined,
  ),
  "no 1xx to HTTP/1.0": each(({ response, request }) =>
    request?.version === "HTTP/1.0" && response.status < 200 ? "an interim response to HTTP/1.0" : undefined,
  ),
  "Date present": each((one) => {
    const { status, fields } = one.response;
    return isFinal(one) && status < 500 && !has(fields, "date") ? "it has no Date" : undefined;
  }),
  "dates in IMF-fixdate": each(({ response: { fields } }) => {
    const wrong = DATES.find((name) =>
      valuesOf(fields, name).some((value) => !FIXDATE.test(value) && !(name === "expires" && /^-?\d+$/.test(value))),
    );
    return wrong === undefined ? undefined : `${wrong}: ${printable(valueOf(fields, wrong) ?? "")}`;
  }),
  "singleton fields once": each(({ response: { fields } }) => {
    const twice = SINGLE.find((name) => valuesOf(fields, name).length > 1);
    return twice === undefined ? undefined : `${twice} ${valuesOf(fields, twice).length} times`;
  }),
  "valid entity tags": each(({ response: { fields } }) => {
    const tag = valueOf(fields, "etag");
    return tag === undefined || ENTITY_TAG.test(tag) ? undefined : `etag: ${printable(tag)}`;
  }),
  "Last-Modified not after Date": each(({ response: { fields } }) => {
    const [date, modified] = ["date", "last-modified"].map((name) => Date.parse(valueOf(fields, name) ?? ""));
    return date !== undefined && modified !== undefined && modified > date ? "Last-Modified is later than Date" : undefined;
  }),
  "fields required by the status": each(({ response: { status, fields } }) => {
    const missing = REQUIRED.find(([of, name]) => of === status && !has(fields, name));
    return missing === undefined ? undefined : `it has no ${missing[1]}`;
  }),
  "Upgrade listed in Connection": each(({ response: { fields } }) =>
    has(fields, "upgrade") && !membersOf(fields, "connection").includes("upgrade") ? "Connection does not list Upgrade" : undefined,
  ),
  "nothing after close": each(({ response, nth }, { responses, garbage }) => {
    if (response.status < 200 || !membersOf(response.fields, "connection").includes("close")) return undefined;
    if (responses.length > nth) return `it has Connection: close, and response ${nth + 1} follows`;
    return garbage.some(({ after }) => after >= nth) ? "it has Connection: close, and octets follow" : undefined;
  }),
  "close announced": ({ responses, sent, ended, endedByUs }) => {
    const last = responses.at(-1);
    const request = sent[responses.length - 1];
    if (last === undefined || ended === undefined || endedByUs || !last.complete || last.framing === "close") return undefined;
    const asked = request !== undefined && saysClose(request) && request.version === "HTTP/1.0";
    return saysClose(last) || asked
      ? undefined
      : `the connection ended after response ${responses.length} (${last.status}), which has no Connection: close`;
  },
  "permitted trailer fields": each(({ response: { trailers } }) => {
    const wrong = trailers.find(({ name }) => NOT_IN_TRAILERS.includes(name.toLowerCase()));
    return wrong === undefined ? undefined : `${printable(wrong.name)} in the trailers`;
  }),
  "lengths of HEAD and GET agree": ofOneTarget(({ fields }, other) => {
    const [length, expected] = [valueOf(fields, "content-length"), valueOf(other.fields, "content-length")];
    return length === undefined || length === expected ? undefined : `Content-Length: ${length}, where GET has ${expected ?? "none"}`;
  }),
  "fields of HEAD and GET agree": ofOneTarget(({ fields, status }, other) => {
    if (status !== other.status) return `status ${status}, where GET has ${other.status}`;
    const missing = other.fields.find(({ name }) => !PER_MESSAGE.includes(name.toLowerCase()) && !has(fields, name));
    return missing === undefined ? undefined : `${printable(missing.name)}, which GET has, is missing`;
  }),
  "ranges are parts of the whole": ofPage(rangeFault),
  "ranges are the whole": ofPage(({ content }, whole) =>
    whole === undefined || content.length === whole.content.length
      ? undefined
      : `${content.length} octets of content, where all ${whole.content.length} were asked for`,
  ),
  "no transfer coding but chunked": each(({ response: { fields } }) => {
    const other = membersOf(fields, "transfer-encoding").find((coding) => coding !== "chunked");
    return other === undefined ? undefined : `the transfer coding ${printable(other)}, which was not asked for`;
  }),
  "accurate Date": each(({ response: { fields } }) => {
    const off = Math.abs(Date.now() - Date.parse(valueOf(fields, "date") ?? new Date().toUTCString()));
    return off <= ACCURATE_MS ? undefined : `its Date is ${Math.round(off / 1000)} seconds off`;
  }),
  "version HTTP/1.1 in responses": each(({ response: { version } }) =>
    version === "HTTP/1.1" ? undefined : `its version is ${printable(version)}`,
  ),
};

export const monitorNames = Object.keys(MONITORS);

/** What broke the property of this name on one of the connections; undefined if it held on all. */
export function monitor(name: string, watched: readonly Watched[]): string | undefined {
  const property = MONITORS[name];
  if (property === undefined) throw new Error(`There is no monitor "${name}".`);
  for (const one of watched) {
    const broken = property(one);
    if (broken !== undefined) return broken;
  }
  return undefined;
}
