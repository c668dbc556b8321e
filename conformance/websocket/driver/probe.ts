import { type Feature, Unreachable } from "../../harness/driver.ts";
import { dialPatiently, type Target } from "../../harness/subject/transport.ts";
import { membersOf, valueOf } from "../../wire/http1/read.ts";
import { printable } from "../../wire/octets.ts";
import type { FrameSpec } from "../../wire/websocket/build.ts";
import { FAIL_REQUEST, LIMIT_NAMES, LIMITS_REQUEST, limitFeature, limitsIn } from "../limits.ts";
import { NAME_FIELD, reportIn, TOLD_REQUEST } from "../telling.ts";
import type { Handshake } from "../vocabulary.ts";
import type { CarrierName } from "./carrier.ts";
import type { Connection } from "./connection.ts";
import { WebSocketStage } from "./stage.ts";
import { WEBSOCKET } from "./target.ts";

/** A server may begin the closing handshake on this message instead of sending it back: nothing else makes every server do that. */
export const CLOSE_REQUEST = "touchstone: close";

/** Optional features over any version of HTTP. */
const OFFERS: Readonly<Record<string, string>> = {
  subprotocol: "the server agrees to one of the sub-protocols chat, echo and superchat",
  deflate: "the server agrees to permessage-deflate",
  "server no takeover": "the server agrees to server_no_context_takeover",
  "client takes over": "with permessage-deflate the client may refer to its earlier messages",
  "client no takeover": "the server agrees to client_no_context_takeover",
  "server window": "the server agrees to server_max_window_bits=10",
  "client window": "the response to an offer of client_max_window_bits sets the client's window",
  compresses: "with permessage-deflate a long message of one letter comes back compressed",
  large: "a message of 1 MiB comes back",
  "limits frames": "a frame that announces 24 MiB is refused with 1009",
  fragments: "messages come back in fragments",
  "closes on request": `on the text message "${CLOSE_REQUEST}" the server begins the closing handshake with 1000`,
};
/** The versions whose streams carry WebSockets, with their names. */
export const STREAMED = { http2: "HTTP/2", http3: "HTTP/3" } as const;
export type Streamed = keyof typeof STREAMED;
const VERSIONS = Object.keys(STREAMED) as Streamed[];
/** The name of a feature over this version. */
export const overStreams = (feature: string, version: Streamed): string => (feature in OFFERS ? `${feature} over ${version}` : feature);

/** Optional features that cases need of a server, found out once before the first case. A name that is not listed is a mistake in a case. */
export const FEATURES: Readonly<Record<string, string>> = {
  ...OFFERS,
  tells: `to the text message "${TOLD_REQUEST} NAME" the server sends what its program was told about the end of the connection with ${NAME_FIELD}: NAME`,
  tls: "the address is wss:",
  clear: "the address is ws:",
  http2:
    "an extended CONNECT at the same address, in clear text by prior knowledge or by ALPN, is answered with 200, and a message comes back (rfc8441)",
  ...Object.fromEntries(
    LIMIT_NAMES.map((name) => [limitFeature(name), `the answer to the text message "${LIMITS_REQUEST}" names ${name}`]),
  ),
  "fails on request": `on the text message "${FAIL_REQUEST}" the server's program fails, and it closes the connection`,
  http3: "the address is wss:, and over UDP at the same port an extended CONNECT is answered with 200, and a message comes back (rfc9220)",
  ...Object.fromEntries(
    VERSIONS.flatMap((version): [string, string][] => [
      [`${version} opened`, "extended CONNECT is announced, and one is answered with 200, whether a message comes back or not"],
      ...Object.entries(OFFERS).map(([name, how]): [string, string] => [overStreams(name, version), `over ${STREAMED[version]} ${how}`]),
    ]),
  ),
};

