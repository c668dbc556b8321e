import {
  accepted,
  acceptedAndAnswered,
  connectionError,
  get,
  handshake,
  openStreamWindows,
  permitted,
  request,
  send,
  streamError,
  withoutStreamWindows,
} from "../phrases.ts";
import type { Case, FrameSpec, Row, Step } from "../../vocabulary.ts";

const priority = (stream: number, on = 0, weight = 16): FrameSpec => ({ type: "PRIORITY", stream, priority: { on, weight } });

const accepts = (row: Row<"steps" | "control">): Case => ({
  spec: "rfc9113#6.3",
  covers: ["rfc9113#6.3/any-state", "rfc9113#5.1/priority-any-state"],
  level: "MUST",
  role: "server",
  allowed: accepted,
  ...row,
});
const wrongLength = ({ hex, ...row }: Row & { readonly hex: string }): Case => ({
  spec: "rfc9113#6.3",
  covers: ["rfc9113#6.3/length"],
  level: "MUST",
  role: "server",
  needs: ["body"],
  steps: [withoutStreamWindows, send(get(1), { type: "PRIORITY", stream: 1, hex }, openStreamWindows)],
  control: [withoutStreamWindows, send(get(1), { type: "PRIORITY", stream: 1, hex: "000000000f" }, openStreamWindows)],
  allowed: streamError(1, "FRAME_SIZE_ERROR"),
  ...row,
});

/** A request, here for a head alone, and what moves its stream in the tree. */
const withPriorities = (stream: number): FrameSpec[] => [
  { ...get(stream), fields: request("HEAD") },
  priority(stream),
  priority(stream, 0, 32),
  priority(stream, 0, 64),
];

/** PRIORITY (rfc9113#6.3): deprecated, but its layout still matters. */
export const cases: readonly Case[] = [
  {
    id: "http2/priority-on-stream-zero",
    spec: "rfc9113#6.3",
    covers: ["rfc9113#6.3/stream-zero"],
    level: "MUST",
    role: "server",
    title: "The server treats PRIORITY on stream 0 as a connection error of type PROTOCOL_ERROR.",
    steps: [handshake, send(priority(0))],
    control: [handshake, send(priority(1))],
    allowed: connectionError("PROTOCOL_ERROR"),
  },
  wrongLength({
    id: "http2/priority-of-four-octets",
    title: "The server treats PRIORITY of 4 octets as a stream error of type FRAME_SIZE_ERROR.",
    hex: "00000000",
  }),
  wrongLength({
    id: "http2/priority-of-six-octets",
    title: "The server treats PRIORITY of 6 octets as a stream error of type FRAME_SIZE_ERROR.",
    hex: "000000000f00",
  }),
  wrongLength({
    id: "http2/priority-of-no-octets",
    title: "The server treats an empty PRIORITY as a stream error of type FRAME_SIZE_ERROR.",
    hex: "",
  }),
  accepts({
    id: "http2/priority-on-idle-stream",
    title: "The server accepts PRIORITY on an idle stream.",
    steps: [handshake, send(priority(1), get(1))],
    control: [handshake, send(get(1))],
  }),
  accepts({
    id: "http2/priority-on-even-idle-stream",
    title: "The server accepts PRIORITY on an even idle stream.",
    steps: [handshake, send(priority(2), get(1))],
    control: [handshake, send(get(1))],
  }),
  accepts({
    id: "http2/priority-on-half-closed-stream",
    title: "The server accepts PRIORITY on a stream that the client has ended.",
    needs: ["body"],
    steps: [withoutStreamWindows, send(get(1), priority(1, 0, 256), openStreamWindows)],
    control: [withoutStreamWindows, send(get(1), openStreamWindows)],
  }),
  accepts({
    id: "http2/priority-after-reset",
    title: "The server accepts PRIORITY on a stream that the client has reset.",
    steps: [handshake, send(get(1), { type: "RST_STREAM", stream: 1, code: "CANCEL" }, priority(1))],
    control: [handshake, send(get(1), { type: "RST_STREAM", stream: 1, code: "CANCEL" })],
  }),
  {
    id: "http2/priority-opens-no-stream",
    spec: "rfc9113#6.3",
    covers: ["rfc9113#6.3/any-state", "rfc9113#5.1/priority-any-state"],
    level: "MUST",
    role: "server",
    title: "The server accepts a request on a stream lower than the idle one that PRIORITY named.",
    steps: [handshake, send(priority(9), get(1))],
    control: [handshake, send(get(1))],
    allowed: acceptedAndAnswered(1),
  },
  {
    id: "http2/priority-exclusive-and-unknown-parent",
    spec: "rfc9113#5.3.2",
    covers: ["rfc9113#6.3/any-state"],
    level: "MUST",
    role: "server",
    title: "The server accepts PRIORITY with an exclusive dependency on a stream that was never opened.",
    steps: [
      handshake,
      send(
        { type: "PRIORITY", stream: 1, priority: { on: 101, weight: 1, exclusive: true } },
        { type: "PRIORITY", stream: 3, priority: { on: 1, weight: 256, exclusive: true } },
        get(5),
      ),
    ],
    control: [handshake, send(get(5))],
    allowed: acceptedAndAnswered(5),
  },
  {
    id: "http2/priority-on-itself",
    spec: "rfc9113#5.3.2",
    covers: ["rfc9113#6.3/any-state"],
    level: "MAY",
    role: "server",
    needs: ["body"],
    title: "The server accepts PRIORITY whose deprecated dependency is its own stream, or resets the stream as RFC 7540 requires.",
    steps: [withoutStreamWindows, send(get(1), priority(1, 1), openStreamWindows)],
    control: [withoutStreamWindows, send(get(1), priority(1, 0), openStreamWindows)],
    controlBreaks: "rfc9113#6.3/any-state",
    // RFC 7540 made this a stream error; RFC 9113 dropped the rule.
    allowed: [
      ...accepted,
      permitted({ see: "RST_STREAM", stream: 1, code: "PROTOCOL_ERROR" }, "rfc7540#5.3.1"),
      permitted({ see: "GOAWAY", code: "PROTOCOL_ERROR" }, "rfc7540#5.3.1"),
    ],
  },
  {
    id: "http2/priority-frames-beside-requests",
    spec: "rfc9113#6.3",
    covers: ["rfc9113#6.3/any-state"],
    level: "MUST",
    role: "server",
    needs: ["lasting"],
    title: "The server accepts three PRIORITY frames with each of 400 requests, as browsers have sent them.",
    steps: [
      handshake,
      ...Array.from({ length: 8 }, (_, batch): Step[] => [
        { do: "repeat", times: 50, stride: 2, frames: withPriorities(100 * batch + 1) },
        { do: "await", see: { see: "response", stream: 100 * batch + 99, complete: true } },
        { do: "fence", by: "ping" },
      ]).flat(),
    ],
    control: [handshake, send(...withPriorities(1))],
    allowed: [...accepted, permitted({ see: "GOAWAY", code: "ENHANCE_YOUR_CALM" }, "rfc9113#10.5", "warn")],
  },
];
