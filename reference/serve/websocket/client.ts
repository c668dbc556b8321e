import { Misuse } from "../../core/index.ts";
import type { FieldsInit } from "../../http/index.ts";
import { now, type ClientTls } from "../../io/index.ts";
import {
  CONNECT_PROTOCOL,
  Connection,
  DEFAULT_LIMITS,
  offerConnect,
  offerHttp1,
  readConnectAnswer,
  readHttp1Answer,
  type Agreement,
  type Answer,
  type ClientWishes,
  type HandshakeFault,
  type Limits,
  type Offer,
} from "../../websocket/index.ts";
import type { ClientResponse } from "../client/exchange.ts";
import { connect, type Client } from "../client/connect.ts";
import type { Switched } from "../handler.ts";
import { fieldList } from "../message/outgoing.ts";
import { deflateOf, policyOf, random, sha1, type Compression } from "./platform.ts";
import { OpenWebSocket, type SlowReader } from "./socket.ts";
import { StreamCarrier } from "./stream-carrier.ts";

/** What a client offers in its opening handshake (rfc6455#4.1), over which connection, and how this then goes; nothing has to be set. */
export type ConnectWebSocketOptions = {
  /** Sub-protocols that are offered, the best first. */
  readonly protocols?: readonly string[];
  /** Offers permessage-deflate (rfc7692); false by default. */
  readonly deflate?: boolean | Compression;
  /** Fields of the handshake besides its own, such as Authorization. */
  readonly headers?: FieldsInit | Readonly<Record<string, string>>;
  /** What a browser would say of the page; none by default. */
  readonly origin?: string;
  /** For `wss:`. */
  readonly tls?: ClientTls;
  readonly limits?: Partial<Limits>;
  readonly slowReader?: SlowReader;
  /** How text is told: as strings by default, or as octets that are valid UTF-8. */
  readonly text?: "string" | "octets";
  /** A connection of HTTP/2 on which it is opened by extended CONNECT (rfc8441); one of its own over HTTP/1.1 by default. */
  readonly over?: Client;
  /** Milliseconds until it is open; 10,000 by default. */
  readonly connectMs?: number;
  /** What callbacks throw; standard error by default. */
  readonly onError?: (error: unknown) => void;
};

/** The server has not opened a WebSocket: it answered with a status of its own, or its handshake is wrong. */
export class HandshakeFailed extends Error {
  override readonly name = "HandshakeFailed";
  readonly code = "HANDSHAKE_FAILED";
  /** What the server answered. */
  readonly status: number;
  /** What is wrong with that, where it was to be a WebSocket. */
  readonly fault: HandshakeFault | undefined;

  constructor(message: string, status: number, fault?: HandshakeFault) {
    super(message);
    this.status = status;
    this.fault = fault;
  }
}

const CONNECT_MS = 10_000;
/** Of what a server says in its refusal so much is told, and waited for so long. */
const WHY_OCTETS = 65_536;
const WHY_SHOWN = 200;
const WHY_MS = 1_000;

/** Opens a WebSocket at a `ws:` or `wss:` URL, once: `keepWebSocket` comes back when it breaks. */
export async function connectWebSocket(url: string | URL, options: ConnectWebSocketOptions = {}): Promise<OpenWebSocket> {
  const place = placeOf(url);
  const deflate = policyOf(options.deflate);
  const wishes: ClientWishes = {
    ...(options.protocols !== undefined && { protocols: options.protocols }),
    ...(deflate !== undefined && { deflate }),
    ...(options.origin !== undefined && { origin: options.origin }),
  };
  const signal = AbortSignal.timeout(options.connectMs ?? CONNECT_MS);
  return options.over === undefined ? overHttp1(place, wishes, options, signal) : overStream(options.over, place, wishes, options, signal);
}

function placeOf(url: string | URL): URL {
  const place = new URL(url);
  if (!/^(?:wss?|https?):$/.test(place.protocol)) throw new Misuse(`"${place.protocol}" opens no WebSocket: give a ws: or wss: URL`);
  if (place.hash !== "") throw new Misuse("the URL of a WebSocket has no fragment (rfc6455#3)");
  if (place.username !== "" || place.password !== "")
    throw new Misuse("the URL of a WebSocket has no password: give Authorization in `headers`");
  place.protocol = place.protocol === "wss:" || place.protocol === "https:" ? "https:" : "http:";
  return place;
}

