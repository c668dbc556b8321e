import { Misuse } from "../../core/index.ts";
import type { Request, Response } from "../../http/index.ts";
import type { Labels } from "../../metrics/model/index.ts";
import { QueryCanceled, QueryTimedOut } from "../../metrics/promql/index.ts";
import { MessageFault, readFrames, readRequest, readResponse, unpackedMessage } from "../../metrics/remote/index.ts";
import { Damage, type Database, pack } from "../../metrics/tsdb/index.ts";
import { SLICE_MS, turn } from "./pace.ts";
import { runInSlices } from "./work.ts";

/** The endpoint of remote read, which answers with samples or with a stream of chunks (Prometheus docs, querying/remote_read_api.md). */

const PATH = "/api/v1/read";
/** A request has a few matchers. */
const MOST_OCTETS = 1 << 20;
/** Samples of one response: it is written in memory, in about 16 octets each. */
const MOST_SAMPLES = 5_000_000;
const PLAIN = [["content-type", "text/plain; charset=utf-8"]] as const;
const PACKED = [
  ["content-type", "application/x-protobuf"],
  ["content-encoding", "snappy"],
] as const;
const STREAMED = [["content-type", "application/x-streamed-protobuf; proto=prometheus.ChunkedReadResponse"]] as const;
const refusal = (status: number, why: string): Response => ({ status, fields: PLAIN, body: `${why}\n` });

type ReaderOptions = { readonly timeoutMs: number; readonly external: () => Labels; readonly mostSamples?: number };

/** Shows the samples of a storage to other servers. */
export class RemoteReader {
  readonly #database: Database;
  readonly #options: ReaderOptions;

  constructor(database: Database, options: ReaderOptions) {
    this.#database = database;
    this.#options = options;
  }

  /** The answer to a read request; undefined for any other path. */
  async answer(request: Request, signal: AbortSignal): Promise<Response | undefined> {
    const [path] = request.path.split("?", 1);
    if (path !== PATH) return undefined;
    if (request.method === "OPTIONS") return { status: 204, fields: [["allow", "POST, OPTIONS"]] };
    if (request.method !== "POST") return { status: 405, fields: [["allow", "POST"]] };
    const { timeoutMs, external, mostSamples = MOST_SAMPLES } = this.#options;
    try {
      const { queries, inChunks } = readRequest(unpackedMessage(await request.body.bytes(MOST_OCTETS), MOST_OCTETS));
      if (inChunks)
        return { status: 200, fields: STREAMED, body: framesInTime(readFrames(this.#database, queries, external()), timeoutMs) };
      const work = readResponse(this.#database, queries, { external: external(), mostSamples });
      return { status: 200, fields: PACKED, body: pack(await runInSlices(work, performance.now() + timeoutMs, signal)) };
    } catch (error) {
      if (error instanceof Misuse) return refusal(413, `The request is longer than ${MOST_OCTETS} octets.`);
      if (error instanceof MessageFault) return refusal(400, error.message);
      if (error instanceof QueryTimedOut || error instanceof QueryCanceled) return refusal(503, error.message);
      if (error instanceof Damage) return refusal(500, error.message);
      throw error;
    }
  }
}

/**
 * Frames as they are sent, with pauses for other work. `timeoutMs` limits the time that we take, not that of a slow reader; when it is over the
 * response is cut off, since its status has been sent.
 */
async function* framesInTime(frames: Generator<Uint8Array | undefined>, timeoutMs: number): AsyncGenerator<Uint8Array> {
  let spent = 0;
  let began = performance.now();
  const pause = async (): Promise<void> => {
    spent += performance.now() - began;
    if (spent > timeoutMs) throw new QueryTimedOut();
    await turn();
    began = performance.now();
  };
  for (const frame of frames) {
    if (frame !== undefined) {
      spent += performance.now() - began;
      yield frame;
      began = performance.now();
    }
    if (performance.now() - began > SLICE_MS) await pause();
  }
}
