import { toHex } from "../../wire/octets.ts";
import type { FrameSpec } from "../vocabulary.ts";
import type { Session } from "./session.ts";
import { isFrame, requestsIn } from "./sights.ts";
import type { Stage } from "./stage.ts";

/** Answers a client's requests as any good server does: where a case has said nothing about them, and on further connections. */
export class Autopilot {
  readonly #stage: Stage;
  readonly #session: Session;
  readonly #on: number;

  constructor(stage: Stage, session: Session, on: number) {
    this.#stage = stage;
    this.#session = session;
    this.#on = on;
  }

  /** Begins with the preface of a server. */
  start(): void {
    this.#session.preface("", { type: "SETTINGS", settings: [] });
    this.follow();
  }

  /** From now on every request of this connection that nobody has answered is. */
  follow(): void {
    const before = this.#stage.log.onSeen;
    this.#stage.log.onSeen = (seen) => {
      before?.(seen);
      if (isFrame(seen) && seen.on === this.#on && seen.section !== undefined) this.#answerAll();
    };
    this.#answerAll();
  }

  #answerAll(): void {
    const { sentFrames } = this.#session;
    const goaway = sentFrames.findLast(({ frame }) => frame.type === "GOAWAY")?.frame.last ?? Number.POSITIVE_INFINITY;
    for (const { frame, on } of requestsIn(this.#stage.log.seen)) {
      const spokenTo = sentFrames.some((sent) => sent.frame.stream === frame.stream && ["HEADERS", "RST_STREAM"].includes(sent.frame.type));
      if (on === this.#on && !spokenTo && frame.stream <= goaway) void this.#session.send(goodResponse(frame.stream));
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
