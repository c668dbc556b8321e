import { type Feature, Unreachable } from "../../harness/driver.ts";
import { dialPatiently, HTTP1, requireGood, type ServerOptions, type Target } from "../../harness/subject/transport.ts";
import { fill, octetsOf } from "../../wire/http1/build.ts";
import { membersOf, type ReadResponse, valueOf } from "../../wire/http1/read.ts";
import { printable, toLatin1 } from "../../wire/octets.ts";
import { LENIENCIES_FIELD, LENIENCY_NAMES, leniencyFeature } from "../leniencies.ts";
import { LIMIT_NAMES, limitFeature, LIMITS_FIELD } from "../limits.ts";
import type { Connection } from "./connection.ts";
import { REPORT_FEATURES, REPORT_FIELD, REPORT_PATH, REPORTED } from "../reports.ts";
import { type Known, UNKNOWN } from "./known.ts";
import { Http1Stage } from "./stage.ts";

/**
 * Optional server features that cases need, probed once before the first case. An unlisted name is a mistake in a case.
 * Besides their path, which is tried first, servers may offer `/echo`, `/early`, `/chunked` and `/trailers`.
 */
export const FEATURES: Readonly<Record<string, string>> = {
  content: "the response to GET has content",
  length: "the response to GET declares Content-Length",
  missing: "a path that does not exist is answered with another status than the path",
  distinct: "a path that does not exist is answered with another status than the path, and does not end the connection",
  head: "HEAD is answered with the status of GET",
  post: "POST with content is answered with a status below 400",
  echo: "POST to the path, or to /echo, is answered with its content",
  refusal: "white space between a field name and its colon is answered with 4xx",
  "keep-alive": "a second request on the same connection is answered",
  pipelining: "two requests in one write are both answered",
  "keep-alive 1.0": "HTTP/1.0 with Connection: keep-alive gets that option back, and a second answer",
  expect: "a request with Expect: 100-continue gets 100 before its content is sent",
  early: "the response to GET of the path, or of /early, is preceded by 103",
  chunked: "the response to GET of the path, or of /chunked, comes in chunks",
  trailers: "the response to GET of the path, or of /trailers, ends with trailers",
  h2c: "Upgrade: h2c is agreed to with 101",
  "no h2c": "Upgrade: h2c is not agreed to",
  options: "OPTIONS is answered with 2xx",
  "options *": "OPTIONS * is answered with 2xx",
  trace: "TRACE is answered with 200",
  connect: "CONNECT to the server itself is answered with 2xx",
  tunnel: "CONNECT to the server itself opens a tunnel, through which GET is answered as without one",
  "no connect": "CONNECT to the server itself is not answered with 2xx",
  range: "a Range of one octet is answered with 206",
  etag: "the response to GET has a strong entity tag",
  modified: "the response to GET has Last-Modified",
  tls: "the address is https:",
  clear: "the address is http:",
  ...Object.fromEntries(
    REPORT_FEATURES.map((name) => [
      name,
      `GET of ${REPORT_PATH}NAME answers with ${REPORTED[name].join(" and ")} of a request with ${REPORT_FIELD}: NAME`,
    ]),
  ),
  ...Object.fromEntries(LIMIT_NAMES.map((name) => [limitFeature(name), `the response to GET names ${name} in ${LIMITS_FIELD}`])),
  ...Object.fromEntries(LENIENCY_NAMES.map((name) => [leniencyFeature(name), `the response to GET names ${name} in ${LENIENCIES_FIELD}`])),
};

/** A path that no server has. */
const NOWHERE = "/touchstone-looks-for-nothing-here";
const CONTENT = "touchstone";
/** Empty SETTINGS in the form of HTTP2-Settings (rfc7540#3.2.1). */
const NO_SETTINGS = "AAMAAABkAAQAAP__";
const LF = 0x0a;
/** How long to wait for an optional response, in milliseconds. */
const OPTIONAL_MS = 400;

const CLOSE = "Connection: close\r\n\r\n";
const request = (method: string, target: string, more = CLOSE, version = "1.1"): string =>
  `${method} ${target} HTTP/${version}\r\nHost: {authority}\r\n${more}`;

