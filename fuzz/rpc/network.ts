import { PROPERTIES } from "../../conformance/rpc/cases/server/responses.ts";
import { messageOf, responsesOf, statusOf, type Answer } from "../../conformance/rpc/driver/answers.ts";
import { monitor } from "../../conformance/rpc/driver/monitors.ts";
import { probeServer } from "../../conformance/rpc/driver/probe.ts";
import { RpcStage } from "../../conformance/rpc/driver/stage.ts";
import { fence, perform } from "../../conformance/rpc/driver/steps.ts";
import { Unreachable } from "../../conformance/harness/driver.ts";
import { targetOf } from "../../conformance/harness/subject/transport.ts";
import { STATUSES } from "../../conformance/wire/rpc/statuses.ts";
import type { DialectName } from "../../vectors/rpc/question.ts";
import {
  type Breach,
  type CommandOptions,
  type NetworkOptions,
  type NetworkReport,
  overNetwork,
  type PeerFuzzer,
  searchPeer,
  securedFor,
} from "../lib/network.ts";
import { type Call, performed, type Piece, type Rare, sequence } from "./grammar.ts";
import { expected } from "./oracle.ts";

const LIMIT_MS = 2_000;
/** To confirm a finding, so that a peer that was busy for a moment is not accused. */
const MORE_MS = 8_000;

/** What the peer speaks and reads. */
type Met = { readonly dialect: DialectName; readonly gzip: boolean };

let performances = 0;
function stageFor(url: URL, dialect: DialectName, timeout: number): RpcStage {
  const { rejectUnauthorized: verify, ...credentials } = securedFor(url);
  return new RpcStage(targetOf(url.href, { verify, ...credentials }), { timeout, dialect, token: `fuzz-${++performances}` });
}

/** Finds the dialect in which the peer answers calls to the conformance service; undefined if there is none. */
export async function meet(url: URL): Promise<Met | undefined> {
  for (const dialect of ["rpc", "grpc"] as const) {
    try {
      const { features } = await probeServer(() => stageFor(url, dialect, MORE_MS));
      return { dialect, gzip: features.get("gzip")?.has === true };
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
    }
  }
  return undefined;
}

/** Makes the calls of a sequence on one connection, and returns what the peer should not have done, if anything. */
export async function judge(url: URL, pieces: readonly Piece[], met: Met, limitMs = LIMIT_MS): Promise<Breach | undefined> {
  const { calls, steps } = performed(pieces);
  const stage = stageFor(url, met.dialect, limitMs);
  try {
    const stop = await perform([{ do: "handshake" }, ...steps], stage).catch((error: unknown) => {
      if (error instanceof Unreachable) return "unreachable";
      throw error;
    });
    const main = stage.connections.get(1);
    if (stop !== undefined || main === undefined) return await gone(url, met);
    const waited = calls.filter(({ isReset }) => !isReset);
    await stage.until(() => stage.over || waited.every(({ stream }) => main.answer(stream).isOver), limitMs);
    if (stage.over) return (await gone(url, met)) ?? ended(main.goaway);
    const silent = waited.find(({ stream }) => !main.answer(stream).isOver);
    if (silent !== undefined)
      return { kind: "silent", says: `did not answer call ${silent.of}`, rule: "rpc-http2#outline/response", perPiece: true };
    return wrongAnswer(waited, stage, met) ?? wrongForm(stage) ?? (await unfenced(stage));
  } finally {
    await stage.drop();
  }
}

async function gone(url: URL, met: Met): Promise<Breach | undefined> {
  try {
    await probeServer(() => stageFor(url, met.dialect, MORE_MS));
    return undefined;
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    return { kind: "gone", says: "no longer answers a good call on a new connection", rule: "rpc-http2#outline" };
  }
}

/** An endpoint may end a connection at any time, so that this is suspect and no broken rule. */
const ended = (goaway: string | undefined): Breach => ({
  kind: `ended ${goaway ?? "without GOAWAY"}`,
  says: `ended the connection ${goaway === undefined ? "without an error code" : `with ${goaway}`}, and every call on it`,
  rule: "rfc9113#5.4.1/end-any-time",
  perPiece: true,
});

function wrongAnswer(calls: readonly Call[], stage: RpcStage, met: Met): Breach | undefined {
  for (const call of calls) {
    const found = wrongOf(call, stage.main.answer(call.stream), stage, met);
    if (found !== undefined) return found;
  }
  return undefined;
}