const WORD = "touchstone";
/** Every sub-protocol that a case offers. */
const PROTOCOLS = "Sec-WebSocket-Protocol: chat, echo, superchat";
const LETTERS = { text: "a", count: 2000 };
/** How long to wait for the end of a connection that we close, in milliseconds. */
const PARTING_MS = 200;
const MEBI = 1_048_576;
/** 24 MiB as a length of 64 bits, and how long a server may take to refuse it, in milliseconds: many wait for the rest. */
const BEYOND = "0000000001800000";
const REFUSAL_MS = 500;
const HELLO: FrameSpec = { opcode: "text", text: WORD };

const offer = (parameters: string): Handshake => ({ more: [`Sec-WebSocket-Extensions: permessage-deflate${parameters}`] });

/** How long to wait for the handshake and for what follows, in milliseconds. */
type Patience = { readonly opening: number; readonly answer: number };
/** A question that was met with silence is asked again, with so many times the patience. */
const PATIENCE = 4;
const isAnswered = ({ theirs, ended }: Connection, count: number): boolean =>
  theirs.messages.length >= count || theirs.close !== undefined || ended !== undefined;
const isUnanswered = ({ response, ended }: Connection): boolean => response === undefined && ended === undefined;

/** Detects the features of the server by plain connections; `hasHttp3`: it may speak HTTP/3, too. */
export async function probeServer(
  target: Target,
  timeout: number,
  hasHttp3 = target.scheme === "https",
): Promise<{ features: Map<string, Feature>; version?: string }> {
  const first = await dialPatiently(target, timeout, WEBSOCKET);
  first.destroy();
  const stages: WebSocketStage[] = [];
  const asking = (carriedBy: CarrierName): Ask => {
    const once = async (handshake: Handshake, frames: readonly FrameSpec[], count: number, patience: Patience): Promise<Connection> => {
      const stage = new WebSocketStage(target, { timeout: patience.opening, attempts: 1 }, carriedBy);
      stages.push(stage);
      const connection = await stage.connection(1);
      await connection.ask(handshake);
      await stage.until(
        () => connection.open || connection.response?.complete === true || connection.ended !== undefined,
        patience.opening,
      );
      if (connection.open) await connection.send(frames);
      await stage.until(() => !connection.open || isAnswered(connection, count), patience.answer + (connection.ours.octets / MEBI) * 1_000);
      return connection;
    };
    return async (handshake, frames, count, answer) => {
      const connection = await once(handshake, frames, count, { opening: timeout, answer: answer ?? timeout });
      // A machine that is busy is not a server that lacks a feature. Where silence is an answer, it is taken at once.
      const isSilent = answer === undefined && (connection.open ? !isAnswered(connection, count) : isUnanswered(connection));
      if (!isSilent) return connection;
      const patient = PATIENCE * timeout;
      return once(handshake, frames, count, { opening: patient, answer: patient });
    };
  };
  try {
    const ask = asking("http1");
    const good = await ask({}, [HELLO], 1);
    const reason = whyNot(good, target, timeout);
    if (reason !== undefined) throw new Unreachable(reason);
    const [offers, limits, tells, fails, ...others] = await Promise.all([
      inquire(ask, timeout),
      inquireLimits(ask),
      inquireReports(ask),
      inquireFailing(ask),
      inquireOverStreams("http2", asking("http2"), target, timeout),
      hasHttp3 ? inquireOverStreams("http3", asking("http3"), target, timeout) : noneOver("http3", "it is for wss: addresses"),
    ]);
    const scheme = `the address is ${target.scheme === "https" ? "wss" : "ws"}:`;
    const plain = new Map<string, Feature>([
      ["tls", { has: target.scheme === "https", how: scheme }],
      ["clear", { has: target.scheme === "http", how: scheme }],
    ]);
    return {
      features: new Map([
        ...offers,
        ...limits,
        ["tells", tells],
        ["fails on request", fails],
        ...plain,
        ...others.flatMap((features) => [...features]),
      ]),
      ...versionOf(good),
    };
  } finally {
    await Promise.all(stages.map(part));
  }
}

