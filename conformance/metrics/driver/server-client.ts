import { Agent as HttpAgent, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import { WrongUse } from "../../harness/driver.ts";
import type { Reach } from "../../harness/subject/reach.ts";
import { securedBy, type Verify } from "../../harness/subject/transport.ts";
import { lacking } from "../../wire/request-fields.ts";
import type { Step } from "../vocabulary.ts";

/** A complete answer. */
export type Answer = {
  readonly status: number;
  readonly fields: Readonly<Record<string, string>>;
  readonly text: string;
  /** The text as JSON; undefined if it is not JSON. */
  readonly json: unknown;
};

type Content = {
  readonly method: string;
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly content?: Uint8Array | string;
};
const MOST_OCTETS = 64 << 20;

/** Sends requests to one server on persistent connections. Rejects if no answer comes. */
export class QueryClient {
  readonly #base: URL;
  readonly #agent: HttpAgent | HttpsAgent;
  readonly #timeout: number;
  readonly #reach: Reach;

  constructor(url: string, { timeout, verify, reach = {} }: { readonly timeout: number; readonly verify: Verify; readonly reach?: Reach }) {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
      throw new WrongUse(`"${url}" is not the address of a metrics server: write one like http://127.0.0.1:9090/.`);
    this.#base = new URL(url);
    if (!this.#base.pathname.endsWith("/")) this.#base.pathname += "/";
    const kept = { keepAlive: true, maxSockets: 32 };
    this.#agent = this.#base.protocol === "https:" ? new HttpsAgent({ ...kept, ...securedBy(verify) }) : new HttpAgent(kept);
    this.#timeout = timeout;
    this.#reach = reach;
  }

  get host(): string {
    return this.#base.host;
  }

  ask(step: Step): Promise<Answer> {
    const { path, params = [], method = step.form === true ? "POST" : "GET", form, fields = [] } = step;
    const query = new URLSearchParams(params.map(([name, value]) => [name, value])).toString();
    const own = Object.fromEntries(fields);
    if (form === true)
      return this.send({ method, path, fields: { "content-type": "application/x-www-form-urlencoded", ...own }, content: query });
    return this.send({ method, path: query === "" ? path : `${path}?${query}`, fields: own });
  }

  send({ method, path, fields, content }: Content): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const url = new URL(`api/v1/${path}`, this.#base);
    const ask = url.protocol === "https:" ? httpsRequest : httpRequest;
    const length = content === undefined ? {} : { "content-length": String(Buffer.byteLength(content)) };
    const { fields: ours = [], place } = this.#reach;
    const more = Object.fromEntries(lacking(Object.entries(fields), ours));
    const at = place === undefined ? {} : { ...("socket" in place ? { socketPath: place.socket } : place), servername: url.hostname };
    const headers = { host: url.host, ...more, ...fields, ...length };
    const options = { method, agent: this.#agent, headers, timeout: this.#timeout, ...at };
    const sent = ask(url, options, (response) => {
      const parts: Buffer[] = [];
      let octets = 0;
      response.on("data", (part: Buffer) => {
        octets += part.length;
        if (octets > MOST_OCTETS) sent.destroy(new Error(`its answer has more than ${MOST_OCTETS} octets`));
        else parts.push(part);
      });
      response.on("error", reject);
      response.on("end", () => {
        try {
          const text = plain(Buffer.concat(parts), response.headers["content-encoding"]);
          const named = Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]);
          resolve({
            status: response.statusCode ?? 0,
            fields: Object.fromEntries(named),
            text,
            json: parsed(text),
          });
        } catch (error) {
          reject(error);
        }
      });
    });
    sent.on("timeout", () => sent.destroy(new Error(`no answer came within ${this.#timeout} ms`)));
    sent.on("error", reject);
    sent.end(content);
    return promise;
  }

  close(): void {
    this.#agent.destroy();
  }
}

function plain(octets: Buffer, coding: string | undefined): string {
  const most = { maxOutputLength: MOST_OCTETS };
  switch (coding) {
    case "gzip":
      return gunzipSync(octets, most).toString();
    case "deflate":
      return inflateSync(octets, most).toString();
    case "br":
      return brotliDecompressSync(octets, most).toString();
    default:
      return octets.toString();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