type Asked = {
  readonly responses: readonly ReadResponse[];
  readonly interim: readonly ReadResponse[];
  readonly connection: Connection;
  readonly stage: Http1Stage;
};

/** Detects the features of the server by plain requests. */
export async function probeServer(
  target: Target,
  { timeout, expectStatus, echo }: Pick<ServerOptions, "timeout" | "expectStatus" | "echo">,
): Promise<{ known: Known; features: Map<string, Feature>; version?: string }> {
  const first = await dialPatiently(target, timeout, HTTP1);
  first.destroy();
  const stages: Http1Stage[] = [];
  /** Sends a text on a new connection, and waits for `count` final responses or the end. */
  const ask = async (text: string, count = 1, patience = timeout): Promise<Asked> => {
    const stage = new Http1Stage(target, UNKNOWN, { timeout });
    stages.push(stage);
    const connection = await stage.connection(1);
    await connection.send(octetsOf(text, stage.values));
    const enough = (): boolean => connection.responses.filter(({ complete, framing }) => complete || framing === "tunnel").length >= count;
    await stage.until(
      () => enough() || connection.ended !== undefined || connection.interim.some(({ status }) => status === 101),
      patience,
    );
    return { responses: connection.responses, interim: connection.interim, connection, stage };
  };
  try {
    const good = await ask(request("GET", "{path}"));
    const [plain] = good.responses;
    if (plain === undefined) throw new Unreachable(whyNot(good.connection, target, timeout));
    requireGood(plain.status, target, expectStatus);
    const closes = await good.stage.until(() => good.connection.ended !== undefined, OPTIONAL_MS);
    return await inquire(ask, { plain, closes, target, timeout, echo });
  } finally {
    for (const stage of stages) await stage.drop();
  }
}

function whyNot(connection: Connection, { host, port }: Target, timeout: number): string {
  const [garbage] = connection.garbage;
  const where = `${host}:${port}`;
  if (garbage !== undefined || connection.pending.length > 0)
    return `${where} does not answer in HTTP/1.1: "${printable(toLatin1(garbage?.octets ?? connection.pending), 40)}". Is it the right address?`;
  return connection.ended === undefined
    ? `${where} accepted the connection but did not answer GET within ${timeout} ms: it is not an HTTP/1.1 server, or wants https://.`
    : `${where} closed the connection without answering GET: it is not an HTTP/1.1 server, or wants https://.`;
}

type Ask = (text: string, count?: number, patience?: number) => Promise<Asked>;
type First = {
  readonly plain: ReadResponse;
  readonly closes: boolean;
  readonly target: Target;
  readonly timeout: number;
  readonly echo: string | undefined;
};

/** The first of these paths with the response that is looked for. */
async function pathWhere(paths: readonly string[], isIt: (path: string) => Promise<boolean>): Promise<string | undefined> {
  for (const path of new Set(paths)) if (await isIt(path)) return path;
  return undefined;
}

/** The names of the lines in the report of a request. */
async function askReport(ask: Ask, text: string, optional: number): Promise<readonly string[] | undefined> {
  const { stage } = await ask(text, 1, optional);
  const path = fill(`${REPORT_PATH}{report}`, stage.values);
  const [one] = (await ask(request("GET", path), 1, optional)).responses;
  if (one?.status !== 200) return undefined;
  const lines = toLatin1(one.content)
    .split(/\r?\n/)
    .map((line) => /^([a-z]+):/.exec(line)?.[1] ?? "");
  return lines.includes("end") ? lines : undefined;
}

/** Resolves when all members have. */
async function together<T extends object>(members: { readonly [Name in keyof T]: Promise<T[Name]> }): Promise<T> {
  const names = Object.keys(members) as (keyof T)[];
  const values = await Promise.all(names.map((name) => members[name]));
  return Object.fromEntries(names.map((name, at) => [name, values[at]])) as T;
}

