import { Misuse } from "../../core/index.ts";
import type { FieldsInit } from "../../http/index.ts";
import { now, type Filter, type Link } from "../../io/index.ts";
import {
  CONNECT_PROTOCOL,
  Connection,
  DEFAULT_LIMITS,
  offerConnect,
  offerHttp1,
  readConnectAnswer,
  readHttp1Answer,
  type Answer,
  type ClientPolicy,
  type HandshakeFault,
  type Offer,
} from "../../websocket/index.ts";
import { connect, type Client } from "../client/connect.ts";
import type { ClientResponse } from "../client/exchange.ts";
import { webSocketFaults } from "../faults/index.ts";
import type { Switched } from "../handler.ts";
import { fieldList } from "../message/outgoing.ts";
import { checkOptions } from "../options/check.ts";
import { SocketCore } from "./socket-core.ts";
import type { OpenWebSocket } from "./open-websocket.ts";
import { CONNECT_WEB_SOCKET_OPTIONS, type ConnectWebSocketOptions } from "./options.ts";
import { deflateOf, policyOf, random, sha1 } from "./platform.ts";
import { Socket } from "./socket.ts";
import { StreamCarrier } from "./stream-carrier.ts";

/** The server has not opened a WebSocket: it sent another status, or its handshake is wrong. */
export class HandshakeFailed extends Error {
  override readonly name = "HandshakeFailed";
  readonly code = "HANDSHAKE_FAILED";
  /** The status of the response; 0 if no request was sent. */
  readonly status: number;
  /** The rule that the server's handshake broke. */
  readonly fault: HandshakeFault | undefined;

  constructor(message: string, status: number, fault?: HandshakeFault) {
    super(message);
    this.status = status;
    this.fault = fault;
  }
}

const CONNECT_MS = 10_000;
/** How much of a refusal's content is read and shown, and how long to wait for it. */
const WHY_OCTETS = 65_536;
const WHY_SHOWN = 200;
const WHY_MS = 1_000;

/** Opens a WebSocket at a `ws:` or `wss:` URL, once; `keepWebSocket` reconnects. */
export function connectWebSocket(url: string | URL, options: ConnectWebSocketOptions = {}): Promise<OpenWebSocket> {
  return Promise.try(() => {
    checkOptions("connectWebSocket", options, CONNECT_WEB_SOCKET_OPTIONS);
    return openWebSocket(url, options);
  });
}

/** The same for options that have been checked. */
export async function openWebSocket(url: string | URL, options: ConnectWebSocketOptions): Promise<OpenWebSocket> {
  const attempt = new Attempt(placeOf(url), options);
  return options.over === undefined ? attempt.overHttp1() : attempt.overStream(options.over);
}

function placeOf(url: string | URL): URL {
  const place = new URL(url);
  if (!/^(?:wss?|https?):$/.test(place.protocol)) throw new Misuse(`a "${place.protocol}" URL does not open a WebSocket: use ws: or wss:`);
  if (place.hash !== "") throw new Misuse("the URL of a WebSocket has no fragment (rfc6455#3)");
  if (place.username !== "" || place.password !== "")
    throw new Misuse("the URL of a WebSocket has no password: give Authorization in `fields`");
  place.protocol = place.protocol === "wss:" || place.protocol === "https:" ? "https:" : "http:";
  return place;
}

/** One opening handshake. */
class Attempt {
  readonly #place: URL;
  readonly #options: ConnectWebSocketOptions;
  readonly #policy: ClientPolicy;
  readonly #signal: AbortSignal;
  readonly #connectMs: number;
  readonly #filter: ((link: Link) => Filter) | undefined;

