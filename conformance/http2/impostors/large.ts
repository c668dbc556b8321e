import { sends } from "./misdeeds.ts";
import { brokenBy } from "./strict.ts";
import type { ServerFlaw } from "./flaw.ts";

/** Servers that are wrong only with large responses, or while they retire a connection. */

const OCTETS = 300_000;
const large = (about: string, flaw: Omit<ServerFlaw, "about">): ServerFlaw => ({ about, pageOctets: OCTETS, ...flaw });

export const LARGE: Readonly<Record<string, ServerFlaw>> = {
  "overruns-connection": large("keeps to the windows of streams only", { disregards: "connection window" }),
  "overruns-streams": large("keeps to the window of the connection only", { disregards: "stream window" }),
  "oversizes-frames": large("sends frames larger than is allowed", { disregards: "frame size" }),
  "large-without-end": large("sends no end after a large response", {
    sends: (frame) => [
      frame.type === "DATA" || frame.type === "HEADERS" ? { ...frame, flags: frame.type === "HEADERS" ? ["END_HEADERS"] : [] } : frame,
    ],
  }),
  "counts-window-updates": large("ends the connection at the hundredth WINDOW_UPDATE", {
    meets: ({ type }, peer) => (type === "WINDOW_UPDATE" && (peer.came.get(type) ?? 0) > 99 ? { goaway: "PROTOCOL_ERROR" } : undefined),
  }),
  "large-field-in-one-frame": { about: "sends a large field block in one frame", fieldOctets: 20_000 },
  "retires-and-answers": { about: "answers requests that its GOAWAY excludes", retires: true },
  "retires-and-resets": {
    about: "sends GOAWAY, and resets the requests in progress",
    retires: true,
    sends: (frame, peer) =>
      peer.went.some(({ type }) => type === "GOAWAY") && frame.type === "DATA"
        ? [{ type: "RST_STREAM", stream: frame.stream ?? 0, code: "CANCEL" }]
        : [frame],
  },
  "retires-and-forgets": {
    about: "sends GOAWAY, and opens no window afterwards",
    retires: true,
    sends: (frame, peer) => (frame.type === "WINDOW_UPDATE" && peer.went.some(({ type }) => type === "GOAWAY") ? [] : [frame]),
  },
  "small-table": { about: "announces a small table, and accepts everything", settings: [["HEADER_TABLE_SIZE", 1000]] },
  "tiny-window": {
    about: "announces a tiny window, accepts everything but empty DATA, and gives no credit",
    meets: ({ type, length }) => (type === "DATA" && length === 0 ? { reset: "FLOW_CONTROL_ERROR" } : undefined),
    settings: [["INITIAL_WINDOW_SIZE", 1000]],
    sends: (frame) => (frame.type === "WINDOW_UPDATE" ? [] : [frame]),
  },
  "echoes-the-last-cookie": { about: "repeats the last of several Cookie fields", echoes: "last" },
  "echoes-the-first-cookie": { about: "repeats the first of several Cookie fields", echoes: "first" },
  "signals-the-last-size": sends("signals only the last of several table sizes", (frame) => [
    frame.tableSize === undefined ? frame : { ...frame, tableSize: frame.tableSize.slice(-1) },
  ]),
  "counts-priorities": {
    about: "ends the connection at the hundredth PRIORITY",
    meets: ({ type }, peer) => (type === "PRIORITY" && (peer.came.get(type) ?? 0) > 99 ? { goaway: "PROTOCOL_ERROR" } : undefined),
  },
  "counts-pings": {
    about: "ends the connection at the tenth PING",
    meets: ({ type }, peer) => (type === "PING" && (peer.came.get(type) ?? 0) > 9 ? { goaway: "PROTOCOL_ERROR" } : undefined),
  },
  "counts-unknown-frames": {
    about: "ends the connection at the fifth frame of an unknown type",
    meets: ({ type }, peer) => (type.startsWith("0x") && (peer.came.get(type) ?? 0) > 4 ? { goaway: "PROTOCOL_ERROR" } : undefined),
  },
  "keeps-credit-of-rejected-content": {
    about: "resets malformed requests, and gives no credit for their content",
    meets: (frame, peer, fields) => {
      const reset = (stream: number): boolean => peer.went.some((one) => one.type === "RST_STREAM" && one.stream === stream);
      if (frame.type === "DATA" && reset(frame.stream)) return "ignore";
      return brokenBy(frame, peer, fields) === undefined ? undefined : { reset: "PROTOCOL_ERROR" };
    },
  },
};
