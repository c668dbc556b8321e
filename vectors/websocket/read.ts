import { createHash } from "node:crypto";
import { field, instant } from "../../reference/core/index.ts";
import { Fields, readTarget, type HttpVersion } from "../../reference/http/index.ts";
import { deflateEngine } from "../../reference/io/index.ts";
import {
  acceptHttp1,
  Connection,
  offerHttp1,
  readHttp1Answer,
  type Event,
  type Offer,
  type Options,
} from "../../reference/websocket/index.ts";
import type { Reading } from "./question.ts";
import type { FramesVector, RequestVector, ResponseVector } from "./source/craft.ts";

/** Our own connection and handshake as parsers: their results in the format of the vectors. */

const T0 = instant(0);
const engine = deflateEngine();
const sha1 = (text: string): Uint8Array => createHash("sha1").update(text).digest();
const hex = (octets: Uint8Array): string => Buffer.from(octets).toString("hex");

type Heard = Record<string, unknown>;
/** `at`: the number of octets received before the refusal. `code`: the code of our Close. */
export type FramesReading = Reading & { readonly code?: number; readonly at?: number };
export type Input = Pick<FramesVector, "to" | "wire" | "deflate"> & {
  /** Octets per read; all at once by default. */
  readonly cut?: number;
} & Pick<Options, "text" | "fragments">;

type Way = Pick<Input, "cut" | "text" | "fragments">;
/** The ways to receive octets, and to report their messages. */
const waysOf = (...cuts: readonly (number | undefined)[]): readonly Way[] =>
  cuts.flatMap((cut) =>
    [true, false].flatMap((fragments) =>
      (["octets", "string"] as const).map((text) => ({ fragments, text, ...(cut === undefined ? {} : { cut }) })),
    ),
  );
const WAYS = waysOf(1, 3, undefined);
/** Long ones octet by octet would take too long. */
const LONG_OCTETS = 2_000;
const LONG_WAYS = waysOf(1_021, undefined);

/** Reads the octets in every way, which must all agree; a difference is an error of ours. */
export function readFramesEveryWay(input: Pick<Input, "to" | "wire" | "deflate">): Reading {
  const plain = readFrames(input);
  const shown = ({ messages, error }: Reading): string => JSON.stringify([messages, error]);
  // Of two faults in one compressed message either may be reported.
  const isAlike = (one: Reading): boolean =>
    shown(one) === shown(plain) || (input.deflate !== undefined && one.error !== undefined && plain.error !== undefined);
  const ways = input.wire.length > 2 * LONG_OCTETS ? LONG_WAYS : WAYS;
  const other = ways.find((way) => !isAlike(readFrames({ ...input, ...way })));
  return other === undefined ? plain : { messages: [], error: `reads otherwise with ${JSON.stringify(other)}` };
}

export function readFrames({ to, wire, deflate, cut, text, fragments }: Input): FramesReading {
  const { bits = 15, takeover = true } = deflate ?? {};
  const agreed = { serverTakeover: takeover, clientTakeover: takeover, serverBits: bits, clientBits: bits };
  const machine = new Connection(
    {
      side: to,
      random: (into) => into,
      ...(deflate === undefined ? {} : { deflate: { agreed, engine } }),
      ...(text === undefined ? {} : { text }),
      ...(fragments === undefined ? {} : { fragments }),
    },
    T0,
  );
  const hear = hearing(fragments === true);
  const messages: Heard[] = [];
  let error: string | undefined;
  let refusedAt: number | undefined;
  const octets = new Uint8Array(Buffer.from(wire, "hex"));
  const step = cut ?? Math.max(octets.length, 1);
  let said = "";
  for (let at = 0; at < octets.length; at += step) {
    for (const event of [...machine.receive(octets.slice(at, at + step), T0), ...machine.events()]) {
      const heard = hear(event);
      if (heard !== undefined) messages.push(heard);
      if (event.is !== "closed" || event.fault === undefined) continue;
      error = event.fault.name;
      refusedAt = Math.min(octets.length, at + step);
      said = hex(Buffer.concat(machine.take()));
    }
    machine.take();
  }
  if (error === undefined) return { messages };
  const close = /8[89a-f].?/.test(said) ? codeOf(said, to) : undefined;
  return { messages, error, ...(close === undefined ? {} : { code: close }), ...(refusedAt === undefined ? {} : { at: refusedAt }) };
}
/** Tells what each event means; the parts of a message make one. Only whoever asks for parts gets them. */
function hearing(asFragments: boolean): (event: Event) => Heard | undefined {
  let parts: (string | Uint8Array)[] = [];
  return (event) => {
    if (event.is === (asFragments ? "message" : "fragment")) return { unasked: event.is };
    if (event.is !== "fragment") return hear(event);
    parts.push(event.data);
    if (!event.end) return undefined;
    const all = parts;
    parts = [];
    return event.kind === "text" ? { text: all.join("") } : octetsOf(event.kind, Buffer.concat(all.map((part) => Buffer.from(part))));
  };
}
/** A kind that there is not shows as such. */
const octetsOf = (kind: "utf8" | "binary", octets: Uint8Array): Heard =>
  kind === "utf8" ? { text: Buffer.from(octets).toString() } : { [kind]: hex(octets) };