  constructor(place: URL, options: ConnectWebSocketOptions) {
    const { subprotocols, origin, connectMs = CONNECT_MS } = options;
    const deflate = policyOf(options.deflate);
    this.#place = place;
    this.#options = options;
    this.#policy = {
      ...(subprotocols !== undefined && { subprotocols }),
      ...(deflate !== undefined && { deflate }),
      ...(origin !== undefined && { origin }),
    };
    this.#connectMs = connectMs;
    this.#filter = webSocketFaults("client", options.faults);
    const late = AbortSignal.timeout(connectMs);
    this.#signal = options.signal === undefined ? late : AbortSignal.any([late, options.signal]);
  }

  async overHttp1(): Promise<OpenWebSocket> {
    const place = this.#place;
    const { tls, signal } = this.#options;
    const offer = offerHttp1(this.#policy, random);
    const client = await connect(place, {
      alpn: ["http/1.1"],
      graceMs: 0,
      connectMs: this.#connectMs,
      ...(tls !== undefined && { tls }),
      ...(signal !== undefined && { signal }),
    });
    try {
      const path = place.pathname + place.search;
      const response = await client.request({ path, fields: this.#fields(offer), signal: this.#signal });
      const answer = readHttp1Answer(response.status, response.fields, offer, sha1);
      if (isEstablished(answer) && response.switched !== undefined) return this.#open(response.switched, response, answer);
      response.switched?.socket.destroy();
      throw await this.#refusal(response, answer);
    } catch (error) {
      await client.close();
      throw error;
    }
  }

  async overStream(client: Client): Promise<OpenWebSocket> {
    const place = this.#place;
    if (client.settings?.enableConnectProtocol !== true) {
      throw new HandshakeFailed(
        `${place.host} does not open WebSockets over ${client.version}: it has not enabled extended CONNECT (rfc8441#3)`,
        0,
      );
    }
    const offer = offerConnect(this.#policy);
    const over = new AbortController();
    const late = (): void => over.abort(this.#signal.reason);
    if (this.#signal.aborted) late();
    this.#signal.addEventListener("abort", late, { once: true });
    const carrier = new StreamCarrier(() => over.abort());
    try {
      const response = await client.request({
        method: "CONNECT",
        protocol: CONNECT_PROTOCOL,
        scheme: place.protocol.slice(0, -1),
        authority: place.host,
        path: place.pathname + place.search,
        fields: this.#fields(offer),
        body: carrier.content,
        signal: over.signal,
      });
      const answer = readConnectAnswer(response.status, response.fields, offer);
      if (isEstablished(answer)) return this.#open(carrier.from(response.body), response, answer);
      throw await this.#refusal(response, answer);
    } catch (error) {
      // Nobody listens to the carrier yet: the error is thrown instead.
      carrier.on("error", () => {}).destroy();
      throw error;
    } finally {
      this.#signal.removeEventListener("abort", late);
    }
  }

  #fields(offer: Offer): [string, string][] {
    const { fields } = this.#options;
    const own = offer.fields.map(({ name, value }): [string, string] => [name.toLowerCase(), value]);
    const names = new Set(own.map(([name]) => name));
    const pairs: FieldsInit | undefined = fields === undefined || isIterable(fields) ? fields : Object.entries(fields);
    const given = fieldList(pairs).map(({ name, value }): [string, string] => [name.toLowerCase(), value]);
    const taken = given.find(([name]) => names.has(name));
    if (taken !== undefined) throw new Misuse(`the handshake sets the field ${taken[0]} itself: leave it out of \`fields\``);
    return [...own, ...given];
  }

  #open(carrier: Switched, response: ClientResponse, { subprotocol, deflate: agreed }: Established): OpenWebSocket {
    const { limits, text, slowReader = "close", onError } = this.#options;
    const filter = this.#filter;
    const deflate = deflateOf(this.#options.deflate, agreed);
    const setup = {
      side: "client",
      random,
      ...(limits !== undefined && { limits }),
      ...(text !== undefined && { text }),
      ...(deflate !== undefined && { deflate }),
    } as const;
    const extensions = response.fields.get("sec-websocket-extensions") ?? "";
    const core = new SocketCore(
      new Connection(setup, now()),
      { subprotocol, extensions },
      {
        slowReader,
        queuedOctets: limits?.queuedOctets ?? DEFAULT_LIMITS.queuedOctets,
        failed: onError ?? ((error) => console.error("touchstone: a WebSocket callback failed:", error)),
        ...(filter !== undefined && { filter }),
      },
    );
    core.start(carrier);
    return new Socket(core);
  }

  async #refusal({ status, body }: ClientResponse, answer: Answer): Promise<HandshakeFailed> {
    const { host } = this.#place;
    if (answer.is === "fault")
      return new HandshakeFailed(`the handshake of ${host} is wrong: ${answer.name} (${answer.spec})`, status, answer);
    const content = await Promise.race([
      // If the content cannot be read, the status says enough.
      body.text(WHY_OCTETS).catch(() => ""),
      new Promise<string>((resolve) => setTimeout(resolve, WHY_MS, "").unref()),
    ]);
    const why = content
      .replaceAll(/[^\x20-\x7e]+/g, " ")
      .trim()
      .slice(0, WHY_SHOWN);
    return new HandshakeFailed(`${host} answers ${status}${why === "" ? "" : `: ${why}`}`, status);
  }
}

type Established = Extract<Answer, { is: "established" }>;
const isEstablished = (answer: Answer): answer is Established => answer.is === "established";
const isIterable = (fields: FieldsInit | Readonly<Record<string, string>>): fields is FieldsInit => Symbol.iterator in fields;
