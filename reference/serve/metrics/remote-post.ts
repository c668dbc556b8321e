import { version } from "../../../version.ts";
import type { Body } from "../../http/index.ts";
import type { HttpConfig } from "../../metrics/config/index.ts";
import { outcomeOf, type SendOutcome } from "../../metrics/remote/index.ts";
import { discard } from "./content.ts";
import { described, HttpAccess } from "./http-access.ts";
import type { Field } from "./outgoing.ts";

export type PostConfig = HttpConfig & {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly remote_timeout: number;
  readonly protobuf_message: "prometheus.WriteRequest" | "io.prometheus.write.v2.Request";
  readonly queue_config: { readonly retry_on_http_429: boolean };
};

/** What of an answer's content is reported. */
const MOST_TEXT = 256;
const MOST_REDIRECTS = 10;
/** Other redirects change the method. */
const REDIRECTS: ReadonlySet<number> = new Set([307, 308]);

/** Posts requests of remote write (Prometheus specs, prw/remote_write_spec_2_0.md, "Protocol"). */
export class RemotePost {
  readonly #config: PostConfig;
  readonly #access: HttpAccess;
  readonly #stop: AbortSignal;

  constructor(config: PostConfig, stop: AbortSignal) {
    this.#config = config;
    this.#stop = stop;
    this.#access = new HttpAccess(config, { connectMs: config.remote_timeout, keepMs: 60_000 });
  }

  /** Posts a packed request; never rejects. */
  async post(packed: Uint8Array): Promise<SendOutcome> {
    const { protobuf_message: message, remote_timeout, queue_config } = this.#config;
    const late = AbortSignal.timeout(remote_timeout);
    try {
      const { status, fields, body } = await this.#request(packed, AbortSignal.any([late, this.#stop]));
      const text = status >= 200 && status < 300 ? (discard(body), "") : await textOf(body);
      const answer = { status, text, field: (name: string) => fields.get(name) };
      return outcomeOf(answer, message, { retry429: queue_config.retry_on_http_429, now: Date.now() });
    } catch (error) {
      return { is: "retry", why: late.aborted ? `it does not answer within ${remote_timeout} ms` : described(error) };
    }
  }

  async close(): Promise<void> {
    await this.#access.close();
  }

  async #request(body: Uint8Array, signal: AbortSignal) {
    const { url: first, headers, protobuf_message: message, follow_redirects } = this.#config;
    const isFirst = message === "prometheus.WriteRequest";
    const own: Field[] = [
      ["content-encoding", "snappy"],
      ["content-type", isFirst ? "application/x-protobuf" : `application/x-protobuf;proto=${message}`],
      ["user-agent", `Touchstone/${version}`],
      ["x-prometheus-remote-write-version", isFirst ? "0.1.0" : "2.0.0"],
    ];
    // The configuration cannot contain the names above.
    const theirs: Field[] = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
    const secrets = [...theirs, ...(await this.#access.credentials(signal))];
    let url = first;
    for (let redirects = 0; ; redirects++) {
      // Credentials are for the configured receiver: no other origin gets them.
      const fields = new URL(url).origin === new URL(first).origin ? [...own, ...secrets] : own;
      const response = await this.#access.request(url, { method: "POST", fields, body, signal });
      const to = follow_redirects && REDIRECTS.has(response.status) ? response.fields.get("location") : undefined;
      const next = to === undefined ? null : URL.parse(to, url);
      if (next === null || !/^https?:$/.test(next.protocol) || redirects === MOST_REDIRECTS) {
        this.#access.answered(response.status);
        return response;
      }
      discard(response.body);
      url = next.href;
    }
  }
}

/** The first line of an answer's content. */
async function textOf(body: Body): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const piece of body) {
    text += decoder.decode(piece, { stream: true });
    if (text.length >= MOST_TEXT) break;
  }
  return (text.split("\n", 1)[0] ?? "").slice(0, MOST_TEXT).trim();
}
