import { toHex } from "../../wire/octets.ts";
import type { FrameSpec } from "../vocabulary.ts";
import type { Http2Connection } from "./connection.ts";
import { isFrame, requestsIn } from "./sights.ts";
import type { Log } from "./log.ts";

/** Answers a client's requests as any good server does: where a case has said nothing about them, and on further connections. */
export class Autopilot {
  readonly #log: Log;
  readonly #connection: Http2Connection;
  readonly #on: number;

  constructor(log: Log, connection: Http2Connection, on: number) {
    this.#log = log;
    this.#connection = connection;
    this.#on = on;
  }

  /** Begins with the preface of a server. */
  start(): void {
    void this.#connection.wire.preface("", { type: "SETTINGS", settings: [] });
    this.follow();
  }

  /** From now on every request of this connection that nobody has answered is. */
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
      const spokenTo = sent.some((ours) => ours.frame.stream === frame.stream && ["HEADERS", "RST_STREAM"].includes(ours.frame.type));
      if (on === this.#on && !spokenTo && frame.stream <= goaway) void wire.send(goodResponse(frame.stream));
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
