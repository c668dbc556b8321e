import { acceptedWith, connectionError, connectWith, FLOOD_BUDGET, permitted, piece, PING, SERVER, shown } from "../../phrases.ts";
import type { Case, ConnectSpec, CodeName, FrameName, FrameSpec, Outcome, Row, Step } from "../../../vocabulary.ts";

const fence: Step = { do: "fence" };
const taken: Step = { do: "need", see: { see: "early data", accepted: true } };
/** Resumes a session, and sends these frames in 0-RTT packets, one each. */
const early = (frames: readonly (readonly FrameSpec[])[], spec: ConnectSpec = {}): Step => ({
  do: "connect",
  resume: { early: true },
  early: frames,
  ...spec,
});
const asking = early([[piece(0)]]);
/** The ClientHello; the server answers when the packets of the next steps have left, too. */
const begun: Step = { do: "connect", resume: { early: true }, impatient: true };

const about = (row: Row<"spec" | "covers" | "steps" | "control" | "allowed">): Case => ({
  level: "MUST",
  role: "server",
  needs: ["early-data"],
  ...row,
});
/** The server refuses the 0-RTT data of this connection, and completes its handshake. */
const refused = ({
  with: spec,
  others = [],
  ...row
}: Row<"spec" | "covers"> & { readonly with: ConnectSpec; readonly others?: readonly Outcome[] }): Case =>
  about({
    steps: [early([[piece(0)]], spec)],
    control: [asking],
    allowed: [
      ...acceptedWith({ see: "early data", accepted: false }, { see: "holds", monitor: "refused-early-data-not-acknowledged" }),
      ...others,
    ],
    ...row,
  });
/** Frames in a 0-RTT packet that end the connection. */
const mistake = ({
  frames,
  code,
  packet,
  ...row
}: Row<"spec" | "covers"> & {
  readonly frames: readonly FrameSpec[];
  readonly code: CodeName;
  readonly packet?: { readonly reserved?: number };
}): Case =>
  about({
    steps: [begun, { do: "send", level: "application", early: true, ...packet, frames }, fence, taken],
    control: [begun, { do: "send", level: "application", early: true, frames: [PING] }, fence, taken],
    allowed: connectionError(code),
    ...row,
  });

/** Frames that no 0-RTT packet can have (rfc9000#12.5), which table 3 of rfc9000#12.4 does not permit there. */
const IMPOSSIBLE: readonly (readonly [FrameName, FrameSpec])[] = [
  ["ACK", { type: "ACK", largest: 0, first: 0 }],
  ["CRYPTO", { type: "CRYPTO", offset: 0, data: 4 }],
  ["NEW_TOKEN", { type: "NEW_TOKEN", token: "00" }],
  ["PATH_RESPONSE", { type: "PATH_RESPONSE", token: "0011223344556677" }],
  ["HANDSHAKE_DONE", { type: "HANDSHAKE_DONE" }],
];

