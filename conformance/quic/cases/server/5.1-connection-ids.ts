import { accepted, acceptedWith, after, app, connect, connectionError, holds, PING, refused } from "../phrases.ts";
import type { Case, FrameSpec, Step } from "../../vocabulary.ts";

const issued = (sequence: number, retire = 0): FrameSpec => ({
  type: "NEW_CONNECTION_ID",
  sequence,
  retire,
  id: `0102030405060${sequence.toString(16).padStart(3, "0")}`,
  token: sequence.toString(16).padStart(32, "a"),
});
const retired = (sequence: number): Step => ({ do: "await", see: { see: "frame", type: "RETIRE_CONNECTION_ID", where: { sequence } } });

/** Connection IDs (rfc9000#5.1). */
export const cases: readonly Case[] = [
  after({
    id: "quic/connection-ids-beyond-the-limit",
    spec: "rfc9000#5.1.1",
    covers: ["rfc9000#5.1.1/limit"],
    title:
      "The server treats one connection ID more than its active_connection_id_limit as a connection error of type CONNECTION_ID_LIMIT_ERROR.",
    needs: ["few-ids"],
    steps: [{ do: "issue ids", beyond: 1 }],
    control: [{ do: "issue ids", beyond: 0 }],
    allowed: connectionError("CONNECTION_ID_LIMIT_ERROR"),
  }),
  after({
    id: "quic/connection-id-issued-twice",
    spec: "rfc9000#19.15",
    covers: ["rfc9000#19.15/repeated"],
    title: "The server accepts the same NEW_CONNECTION_ID frame a second time.",
    steps: [app(issued(1)), app(issued(1))],
    control: [app(issued(1))],
    allowed: accepted,
  }),
  after({
    id: "quic/connection-ids-retired-by-their-issuer",
    spec: "rfc9000#5.1.2",
    covers: ["rfc9000#5.1.2/retire-prior-to", "rfc9000#19.15/retires"],
    title: "The server retires the connection IDs below Retire Prior To.",
    steps: [app(issued(1, 1)), retired(0)],
    control: [app(issued(1))],
    allowed: acceptedWith({ see: "frame", type: "RETIRE_CONNECTION_ID", where: { sequence: 0 } }),
  }),
  after({
    id: "quic/connection-id-retired-before-it-came",
    spec: "rfc9000#19.15",
    covers: ["rfc9000#19.15/below-retired"],
    title: "The server retires a connection ID that comes after a Retire Prior To beyond it.",
    steps: [app(issued(2, 2)), app(issued(1)), retired(1)],
    control: [app(issued(1))],
    allowed: acceptedWith({ see: "frame", type: "RETIRE_CONNECTION_ID", where: { sequence: 1 } }),
  }),
  after({
    id: "quic/retire-prior-to-that-falls",
    spec: "rfc9000#19.15",
    covers: ["rfc9000#19.15/no-decrease"],
    title: "The server ignores a Retire Prior To below an earlier one.",
    steps: [app(issued(2, 2)), retired(0), app(issued(3, 0))],
    control: [app(issued(1))],
    allowed: accepted,
  }),
  refused({
    id: "quic/retire-an-id-that-was-not-issued",
    spec: "rfc9000#19.16",
    covers: ["rfc9000#19.16/beyond-issued"],
    title: "The server treats RETIRE_CONNECTION_ID for an ID that it has not issued as a connection error of type PROTOCOL_VIOLATION.",
    frames: [{ type: "RETIRE_CONNECTION_ID", sequence: 10_000 }],
    code: "PROTOCOL_VIOLATION",
  }),
  after({
    id: "quic/retire-a-spare-id",
    spec: "rfc9000#5.1.2",
    covers: ["rfc9000#5.1.2/retired-by-peer"],
    title: "The server accepts RETIRE_CONNECTION_ID for an ID that the client does not use.",
    needs: ["more-ids"],
    steps: [app({ type: "RETIRE_CONNECTION_ID", sequence: 1 })],
    control: [app(PING)],
    allowed: accepted,
  }),
  after({
    id: "quic/retired-id-is-replaced",
    spec: "rfc9000#5.1.1",
    covers: ["rfc9000#5.1.1/supplied"],
    level: "SHOULD",
    title: "The server issues another connection ID when the client retires one.",
    needs: ["more-ids"],
    steps: [
      { do: "fence" },
      { do: "mark" },
      app({ type: "RETIRE_CONNECTION_ID", sequence: 1 }),
      { do: "await", see: { see: "frame", type: "NEW_CONNECTION_ID" } },
    ],
    control: [app(PING)],
    allowed: acceptedWith({ see: "frame", type: "NEW_CONNECTION_ID" }),
  }),
  after({
    id: "quic/packets-to-another-id",
    spec: "rfc9000#5.1.1",
    covers: ["rfc9000#5.1.1/issued-ids-accepted"],
    title: "The server accepts packets to a connection ID that it has issued.",
    needs: ["more-ids"],
    steps: [{ do: "fence" }, { do: "use id", sequence: 1 }, app(PING)],
    control: [{ do: "fence" }, app(PING)],
    allowed: accepted,
  }),
  ...(
    [
      [
        "quic/server-issues-fresh-ids",
        "rfc9000#10.3.2",
        "rfc9000#10.3.2/distinct-tokens",
        "ids-fresh",
        "The server issues each connection ID once, with a stateless reset token of its own.",
      ],
      [
        "quic/server-issues-few-ids",
        "rfc9000#5.1.1",
        "rfc9000#5.1.1/within-limit",
        "ids-within-limit",
        "The server issues no more connection IDs than the client's active_connection_id_limit.",
      ],
    ] as const
  ).map(([id, spec, covers, monitor, title]): Case => {
    const steps: Step[] = [connect, { do: "fence" }];
    return {
      id,
      spec,
      covers: [covers],
      level: "MUST NOT",
      role: "server",
      title,
      needs: ["more-ids"],
      steps,
      control: steps,
      allowed: holds(monitor),
    };
  }),
];
