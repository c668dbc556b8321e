import { randomBytes } from "node:crypto";
import {
  type Breach,
  type CommandOptions,
  type NetworkOptions,
  type NetworkReport,
  overNetwork,
  type PeerFuzzer,
  searchPeer,
} from "../../lib/network.ts";
import { type Piece, sequence } from "./grammar.ts";
import { expectedOfQuery, expectedOfWrite, expressionOf, pageOf, writeOf, type WriteRequest } from "./oracle.ts";
import { ask, type Seen } from "./talk.ts";

const LIMIT_MS = 4_000;
/** To confirm a finding, so that a peer that was busy for a moment is not accused. */
const MORE_MS = 16_000;
/** Queries are evaluated at the time of the generated names' data set: most find nothing, and cost nothing. */
const TIME = "1700000000";

/** Whether the peer takes remote write. */
type Met = { readonly isReceiver: boolean };

const query = (url: URL, text: string, limitMs: number): Promise<Seen> =>
  ask(url, `api/v1/query?${new URLSearchParams({ query: text, time: TIME })}`, limitMs);

const WRITE_FIELDS = {
  1: { "content-type": "application/x-protobuf", "x-prometheus-remote-write-version": "0.1.0" },
  2: { "content-type": "application/x-protobuf;proto=io.prometheus.write.v2.Request", "x-prometheus-remote-write-version": "2.0.0" },
} as const;
const write = (url: URL, { protocol, content }: WriteRequest, limitMs: number): Promise<Seen> =>
  ask(url, "api/v1/write", limitMs, {
    method: "POST",
    headers: { "content-encoding": "snappy", "user-agent": "touchstone/0", ...WRITE_FIELDS[protocol] },
    content,
  });

const run = randomBytes(4).toString("hex");
let requests = 0;
/** Every request has series of its own: a sample sent again may lawfully be refused. */
const metric = (): string => `touchstone_fuzz_${run}_${++requests}`;

async function meet(url: URL): Promise<Met | undefined> {
  if (!(await isThere(url))) return undefined;
  const empty: Piece = {
    words: "",
    do: "series",
    protocol: 1,
    series: { labels: [["__name__", "@"]], samples: [[1, 1_000]] },
  };
  const sent = writeOf([empty], metric(), Date.now());
  const seen = sent === undefined ? undefined : await write(url, sent, MORE_MS);
  return { isReceiver: seen?.is === "answered" && seen.status >= 200 && seen.status < 300 };
}
const isThere = async (url: URL): Promise<boolean> => {
  const seen = await query(url, "1", MORE_MS);
  return seen.is === "answered" && seen.status === 200;
};

/** Sends a query or a request, and returns what the peer should not have done, if anything. */
export function judge(url: URL, pieces: readonly Piece[], limitMs = LIMIT_MS): Promise<Breach | undefined> {
  const now = Date.now();
  const sent = writeOf(pieces, metric(), now);
  if (sent !== undefined) return judgeWrite(url, sent, { pieces, now, limitMs });
  const page = pageOf(pieces);
  if (page !== undefined) return judgePage(url, page, limitMs);
  return pieces.some((piece) => piece.do === "word") ? judgeQuery(url, expressionOf(pieces), limitMs) : Promise.resolve(undefined);
}

/** Nobody may end for a request, nor be silent. */
async function unanswered(url: URL, { is }: Exclude<Seen, { is: "answered" }>): Promise<Breach> {
  if (!(await isThere(url)))
    return { kind: "gone", says: "no longer answers the query 1 on a new connection", rule: "prometheus-api#format-overview/requests" };
  const says = is === "silent" ? "did not answer in time" : "closed the connection without an answer";
  return { kind: is, says, rule: "prometheus-api#format-overview/requests", perPiece: true };
}

/** A page that a peer does not have is 404, wrong parameters are 400: no request for one is a fault of the peer. */
async function judgePage(url: URL, path: string, limitMs: number): Promise<Breach | undefined> {
  const seen = await ask(url, path, limitMs);
  if (seen.is !== "answered") return unanswered(url, seen);
  const { status, body } = seen;
  if (status >= 500 && status !== 503)
    return {
      kind: `page ${status}`,
      says: `answered GET /${path.slice(0, 300)} with ${status}: ${body.slice(0, 200)}`,
      rule: "prometheus-api#format-overview/statuses",
      inferred: true,
      perPiece: true,
    };
  const isApi = path.startsWith("api/v1/") && status === 200;
  if (isApi && envelopeOf(body) !== "success")
    return {
      kind: "page without an envelope",
      says: `answered GET /${path.slice(0, 300)} with 200 and no JSON that has the status success`,
      rule: "prometheus-api#format-overview/envelope",
    };
  return undefined;
}

