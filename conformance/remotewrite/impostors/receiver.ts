import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Started } from "../../harness/impostors/catch.ts";
import { listening } from "../../harness/impostors/listening.ts";
import { flawOf } from "../../harness/impostors/named.ts";
import { type ReadRequest, readRequest, type ReadSeries, unpacked, WireFault } from "../../wire/remotewrite/read.ts";
import { ServerDriver } from "../driver/server.ts";
import type { Case } from "../vocabulary.ts";

/** Receivers that are wrong on purpose, each in one thing. */

type Flaw = {
  readonly about: string;
  /** Instead of an answer. */
  readonly instead?: "silence" | "close" | number;
  /** Finds no mistake in anything, and writes what it can read. */
  readonly isLenient?: true;
  /** Compares Content-Type as a whole. */
  readonly isLiteral?: true;
  /** Answers anything wrong with this status. */
  readonly refusal?: number;
  readonly success?: readonly [status: number, body: string];
  /** Says this much more was written; `success` says nothing with a refusal. */
  readonly counts?: number | "success" | "text";
  readonly isMute?: true;
  /** Answers 204 and writes the first sample of each series. */
  readonly forgets?: true;
  readonly ignores?: "labels" | "order" | "coding" | "type" | "references";
  readonly writesAgain?: true;
};

export const FLAWS: Readonly<Record<string, Flaw>> = {
  lenient: { about: "writes anything", isLenient: true },
  closed: { about: "refuses everything", instead: 400 },
  literal: { about: "knows a Content-Type only in one form", isLiteral: true },
  chatty: { about: "answers 200 with content", success: [200, "ok"] },
  "refuses-500": { about: "answers 500 to what is wrong", refusal: 500 },
  "refuses-400": { about: "answers 400 to an unknown Content-Type", refusal: 400 },
  forgetful: { about: "writes only the first sample of a series, and counts all", forgets: true },
  "counts-more": { about: "counts one more", counts: 1 },
  "counts-success": { about: "says nothing about what was written when it refuses the rest", counts: "success" },
  "counts-text": { about: "counts with a unit", counts: "text" },
  mute: { about: "refuses without a word", isMute: true },
  "any-labels": { about: "takes any labels", ignores: "labels" },
  "any-order": { about: "loses late samples in silence", ignores: "order" },
  "any-type": { about: "reads every message as that of protocol 1", ignores: "type" },
  "any-coding": { about: "ignores Content-Encoding", ignores: "coding" },
  "any-reference": { about: "takes a reference beyond the table for the empty text", ignores: "references" },
  twice: { about: "writes a sample again that it has", writesAgain: true },
  silent: { about: "never answers", instead: "silence" },
  slams: { about: "closes the connection", instead: "close" },
};

const TYPES: Readonly<Record<string, 1 | 2>> = { "": 1, "prometheus.WriteRequest": 1, "io.prometheus.write.v2.Request": 2 };
const LITERAL: Readonly<Record<string, 1 | 2>> = {
  "application/x-protobuf": 1,
  "application/x-protobuf;proto=io.prometheus.write.v2.Request": 2,
};
type Stored = { readonly time: number; readonly value: string };

class Receiver {
  readonly #flaw: Flaw;
  readonly #series = new Map<string, { readonly metric: string; readonly points: Stored[] }>();