/** The limits that the server was given. */
async function inquireLimits(ask: Ask): Promise<Map<string, Feature>> {
  const { theirs } = await ask({}, [{ opcode: "text", text: LIMITS_REQUEST }], 1);
  const named = limitsIn(Buffer.from(theirs.messages[0]?.payload ?? []).toString());
  const how = named.length === 0 ? "it sent the question about its limits back, or nothing" : `it named ${printable(named.join(", "))}`;
  return new Map(LIMIT_NAMES.map((name) => [limitFeature(name), { has: named.includes(name), how }]));
}

/** Whether its program fails on request. */
async function inquireFailing(ask: Ask): Promise<Feature> {
  const { theirs } = await ask({}, [{ opcode: "text", text: FAIL_REQUEST }], 1);
  const has = theirs.close !== undefined;
  return { has, how: has ? "it sent a Close frame" : "it sent the request to fail back, or nothing" };
}

/** Whether its program reports what its library says. */
async function inquireReports(ask: Ask): Promise<Feature> {
  const { theirs } = await ask({}, [{ opcode: "text", text: `${TOLD_REQUEST} nobody` }], 1);
  const has = reportIn(Buffer.from(theirs.messages[0]?.payload ?? []).toString(), "nobody") !== undefined;
  return { has, how: has ? "it sends a report" : "it sent the question for a report back, or nothing" };
}

/** The same over streams of this version; a server that does not speak it offers nothing over it, for that reason. */
async function inquireOverStreams(version: Streamed, ask: Ask, target: Target, timeout: number): Promise<Map<string, Feature>> {
  let opened = false;
  const reason = await ask({}, [HELLO], 1).then(
    (connection) => {
      opened = connection.open && connection.broken("announced") === undefined;
      return whyNotOver(STREAMED[version], connection, target, timeout);
    },
    (error: unknown) => (error instanceof Error ? error.message.replace(/\.$/, "") : String(error)),
  );
  const features = noneOver(version, reason ?? "");
  if (opened) features.set(`${version} opened`, OPENED);
  if (reason !== undefined) return features;
  features.set(version, OPENED);
  for (const [name, feature] of await inquire(ask, timeout)) features.set(overStreams(name, version), feature);
  return features;
}
const OPENED: Feature = { has: true, how: "an extended CONNECT was answered with 200" };
/** No feature of this version, for a reason. */
function noneOver(version: Streamed, how: string): Map<string, Feature> {
  const none: Feature = { has: false, how };
  const offers = Object.keys(OFFERS).map((name) => overStreams(name, version));
  return new Map([`${version} opened`, version, ...offers].map((name) => [name, none]));
}

function whyNotOver(version: string, connection: Connection, { host, port, path }: Target, timeout: number): string | undefined {
  const where = `${host}:${port}`;
  const announced = connection.broken("announced");
  if (connection.response === undefined) {
    if (announced !== undefined) return `no extended CONNECT over ${version}: ${announced}, and one was not answered`;
    return `an extended CONNECT over ${version} was not answered`;
  }
  if (!connection.open) return `an extended CONNECT for ${path} was answered with ${connection.response.status}`;
  return isReturned(connection) ? undefined : `${where}${path} did not send a message back over ${version} within ${timeout} ms`;
}

const isReturned = ({ theirs }: Connection): boolean => Buffer.from(theirs.messages[0]?.payload ?? []).toString() === WORD;

/** Closes the connection cleanly, if the subject cooperates, so that the next one is not affected. */
async function part(stage: WebSocketStage): Promise<void> {
  const connection = stage.connections.get(1);
  if (connection?.open === true && connection.ended === undefined) {
    await connection.send([{ opcode: "close", code: 1000 }]);
    await stage.until(() => connection.ended !== undefined, PARTING_MS);
  }
  await stage.drop();
}

const versionOf = ({ response }: Connection): { version?: string } => {
  const server = valueOf(response?.fields ?? [], "server");
  return server === undefined ? {} : { version: printable(server) };
};