async function inquire(ask: Ask, first: First): Promise<{ known: Known; features: Map<string, Feature>; version?: string }> {
  const answers = await requestsOf(ask, first);
  const known = knownOf(first, answers);
  const server = valueOf(first.plain.fields, "server");
  return { known, features: featuresOf(first, answers, known), ...(server === undefined ? {} : { version: printable(server) }) };
}

/** Sends the requests of the probe, each on a new connection. Those named after a path find the path that offers the feature. */
function requestsOf(ask: Ask, { target, timeout, echo }: First) {
  const optional = Math.min(OPTIONAL_MS, timeout);
  const posted = (path: string, more = CLOSE): string => request("POST", path, `Content-Length: ${CONTENT.length}\r\n${more}${CONTENT}`);
  const withResponse = async (path: string, isIt: (one: ReadResponse) => boolean): Promise<boolean> => {
    const [one] = (await ask(request("GET", path, `TE: trailers\r\n${CLOSE}`), 1, optional)).responses;
    return one !== undefined && isIt(one);
  };
  const at = (name: string, isIt: (one: ReadResponse) => boolean): Promise<string | undefined> =>
    pathWhere([target.path, `/${name}`], (path) => withResponse(path, isIt));
  return together({
    missing: ask(request("GET", NOWHERE)),
    refused: ask(request("GET", "{path}", `X-Odd : 1\r\n${CLOSE}`), 1, optional),
    head: ask(request("HEAD", "{path}"), 1, optional),
    post: ask(posted("{path}"), 1, optional),
    echo: pathWhere(echo === undefined ? [target.path, "/echo"] : [echo], async (path) => {
      const [one] = (await ask(posted(path), 1, optional)).responses;
      return one !== undefined && one.status < 300 && toLatin1(one.content) === CONTENT;
    }),
    kept: askTwice(ask, request("GET", "{path}", "\r\n"), timeout),
    keptMissing: askTwice(ask, request("GET", NOWHERE, "\r\n"), timeout),
    piped: ask(request("GET", "{path}", "\r\n") + request("GET", "{path}"), 2, optional),
    kept10: askTwice(ask, request("GET", "{path}", "Connection: keep-alive\r\n\r\n", "1.0"), optional),
    expect: ask(request("POST", "{path}", `Expect: 100-continue\r\nContent-Length: ${CONTENT.length}\r\n${CLOSE}`), 1, optional),
    report: askReport(ask, posted("{path}", `${REPORT_FIELD}: {report}\r\n${CLOSE}`), optional),
    early: at("early", ({ interim }) => interim.some(({ status }) => status === 103)),
    chunked: at("chunked", ({ framing, status }) => framing === "chunked" && status < 300),
    trailers: at("trailers", (one) => one.trailers.length > 0 && one.status < 300),
    h2c: ask(
      request("GET", "{path}", `Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: ${NO_SETTINGS}\r\n\r\n`),
      1,
      optional,
    ),
    options: ask(request("OPTIONS", "{path}"), 1, optional),
    star: ask(request("OPTIONS", "*"), 1, optional),
    trace: ask(request("TRACE", "{path}"), 1, optional),
    connect: askThrough(ask, optional),
    range: ask(request("GET", "{path}", `Range: bytes=0-0\r\n${CLOSE}`), 1, optional),
  });
}
type Found = Awaited<ReturnType<typeof requestsOf>>;

const statusOf = ({ responses }: Asked): number | undefined => responses[0]?.status;
/** The hundreds of the status: 4 for 404. */
const classOf = (asked: Asked): number => Math.floor((statusOf(asked) ?? 0) / 100);
/** Whether an interim response with this status came. */
const hasInterim = ({ interim, responses }: Asked, wanted: number): boolean =>
  [...interim, ...(responses[0]?.interim ?? [])].some(({ status }) => status === wanted);

