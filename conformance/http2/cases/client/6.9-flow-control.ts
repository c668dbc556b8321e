import {
  content,
  exchangeSucceeds,
  handshake,
  permitted,
  plainExchange,
  promise,
  refusesRepeatedSettings,
  respond,
  responseWithoutStatus,
  send,
  untilRequest,
} from "../phrases.ts";
import type { Case, FrameSpec, Row, Sight, Step } from "../../vocabulary.ts";

/** The connection window until a WINDOW_UPDATE of ours (rfc9113#6.9.2). */
const INITIAL = 65_535;
const update = (stream: FrameSpec["stream"], increment: number): FrameSpec => ({ type: "WINDOW_UPDATE", stream: stream ?? 0, increment });
const sent = (octets: number): Step => ({ do: "await", see: { see: "content", octets } });
const ping: Step = { do: "fence", by: "ping" };
const seeUpdate = (stream: 0 | "request"): Step => ({ do: "await", see: { see: "frame", type: "WINDOW_UPDATE", stream } });
const holds = (...monitors: string[]): Sight[] => monitors.map((monitor) => ({ see: "holds", monitor }));

const receives = (row: Row<"steps">): Case => ({
  spec: "rfc9113#6.9.1",
  covers: ["rfc9113#6.9.1/receiver-updates", "rfc9113#6.9/always-counted"],
  level: "MUST",
  role: "client",
  needs: ["small-window"],
  fence: "exit",
  control: plainExchange,
  allowed: exchangeSucceeds,
  ...row,
});

/** Then the rest of the request, and its response. */
const rest: readonly Step[] = [
  { do: "release windows" },
  { do: "await", see: { see: "frame", type: "DATA", stream: "request", where: { endStream: true } } },
  send(respond(), content()),
];

/** A request with more than 131,072 octets of content. The harness opens no window by itself until `rest`. */
const sends = ({ steps, whole, ...row }: Row<"covers" | "steps"> & { readonly whole?: true }): Case => ({
  spec: "rfc9113#6.9.1",
  level: "MUST",
  role: "client",
  needs: ["big-upload"],
  fence: "exit",
  control: [...untilRequest, sent(131_072), send(respond(), content())],
  allowed: [{ see: { see: "all", of: [...holds("flow-control", "frame-sizes"), { see: "exit", ok: true }] } }],
  steps:
    whole === true
      ? steps
      : [
          { do: "hold windows" },
          { do: "handshake", settings: [["INITIAL_WINDOW_SIZE", 1_000_000]] },
          { do: "await", see: { see: "request" } },
          sent(INITIAL),
          ...steps,
          ...rest,
        ],
  ...row,
});

/** The first response, after so many acknowledgements, and the second request. */
const nextRequestAfter = (count: number): readonly Step[] => [
  { do: "await", see: { see: "frame", type: "SETTINGS", where: { ack: true }, count } },
  send(respond(), content()),
  { do: "await", see: { see: "request", nth: 2 } },
];