function wrongOf(call: Call, answer: Answer, stage: RpcStage, met: Met): Breach | undefined {
  const should = expected(call, met);
  const status = statusOf(answer, stage);
  const [name, got] = [`call ${call.of}`, statusInWords(status, answer)];
  if (should.is === "unsure") return undefined;
  if (should.is === "failed") {
    const { name: kind, status: named, rule } = should.fault;
    // Who does not read something rare may err about the rest.
    if (call.rare.length > 0) return undefined;
    if (status === 0) return { kind: `accepted ${kind}`, says: `answered ${name} with OK (${kind})`, rule };
    if (named === undefined || status === undefined || STATUSES[status] === named) return undefined;
    return { kind: `status ${got} for ${kind}`, says: `answered ${name} with ${got}, not ${named} (${kind})`, rule };
  }
  const wanted = STATUSES[should.status] ?? String(should.status);
  const payloads = responsesOf(answer, stage).map((one) => (one === undefined ? "?" : Buffer.from(one.payload).toString("hex")));
  const isOther = payloads.join() !== should.payloads.join();
  if (status === should.status && !isOther) return undefined;
  const says =
    status === should.status
      ? `answered ${name} with other messages than its handler gave`
      : `answered ${name}, which is legal, with ${got} "${messageOf(answer, stage)}", not with ${wanted}`;
  const [rare, another] = call.rare;
  if (rare !== undefined) return another === undefined ? { kind: `refused a ${rare}`, says, rule: RARE[rare] } : undefined;
  return status === should.status
    ? { kind: "other payloads", says, rule: "rpc-http2#data-frames/boundaries" }
    : { kind: `refused ${got}`, says, rule: "rpc-http2#outline", perPiece: true };
}

/** The sentence that makes a peer read what is rare. */
const RARE: Readonly<Record<Rare, Breach["rule"]>> = { "binary list": "rpc-http2#requests/base64-list", padding: "rfc9113#6.1/padded" };

function statusInWords(status: number | undefined, { reset }: Answer): string {
  if (status !== undefined) return STATUSES[status] ?? String(status);
  return reset === undefined ? "no status" : `RST_STREAM ${reset}`;
}

/** Properties that every answer has. That nothing is compressed without a setting is no matter of form. */
const FORM = new Map(
  PROPERTIES.map(([name, rule]) => [name, rule]).filter(([name]) => name !== "not-compressed" && name !== "http-status") as [
    string,
    Breach["rule"],
  ][],
);

function wrongForm(stage: RpcStage): Breach | undefined {
  for (const [name, rule] of FORM) {
    const found = monitor(name, stage);
    if (found !== undefined) return { kind: `form ${name}`, says: `sent an answer that is malformed: ${found}`, rule };
  }
  return undefined;
}

async function unfenced(stage: RpcStage): Promise<Breach | undefined> {
  const why = await fence(stage);
  return why === undefined
    ? undefined
    : { kind: "connection spoilt", says: why, rule: "rpc-http2#errors/trailers", inferred: true, perPiece: true };
}

/** The words of a piece without sizes, whichever call it is of. */
const shapeOf = ({ words }: Piece): string => words.replace(/^call \d+: /, "").replaceAll(/\d+/g, "#");

const FUZZER: PeerFuzzer<Piece, Met> = {
  name: "rpc",
  scheme: "http",
  absent: (url) => `No server of vectors/rpc/conformance.proto at ${url}, neither in the dialect rpc nor in grpc`,
  meet,
  sequence: (rng) => sequence(rng),
  requestsIn: (pieces) => performed(pieces).calls.length,
  judge: (url, pieces, met) => judge(url, pieces, met),
  confirm: (url, pieces, met) => judge(url, pieces, met, MORE_MS),
  shape: shapeOf,
  replay: async (url, pieces) => {
    const met = await meet(url);
    return met === undefined ? "absent" : judge(url, pieces, met, MORE_MS);
  },
};

/** Sends generated calls to a server. */
export const fuzzPeer = (text: string, options: NetworkOptions): Promise<NetworkReport<Piece>> => searchPeer(FUZZER, text, options);

/** `touchstone fuzz rpc URL`. */
export const fuzzOverNetwork = (text: string, options: CommandOptions): Promise<number> => overNetwork(FUZZER, text, options);