function knownOf({ plain, closes }: First, { missing, kept, echo, report, early, chunked, trailers }: Found): Known {
  const missed = statusOf(missing);
  const etag = valueOf(plain.fields, "etag");
  const modified = valueOf(plain.fields, "last-modified");
  return {
    status: plain.status,
    persists: kept.length > 1,
    closes,
    ...(missed === undefined || missed === plain.status ? {} : { missing: { path: NOWHERE, status: missed } }),
    ...(echo === undefined ? {} : { echo }),
    ...(report === undefined ? {} : { report }),
    ...(early === undefined ? {} : { early }),
    ...(chunked === undefined ? {} : { chunked }),
    ...(trailers === undefined ? {} : { trailers }),
    ...(etag === undefined ? {} : { etag }),
    ...(modified === undefined ? {} : { modified }),
  };
}

const is = (has: boolean, how: string): Feature => ({ has, how });
const found = (path: string | undefined, name: string, what: string): Feature =>
  is(path !== undefined, path === undefined ? `neither the path of the address nor /${name} ${what}` : `${path} ${what}`);
/** A feature that the status of one response shows. */
const shown = (has: boolean, what: string, asked: Asked, unlock = ""): Feature => {
  const status = statusOf(asked);
  return is(has, (status === undefined ? `${what} was not answered` : `${what} was answered with status ${status}`) + (has ? "" : unlock));
};
/** A server that ends the connection after a response to a missing path may do so: what follows such a request cannot be judged then. */
const distinct = (has: boolean, closes: boolean, missing: Asked): Feature =>
  has && closes
    ? is(false, `a path that does not exist was answered with status ${statusOf(missing)} and the end of the connection (keep it open)`)
    : shown(has, "a path that does not exist", missing, " (answer unknown paths with 404)");
/** A feature that a field of the response to GET shows. */
const declared = (has: boolean, name: string, value: string | undefined): Feature =>
  is(has, value === undefined ? `the response to GET has no ${name}` : `${name}: ${value}`);

/** A report has a line for each of these. */
const reports = (lines: readonly string[] | undefined, wanted: readonly string[]): Feature => {
  const missing = wanted.filter((one) => lines?.includes(one) !== true);
  const why = lines === undefined ? "its program reports nothing (conformance/HANDLERS.md)" : `its report has no ${missing.join(", no ")}`;
  return is(missing.length === 0, missing.length === 0 ? `its program reports ${wanted.join(", ")}` : why);
};

const noEcho = (path: string, given: string | undefined): string =>
  `POST to ${given === undefined ? `${path} or /echo` : path} is not answered with its content (--echo PATH names a path where it is; conformance/HANDLERS.md has handlers to paste)`;