/** Flow control of a client, of its responses and of its requests (rfc9113#6.9.1). */
export const cases: readonly Case[] = [
  receives({
    id: "http2/client-connection-window-reopened",
    title: "A client sends WINDOW_UPDATE for the connection after a response has used its window up.",
    steps: [
      ...untilRequest,
      send(respond()),
      { do: "fill window", of: "connection", stream: "request", beyond: 0 },
      seeUpdate(0),
      send(content()),
    ],
  }),
  receives({
    id: "http2/client-large-response",
    title: "A client reads a response of several windows, and opens both windows as it does.",
    needs: [],
    steps: [...untilRequest, send(respond()), { do: "upload", stream: "request", octets: 1_000_000, end: true }],
  }),
  receives({
    id: "http2/client-padding-counted",
    spec: "rfc9113#6.1",
    covers: ["rfc9113#6.1/counts-whole-payload", "rfc9113#6.9.1/receiver-updates"],
    title: "A client sends WINDOW_UPDATE after padding has used up a stream window.",
    steps: [
      ...untilRequest,
      send(respond()),
      { do: "fill window", of: "stream", stream: "request", beyond: 0, padded: true },
      seeUpdate("request"),
      send(content()),
    ],
  }),
  receives({
    id: "http2/client-padding-counted-on-the-connection",
    spec: "rfc9113#6.1",
    covers: ["rfc9113#6.1/counts-whole-payload", "rfc9113#6.9.1/receiver-updates"],
    title: "A client sends WINDOW_UPDATE after padding has used up the connection window.",
    steps: [
      ...untilRequest,
      send(respond()),
      { do: "fill window", of: "connection", stream: "request", beyond: 0, padded: true },
      seeUpdate(0),
      send(content()),
    ],
  }),
  receives({
    id: "http2/client-discarded-content-credited",
    spec: "rfc9113#6.9",
    covers: ["rfc9113#6.9/always-counted", "rfc9113#5.1/closed-minimal-processing"],
    // To count discarded content is a MUST; that the credit comes back follows only from keeping the connection usable.
    level: "SHOULD",
    needs: ["push", "small-window"],
    title: "A client reopens the connection window after content of pushed responses that it discards has used it up.",
    steps: [
      ...untilRequest,
      send(respond()),
      { do: "spend connection window", frames: [promise(2), { ...responseWithoutStatus, stream: 2 }] },
      { do: "upload", stream: "request", octets: 1000, end: true },
    ],
    // The command may report that a push failed.
    allowed: [
      { see: { see: "all", of: [{ see: "RST_STREAM", stream: 2, code: "any error" }, ...holds("window-increments-not-zero")] } },
      permitted({ see: "GOAWAY", code: "PROTOCOL_ERROR" }, "rfc9113#5.4.1"),
    ],
  }),
  sends({
    id: "http2/client-flow-connection-window-used-up",
    title: "A client stops at the end of the connection window, although the window of its request is open.",
    covers: ["rfc9113#6.9.1/not-beyond-window", "rfc9113#5.2.1/sender-respects", "rfc9113#6.9.2/initial-65535"],
    steps: [ping],
  }),
  sends({
    id: "http2/client-flow-connection-window-not-opened-by-a-stream",
    title: "A client does not count WINDOW_UPDATE on a stream for the connection.",
    covers: ["rfc9113#6.9.1/window-updated", "rfc9113#6.9.1/not-beyond-window"],
    steps: [send(update("request", 10_000)), ping],
  }),
  sends({
    id: "http2/client-flow-connection-window-opened-by-update",
    title: "A client uses the connection window again as far as each WINDOW_UPDATE opens it.",
    covers: ["rfc9113#6.9.1/window-updated", "rfc9113#6.9.1/not-beyond-window"],
    steps: [send(update(0, 10_000)), sent(INITIAL + 10_000), ping, send(update(0, 1)), sent(INITIAL + 10_001)],
  }),
  sends({
    id: "http2/client-flow-stream-window-used-up",
    title: "A client stops at the end of the window of its request, although the connection window is open.",
    covers: ["rfc9113#6.9.1/not-beyond-window", "rfc9113#5.2.1/sender-respects", "rfc9113#6.9.2/initial-65535"],
    steps: [
      { do: "hold windows" },
      handshake,
      send(update(0, 1_000_000)),
      { do: "await", see: { see: "request" } },
      sent(INITIAL),
      ping,
      send(update("request", 10_000)),
      sent(INITIAL + 10_000),
      ...rest,
    ],
    whole: true,
  }),
  {
    id: "http2/client-large-field-section-in-several-frames",
    spec: "rfc9113#4.3",
    covers: ["rfc9113#4.3/contiguous", "rfc9113#4.3/last-end-headers", "rfc9113#4.1/length-limit"],
    level: "MUST",
    role: "client",
    needs: ["large-request"],
    title: "A client splits a field block of more than 16,384 octets into HEADERS and CONTINUATION frames.",
    fence: "exit",
    steps: plainExchange,
    control: plainExchange,
    allowed: [
      { see: { see: "all", of: [...holds("frame-sizes", "field-blocks-contiguous", "field-blocks-decode"), { see: "exit", ok: true }] } },
    ],
  },
  {
    id: "http2/client-table-size-lowered-and-raised-at-once",
    spec: "rfc9113#4.3.1",
    // The sizes take effect together, with the acknowledgement: that the encoder signals the smaller one too is its choice.
    covers: ["rfc9113#4.3.1/effective-on-ack", "rfc9113#6.5/last-value", "rfc9113#6.5.3/processed-in-order"],
    level: "MUST",
    role: "client",
    needs: ["second-request"],
    title: "A client encodes for the last table size, if a SETTINGS frame lowers the size and raises it again.",
    fence: "exit",
    steps: [
      ...untilRequest,
      send({
        type: "SETTINGS",
        settings: [
          ["HEADER_TABLE_SIZE", 0],
          ["HEADER_TABLE_SIZE", 4096],
        ],
      }),
      ...nextRequestAfter(1),
    ],
    control: plainExchange,
    allowed: [
      { see: { see: "all", of: [...holds("size-updates-within-limit", "field-blocks-decode"), { see: "exit", ok: true }] } },
      refusesRepeatedSettings,
    ],
  },
  {
    id: "http2/client-table-size-lowered-and-raised",
    spec: "rfc7541#4.2",
    covers: ["rfc7541#4.2/smallest-signalled"],
    level: "MUST",
    role: "client",
    needs: ["second-request"],
    title: "A client signals the smallest table size and then the last one, if two SETTINGS frames lower the size and raise it again.",
    fence: "exit",
    steps: [
      ...untilRequest,
      send({ type: "SETTINGS", settings: [["HEADER_TABLE_SIZE", 0]] }, { type: "SETTINGS", settings: [["HEADER_TABLE_SIZE", 4096]] }),
      ...nextRequestAfter(2),
    ],
    control: plainExchange,
    allowed: [
      { see: { see: "all", of: [...holds("size-update-follows-settings", "size-updates-within-limit"), { see: "exit", ok: true }] } },
    ],
  },
];
