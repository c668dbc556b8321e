import { createHash, randomBytes } from "node:crypto";
import { PassThrough } from "node:stream";
import { isSuccess, type Fields, type Request, type Response } from "../../http/index.ts";
import { acceptKey, CONNECT_PROTOCOL } from "../../websocket/index.ts";
import { connect, type Client } from "../client/connect.ts";
import type { ClientResponse } from "../client/exchange.ts";
import type { ConnectOptions } from "../client/options.ts";
import { StreamFailed } from "../errors.ts";
import type { Exchange, Switched } from "../handler.ts";
import { NO_BODY } from "../message/body.ts";
import { StreamCarrier } from "../websocket/stream-carrier.ts";
import { endToEnd, type Line } from "./hop.ts";
import { join } from "./join.ts";

/** Protocols that a client may switch to through the proxy. Others could reach what the origin shows to its own network alone. */
const SWITCHABLE = "websocket";

/** Whether a request asks for such a protocol: by Upgrade (rfc9110#7.8), or by extended CONNECT (rfc8441#4). */
export function wantsTunnel({ method, protocol, fields, body }: Request, { upgrade }: Exchange): boolean {
  if (method === "CONNECT") return protocol?.toLowerCase() === CONNECT_PROTOCOL;
  const isAsked = upgrade.some((name) => name.toLowerCase() === SWITCHABLE);
  return isAsked && method === "GET" && body === NO_BODY && fields.has("sec-websocket-key");
}

type Options = {
  readonly connect: ConnectOptions;
  readonly most: number;
  readonly idleMs: number;
  /** The value of Via for a message of this version. */
  via(version: string): string;
};
type Opened = { readonly client: Client; readonly response: ClientResponse; readonly far: Switched | undefined };

const text = (status: number, body: string): Response => ({ status, fields: [["content-type", "text/plain"]], body: `${body}\n` });
const sha1 = (octets: string): Uint8Array => createHash("sha1").update(octets).digest();
/** Fields of the opening handshake that one version alone has (rfc8441#5). */
const HTTP1_ALONE: ReadonlySet<string> = new Set(["sec-websocket-key", "sec-websocket-accept", "host", "content-length"]);

/** How long the content of a refusal may take. */
const GRACE_MS = 30_000;

/** The WebSockets that pass through a proxy, each on a connection of its own to the origin, in whichever version that speaks. */
export class Tunnels {
  readonly #origin: URL;
  readonly #options: Options;
  readonly #open = new Set<() => void>();
  /** Ends the attempts to connect. */
  readonly #stop = new AbortController();
  #count = 0;

  constructor(origin: URL, options: Options) {
    this.#origin = origin;
    this.#options = options;
  }