function featuresOf({ plain, target, echo }: First, all: Found, { missing, etag, modified }: Known): Map<string, Feature> {
  const { kept, kept10, piped, h2c, connect } = all;
  const length = valueOf(plain.fields, "content-length");
  const agreed = hasInterim(h2c, 101);
  const tunnels = connect.responses[0]?.framing === "tunnel";
  const through = /HTTP\/1\.\d (\d{3})/.exec(toLatin1(connect.connection.tunnel))?.[1];
  const persists10 = kept10.length > 1 && membersOf(kept10[0]?.fields ?? [], "connection").includes("keep-alive");
  return new Map<string, Feature>([
    ["content", is(plain.content.length > 0, `GET was answered with ${plain.content.length} octets of content`)],
    ["length", declared(length !== undefined, "Content-Length", length)],
    ["missing", shown(missing !== undefined, "a path that does not exist", all.missing, " (answer unknown paths with 404)")],
    ["distinct", distinct(missing !== undefined, kept.length > all.keptMissing.length, all.missing)],
    ["refusal", shown(classOf(all.refused) === 4, "white space before a colon", all.refused)],
    ["head", shown(statusOf(all.head) === plain.status, "HEAD", all.head)],
    [
      "post",
      shown(
        (statusOf(all.post) ?? 400) < 400,
        `POST ${target.post ?? target.path}`,
        all.post,
        " (--post PATH names a path that accepts it)",
      ),
    ],
    [
      "echo",
      is(all.echo !== undefined, all.echo === undefined ? noEcho(echo ?? target.path, echo) : `${all.echo} answers POST with its content`),
    ],
    [
      "keep-alive",
      is(kept.length > 1, kept.length > 1 ? "a second request was answered" : "a second request on the connection was not answered"),
    ],
    ["pipelining", is(piped.responses.length > 1, `two requests in one write got ${piped.responses.length} responses`)],
    ["keep-alive 1.0", is(persists10, persists10 ? "HTTP/1.0 was kept alive" : "HTTP/1.0 with Connection: keep-alive was not kept alive")],
    ["expect", is(hasInterim(all.expect, 100), "a request with Expect: 100-continue got no 100")],
    ...REPORT_FEATURES.map((name): [string, Feature] => [name, reports(all.report, REPORTED[name])]),
    ["early", found(all.early, "early", "is answered with 103 first")],
    ["chunked", found(all.chunked, "chunked", "is answered in chunks")],
    ["trailers", found(all.trailers, "trailers", "is answered with trailers")],
    ["h2c", shown(agreed, "Upgrade: h2c", h2c)],
    ["no h2c", is(!agreed, "Upgrade: h2c was answered with 101")],
    ["options", shown(classOf(all.options) === 2, "OPTIONS", all.options)],
    ["options *", shown(classOf(all.star) === 2, "OPTIONS *", all.star)],
    ["trace", shown(statusOf(all.trace) === 200, "TRACE", all.trace)],
    ["connect", shown(tunnels, "CONNECT", connect)],
    [
      "tunnel",
      is(
        through === String(plain.status),
        through === undefined
          ? "no response came through a tunnel to the server itself"
          : `GET through a tunnel to the server itself was answered with ${through}`,
      ),
    ],
    ["no connect", shown(!tunnels, "CONNECT", connect)],
    ["range", shown(statusOf(all.range) === 206, "Range: bytes=0-0", all.range)],
    ["etag", declared(etag?.startsWith('"') === true, "ETag", etag)],
    ["modified", declared(modified !== undefined, "Last-Modified", modified)],
    ["tls", is(target.scheme === "https", `the address is ${target.scheme}:`)],
    ["clear", is(target.scheme === "http", `the address is ${target.scheme}:`)],
    ...limitsOf(plain),
    ...leniencies(plain),
  ]);
}

/** The limits that the server was given, and says so. */
function limitsOf({ fields }: ReadResponse): [string, Feature][] {
  const given = membersOf(fields, LIMITS_FIELD);
  const how = `${LIMITS_FIELD}: ${given.join(", ") || "absent"} (conformance/HANDLERS.md says how to set limits for these cases)`;
  return LIMIT_NAMES.map((name) => [limitFeature(name), is(given.includes(name), how)]);
}

/** The leniencies that are on, as the server says. */
function leniencies({ fields }: ReadResponse): [string, Feature][] {
  const given = membersOf(fields, LENIENCIES_FIELD);
  const how = `${LENIENCIES_FIELD}: ${given.join(", ") || "absent"} (conformance/HANDLERS.md says how to name them for these cases)`;
  return LENIENCY_NAMES.map((name) => [leniencyFeature(name), is(given.includes(name), how)]);
}

/** Requests a tunnel to the server itself, and its path through that. */
async function askThrough(ask: Ask, patience: number): Promise<Asked> {
  const asked = await ask(request("CONNECT", "{authority}", "\r\n"), 1, patience);
  const { connection, stage } = asked;
  if (asked.responses[0]?.framing !== "tunnel" || connection.ended !== undefined) return asked;
  await connection.send(octetsOf(request("GET", "{path}"), stage.values));
  await stage.until(() => connection.tunnel.includes(LF) || connection.ended !== undefined, patience);
  return asked;
}

/** Sends the same request again once the first was answered; returns the responses. */
async function askTwice(ask: Ask, text: string, patience: number): Promise<readonly ReadResponse[]> {
  const { connection, stage } = await ask(text, 1, patience);
  if (connection.ended !== undefined) return connection.responses;
  await connection.send(octetsOf(text, stage.values));
  await stage.until(() => connection.responses.length > 1 || connection.ended !== undefined, patience);
  return connection.responses;
}
