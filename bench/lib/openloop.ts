import type { Socket } from "node:net";
import * as hdr from "hdr-histogram-js";
import { dial } from "./dial.ts";
import type { BenchSubject } from "./subject.ts";

type Reached = Pick<BenchSubject, "origin" | "tls">;

/** Requests at a fixed rate, independent of the answers: like many users, who do not wait for each other. */
export type OpenLoop = { readonly rate: number; readonly seconds: number; readonly connections: number; readonly path: string };
/** Milliseconds from when a request was due, even if it could not be sent then, so that stalls count in full. */
export type Latency = {
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
  readonly answered: number;
  /** Requests that were due and remained unanswered. */
  readonly lost: number;
};

/** How long to wait for answers after the last request was due. */
const DRAIN_MS = 2_000;
/** The maximum number of pipelined requests on a connection. */
const MAX_PIPELINED = 64;

/** Sends GETs over HTTP/1.1 on schedule and returns the latency of the answers. */
export async function openLoop(subject: Reached, load: OpenLoop): Promise<Latency> {
  const request = Buffer.from(`GET ${load.path} HTTP/1.1\r\nHost: ${new URL(subject.origin).host}\r\n\r\n`, "latin1");
  const histogram = hdr.build({ lowestDiscernibleValue: 1, highestTrackableValue: 60_000_000, numberOfSignificantValueDigits: 3 });
  const lines = await Promise.all(Array.from({ length: load.connections }, () => Line.open(subject, request, histogram)));
  try {
    const total = Math.round(load.rate * load.seconds);
    const began = performance.now();
    let sent = 0;
    while (sent < total) {
      const now = performance.now();
      const due = Math.min(total, Math.floor(((now - began) / 1_000) * load.rate) + 1);
      for (; sent < due; sent++) lines[sent % lines.length]?.send(began + (sent / load.rate) * 1_000);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    const last = performance.now() + DRAIN_MS;
    while (lines.some((line) => line.open > 0) && performance.now() < last) await new Promise((resolve) => setTimeout(resolve, 5));
    const lost = lines.reduce((sum, line) => sum + line.open, 0);
    const at = (part: number): number => histogram.getValueAtPercentile(part) / 1_000;
    return { p50: at(50), p99: at(99), p999: at(99.9), max: histogram.maxValue / 1_000, answered: histogram.totalCount, lost };
  } finally {
    for (const line of lines) line.close();
  }
}

/** One connection: sends requests and counts answers by their Content-Length. */
class Line {
  readonly #socket: Socket;
  readonly #request: Buffer;
  readonly #histogram: hdr.Histogram;
  /** When each sent or queued request was due. */
  readonly #due: number[] = [];
  #sent = 0;
  #head = "";
  #content = 0;

  private constructor(socket: Socket, request: Buffer, histogram: hdr.Histogram) {
    this.#socket = socket;
    this.#request = request;
    this.#histogram = histogram;
    socket.on("data", (octets: Buffer) => this.#read(octets)).on("error", () => socket.destroy());
  }

  static open(subject: Reached, request: Buffer, histogram: hdr.Histogram): Promise<Line> {
    return new Promise((resolve, reject) => {
      const socket = dial(subject, () => resolve(new Line(socket.removeAllListeners("error"), request, histogram)));
      socket.once("error", reject);
    });
  }

  /** The number of unanswered requests. */
  get open(): number {
    return this.#due.length;
  }
  send(due: number): void {
    this.#due.push(due);
    this.#send();
  }
  close(): void {
    this.#socket.destroy();
  }

  #send(): void {
    while (this.#sent < Math.min(this.#due.length, MAX_PIPELINED)) {
      this.#socket.write(this.#request);
      this.#sent += 1;
    }
  }
  #read(octets: Buffer): void {
    let at = 0;
    while (at < octets.length) {
      if (this.#content > 0) {
        const step = Math.min(this.#content, octets.length - at);
        this.#content -= step;
        at += step;
        if (this.#content === 0) this.#answered();
        continue;
      }
      const text = this.#head + octets.toString("latin1", at);
      const end = text.indexOf("\r\n\r\n");
      if (end < 0) {
        this.#head = text;
        return;
      }
      at += end + 4 - this.#head.length;
      this.#head = "";
      this.#content = Number(/\r\ncontent-length: *(\d+)/i.exec(text.slice(0, end))?.[1] ?? 0);
      if (this.#content === 0) this.#answered();
    }
  }
  #answered(): void {
    const due = this.#due.shift();
    if (due === undefined) return;
    this.#sent -= 1;
    this.#histogram.recordValue(Math.max(1, Math.round((performance.now() - due) * 1_000)));
    this.#send();
  }
}