  constructor(flaw: Flaw) {
    this.#flaw = flaw;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { instead, refusal, isMute } = this.#flaw;
    const pieces: Uint8Array[] = [];
    for await (const piece of request) pieces.push(piece as Uint8Array);
    const url = new URL(request.url ?? "/", "http://h");
    if (url.pathname === "/api/v1/query") return this.#query(url, response);
    if (instead === "silence") return undefined;
    if (instead === "close") return void request.socket.destroy();
    const refuse = (status: number, why: string, fields: Record<string, string> = {}): void =>
      void response.writeHead(status === 400 ? (refusal ?? 400) : refusal === 400 ? 400 : status, fields).end(isMute === true ? "" : why);
    if (typeof instead === "number") return refuse(instead, "no");
    const protocol = this.#protocolOf(request.headers["content-type"]);
    if (protocol === undefined) return refuse(415, "unknown type");
    const isSecond = request.headers["content-type"]?.includes("v2") === true;
    const coding = request.headers["content-encoding"] ?? "snappy";
    if (coding !== "snappy" && this.#flaw.ignores !== "coding" && this.#flaw.isLenient !== true) return refuse(415, "unknown coding");
    try {
      const counts = this.#write(protocol, Buffer.concat(pieces));
      const fields = isSecond ? this.#fields(counts.samples, counts.histograms) : {};
      if (counts.problem !== undefined) return refuse(400, counts.problem, this.#flaw.counts === "success" ? {} : fields);
      const [status, body] = this.#flaw.success ?? [204, ""];
      return void response.writeHead(status, fields).end(body);
    } catch (error) {
      if (!(error instanceof WireFault)) throw error;
      if (this.#flaw.isLenient === true) return void response.writeHead(204, this.#fields(0, 0)).end();
      return refuse(400, error.message, isSecond ? this.#fields(0, 0) : {});
    }
  }

  #protocolOf(type = ""): 1 | 2 | undefined {
    const { ignores, isLenient, isLiteral } = this.#flaw;
    if (ignores === "type") return 1;
    if (isLenient === true) return type.includes("v2") ? 2 : 1;
    const [media = "", ...parameters] = type.split(";");
    if (isLiteral === true) return LITERAL[type];
    if (media.trim().toLowerCase() !== "application/x-protobuf") return undefined;
    const proto = parameters.map((one) => /^\s*proto="?([^"]*)"?\s*$/i.exec(one)?.[1]).find((one) => one !== undefined);
    return TYPES[proto ?? ""];
  }

  #fields(samples: number, histograms: number): Record<string, string> {
    const more = typeof this.#flaw.counts === "number" ? this.#flaw.counts : 0;
    const unit = this.#flaw.counts === "text" ? " samples" : "";
    return {
      "x-prometheus-remote-write-samples-written": `${samples + more}${unit}`,
      "x-prometheus-remote-write-histograms-written": String(histograms + more),
      "x-prometheus-remote-write-exemplars-written": "0",
    };
  }

  #write(
    protocol: 1 | 2,
    content: Uint8Array,
  ): { readonly samples: number; readonly histograms: number; readonly problem: string | undefined } {
    const { isLenient, forgets, ignores } = this.#flaw;
    const message = unpacked(content);
    let request: ReadRequest = { series: [], symbols: [], families: [], unknown: [] };
    try {
      request = readRequest(protocol, message);
      // One that finds no mistake reads the other message where this one has nothing.
      if (isLenient === true && request.series.length === 0) request = readRequest(protocol === 1 ? 2 : 1, message);
    } catch (error) {
      if (ignores !== "references" || !(error instanceof WireFault) || !error.message.includes("reference")) throw error;
    }
    if (protocol === 2 && request.symbols[0] !== "" && isLenient !== true && message.length > 0 && ignores !== "references")
      throw new WireFault("the first symbol is not empty");
    let [samples, histograms, problem] = [0, 0, undefined as string | undefined];
    for (const one of request.series) {
      const fault = isLenient === true || ignores === "labels" ? undefined : labelFault(one, protocol);
      if (fault !== undefined) {
        problem ??= fault;
        continue;
      }
      for (const [at, { value, isStale, time }] of one.samples.entries()) {
        if ((forgets === true && at > 0) || this.#store(one, { time, value: isStale ? "stale" : textOf(value) })) samples++;
        else if (isLenient === true || ignores === "order") samples++;
        else problem ??= "out of order";
      }
      for (const { count, time } of one.histograms) if (this.#store(one, { time, value: `count ${count}` })) histograms++;
    }
    return { samples, histograms, problem };
  }

  /** False if the series has a later sample, or another one at this time. */
  #store({ labels }: ReadSeries, point: Stored): boolean {
    const key = JSON.stringify(labels);
    const known = this.#series.get(key) ?? { metric: labels.find(([name]) => name === "__name__")?.[1] ?? "", points: [] };
    this.#series.set(key, known);
    const last = known.points.at(-1);
    const again = this.#flaw.isLenient === true || this.#flaw.writesAgain === true;
    if (last !== undefined && !again) {
      if (last.time === point.time && last.value === point.value) return true;
      if (last.time >= point.time) return false;
    }
    known.points.push(point);
    return true;
  }

  #query({ searchParams }: URL, response: ServerResponse): void {
    const metric = /__name__="(.*)"/.exec(searchParams.get("query") ?? "")?.[1];
    const result = [...this.#series.values()]
      .filter((one) => one.metric === metric && one.points.length > 0)
      .map(({ points }) => ({ values: points.filter(({ value }) => value !== "stale").map(({ time, value }) => [time / 1_000, value]) }));
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ status: "success", data: { result } }));
  }
}

const textOf = (value: number): string => (value === Infinity ? "+Inf" : value === -Infinity ? "-Inf" : String(value));

function labelFault({ labels, samples, histograms }: ReadSeries, protocol: 1 | 2): string | undefined {
  const names = labels.map(([name]) => name);
  if (protocol === 2 && samples.length > 0 && histograms.length > 0) return "floats and histograms";
  if (!names.includes("__name__") || labels.some(([name, value]) => name === "" || value === "")) return "an empty label";
  if (names.some((name, at) => at > 0 && Buffer.compare(Buffer.from(names[at - 1]!), Buffer.from(name)) >= 0)) return "labels out of order";
  return undefined;
}

/** Starts the impostor with this name. */
export async function startReceiver(name: string): Promise<Started<Case>> {
  const receiver = new Receiver(flawOf(FLAWS, name));
  const server = createServer((request, response) => {
    receiver.answer(request, response).catch(() => request.socket.destroy());
  });
  const { url, stop } = await listening(server, "http");
  return { driver: new ServerDriver({ url: `${url}api/v1/write`, timeout: name === "silent" ? 50 : 2_000 }), stop };
}
