import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { Certificate } from "../../harness/subject/certificate.ts";
import { closed } from "../../harness/subject/closed.ts";
import { freePort, portOf } from "../../peers/index.ts";
import type { End, SenderSetup } from "../vocabulary.ts";
import type { Got } from "./record.ts";

/** The ends of all cases of a run: webhooks of a router, or the routers of a sender. */

/** The longest content that an end reads, and the most requests that it keeps. */
const MOST_OCTETS = 16 << 20;
const MOST_KEPT = 400;

/** The case of an end that is for all. */
export const ANY = "any";
/** One end of one case. */
export type OwnEnd = { readonly caseName: string; readonly name: string; readonly end: End };

type Listening = { readonly server: Server; readonly address: string };

export class Ends {
  /** Called with each request, and the name of its case. */
  readonly #onGot: (caseName: string, got: Got) => void;
  readonly #now: () => number;
  readonly #servers: Server[] = [];
  readonly #asked = new Map<string, number>();
  #elsewhere = "";

  constructor(now: () => number, onGot: (caseName: string, got: Got) => void) {
    this.#now = now;
    this.#onGot = onGot;
  }

  /** Another host, to which a reply of any end can redirect. */
  async listenElsewhere(all: readonly OwnEnd[]): Promise<void> {
    const { address } = await this.#listen((request, response) => void this.#byPath(all, request, response, "elsewhere"));
    this.#elsewhere = address.replace("127.0.0.1", "localhost");
  }
  /** One address for all ends, each at a path of its own. */
  async listenByPath(all: readonly OwnEnd[]): Promise<string> {
    return (await this.#listen((request, response) => void this.#byPath(all, request, response, "own"))).address;
  }
  /** An address for an end alone. */
  async listen(
    own: OwnEnd & { readonly end: NonNullable<SenderSetup["ends"]>[string] },
    certificate: Certificate | undefined,
  ): Promise<string> {
    if (own.end.isGone === true) return `127.0.0.1:${await freePort()}`;
    const take: RequestListener = (request, response) => void this.#take(own, request.url ?? "", request, response, "own");
    return (await this.#listen(take, own.end.isTls === true ? certificate : undefined)).address;
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map((server) => closed(server)));
  }

  async #listen(listener: RequestListener, certificate?: Certificate): Promise<Listening> {
    const server = certificate === undefined ? createServer(listener) : createSecureServer(certificate, listener);
    this.#servers.push(server);
    server.on("clientError", (_, socket) => socket.destroy());
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return { server, address: `127.0.0.1:${portOf(server)}` };
  }

  async #byPath(all: readonly OwnEnd[], request: IncomingMessage, response: ServerResponse, host: Got["host"]): Promise<void> {
    const [, caseName = "", name = "", rest = ""] = /^\/([^/]+)\/([^/]+)(.*)$/.exec(request.url ?? "") ?? [];
    const own = all.find((one) => one.caseName === caseName && one.name === name);
    if (own === undefined) return void response.writeHead(404).end();
    return this.#take(own, rest, request, response, host);
  }

  // oxlint-disable-next-line max-params -- a request with where it arrived
  async #take(
    { caseName, name, end }: OwnEnd,
    path: string,
    request: IncomingMessage,
    response: ServerResponse,
    host: Got["host"],
  ): Promise<void> {
    const octets = await contentOf(request);
    if (octets === undefined) return;
    const key = `${caseName} ${name} ${host}`;
    const body = jsonOf(octets);
    for (const [owner, alerts] of alertsByCase(body, caseName)) {
      // All routers of a run get all alerts, and those of other cases are not for this end.
      if (caseName !== ANY && owner !== caseName) continue;
      const own = `${key} ${owner}`;
      const count = (this.#asked.get(own) ?? 0) + 1;
      this.#asked.set(own, count);
      if (count > MOST_KEPT) continue;
      const fields = Object.fromEntries(Object.entries(request.headers).map(([field, value]) => [field, String(value)]));
      this.#onGot(owner, { end: name, ms: this.#now(), at: Date.now(), method: request.method ?? "", path, host, fields, body, alerts });
    }
    const { replies = [{}] } = end;
    const nth = this.#asked.get(`${key} ${caseName}`) ?? 0;
    const { status = 200, how, location } = host === "elsewhere" ? {} : replies[Math.min(Math.max(nth, 1), replies.length) - 1]!;
    if (how === "hang") return;
    if (how === "drop") return void response.socket?.destroy();
    const to = location?.replaceAll("{elsewhere}", () => `http://${this.#elsewhere}/${caseName}/${name}`);
    response.writeHead(status, to === undefined ? {} : { location: to }).end();
  }
}

async function contentOf(request: IncomingMessage): Promise<string | undefined> {
  const pieces: Buffer[] = [];
  let octets = 0;
  try {
    for await (const piece of request as AsyncIterable<Buffer>) {
      octets += piece.length;
      if (octets > MOST_OCTETS) return undefined;
      pieces.push(piece);
    }
  } catch {
    // The subject gave the request up.
    return undefined;
  }
  return Buffer.concat(pieces).toString("utf8");
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The alerts of a request by the case in their labels. A request without any belongs to the case of its end. */
function alertsByCase(body: unknown, caseName: string): Map<string, unknown[]> {
  const list = Array.isArray(body) ? (body as unknown[]) : ((body as { alerts?: unknown } | undefined)?.alerts ?? []);
  const found = new Map<string, unknown[]>();
  for (const alert of Array.isArray(list) ? (list as unknown[]) : []) {
    const owner = (alert as { labels?: { case?: unknown } } | undefined)?.labels?.case;
    const name = typeof owner === "string" ? owner : caseName;
    found.set(name, [...(found.get(name) ?? []), alert]);
  }
  return found.size === 0 ? new Map([[caseName, []]]) : found;
}