async function overHttp1(place: URL, wishes: ClientWishes, options: ConnectWebSocketOptions, signal: AbortSignal): Promise<OpenWebSocket> {
  const offer = offerHttp1(wishes, random);
  const client = await connect(place, {
    alpn: ["http/1.1"],
    graceMs: 0,
    connectMs: options.connectMs ?? CONNECT_MS,
    ...(options.tls !== undefined && { tls: options.tls }),
  });
  try {
    const response = await client.request({ path: place.pathname + place.search, fields: fieldsOf(offer, options), signal });
    const answer = readHttp1Answer(response.status, response.fields, offer, sha1);
    if (isEstablished(answer) && response.switched !== undefined) return opened(response.switched, answer, options);
    response.switched?.socket.destroy();
    throw await refusal(place, response, answer);
  } catch (error) {
    await client.close();
    throw error;
  }
}

async function overStream(
  client: Client,
  place: URL,
  wishes: ClientWishes,
  options: ConnectWebSocketOptions,
  signal: AbortSignal,
): Promise<OpenWebSocket> {
  if (client.settings?.enableConnectProtocol !== true) {
    throw new HandshakeFailed(
      `${place.host} opens no WebSocket over ${client.version}: it has not announced extended CONNECT (rfc8441#3)`,
      0,
    );
  }
  const offer = offerConnect(wishes);
  const over = new AbortController();
  const late = (): void => over.abort(signal.reason);
  signal.addEventListener("abort", late, { once: true });
  const carrier = new StreamCarrier(() => over.abort());
  try {
    const response = await client.request({
      method: "CONNECT",
      protocol: CONNECT_PROTOCOL,
      scheme: place.protocol.slice(0, -1),
      authority: place.host,
      path: place.pathname + place.search,
      fields: fieldsOf(offer, options),
      body: carrier.content,
      signal: over.signal,
    });
    const answer = readConnectAnswer(response.status, response.fields, offer);
    if (isEstablished(answer)) return opened(carrier.from(response.body), answer, options);
    throw await refusal(place, response, answer);
  } catch (error) {
    // Nobody has it yet: why it failed is thrown.
    carrier.on("error", () => {}).destroy();
    throw error;
  } finally {
    signal.removeEventListener("abort", late);
  }
}

type Established = { readonly is: "established"; readonly protocol: string | undefined; readonly deflate: Agreement | undefined };
const isEstablished = (answer: Answer): answer is Established => answer.is === "established";

function opened(carrier: Switched, { protocol, deflate: agreed }: Established, options: ConnectWebSocketOptions): OpenWebSocket {
  const { limits, text, slowReader = "close", onError } = options;
  const deflate = deflateOf(options.deflate, agreed);
  const machine = new Connection(
    {
      side: "client",
      random,
      ...(limits !== undefined && { limits }),
      ...(text !== undefined && { text }),
      ...(deflate !== undefined && { deflate }),
    },
    now(),
  );
  const socket = new OpenWebSocket(machine, protocol, {
    slowReader,
    queuedOctets: limits?.queuedOctets ?? DEFAULT_LIMITS.queuedOctets,
    failed: onError ?? ((error) => console.error("touchstone: a WebSocket's callback failed:", error)),
  });
  socket.start(carrier);
  return socket;
}

function fieldsOf(offer: Offer, { headers }: ConnectWebSocketOptions): [string, string][] {
  const own = offer.fields.map(({ name, value }): [string, string] => [name.toLowerCase(), value]);
  const names = new Set(own.map(([name]) => name));
  const pairs = headers === undefined || Symbol.iterator in headers ? headers : Object.entries(headers);
  const given = fieldList(pairs as FieldsInit | undefined).map(({ name, value }): [string, string] => [name.toLowerCase(), value]);
  const taken = given.find(([name]) => names.has(name));
  if (taken !== undefined) throw new Misuse(`the field ${taken[0]} is the handshake's own: it cannot be given in \`headers\``);
  return [...own, ...given];
}

async function refusal(place: URL, response: ClientResponse, answer: Answer): Promise<HandshakeFailed> {
  const { status } = response;
  if (answer.is === "fault")
    return new HandshakeFailed(`the handshake of ${place.host} is wrong: ${answer.name} (${answer.spec})`, status, answer);
  const why = await Promise.race([
    // The status says enough where the words cannot be read.
    response.body.text(WHY_OCTETS).catch(() => ""),
    new Promise<string>((resolve) => setTimeout(resolve, WHY_MS, "").unref()),
  ]);
  const said = why
    .replaceAll(/[^\x20-\x7e]+/g, " ")
    .trim()
    .slice(0, WHY_SHOWN);
  return new HandshakeFailed(`${place.host} answers ${status}${said === "" ? "" : `: ${said}`}`, status);
}
