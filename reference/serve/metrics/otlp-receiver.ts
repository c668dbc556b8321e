import { gunzipSync } from "node:zlib";
import { Misuse } from "../../core/index.ts";
import type { Request, Response } from "../../http/index.ts";
import type { Config } from "../../metrics/config/index.ts";
import { type OtlpSettings, readJson, readMessage, type ResourceMetrics, seriesOf, targetInfoOf } from "../../metrics/otlp/index.ts";
import { MessageFault, MessageWriter, RECEIVE_LIMITS, storeSeries } from "../../metrics/remote/index.ts";
import type { Appendable } from "../../metrics/storage/index.ts";
import { FileFault } from "../../metrics/tsdb/index.ts";

/** The endpoint of OpenTelemetry metrics: OTLP over HTTP in protobuf and JSON (OpenTelemetry specification, "OTLP/HTTP"). */

const PATH = "/api/v1/otlp/v1/metrics";
const [PROTOBUF, JSON_TYPE] = ["application/x-protobuf", "application/json"] as const;
type Type = typeof PROTOBUF | typeof JSON_TYPE;

/** The codes of google.rpc.Status, which the content of an error has. */
const CODES: Readonly<Record<number, number>> = { 400: 3, 404: 12, 413: 8, 415: 3, 503: 14 };

export type OtlpReceiverOptions = {
  readonly now: () => number;
  readonly isEnabled: boolean;
  readonly lookbackMs: number;
  /** The section `otlp` of the configuration, now. */
  readonly config: () => Config["otlp"];
};

/** Receives metrics into a storage. What it refuses is told in the answer, as a partial success. */
export class OtlpReceiver {
  readonly #storage: Appendable;
  readonly #options: OtlpReceiverOptions;

  constructor(storage: Appendable, options: OtlpReceiverOptions) {
    this.#storage = storage;
    this.#options = options;
  }

  /** The answer to a request with metrics; undefined for any other path. */
  async answer(request: Request): Promise<Response | undefined> {
    const [path] = request.path.split("?", 1);
    if (path !== PATH) return undefined;
    if (request.method === "OPTIONS") return { status: 204, fields: [["allow", "POST, OPTIONS"]] };
    if (request.method !== "POST") return { status: 405, fields: [["allow", "POST"]] };
    const given = (request.fields.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase();
    const type = given === PROTOBUF || given === JSON_TYPE ? given : undefined;
    const refuse = (status: number, why: string): Response => refusal(status, why, type ?? PROTOBUF);
    if (!this.#options.isEnabled) return refuse(404, "This server receives no metrics by OTLP: start it with --web.enable-otlp-receiver.");
    if (type === undefined)
      return refuse(415, `The Content-Type ${JSON.stringify(given)} is not supported: use ${PROTOBUF} or ${JSON_TYPE}.`);
    const coding = (request.fields.get("content-encoding") ?? "identity").trim().toLowerCase();
    if (coding !== "gzip" && coding !== "identity")
      return refuse(415, `The Content-Encoding ${JSON.stringify(coding)} is not supported: use gzip or none.`);
    try {
      const packed = await request.body.bytes(RECEIVE_LIMITS.packedOctets);
      return this.#store(read(coding === "gzip" ? unpacked(packed) : packed, type), type);
    } catch (error) {
      if (error instanceof Misuse) return refuse(413, `The request is longer than ${RECEIVE_LIMITS.packedOctets} octets.`);
      if (error instanceof MessageFault) return refuse(400, error.message);
      // The sender may repeat it once there is room again.
      if (error instanceof FileFault) return refuse(503, error.message);
      throw error;
    }
  }

  #store(resources: readonly ResourceMetrics[], type: Type): Response {
    let rejected = 0;
    let problem: string | undefined;
    const settings = this.#settings;
    const latest = this.#options.now() + RECEIVE_LIMITS.aheadMs;
    const series = seriesOf(resources, settings, (points, why) => {
      rejected += points;
      problem ??= why;
    });
    const received = storeSeries(this.#storage, series, latest);
    // It is ours: what the storage has of it already is no loss of the sender's.
    storeSeries(this.#storage, targetInfoOf(resources, settings), latest);
    for (const count of received.refused.values()) rejected += count;
    problem ??= received.problem;
    return { status: 200, fields: [["content-type", type]], body: success(type, rejected, problem) };
  }

  get #settings(): OtlpSettings {
    const given = this.#options.config();
    const promoted = new Set(given?.promote_resource_attributes);
    const ignored = new Set(given?.ignore_resource_attributes);
    return {
      naming: {
        strategy: given?.translation_strategy ?? "UnderscoreEscapingWithSuffixes",
        prefixesUnderscores: given?.label_name_underscore_sanitization ?? true,
        keepsUnderscores: given?.label_name_preserve_multiple_underscores ?? true,
      },
      isPromoted: (name) => (given?.promote_all_resource_attributes === true ? !ignored.has(name) : promoted.has(name)),
      promotesScope: given?.promote_scope_metadata ?? false,
      keepsIdentifying: given?.keep_identifying_resource_attributes ?? false,
      toCustomBuckets: given?.convert_histograms_to_nhcb ?? false,
      lookbackMs: this.#options.lookbackMs,
    };
  }
}

const read = (octets: Uint8Array, type: Type): ResourceMetrics[] => {
  if (type === PROTOBUF) return readMessage(octets);
  try {
    return readJson(new TextDecoder("utf-8", { fatal: true }).decode(octets));
  } catch (error) {
    if (error instanceof TypeError) throw new MessageFault("the content is not UTF-8");
    throw error;
  }
};

function unpacked(packed: Uint8Array): Uint8Array {
  try {
    return gunzipSync(packed, { maxOutputLength: RECEIVE_LIMITS.octets });
  } catch (error) {
    const why = error instanceof RangeError ? `unpacks to more than ${RECEIVE_LIMITS.octets} octets` : "is not gzip";
    throw new MessageFault(`the content ${why}`);
  }
}

/** An ExportMetricsServiceResponse: empty, or with what was rejected. */
function success(type: Type, rejected: number, problem: string | undefined): string | Uint8Array {
  if (type === JSON_TYPE)
    return JSON.stringify(problem === undefined ? {} : { partialSuccess: { rejectedDataPoints: String(rejected), errorMessage: problem } });
  const to = new MessageWriter();
  if (problem !== undefined) {
    const start = to.begin(1);
    to.integer(1, rejected);
    to.text(2, problem);
    to.end(start);
  }
  return to.content.slice();
}

/** A google.rpc.Status. */
function refusal(status: number, message: string, type: Type): Response {
  const code = CODES[status] ?? 13;
  if (type === JSON_TYPE) return { status, fields: [["content-type", type]], body: JSON.stringify({ code, message }) };
  const to = new MessageWriter();
  to.integer(1, code);
  to.text(2, message);
  return { status, fields: [["content-type", type]], body: to.content.slice() };
}
