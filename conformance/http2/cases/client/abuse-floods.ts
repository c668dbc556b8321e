import { attackStopped, content, permitted, promise, respond, send, untilRequest } from "../phrases.ts";
import type { Case, FrameSpec, Row, Step } from "../../vocabulary.ts";

/** Legal frames of a server in harmful numbers (rfc9113#10.5), while its response is incomplete. The control sends five of them. */
const flood = ({ frames, stride = 0, ...row }: Row & { readonly frames: readonly FrameSpec[]; readonly stride?: number }): Case => {
  const repeat = (times: number): Step => ({ do: "repeat", times, stride, frames });
  return {
    spec: "rfc9113#10.5",
    covers: ["rfc9113#10.5/track-and-limit", "rfc9113#10.5/enhance-your-calm"],
    level: "SHOULD",
    role: "client",
    group: "abuse",
    steps: [...untilRequest, send(respond()), repeat(10_000)],
    control: [...untilRequest, send(respond()), repeat(5), send(content())],
    // Resetting the request stops it too.
    allowed: attackStopped(permitted({ see: "RST_STREAM", stream: "request", code: "any error" }, "rfc9113#10.5")),
    fence: "ping",
    ...row,
  };
};

export const cases: readonly Case[] = [
  flood({
    id: "http2/client-abuse-ping-flood",
    title: "A client stops a flood of 10,000 PING frames.",
    frames: [{ type: "PING", hex: "746f756368737421" }],
  }),
  flood({
    id: "http2/client-abuse-settings-flood",
    title: "A client stops a flood of 10,000 empty SETTINGS frames.",
    frames: [{ type: "SETTINGS", settings: [] }],
  }),
  flood({
    id: "http2/client-abuse-empty-data-flood",
    title: "A client stops a flood of 10,000 empty DATA frames without END_STREAM.",
    frames: [{ type: "DATA", stream: "request", data: "" }],
  }),
  flood({
    id: "http2/client-abuse-window-update-flood",
    title: "A client stops a flood of 10,000 WINDOW_UPDATE frames with increment 1 on the connection.",
    frames: [{ type: "WINDOW_UPDATE", stream: 0, increment: 1 }],
  }),
  flood({
    id: "http2/client-abuse-unknown-frame-flood",
    title: "A client stops a flood of 10,000 frames of unknown type.",
    frames: [{ type: 0xfb, stream: 0, hex: "" }],
  }),
  flood({
    id: "http2/client-abuse-goaway-flood",
    title: "A client stops a flood of 10,000 GOAWAY frames without an error.",
    frames: [{ type: "GOAWAY", last: 0x7fff_ffff, code: "NO_ERROR" }],
  }),
  flood({
    id: "http2/client-abuse-interim-flood",
    title: "A client stops a flood of 10,000 interim responses.",
    frames: [{ type: "HEADERS", stream: "request", flags: ["END_HEADERS"], fields: [[":status", "103"]] }],
    steps: [
      ...untilRequest,
      {
        do: "repeat",
        times: 10_000,
        frames: [{ type: "HEADERS", stream: "request", flags: ["END_HEADERS"], fields: [[":status", "103"]] }],
      },
    ],
    control: [
      ...untilRequest,
      { do: "repeat", times: 5, frames: [{ type: "HEADERS", stream: "request", flags: ["END_HEADERS"], fields: [[":status", "103"]] }] },
      send(respond(), content()),
    ],
  }),
  flood({
    id: "http2/client-abuse-promise-flood",
    covers: ["rfc9113#10.5/push-limit", "rfc9113#10.5/push-excess"],
    title: "A client stops 10,000 promises whose responses never begin, or resets them.",
    needs: ["push"],
    frames: [promise(2)],
    stride: 2,
    allowed: attackStopped(
      permitted({ see: "RST_STREAM", stream: 20_000, code: "any error" }, "rfc9113#10.5"),
      permitted({ see: "RST_STREAM", stream: "request", code: "any error" }, "rfc9113#10.5"),
    ),
    control: [...untilRequest, send(respond()), { do: "repeat", times: 5, stride: 2, frames: [promise(2)] }, send(content())],
  }),
  flood({
    id: "http2/client-abuse-continuation-flood",
    title: "A client stops a field block of 10,000 CONTINUATION frames (CVE-2024-27316).",
    frames: [{ type: "CONTINUATION", stream: "request", fields: [["x-a", "1"]] }],
    steps: [
      ...untilRequest,
      send({ ...respond(), flags: [] }),
      { do: "repeat", times: 10_000, frames: [{ type: "CONTINUATION", stream: "request", fields: [["x-a", "1"]] }] },
    ],
    control: [
      ...untilRequest,
      send({ ...respond(), flags: [] }),
      { do: "repeat", times: 5, frames: [{ type: "CONTINUATION", stream: "request", fields: [["x-a", "1"]] }] },
      send({ type: "CONTINUATION", stream: "request", flags: ["END_HEADERS"] }, content()),
    ],
    // Anything but CONTINUATION would be an error of the harness.
    fence: "none",
  }),
];
