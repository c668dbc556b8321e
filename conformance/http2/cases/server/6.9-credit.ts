import { answered, handshake, permitted, post, send } from "../phrases.ts";
import type { Case, FrameSpec, Row, Step } from "../../vocabulary.ts";

const END: FrameSpec = { type: "DATA", stream: 1, flags: ["END_STREAM"] };
/** A request that the server rejects for a field name with a capital letter, so that it discards the content after it. */
const rejected: FrameSpec = post(1, ["X-Upper", "1"]);
const LATER = 1001;
/** Requests with too much content: together more than most connection windows. */
const EXCESSES = 80;
const orEnded: Case["allowed"] = [
  ...answered(LATER),
  permitted({ see: "GOAWAY", code: "any error" }, "rfc9113#5.4.1"),
  permitted({ see: "closed" }, "rfc9113#5.4.1", "warn"),
];

const receives = (row: Row<"covers" | "steps" | "allowed">): Case => ({
  spec: "rfc9113#6.9",
  level: "MUST",
  role: "server",
  needs: ["post", "small-window"],
  fence: "none",
  control: [handshake, send(post(1), { ...END, pad: 255, data: 1 })],
  ...row,
});

/** Credit for what a server receives: padding (rfc9113#6.1) and content that it discards (rfc9113#6.9). */
export const cases: readonly Case[] = [
  receives({
    id: "http2/flow-padding-counted-on-the-connection",
    spec: "rfc9113#6.1",
    covers: ["rfc9113#6.1/counts-whole-payload", "rfc9113#6.9.1/receiver-updates", "rfc9113#6.9/always-counted"],
    title: "The server reopens the connection window after padding has used it up, so that another request fits.",
    steps: [
      handshake,
      send(post(1)),
      { do: "fill window", of: "connection", stream: 1, beyond: 0, padded: true },
      send(END, post(3)),
      { do: "upload", stream: 3, octets: 1000, end: true },
    ],
    allowed: answered(3),
  }),
  receives({
    id: "http2/flow-discarded-content-credited",
    covers: ["rfc9113#6.9/always-counted", "rfc9113#5.1/closed-minimal-processing"],
    // To count discarded content is a MUST; that the credit comes back follows only from keeping the connection usable.
    level: "SHOULD",
    title: "The server reopens the connection window after content that it discards has used it up.",
    steps: [
      handshake,
      { do: "spend connection window", frames: [rejected] },
      send(post(LATER)),
      { do: "upload", stream: LATER, octets: 16_384, end: true },
    ],
    control: [handshake, send(post(LATER)), { do: "upload", stream: LATER, octets: 16_384, end: true }],
    allowed: orEnded,
  }),
  receives({
    id: "http2/flow-refused-content-credited",
    covers: ["rfc9113#6.9/always-counted", "rfc9113#5.1/closed-minimal-processing"],
    // As above: only to count it is a MUST.
    level: "SHOULD",
    title: "The server reopens the connection window after the content of many requests that exceeds their content-length has used it up.",
    steps: [
      handshake,
      ...Array.from({ length: EXCESSES }, (_, n) => 2 * n + 1).flatMap((stream): Step[] => [
        send(post(stream, ["content-length", "1"])),
        { do: "upload", stream, octets: 16_384 },
      ]),
      send(post(LATER)),
      { do: "upload", stream: LATER, octets: 16_384, end: true },
    ],
    control: [handshake, send(post(LATER)), { do: "upload", stream: LATER, octets: 16_384, end: true }],
    allowed: orEnded,
  }),
];
