import { attackStopped, FLOOD_BUDGET, get, handshake, post, send, withoutStreamWindows } from "../phrases.ts";
import type { Case, FrameSpec, Row, Step } from "../../vocabulary.ts";

/** Floods on streams that the server has refused or reset (rfc9113#10.5): nothing comes of them but work. */
const flood = ({
  frames,
  before,
  stride = 0,
  ...row
}: Row & { readonly frames: readonly FrameSpec[]; readonly before: readonly Step[]; readonly stride?: number }): Case => ({
  spec: "rfc9113#10.5",
  covers: ["rfc9113#10.5/track-and-limit", "rfc9113#10.5/enhance-your-calm"],
  level: "SHOULD",
  role: "server",
  group: "abuse",
  budget: FLOOD_BUDGET,
  steps: [...before, { do: "repeat", times: 10_000, stride, frames }],
  control: [...before, { do: "repeat", times: 5, stride, frames }],
  allowed: attackStopped(),
  fence: "ping",
  ...row,
});

/** A request with a capital letter in a field name: the server resets its stream. */
const RESET: readonly Step[] = [handshake, send(post(1, ["X-Upper", "1"])), { do: "fence", by: "ping" }];

export const cases: readonly Case[] = [
  flood({
    id: "http2/abuse-streams-beyond-the-limit",
    title: "The server stops a client that opens 10,000 streams beyond its MAX_CONCURRENT_STREAMS.",
    needs: ["stream-limit", "body"],
    before: [withoutStreamWindows, { do: "fill streams", last: 3999, beyond: 0 }, { do: "fence", by: "ping" }],
    frames: [get(4001)],
    stride: 2,
    // A server that is at its limit refuses these too.
    control: [withoutStreamWindows, { do: "fill streams", last: 3999, beyond: 0 }],
  }),
  flood({
    id: "http2/abuse-empty-data-on-a-reset-stream",
    title: "The server stops a flood of 10,000 empty DATA frames on a stream that it has reset.",
    needs: ["post"],
    before: RESET,
    frames: [{ type: "DATA", stream: 1, data: "" }],
    control: [handshake, send(post(1)), { do: "repeat", times: 5, frames: [{ type: "DATA", stream: 1, data: "" }] }],
  }),
  flood({
    id: "http2/abuse-trailers-on-a-reset-stream",
    title: "The server stops a flood of 10,000 field sections on a stream that it has reset.",
    needs: ["post"],
    before: RESET,
    frames: [{ type: "HEADERS", stream: 1, flags: ["END_HEADERS"], fields: [["x-sum", "1"]] }],
    control: [handshake, send(post(1), { type: "HEADERS", stream: 1, flags: ["END_STREAM", "END_HEADERS"], fields: [["x-sum", "1"]] })],
  }),
];