function whyNot(connection: Connection, { host, port, path }: Target, timeout: number): string | undefined {
  const { response, open, ended } = connection;
  const where = `${host}:${port}`;
  if (response === undefined)
    return ended === undefined
      ? `${where} accepted the connection but did not answer the handshake within ${timeout} ms: it is not a WebSocket server, or wants wss://.`
      : `${where} closed the connection without answering the handshake: it is not a WebSocket server, or wants wss://.`;
  if (!open) return `${where} answered the handshake for ${path} with ${response.status}, not with 101: is it the right path?`;
  if (!isReturned(connection))
    return `${where}${path} did not send a message back within ${timeout} ms: the suite needs an endpoint that echoes every message.`;
  return undefined;
}

type Ask = (handshake: Handshake, frames: readonly FrameSpec[], count: number, patience?: number) => Promise<Connection>;

const agreedBy = ({ response, open }: Connection): string | undefined =>
  open ? membersOf(response?.fields ?? [], "sec-websocket-extensions").find((one) => one.startsWith("permessage-deflate")) : undefined;

async function inquire(ask: Ask, timeout: number): Promise<Map<string, Feature>> {
  const letters: FrameSpec = { opcode: "text", fill: LETTERS, deflate: {} };
  // Without the extension a compressed message is an error, so send one only after the server agreed to it.
  const plain = await ask(offer(""), [], 0);
  const has = agreedBy(plain);
  const messages = has === undefined ? [] : [letters];
  const [chosen, served, kept, window, own, large, parted, closed, limited] = await Promise.all([
    ask({ more: [PROTOCOLS] }, [], 0),
    has === undefined ? plain : ask(offer(""), messages, 1),
    ask(offer("; server_no_context_takeover; client_no_context_takeover"), [], 0),
    ask(offer("; server_max_window_bits=10"), [], 0),
    ask(offer("; client_max_window_bits"), [], 0),
    ask({}, [{ opcode: "binary", fill: { text: "m", count: MEBI } }], 1),
    ask({}, [{ opcode: "text", text: "in one piece, or several" }], 1),
    ask({}, [{ opcode: "text", text: CLOSE_REQUEST }], 1),
    ask({}, [{ opcode: "binary", lengthBits: 64, says: BEYOND }], 1, Math.min(REFUSAL_MS, timeout)),
  ]);
  const is = (yes: boolean, how: string): Feature => ({ has: yes, how });
  const said = (connection: Connection): string => {
    const extension = agreedBy(connection);
    return extension === undefined ? "the server did not agree to permessage-deflate" : `the answer was "${printable(extension)}"`;
  };
  const agrees = (connection: Connection, parameter: RegExp): Feature => is(parameter.test(agreedBy(connection) ?? ""), said(connection));
  const protocol = valueOf(chosen.response?.fields ?? [], "sec-websocket-protocol");
  const [one] = served.theirs.messages;
  return new Map<string, Feature>([
    [
      "subprotocol",
      is(protocol !== undefined, protocol === undefined ? "the server agreed to none of chat, echo and superchat" : protocol),
    ],
    ["deflate", is(has !== undefined, said(plain))],
    ["client takes over", is(has !== undefined && !has.includes("client_no_context_takeover"), said(plain))],
    ["server no takeover", agrees(kept, /server_no_context_takeover/)],
    ["client no takeover", agrees(kept, /client_no_context_takeover/)],
    ["server window", agrees(window, /server_max_window_bits/)],
    ["client window", agrees(own, /client_max_window_bits/)],
    [
      "compresses",
      is(one?.compressed === true, one?.compressed === true ? "it came back compressed" : "it came back as it is, or not at all"),
    ],
    ["limits frames", is(limited.theirs.close?.code === 1009, "it waits for a frame of 24 MiB, or closes for another reason")],
    ["fragments", is((parted.theirs.messages[0]?.frames ?? 0) > 1, "a short message came back in one frame, or not at all")],
    ["closes on request", is(closed.theirs.close?.code === 1000, "it sent the request for a Close back, or nothing")],
    ["large", is(large.theirs.messages[0]?.payload.length === MEBI, "a message of 1 MiB did not come back")],
  ]);
}
