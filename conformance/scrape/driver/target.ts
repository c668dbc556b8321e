import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { portOf } from "../../peers/index.ts";
import type { Certificate } from "../../harness/subject/certificate.ts";
import { closed } from "../../harness/subject/closed.ts";
import type { Answer, Step } from "../vocabulary.ts";
import { contentOf } from "./content.ts";
import type { Asked } from "./record.ts";

/** The target of one job: it answers as its stage says, and keeps the requests. */

/** Milliseconds between the pieces of a slow body, and between those of an endless one: without a pause it would fill the memory of both ends. */
const PIECES_MS = 20;
const FLOOD_MS = 5;
const COMMENT = "# and so on\n";
const FLOOD = Buffer.from(COMMENT.repeat(5_000));
/** The most requests of which one job keeps record. */
const MOST_KEPT = 400;

export type TargetOptions = {
  readonly step: Step;
  readonly certificate: Certificate | undefined;
  readonly now: () => number;
  /** A request has been answered, or given up. */
  readonly onAnswered: () => void;
};

export class Target {
  readonly asked: Asked[] = [];
  /** The stage, from 0 on, and its requests that are over. */
  stage = 0;
  answered = 0;
  address = "";
  readonly #options: TargetOptions;
  readonly #server: Server;
  #elsewhere = "";

  constructor(options: TargetOptions) {
    this.#options = options;
    const listener: RequestListener = (request, response) => this.#take(request, response, "target");
    this.#server = options.certificate === undefined ? createServer(listener) : createSecureServer(options.certificate, listener);
  }

  async listen(): Promise<void> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    this.address = `127.0.0.1:${portOf(this.#server)}`;
  }
  async close(): Promise<void> {
    await closed(this.#server);
  }

  /** The other host of the run, at a path of this job. */
  standsElsewhere(address: string): void {
    this.#elsewhere = address;
  }
  /** A request that reached the other host. */
  takeElsewhere(request: IncomingMessage, response: ServerResponse): void {
    this.#take(request, response, "elsewhere");
  }

  next(): void {
    this.stage += 1;
    this.answered = 0;
  }

  #take(request: IncomingMessage, response: ServerResponse, host: Asked["host"]): void {
    const { step, now, onAnswered } = this.#options;
    const { stage } = this;
    const path = request.url ?? "";
    const fields = Array.from(
      { length: request.rawHeaders.length / 2 },
      (_, pair) => [request.rawHeaders[pair * 2]!.toLowerCase(), request.rawHeaders[pair * 2 + 1]!] as const,
    );
    if (this.asked.length < MOST_KEPT) this.asked.push({ stage: stage + 1, at: now(), host, method: request.method ?? "", path, fields });
    const { answer, at = {} } = step.stages[Math.min(stage, step.stages.length - 1)]!;
    const local = path.slice(0, path.includes("?") ? path.indexOf("?") : undefined);
    const there = at[host === "elsewhere" ? "elsewhere" : local];
    response.once("close", () => {
      // A good page that was given up half-way says nothing of what is stored.
      const isWhole = response.writableFinished || step.stages[stage]?.until !== "stored";
      if (this.stage !== stage || !isWhole) return;
      this.answered += 1;
      onAnswered();
    });
    send(there ?? answer, response, { target: this.address, elsewhere: this.#elsewhere });
  }
}

/** Writes an answer in its way. */
function send(answer: Answer, response: ServerResponse, places: { readonly target: string; readonly elsewhere: string }): void {
  const { status = 200, how = "whole" } = answer;
  const { octets, fields } = contentOf(answer, places);
  const length = (octetsSaid: number): void => void response.writeHead(status, { ...fields, "content-length": octetsSaid });
  const each = (ms: number, piece: Uint8Array | string): void => {
    const timer = setInterval(() => void (response.writableNeedDrain || response.write(piece)), ms);
    response.once("close", () => clearInterval(timer));
  };
  switch (how) {
    case "hang":
      return;
    case "drop":
      return void response.socket?.destroy();
    case "whole":
      length(octets.length);
      return void response.end(octets);
    case "chunked":
      response.writeHead(status, fields).write(octets.subarray(0, octets.length / 2));
      return void response.end(octets.subarray(octets.length / 2));
    case "until-close":
      response.useChunkedEncodingByDefault = false;
      response.shouldKeepAlive = false;
      return void response.writeHead(status, fields).end(octets);
    case "slow": {
      length(octets.length);
      const pieces = [0, 1, 2].map((part) => octets.subarray((octets.length * part) / 3, (octets.length * (part + 1)) / 3));
      const timer = setInterval(() => {
        const piece = pieces.shift();
        if (piece !== undefined) return void response.write(piece);
        clearInterval(timer);
        return void response.end();
      }, PIECES_MS);
      return void response.once("close", () => clearInterval(timer));
    }
    case "hang-in-content":
      length(octets.length + 1);
      return void response.write(octets);
    case "drip":
    case "endless":
      response.writeHead(status, fields).write(octets);
      return how === "drip" ? each(PIECES_MS, COMMENT) : each(FLOOD_MS, FLOOD);
    case "cut-length":
      length(octets.length + 64);
      return void response.write(octets, () => response.socket?.end());
    case "cut-chunks":
      return void response.writeHead(status, fields).write(octets, () => response.socket?.end());
    case "short-length":
      length(Math.floor(octets.length / 2));
      return void response.end(octets);
  }
}