/** 0-RTT (rfc9001#4.6, rfc8446#4.2.10, #8, rfc9000#7.4.1). */
export const cases: readonly Case[] = [
  about({
    id: "quic/early-data-acknowledged",
    spec: "rfc9001#4.6.2",
    covers: ["rfc9001#4.6.2/processes"],
    title: "The server acknowledges the 0-RTT packets of a client whose 0-RTT data it takes.",
    steps: [early([[piece(0)]]), taken, { do: "await", see: { see: "acknowledged" } }],
    control: [connectWith({ resume: {} })],
    allowed: acceptedWith({ see: "early data", accepted: true }, { see: "acknowledged" }),
  }),
  refused({
    id: "quic/early-data-before-a-hello-retry",
    spec: "rfc9001#4.6.2",
    covers: ["rfc9001#4.6.2/hello-retry", "rfc9001#4.6.2/refused-not-processed"],
    title: "The server refuses 0-RTT data if it answers with HelloRetryRequest, and acknowledges none of it.",
    with: { shares: [] },
    control: [connectWith({ resume: {}, shares: [] })],
  }),
  refused({
    id: "quic/early-data-with-another-suite",
    spec: "rfc8446#4.2.10",
    covers: ["rfc8446#4.2.10/same-suite"],
    title: "The server refuses 0-RTT data of a client that no longer offers the cipher suite of the session.",
    with: { hello: { suites: "1303" }, suites: ["TLS_AES_128_GCM_SHA256", "TLS_CHACHA20_POLY1305_SHA256"] },
    // It takes nothing then, either.
    others: [permitted({ see: "close", code: "any error" }, "rfc9000#11", "warn")],
  }),
  refused({
    id: "quic/early-data-with-the-ticket-of-nobody",
    spec: "rfc9001#4.6.2",
    covers: ["rfc9001#4.6.2/refused-not-processed"],
    level: "MUST NOT",
    title: "The server refuses 0-RTT data of a client whose ticket it has not issued, and acknowledges none of it.",
    with: { resume: { early: true, offer: { ticket: "other" } } },
  }),
  refused({
    id: "quic/early-data-with-a-wrong-age",
    spec: "rfc8446#4.2.10",
    covers: ["rfc8446#4.2.10/age"],
    level: "SHOULD",
    title: "The server refuses 0-RTT data of a client that says its ticket is an hour older than it is.",
    with: { resume: { early: true, offer: { olderMs: 3_600_000 } } },
  }),
  about({
    id: "quic/early-data-recorded",
    spec: "rfc8446#8",
    covers: ["rfc8446#8/at-most-once", "rfc9001#9.2/replay"],
    title: "The server takes the 0-RTT data of a ClientHello once: when the same one comes again, it refuses the data.",
    steps: [
      asking,
      taken,
      { do: "leave" },
      { do: "mark" },
      { do: "connect", resume: { early: true }, early: [[piece(0)]], recorded: true },
    ],
    control: [asking, taken, { do: "leave" }, { do: "mark" }, asking],
    allowed: [
      { see: { see: "early data", accepted: false } },
      permitted({ see: "close", code: "any error" }, "rfc9000#11"),
      permitted({ see: "silence" }, "rfc9000#11.1"),
    ],
    fence: "connection",
  }),
  ...IMPOSSIBLE.map(([type, frame]) =>
    mistake({
      id: `quic/early-data-with-${type.toLowerCase().replaceAll("_", "-")}`,
      spec: "rfc9000#12.4",
      covers: ["rfc9000#12.4/early-frames"],
      level: "SHOULD",
      title: `The server treats ${type} in a 0-RTT packet as a connection error of type PROTOCOL_VIOLATION.`,
      frames: [frame],
      code: "PROTOCOL_VIOLATION",
    }),
  ),
  mistake({
    id: "quic/early-data-without-frames",
    spec: "rfc9000#12.4",
    covers: ["rfc9000#12.4/no-frames"],
    title: "The server treats a 0-RTT packet without a frame as a connection error of type PROTOCOL_VIOLATION.",
    frames: [],
    code: "PROTOCOL_VIOLATION",
  }),
  mistake({
    id: "quic/early-data-with-reserved-bits",
    spec: "rfc9000#17.2",
    covers: ["rfc9000#17.2/reserved-bits"],
    title: "The server treats reserved bits in a 0-RTT packet that are not zero as a connection error of type PROTOCOL_VIOLATION.",
    frames: [PING],
    packet: { reserved: 3 },
    code: "PROTOCOL_VIOLATION",
  }),
  mistake({
    id: "quic/early-data-on-a-stream-of-the-server",
    spec: "rfc9000#19.8",
    covers: ["rfc9000#19.8/not-ours"],
    title: "The server treats 0-RTT data on its unidirectional stream as a connection error of type STREAM_STATE_ERROR.",
    frames: [{ type: "STREAM", stream: 3, data: "a" }],
    code: "STREAM_STATE_ERROR",
  }),
  mistake({
    id: "quic/early-data-on-a-stream-beyond-the-limit",
    spec: "rfc9000#4.6",
    covers: ["rfc9000#4.6/stream-limit"],
    title: "The server treats 0-RTT data on a stream beyond its limit as a connection error of type STREAM_LIMIT_ERROR.",
    frames: [{ type: "STREAM", stream: { limit: "bidirectional streams", plus: 0 }, data: "a" }],
    code: "STREAM_LIMIT_ERROR",
  }),
  mistake({
    id: "quic/early-data-beyond-the-window",
    spec: "rfc9000#4.1",
    covers: ["rfc9000#4.1/limits"],
    title: "The server treats 0-RTT data beyond the limit of its stream as a connection error of type FLOW_CONTROL_ERROR.",
    frames: [{ type: "STREAM", stream: 0, offset: { limit: "stream data", plus: 0 }, data: "a" }],
    code: "FLOW_CONTROL_ERROR",
  }),
  shown(SERVER, {
    id: "quic/server-keeps-limits-for-early-data",
    covers: ["rfc9000#7.4.1/not-reduced"],
    level: "MUST NOT",
    monitor: "early-limits-kept",
    title: "A server that takes 0-RTT data announces no smaller limits than on the connection whose session it resumes.",
    needs: ["early-data"],
    steps: [asking, taken, fence],
  }),
  shown(SERVER, {
    id: "quic/server-keeps-settings-for-early-data",
    covers: ["rfc9114#7.2.4.2/not-reduced", "rfc9114#7.2.4.2/all-included"],
    level: "MUST NOT",
    monitor: "early-settings-kept",
    title: "A server that takes 0-RTT data announces the SETTINGS of the connection whose session it resumes, and no smaller limits.",
    needs: ["early-data"],
    steps: [asking, taken, fence],
  }),
  {
    id: "quic/abuse-early-data-recorded",
    spec: "rfc8446#8",
    covers: ["rfc8446#8/at-most-once", "rfc9000#21.9/track"],
    level: "SHOULD",
    role: "server",
    group: "abuse",
    budget: FLOOD_BUDGET,
    title: "The server endures 100 copies of a first flight with 0-RTT data within the budget.",
    needs: ["early-data"],
    steps: [asking, { do: "half-open", times: 100, with: { resume: { early: true } }, recorded: [piece(0)] }],
    control: [asking],
    allowed: [
      { see: { see: "accepted" } },
      permitted({ see: "close", code: "any error" }, "rfc9000#21.9"),
      permitted({ see: "application close" }, "rfc9000#21.9"),
    ],
  },
];