function hear(event: Event): Heard | undefined {
  switch (event.is) {
    case "message":
      return event.kind === "text" ? { text: event.data } : octetsOf(event.kind, event.data);
    case "ping":
    case "pong":
      return { [event.is]: hex(event.data) };
    case "closing":
      return { close: event.code === 1005 ? null : event.code, reason: event.reason };
    default:
      return undefined;
  }
}
/** The code of the last frame that we sent, a Close of fewer than 126 octets. A client's masking key is zero here. */
function codeOf(said: string, to: "server" | "client"): number | undefined {
  const at = said.lastIndexOf("88");
  const from = at + (to === "server" ? 4 : 12);
  const begun = /88(?:[0-9a-f]{2})/.exec(said.slice(at));
  return begun === null ? undefined : Number.parseInt(said.slice(from, from + 4), 16);
}

/** Parses a well-formed head. */
function readHead(octets: string): { readonly start: readonly string[]; readonly fields: Fields } {
  const [start = "", ...lines] = octets.slice(0, octets.indexOf("\r\n\r\n")).split("\r\n");
  const fields = lines.map((line) => {
    const colon = line.indexOf(":");
    return field(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  });
  return { start: start.split(" "), fields: new Fields(fields) };
}

export function readRequest({ octets, server }: Pick<RequestVector, "octets" | "server">): Reading & { readonly status?: number } {
  const { start, fields } = readHead(octets);
  const [method = "", path = "", version = ""] = start;
  const target = readTarget(method, path);
  const authority = target?.form === "absolute" ? target.authority : (fields.get("host") ?? "");
  const { protocols, origins, deflate, secure } = server;
  const policy = {
    ...(protocols === undefined ? {} : { subprotocols: protocols }),
    ...(origins === undefined ? {} : { origins }),
    ...(deflate ? { deflate: {} } : {}),
  };
  const head = { method, version: version as HttpVersion, scheme: secure ? "https" : "http", authority, path, fields };
  const answer = acceptHttp1(head, policy, sha1);
  if (answer.is === "refused") return { messages: [], error: answer.fault.name, status: answer.status };
  const said = new Fields(answer.fields.map(({ name, value }) => field(name.toLowerCase(), value)));
  return {
    messages: [
      without({
        accept: said.get("sec-websocket-accept"),
        protocol: said.get("sec-websocket-protocol"),
        extensions: said.get("sec-websocket-extensions"),
      }),
    ],
  };
}
export function readResponse({ octets, client }: Pick<ResponseVector, "octets" | "client">): Reading {
  const { start, fields } = readHead(octets);
  const { key, protocols, deflate } = client;
  const offer: Offer = {
    ...offerHttp1({ ...(protocols === undefined ? {} : { subprotocols: protocols }), ...(deflate ? { deflate: {} } : {}) }, (into) => into),
    key,
  };
  const answer = readHttp1Answer(Number(start[1]), fields, offer, sha1);
  if (answer.is === "fault") return { messages: [], error: answer.name };
  if (answer.is === "declined") return { messages: [], error: `answered with ${answer.status}` };
  const extensions = answer.deflate === undefined ? undefined : fields.get("sec-websocket-extensions");
  return { messages: [without({ protocol: answer.subprotocol, extensions })] };
}
const without = (members: Readonly<Record<string, string | undefined>>): Heard =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
