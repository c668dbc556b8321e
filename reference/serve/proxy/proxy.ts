import { Misuse } from "../../core/index.ts";
import { type Fields, forbidsContent, type Body, type Request, type Response } from "../../http/index.ts";
import { NO_BODY } from "../message/body.ts";
import type { ClientResponse } from "../client/exchange.ts";
import type { ClientRequest } from "../client/request.ts";
import { checkOptions, optionsIn } from "../options/check.ts";
import { CONNECT_OPTIONS, PROXY_OPTIONS } from "../options/known.ts";
import type { ProxyOptions } from "./options.ts";
import { ConnectFailed, StreamFailed } from "../errors.ts";
import type { Exchange, Handler } from "../handler.ts";
import { afterContent, endToEnd, isListed, lastHop, type Line } from "./hop.ts";
import { createClient } from "../client/pool.ts";
import { Tunnels, wantsTunnel } from "./tunnels.ts";

/** A reverse proxy in front of one origin (rfc9110#7.6, rfc9112#6, #9). */
export type Proxy = AsyncDisposable & {
  readonly handler: Handler;
  /** Closes the connections to the origin. */
  close(): Promise<void>;
};

const CONNECTIONS = 256;
const DEFAULTS = { pseudonym: "touchstone", timeoutMs: 30_000, expectMs: 1_000, maxTunnels: 1_000, tunnelIdleMs: 300_000 } as const;

export function proxy(origin: string | URL, options: ProxyOptions = {}): Proxy {
  checkOptions("proxy", options, PROXY_OPTIONS);
  const {
    pseudonym = DEFAULTS.pseudonym,
    timeoutMs = DEFAULTS.timeoutMs,
    expectMs = DEFAULTS.expectMs,
    maxTunnels = DEFAULTS.maxTunnels,
    tunnelIdleMs = DEFAULTS.tunnelIdleMs,
    ...rest
  } = options;
  const client = createClient({ maxConnections: CONNECTIONS, ...rest });
  const url = new URL(origin);
  const tunnels = new Tunnels(url, {
    connect: optionsIn(rest, CONNECT_OPTIONS),
    most: maxTunnels,
    idleMs: tunnelIdleMs,
    via: (version) => via(version, pseudonym),
  });
  /** The origin's last response was in HTTP/1.0: it cannot read chunked content (rfc9112#6.1). */
  let isOld = false;
  const handler: Handler = async (request, exchange) => {
    const isTunnel = wantsTunnel(request, exchange);
    const own = isTunnel ? undefined : answeredHere(request);
    if (own !== undefined) return own;
    const patience = new Patience(exchange, timeoutMs);
    try {
      if (isTunnel) {
        let refusal: Response | undefined;
        const refused = (response: ClientResponse): Response => (refusal = passedBack(request, response, pseudonym, patience));
        const answer = await tunnels.pass(request, exchange, { signal: patience.signal, refused });
        if (answer !== refusal) patience.end();
        return answer;
      }
      const whole = isOld && isUnmeasured(request) ? await gathered(request.body) : undefined;
      if (whole === null) return text(411, "the origin accepts no content of unknown length, and this is too long to buffer");
      const response = await client.request(url, passedOn(request, exchange, { pseudonym, expectMs, signal: patience.signal, whole }));
      isOld = response.version === "HTTP/1.0";
      return passedBack(request, response, pseudonym, patience);
    } catch (error) {
      patience.end();
      // Nobody waits for the reason.
      if (exchange.signal.aborted) throw error;
      return failed(error, patience);
    }
  };
  const close = (): Promise<void> => {
    tunnels.close();
    return client.close();
  };
  return { handler, close, [Symbol.asyncDispose]: close };
}

/** Content of unknown length is buffered up to here, in octets. */
const COUNTED = 1_048_576;
const isUnmeasured = ({ body, fields }: Request): boolean => body !== NO_BODY && !fields.has("content-length");
/** The whole content, or null if it is too long. */
async function gathered(body: Body): Promise<Uint8Array | null> {
  try {
    return await body.bytes(COUNTED);
  } catch (error) {
    if (error instanceof Misuse) return null;
    throw error;
  }
}
/** Aborts with the client's signal, or when the origin is silent for too long. */
class Patience {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #exchange: Exchange;
  readonly signal: AbortSignal;
  isLost = false;

