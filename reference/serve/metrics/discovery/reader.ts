import { version } from "../../../../version.ts";
import { reasonPhrase } from "../../../http/index.ts";
import type { HttpConfig } from "../../../metrics/config/index.ts";
import { DISCOVERY_LIMITS } from "../../../metrics/discovery/index.ts";
import type { ClientResponse } from "../../client/exchange.ts";
import { contentOf, untilAborted } from "../content.ts";
import { HttpAccess } from "../http-access.ts";
import type { AccessOptions, Field } from "../outgoing.ts";

export type Reading = {
  readonly method?: "POST" | "PUT";
  readonly fields?: readonly Field[];
  readonly body?: string;
  readonly signal: AbortSignal;
  /** Milliseconds for the whole exchange. */
  readonly timeoutMs: number;
};

/** An answer in full. */
export type Answer = { readonly fields: ClientResponse["fields"]; readonly text: string };

/** An answer with another status than 200. */
export class StatusFault extends Error {
  override readonly name = "StatusFault";
  readonly status: number;
  /** What came with it, up to a limit. */
  readonly content: string;
  constructor(status: number, text: string) {
    const more = text.replaceAll(/\s+/g, " ").trim().slice(0, MOST_REASON);
    super(`it answers with ${status} ${reasonPhrase(status) ?? ""}`.trim() + (more === "" ? "" : `: ${more}`));
    this.status = status;
    this.content = text;
  }
}

/** What of the content of a refusal is shown, and read. */
const MOST_REASON = 200;
const MOST_REFUSAL = 65_536;
const KEEP_MS = 60_000;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Reads the API of a catalog. */
export class Reader {
  readonly #access: HttpAccess;

  constructor(config: HttpConfig, options: Omit<AccessOptions, "keepMs">) {
    this.#access = new HttpAccess(config, { ...options, keepMs: KEEP_MS });
  }

  /** The answer in full. Rejects unless its status is 200 and all of it comes in time. */
  async read(url: string, options: Reading): Promise<Answer> {
    const late = AbortSignal.timeout(options.timeoutMs);
    const signal = AbortSignal.any([late, options.signal]);
    try {
      const { fields, body } = await this.#open(url, { ...options, signal });
      const octets = await contentOf(body, DISCOVERY_LIMITS.answerOctets, signal);
      if (octets === undefined) throw new Error(`the answer is larger than ${DISCOVERY_LIMITS.answerOctets} octets`);
      return { fields, text: utf8.decode(octets) };
    } catch (error) {
      // The cause is our own abort, which says nothing.
      // oxlint-disable-next-line preserve-caught-error
      if (late.aborted && !options.signal.aborted) throw new Error(`it does not answer completely within ${options.timeoutMs} ms`);
      throw error;
    }
  }

  /** The pieces of an answer as they come, until it ends or the signal is aborted; resolves with its head. Rejects unless its status is 200. */
  async stream(url: string, options: Omit<Reading, "timeoutMs">): Promise<AsyncIterable<Uint8Array>> {
    const { body } = await this.#open(url, options);
    return untilAborted(body, options.signal);
  }

  async close(): Promise<void> {
    await this.#access.close();
  }

  async #open(url: string, { method = undefined, fields = [], body, signal }: Omit<Reading, "timeoutMs">): Promise<ClientResponse> {
    const all: Field[] = [["user-agent", `Touchstone/${version}`], ...fields];
    const sent = { fields: all, signal, ...(method !== undefined && { method }), ...(body !== undefined && { body }) };
    const response = await this.#access.send(url, sent);
    if (response.status === 200) return response;
    const octets = await contentOf(response.body, MOST_REFUSAL, signal).catch(() => undefined);
    throw new StatusFault(response.status, new TextDecoder().decode(octets));
  }
}
