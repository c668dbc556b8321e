import { toHex } from "../../wire/octets.ts";
import type { FrameSpec } from "../vocabulary.ts";
import type { Http2Connection } from "./connection.ts";
import { isFrame, requestsIn } from "./sights.ts";
import type { Log } from "./log.ts";

/** Answers requests of the client as a correct server does: those that a case leaves open, and those on further connections. */
export class Autopilot {
  readonly #log: Log;
  readonly #connection: Http2Connection;
  readonly #on: number;

  constructor(log: Log, connection: Http2Connection, on: number) {
    this.#log = log;
    this.#connection = connection;
    this.#on = on;
  }

  /** Sends the server preface, and follows. */
  start(): void {
    void this.#connection.wire.preface("", { type: "SETTINGS", settings: [] });
    this.follow();
  }

  /** Answers every open request on this connection, now and later. */
  follow(): void {
    this.#log.onSeen.push((seen) => {
      if (isFrame(seen) && seen.on === this.#on && seen.section !== undefined) this.#answerAll();
    });
    this.#answerAll();
  }

  #answerAll(): void {
    const { sent, wire } = this.#connection;
    const goaway = sent.findLast(({ frame }) => frame.type === "GOAWAY")?.frame.last ?? Number.POSITIVE_INFINITY;
    for (const { frame, on } of requestsIn(this.#log.seen)) {
      const answered = sent.some((ours) => ours.frame.stream === frame.stream && ["HEADERS", "RST_STREAM"].includes(ours.frame.type));
      if (on === this.#on && !answered && frame.stream <= goaway) void wire.send(goodResponse(frame.stream));
    }
  }
}

const goodResponse = (stream: number): FrameSpec[] => [
  {
    type: "HEADERS",
    stream,
    flags: ["END_HEADERS"],
    fields: [
      [":status", "200"],
      ["content-type", "text/plain"],
      ["content-length", "2"],
    ],
  },
  { type: "DATA", stream, flags: ["END_STREAM"], hex: toHex(new TextEncoder().encode("ok")) },
];