  constructor(exchange: Exchange, ms: number) {
    this.#exchange = exchange;
    this.signal = AbortSignal.any([exchange.signal, this.#controller.signal]);
    this.#timer = setTimeout(() => {
      this.isLost = true;
      this.#controller.abort(new Error(`the origin was silent for ${ms / 1_000} seconds`));
    }, ms).unref();
  }
  renew(): void {
    this.#timer.refresh();
  }
  end(): void {
    clearTimeout(this.#timer);
  }
  /** A response that the origin resets is reset with the same code: calls take their status from it. */
  passReset(error: unknown): void {
    if (error instanceof StreamFailed && error.reason === "reset" && error.errorCode !== undefined && error.errorCode !== "NO_ERROR")
      this.#exchange.reset(error.errorCode);
  }
}

const text = (status: number, body: string): Response => ({ status, fields: [["content-type", "text/plain"]], body: `${body}\n` });

/** The response to a request that never reaches the origin. */
function answeredHere({ method, path, authority, fields }: Request): Response | undefined {
  if (method === "CONNECT") return text(501, "this proxy passes on no tunnels but WebSockets");
  if (lastHop(method, fields) !== 0) return undefined;
  // The last recipient answers as if it were the origin (rfc9110#7.6.2).
  if (method === "OPTIONS") return { status: 200, fields: [["allow", "GET, HEAD, POST, PUT, DELETE, OPTIONS, TRACE"]], body: "" };
  const lines = [...fields].filter(([name]) => !SECRET.has(name)).map(([name, value]) => `${name}: ${value}\r\n`);
  const host = fields.has("host") ? "" : `host: ${authority}\r\n`;
  return { status: 200, fields: [["content-type", "message/http"]], body: `TRACE ${path} HTTP/1.1\r\n${host}${lines.join("")}\r\n` };
}
/** A script that makes a client send TRACE must not see these (rfc9110#9.3.8). */
const SECRET: ReadonlySet<string> = new Set(["authorization", "cookie", "proxy-authorization"]);

type How = {
  readonly pseudonym: string;
  readonly expectMs: number;
  readonly signal: AbortSignal;
  /** The whole content if it was buffered; then there are no trailers. */
  readonly whole: Uint8Array | undefined;
};
function passedOn(request: Request, exchange: Exchange, { pseudonym, expectMs, signal, whole }: How): ClientRequest {
  const { method, path, authority, fields, body, version } = request;
  const list: Line[] = endToEnd(fields).filter(([name]) => name !== "host" && name !== "expect");
  const hops = lastHop(method, fields);
  if (hops !== undefined)
    list.splice(0, list.length, ...list.map(([name, value]) => (name === "max-forwards" ? fewer(value) : ([name, value] as const))));
  list.push(["via", via(version, pseudonym)]);
  // The client accepts trailers, so we do (rfc9110#10.1.4).
  if (isListed(fields, "te", "trailers")) list.push(["te", "trailers"]);
  const expects = isListed(fields, "expect", "100-continue");
  const content = body === NO_BODY || whole !== undefined ? undefined : relayed(body, fields);
  return {
    method,
    path,
    fields: list,
    signal,
    ...(authority !== "" && { authority }),
    ...(content !== undefined && { body: content.chunks, trailers: content.trailers }),
    ...(whole !== undefined && { body: whole }),
    ...(expects && content !== undefined && { expectMs }),
    onInterim: ({ status, fields: hints }) => {
      // Reading the content has already sent 100 to the client.
      if (status === 100 && expects) return;
      exchange.interim(status, endToEnd(hints));
    },
  };
}
const fewer = (value: string): Line => ["max-forwards", String(Number(value) - 1)];

function passedBack(request: Request, response: ClientResponse, pseudonym: string, patience: Patience): Response {
  const { status, fields, body, version } = response;
  const takesTrailers = request.version === "HTTP/2" || isListed(request.fields, "te", "trailers");
  // The origin's Alt-Svc would lead clients past the proxy, to a place for which it is not the server (rfc7838#2.1).
  const list = endToEnd(fields).filter(([name]) => name !== "alt-svc" && (takesTrailers || name !== "trailer"));
  list.push(["via", via(version, pseudonym)]);
  // A head that ends the stream goes on as one: it may be the trailers of a call.
  if (forbidsContent(request.method, status) || response.endsWithHead) {
    patience.end();
    return { status, fields: list };
  }
  const content = relayed(body, fields, patience);
  return { status, fields: list, body: content.chunks, ...(takesTrailers && { trailers: content.trailers }) };
}

/** The version of the received message, and the name of this proxy (rfc9110#7.6.3). */
const via = (version: string, pseudonym: string): string => `${version.slice("HTTP/".length)} ${pseudonym}`;

/** Content as it arrives, and the trailers after it. */
function relayed(
  body: Body,
  head: Fields,
  patience?: Patience,
): { readonly chunks: AsyncIterable<Uint8Array>; readonly trailers: () => Line[] } {
  let trailers: Line[] = [];
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of body) {
        patience?.renew();
        yield chunk;
      }
      trailers = afterContent(await body.trailers, head);
    } catch (error) {
      patience?.passReset(error);
      throw error;
    } finally {
      patience?.end();
    }
  }
  return { chunks: chunks(), trailers: () => trailers };
}

/** The error response if the origin gave none (rfc9110#15.6.3, #15.6.5). */
function failed(error: unknown, patience: Patience): Response {
  if (patience.isLost) return text(504, "the origin does not answer");
  if (error instanceof ConnectFailed)
    return error.reason === "timeout" ? text(504, "the origin does not answer") : text(502, "the origin cannot be reached");
  if (error instanceof StreamFailed) return text(502, "the origin's response was invalid");
  // The request cannot be expressed in the origin's version.
  if (error instanceof Misuse) return text(400, error.message);
  throw error;
}