async function judgeQuery(url: URL, text: string, limitMs: number): Promise<Breach | undefined> {
  const should = expectedOfQuery(text);
  const seen = await query(url, text, limitMs);
  if (seen.is !== "answered") return unanswered(url, seen);
  const { status, body } = seen;
  const envelope = envelopeOf(body);
  const isOk = status === 200;
  if (envelope === undefined || envelope !== (isOk ? "success" : "error"))
    return {
      kind: `envelope of ${status}`,
      says: `answered ${text} with ${status} and ${envelope === undefined ? "no JSON that has a status" : `the status ${envelope}`}`,
      rule: "prometheus-api#format-overview/envelope",
    };
  if (![200, 400, 422, 503].includes(status))
    return {
      kind: `status ${status}`,
      says: `answered ${text} with ${status}: ${body.slice(0, 200)}`,
      rule: "prometheus-api#format-overview/statuses",
    };
  if (should.is === "refused" && isOk)
    // Another language may have more than the one of the texts.
    return {
      kind: "accepted",
      says: `took ${text} (${should.why})`,
      rule: "prometheus-api#format-overview/statuses",
      inferred: true,
      perPiece: true,
    };
  if (should.is === "fine" && status === 400)
    return {
      kind: "refused",
      says: `refused ${text}: ${body.slice(0, 200)}`,
      rule: "prometheus-promql#basics.expression-language-data-types",
      perPiece: true,
    };
  return undefined;
}

/** The status that an answer of the API says in its JSON. */
function envelopeOf(body: string): string | undefined {
  try {
    const { status } = JSON.parse(body) as { status?: unknown };
    return typeof status === "string" ? status : undefined;
  } catch {
    return undefined;
  }
}

type Sent = { readonly pieces: readonly Piece[]; readonly now: number; readonly limitMs: number };
async function judgeWrite(url: URL, sent: WriteRequest, { pieces, now, limitMs }: Sent): Promise<Breach | undefined> {
  const should = expectedOfWrite(sent, pieces, now);
  const seen = await write(url, sent, limitMs);
  if (seen.is !== "answered") return unanswered(url, seen);
  const { status, body } = seen;
  const isOk = status >= 200 && status < 300;
  const rule = (one: string, two: string): Breach["rule"] => `prometheus-remotewrite#${sent.protocol === 1 ? one : two}`;
  if (should.is === "refused" && isOk)
    return {
      kind: "accepted a message that cannot be read",
      says: `answered ${status} (${should.why})`,
      rule: rule("1.retries-backoff/invalid", "2.invalid-samples/final"),
    };
  if (should.is === "refused" && status >= 500)
    return {
      kind: `blamed itself with ${status}`,
      says: `answered ${status} to a request that can never succeed (${should.why}), so that it is sent again`,
      rule: rule("1.retries-backoff/invalid", "2.invalid-samples/final"),
    };
  if (should.is === "fine" && !isOk && status !== 429 && status !== 503)
    return {
      kind: `refused ${status}`,
      says: `answered ${status} to a valid request: ${body.slice(0, 200)}`,
      rule: rule("1.retries-backoff/success", "2.response/success"),
      perPiece: true,
    };
  return undefined;
}

const FUZZER: PeerFuzzer<Piece, Met> = {
  name: "metrics",
  scheme: "http",
  absent: (url) => `No query API at ${url} (api/v1/query)`,
  meet,
  sequence: (rng, _, { isReceiver }) => sequence(rng, isReceiver),
  judge: (url, pieces) => judge(url, pieces),
  confirm: (url, pieces) => judge(url, pieces, MORE_MS),
  replay: async (url, pieces) => ((await isThere(url)) ? judge(url, pieces, MORE_MS) : "absent"),
};

/** Sends generated queries and requests for pages, and requests of remote write if the peer takes them. */
export const fuzzPeer = (text: string, options: NetworkOptions): Promise<NetworkReport<Piece>> => searchPeer(FUZZER, text, options);

/** `touchstone fuzz metrics URL`. */
export const fuzzOverNetwork = (text: string, options: CommandOptions): Promise<number> => overNetwork(FUZZER, text, options);
