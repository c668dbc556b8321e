import type { Http1ClientFlaw } from "./client-flaws.ts";

/** How an impostor reads responses: it accepts everything, except by its flaw. */

/** A response as the impostor understands it. */
export type Taken = {
  readonly status: number;
  readonly content: string;
  /** The octets after it. */
  readonly rest: string;
  /** The connection must not be reused after it. */
  readonly isLast: boolean;
  /** It is incomplete, which the impostor ignores. */
  readonly isCut: boolean;
};
/** Undefined: more octets are needed. `stuck`: no octets will help. */
export type Found = Taken | "refused" | "stuck" | undefined;

type Head = {
  readonly status: number;
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly isOlder: boolean;
  readonly body: string;
};

const TOKEN_LINE = /^[!#$%&'*+\-.^_`|~\w]+:/;
/** The only heads that the fussy impostor accepts. */
const PLAIN_HEAD =
  /^HTTP\/1\.1 (?:200 OK|204 No Content|304 Not Modified)(?:\r\n(?:Content-Type: text\/plain|Content-Length: (?:0|[1-9]\d*)|Transfer-Encoding: chunked|Connection: [\w-]+|X-Odd: 1))*\r\n\r\n/;
const PLAIN_SIZE = /^(?:0|[1-9a-f][0-9a-f]*)$/;
const OLD_START = /^HTTP\/1\.[01] [1-5]\d\d [A-Za-z ]*$/;

export function read(text: string, isAll: boolean, method: string, flaw: Http1ClientFlaw): Found {
  const cut: Taken = { status: 0, content: "", rest: "", isLast: true, isCut: true };
  const whole = flaw.nulEnds === true ? (text.split("\0")[0] ?? "") : text;
  const end = (flaw.headEnd ?? /\r?\n\r?\n/).exec(whole);
  if (end === null) {
    // Without a head, all octets are content.
    if (!isAll) return undefined;
    return flaw.waits === true ? "stuck" : /^(?:HTTP|$)/.test(text) ? cut : { ...cut, content: text };
  }
  const head = whole.slice(0, end.index);
  if (flaw.sticks?.test(head) === true) return "stuck";
  if (flaw.fussy === true && !PLAIN_HEAD.test(text)) return "refused";
  const lines = head.split(flaw.lines ?? /\r?\n/);
  const [start = "", ...rest] = lines;
  const code = /^\S+[ \t]+(\d+)/.exec(start)?.[1];
  if (code === undefined || (flaw.old === true && !OLD_START.test(start))) return isAll ? { ...cut, content: text } : undefined;
  const nonsense = flaw.nonsenseEndsHead === true ? rest.findIndex((line) => !TOKEN_LINE.test(line)) : -1;
  if (nonsense >= 0)
    return { status: Number(code), content: text.slice(text.indexOf(rest[nonsense] ?? "")), rest: "", isLast: true, isCut: false };
  const body = text.slice(end.index + end[0].length);
  const fields = rest.map((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  return afterHead({ status: Number(code), fields, isOlder: start.startsWith("HTTP/1.0"), body }, isAll, method, flaw);
}

const valuesOf = ({ fields }: Head, name: string): string[] => fields.filter(([one]) => one === name).map(([, value]) => value);

function afterHead(head: Head, isAll: boolean, method: string, flaw: Http1ClientFlaw): Found {
  const { status, body } = head;
  if (status < 200 && flaw.interimIsFinal !== true) {
    const announced = Number(valuesOf(head, "content-length")[0] ?? 0);
    return read(flaw.interimHasContent === true ? body.slice(announced) : body, isAll, method, flaw);
  }
  if (status < 200) return { status, content: "", rest: body, isLast: false, isCut: false };
  const options = valuesOf(head, "connection").join(",").toLowerCase();
  const isLast = /\bclose\b/.test(options) || (head.isOlder && !options.includes("keep-alive"));
  const hasNone = method === "HEAD" || status === 204 || status === 304;
  if ((hasNone && flaw.waitsForContent !== true) || (status >= 400 && flaw.errorsAreEmpty === true)) {
    const rest = hasNone ? body : "";
    return { status, content: "", rest, isLast, isCut: false };
  }
  const content = contentOf(head, isAll, flaw);
  if (typeof content !== "object") return content;
  const made = flaw.asText === true ? content.content.replaceAll(/[^\t\r\n\x20-\x7e]/g, "?") : content.content;
  return { status, isLast: isLast || content.isLast, isCut: false, rest: content.rest, content: made };
}

type Content = { readonly content: string; readonly rest: string; readonly isLast: boolean };

/** The content, by any field that seems to declare it. Incomplete content is accepted, unless the flaw is to wait for the rest. */
function contentOf(head: Head, isAll: boolean, flaw: Http1ClientFlaw): Content | "refused" | "stuck" | undefined {
  const { body } = head;
  const short = (content: string): Content | "stuck" | undefined =>
    isAll ? (flaw.waits === true ? "stuck" : { content, rest: "", isLast: true }) : undefined;
  const untilClose = (): Content | undefined => (isAll ? { content: body, rest: "", isLast: true } : undefined);
  const lengths = valuesOf(head, "content-length");
  const length = flaw.emptyIsZero === true && lengths.includes("") ? "0" : lengths[0];
  const isChunked = flaw.noChunks !== true && valuesOf(head, "transfer-encoding").some((value) => /chunked/i.test(value));
  if (flaw.noLengths === true) return isChunked ? chunksOf(body, flaw, short) : untilClose();
  if (isChunked && (length === undefined || flaw.lengthFirst !== true)) return chunksOf(body, flaw, short);
  if (length === undefined) return flaw.needsLength === true ? "refused" : untilClose();
  const size = Number.parseInt(length, 10);
  if (Number.isNaN(size) || size < 0 || (size === 0 && flaw.zeroIsNone === true)) return untilClose();
  if (body.length < size) return short(body);
  return { content: body.slice(0, size), rest: body.slice(size), isLast: false };
}

function chunksOf(
  body: string,
  flaw: Http1ClientFlaw,
  short: (content: string) => Content | "stuck" | undefined,
): Content | "refused" | "stuck" | undefined {
  const text = flaw.endByText === true ? upToLast(body) : body;
  let at = 0;
  let content = "";
  for (let count = 1; ; count++) {
    const end = text.indexOf("\r\n", at);
    if (end < 0) return short(content);
    const line = text.slice(at, end);
    if (flaw.fussy === true && !PLAIN_SIZE.test(line)) return "refused";
    // Octets that are not a chunk are content.
    if (!(flaw.decimalSizes === true ? /^\d+$/ : /^[0-9a-f]+[ \t]*(?:;[^\r\n]*)?$/i).test(line)) return short(content + text.slice(at));
    const size = Number.parseInt(line, 16);
    at = end + 2;
    if (size === 0) break;
    if (text.length < at + size + 2) return short(content + text.slice(at));
    if (flaw.fewChunks !== true || count <= 8) content += text.slice(at, at + size);
    if (text.slice(at + size, at + size + 2) !== "\r\n") return short(content + text.slice(at + size));
    at += size + 2;
  }
  const last = /^(?:[^\r\n]+\r\n)*\r\n/.exec(text.slice(at));
  if (last === null) return short(content);
  const trailers = last[0].slice(0, -2);
  if (flaw.fussy === true && trailers !== "") return "refused";
  const merged = flaw.mergesTrailers === true ? /^content-length: (\d+)/im.exec(trailers)?.[1] : undefined;
  const added = flaw.trailersAreContent === true ? trailers : "";
  return {
    content: (merged === undefined ? content : content.slice(0, Number(merged))) + added,
    rest: body.slice(at + last[0].length),
    isLast: false,
  };
}

/** Everything up to the first thing that looks like a last chunk. */
function upToLast(body: string): string {
  const found = body.indexOf("\r\n0\r\n\r\n");
  return found < 0 ? body : body.slice(0, found + 7);
}
