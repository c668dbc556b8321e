import { Misuse } from "../../core/index.ts";
import type { Request, Response } from "../../http/index.ts";
import { MessageFault, messageOf, RECEIVE_LIMITS, type Received, receiveWrite } from "../../metrics/remote/index.ts";
import type { Appendable } from "../../metrics/storage/index.ts";
import { FileFault } from "../../metrics/tsdb/index.ts";

/** The endpoint of remote write (Prometheus specs, prw/remote_write_spec_2_0.md, "Protocol"). */

const PATH = "/api/v1/write";
const PLAIN = ["content-type", "text/plain; charset=utf-8"] as const;
const refusal = (status: number, why: string): Response => ({ status, fields: [PLAIN], body: `${why}\n` });

/** Receives samples into a storage, and counts what it refuses. */
export class RemoteReceiver {
  readonly #storage: Appendable;
  readonly #now: () => number;
  readonly isEnabled: boolean;
  /** Samples by the reason for which they were refused, since the start. */
  readonly refused = new Map<string, number>();
  written = 0;
  /** Write requests by the status of their answer. */
  readonly requests = new Map<number, number>();

  constructor(storage: Appendable, { now, isEnabled }: { readonly now: () => number; readonly isEnabled: boolean }) {
    this.#storage = storage;
    this.#now = now;
    this.isEnabled = isEnabled;
  }

  /** The answer to a write request; undefined for any other path. */
  async answer(request: Request): Promise<Response | undefined> {
    const [path] = request.path.split("?", 1);
    if (path !== PATH) return undefined;
    const response = await this.#answer(request);
    this.requests.set(response.status, (this.requests.get(response.status) ?? 0) + 1);
    return response;
  }

  async #answer(request: Request): Promise<Response> {
    if (request.method === "OPTIONS") return { status: 204, fields: [["allow", "POST, OPTIONS"]] };
    if (request.method !== "POST") return { status: 405, fields: [["allow", "POST"]] };
    if (!this.isEnabled) return refusal(404, "This server receives no samples: start it with --web.enable-remote-write-receiver.");
    const message = messageOf(request.fields.get("content-type"));
    if (message === undefined)
      return refusal(415, `The Content-Type ${JSON.stringify(request.fields.get("content-type"))} is not supported.`);
    const coding = (request.fields.get("content-encoding") ?? "snappy").trim().toLowerCase();
    if (coding !== "snappy") return refusal(415, `The Content-Encoding ${JSON.stringify(coding)} is not supported: use snappy.`);
    let packed: Uint8Array;
    try {
      packed = await request.body.bytes(RECEIVE_LIMITS.packedOctets);
    } catch (error) {
      if (error instanceof Misuse) return refusal(413, `The request is longer than ${RECEIVE_LIMITS.packedOctets} octets.`);
      throw error;
    }
    const fieldsOf = (received: Counts): (readonly [string, string])[] =>
      message === "prometheus.WriteRequest" ? [] : writtenFields(received);
    try {
      const received = receiveWrite(this.#storage, packed, message, { now: this.#now(), limits: RECEIVE_LIMITS });
      this.#count(received);
      const fields = fieldsOf(received);
      if (received.problem === undefined) return { status: 204, fields };
      const lost = [...received.refused].map(([why, count]) => `${count} ${why}`).join(", ");
      // The sender must not repeat what will be refused again; the rest is written.
      return { status: 400, fields: [PLAIN, ...fields], body: `${received.problem}\nrefused: ${lost}\n` };
    } catch (error) {
      if (error instanceof MessageFault) {
        const { status, fields = [], body } = refusal(400, error.message);
        return {
          status,
          fields: [...fields, ...fieldsOf({ floats: 0, histograms: 0, exemplars: 0 })],
          ...(body !== undefined && { body }),
        };
      }
      // The sender may repeat it once there is room again.
      if (error instanceof FileFault) return refusal(500, error.message);
      throw error;
    }
  }

  #count({ floats, histograms, refused }: Received): void {
    this.written += floats + histograms;
    for (const [why, count] of refused) this.refused.set(why, (this.refused.get(why) ?? 0) + count);
  }
}

type Counts = Pick<Received, "floats" | "histograms" | "exemplars">;
/** What a receiver of protocol 2 says about every request that it could read. */
const writtenFields = ({ floats, histograms, exemplars }: Counts): (readonly [string, string])[] => [
  ["x-prometheus-remote-write-samples-written", String(floats)],
  ["x-prometheus-remote-write-histograms-written", String(histograms)],
  ["x-prometheus-remote-write-exemplars-written", String(exemplars)],
];
