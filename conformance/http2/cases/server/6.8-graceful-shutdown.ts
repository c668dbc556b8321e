import { get, openStreamWindows, permitted, post, send, withoutStreamWindows } from "../phrases.ts";
import type { Case, FrameSpec, Row, Sight, Step } from "../../vocabulary.ts";

const END: FrameSpec = { type: "DATA", stream: 1, flags: ["END_STREAM"] };
const ping: Step = { do: "fence", by: "ping" };
/** A stream that the server's GOAWAY excludes. */
const LATE = 1001;
/**
 * Three requests, none of which can end, until GOAWAY names the last stream: after a graceful start that takes a round trip, which the
 * PINGs wait for (rfc9113#6.8).
 */
const untilGoaway: readonly Step[] = [
  withoutStreamWindows,
  send(post(1), get(3), get(5)),
  { do: "await", see: { see: "GOAWAY", code: "NO_ERROR" } },
  ping,
  ping,
];
const whole = (stream: number): Sight => ({ see: "response", stream, complete: true });
const NOTHING_BEYOND: Sight = { see: "holds", monitor: "nothing-beyond-goaway" };
const NEVER_RISES: Sight = { see: "holds", monitor: "goaway-never-rises" };

/** These sights, whether the connection then ends or not. */
const also = (...of: readonly Sight[]): Case["allowed"] => [
  { see: { see: "all", of } },
  permitted({ see: "all", of: [...of, { see: "closed" }] }, "rfc9113#9.1"),
];

const retires = (row: Row<"covers" | "steps">): Case => ({
  spec: "rfc9113#6.8",
  level: "MUST",
  role: "server",
  needs: ["retires", "body", "post"],
  fence: { stream: 1 },
  control: [...untilGoaway, send(openStreamWindows, END)],
  allowed: also(whole(1), NOTHING_BEYOND, NEVER_RISES),
  ...row,
});

/** What a server still does after its own GOAWAY (rfc9113#6.8). */
export const cases: readonly Case[] = [
  retires({
    id: "http2/shutdown-requests-in-progress-complete",
    level: "SHOULD",
    covers: ["rfc9113#6.8/graceful-completes", "rfc9113#6.8/last-stream"],
    title: "The server that sends GOAWAY without an error completes the requests up to its last stream.",
    steps: [...untilGoaway, send(openStreamWindows, END)],
    control: [withoutStreamWindows, send(post(1), openStreamWindows, END)],
    allowed: also(whole(1), whole(3), whole(5), NOTHING_BEYOND, NEVER_RISES),
  }),
  retires({
    id: "http2/shutdown-later-requests-not-processed",
    covers: ["rfc9113#6.8/last-stream", "rfc9113#6.8/last-never-rises"],
    title: "The server does not answer a stream above the last one of its GOAWAY.",
    steps: [...untilGoaway, send(get(LATE)), ping, send(openStreamWindows, END)],
  }),
  retires({
    id: "http2/shutdown-later-field-blocks-decoded",
    covers: ["rfc9113#6.8/minimal-processing"],
    title: "The server adds the entries of a field block to its table, even above the last stream of its GOAWAY.",
    // The trailers on stream 1 refer to the entry.
    steps: [
      ...untilGoaway,
      send(get(LATE, ["x-late", "1", "indexing"]), openStreamWindows, {
        type: "HEADERS",
        stream: 1,
        flags: ["END_STREAM", "END_HEADERS"],
        block: "be",
      }),
    ],
  }),
  retires({
    id: "http2/shutdown-later-content-credited",
    // As for content on any stream that is discarded.
    level: "SHOULD",
    covers: ["rfc9113#6.8/minimal-processing", "rfc9113#6.9/always-counted"],
    title: "The server reopens the connection window after content above the last stream of its GOAWAY has used it up.",
    steps: [
      ...untilGoaway,
      send(openStreamWindows),
      { do: "spend connection window", frames: [post(LATE)] },
      { do: "upload", stream: 1, octets: 16_384, end: true },
    ],
  }),
];