  close(): void {
    this.#stop.abort();
    for (const cut of this.#open) cut();
  }

  /** Opens a tunnel to the origin, or passes on its refusal: `refused` makes the response of it. */
  async pass(
    request: Request,
    exchange: Exchange,
    { signal, refused }: { readonly signal: AbortSignal; readonly refused: (response: ClientResponse) => Response },
  ): Promise<Response> {
    const { most, via } = this.#options;
    if (this.#count >= most) return text(503, `${most} tunnels are open: try again later`);
    this.#count++;
    let isJoined = false;
    let client: Client | undefined;
    try {
      const key = request.fields.get("sec-websocket-key");
      const opened = await this.#dial(request, key ?? randomBytes(16).toString("base64"), signal, (made) => (client = made));
      const { response, far } = opened;
      if (far === undefined) {
        // Any 2xx would open a tunnel to a client that sent CONNECT (rfc9110#9.3.6).
        if (request.method === "CONNECT" && isSuccess(response.status)) return text(502, "the origin does not switch protocols");
        return refused(response);
      }
      const fields: Line[] = endToEnd(response.fields).filter(([name]) => !HTTP1_ALONE.has(name));
      fields.push(["via", via(response.version)]);
      const joined = (near: Switched): void => {
        const cut = join(near, far, {
          idleMs: this.#options.idleMs,
          ended: () => {
            this.#open.delete(cut);
            this.#count--;
            void opened.client.close();
          },
        });
        this.#open.add(cut);
      };
      if (signal.aborted) far.socket.destroy();
      signal.throwIfAborted();
      isJoined = true;
      if (request.method !== "CONNECT") {
        fields.push(["upgrade", SWITCHABLE], ["sec-websocket-accept", acceptKey(key ?? "", sha1)]);
        // A client can leave before its socket is handed over.
        const late = setTimeout(() => joined(gone()), this.#options.idleMs).unref();
        return exchange.switchTo(101, fields, (near) => {
          clearTimeout(late);
          joined(near);
        });
      }
      const carrier = new StreamCarrier(() => exchange.reset("CANCEL"));
      joined(carrier.from(request.body));
      return { status: 200, fields, body: carrier.content };
    } finally {
      if (!isJoined) {
        this.#count--;
        void client?.close();
      }
    }
  }

  async #dial(request: Request, key: string, signal: AbortSignal, made: (client: Client) => void): Promise<Opened> {
    const client = await this.#connection(AbortSignal.any([signal, this.#stop.signal]));
    made(client);
    const { path, authority, fields: received } = request;
    const fields: Line[] = endToEnd(received).filter(([name]) => !HTTP1_ALONE.has(name));
    fields.push(["via", this.#options.via(request.version)]);
    const asked = { path, fields, signal, ...(authority !== "" && { authority }) };
    if (client.version === "HTTP/2" || client.version === "HTTP/3") return openStream(client, asked);
    fields.push(["connection", "Upgrade"], ["upgrade", SWITCHABLE], ["sec-websocket-key", key]);
    const response = await client.request(asked);
    const { switched } = response;
    if (switched === undefined || isAgreed(response.fields, key)) return { client, response, far: switched };
    switched.socket.destroy();
    throw new StreamFailed("fault", "the origin has switched to another protocol, or with a wrong key");
  }

  /** A connection that can carry a WebSocket: without extended CONNECT HTTP/2 and HTTP/3 cannot, and HTTP/1.1 is tried (rfc8441#3). */
  async #connection(signal: AbortSignal): Promise<Client> {
    const options: ConnectOptions = { ...this.#options.connect, graceMs: GRACE_MS, signal };
    const client = await connect(this.#origin, options);
    if (client.settings === undefined || client.settings.enableConnectProtocol) return client;
    await client.close();
    return connect(this.#origin, { ...options, alpn: ["http/1.1"] });
  }
}

type Asked = { readonly path: string; readonly fields: readonly Line[]; readonly signal: AbortSignal; readonly authority?: string };
/** Opens a WebSocket on a stream of HTTP/2, by extended CONNECT (rfc8441#4). */
async function openStream(client: Client, asked: Asked): Promise<Opened> {
  const over = new AbortController();
  const carrier = new StreamCarrier(() => over.abort());
  try {
    const response = await client.request({
      ...asked,
      method: "CONNECT",
      protocol: CONNECT_PROTOCOL,
      body: carrier.content,
      signal: AbortSignal.any([asked.signal, over.signal]),
    });
    return { client, response, far: isSuccess(response.status) ? carrier.from(response.body) : undefined };
  } catch (error) {
    carrier.on("error", () => {}).destroy();
    throw error;
  }
}

/** A side that has ended already. */
const gone = (): Switched => ({ socket: new PassThrough().destroy(), rest: new Uint8Array(0) });

/** Whether the origin has switched to what was asked for (rfc6455#4.1). */
const isAgreed = (fields: Fields, key: string): boolean =>
  fields.get("upgrade")?.toLowerCase() === SWITCHABLE && fields.get("sec-websocket-accept") === acceptKey(key, sha1);
