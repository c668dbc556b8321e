import { accepted, acceptedWith, app, casesOf, PING, shown, type Side } from "../phrases.ts";
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
export function connectionIds(side: Side): Case[] {
  const { who, peer, id } = side;
  const { after, refused } = casesOf(side);

  return [
    after({
      id: id("connection-ids-beyond-the-limit"),
      spec: "rfc9000#5.1.1",
      covers: ["rfc9000#5.1.1/limit"],
      title: `The ${who} treats one connection ID more than its active_connection_id_limit as a connection error of type CONNECTION_ID_LIMIT_ERROR.`,
      needs: ["few-ids"],
      steps: [{ do: "issue ids", beyond: 1 }],
      control: [{ do: "issue ids", beyond: 0 }],
      allowed: side.error("CONNECTION_ID_LIMIT_ERROR"),
    }),
    after({
      id: id("connection-id-issued-twice"),
      spec: "rfc9000#19.15",
      covers: ["rfc9000#19.15/repeated"],
      title: `The ${who} accepts the same NEW_CONNECTION_ID frame a second time.`,
      steps: [app(issued(1)), app(issued(1))],
      control: [app(issued(1))],
      allowed: accepted,
    }),
    after({
      id: id("connection-ids-retired-by-their-issuer"),
      spec: "rfc9000#5.1.2",
      covers: ["rfc9000#5.1.2/retire-prior-to", "rfc9000#19.15/retires"],
      title: `The ${who} retires the connection IDs below Retire Prior To.`,
      steps: [app(issued(1, 1)), retired(0)],
      control: [app(issued(1))],
      allowed: acceptedWith({ see: "frame", type: "RETIRE_CONNECTION_ID", where: { sequence: 0 } }),
    }),
    after({
      id: id("connection-id-retired-before-it-came"),
      spec: "rfc9000#19.15",
      covers: ["rfc9000#19.15/below-retired"],
      title: `The ${who} retires a connection ID that comes after a Retire Prior To beyond it.`,
      steps: [app(issued(2, 2)), app(issued(1)), retired(1)],
      control: [app(issued(1))],
      allowed: acceptedWith({ see: "frame", type: "RETIRE_CONNECTION_ID", where: { sequence: 1 } }),
    }),
    after({
      id: id("retire-prior-to-that-falls"),
      spec: "rfc9000#19.15",
      covers: ["rfc9000#19.15/no-decrease"],
      title: `The ${who} ignores a Retire Prior To below an earlier one.`,
      steps: [app(issued(2, 2)), retired(0), app(issued(3, 0))],
      control: [app(issued(1))],
      allowed: accepted,
    }),
    refused({
      id: id("retire-an-id-that-was-not-issued"),
      spec: "rfc9000#19.16",
      covers: ["rfc9000#19.16/beyond-issued"],
      title: `The ${who} treats RETIRE_CONNECTION_ID for an ID that it has not issued as a connection error of type PROTOCOL_VIOLATION.`,
      frames: [{ type: "RETIRE_CONNECTION_ID", sequence: 10_000 }],
      code: "PROTOCOL_VIOLATION",
    }),
    after({
      id: id("retire-a-spare-id"),
      spec: "rfc9000#5.1.2",
      covers: ["rfc9000#5.1.2/retired-by-peer"],
      title: `The ${who} accepts RETIRE_CONNECTION_ID for an ID that the ${peer} does not use.`,
      needs: ["more-ids"],
      steps: [app({ type: "RETIRE_CONNECTION_ID", sequence: 1 })],
      control: [app(PING)],
      allowed: accepted,
    }),
    after({
      id: id("retired-id-is-replaced"),
      spec: "rfc9000#5.1.1",
      covers: ["rfc9000#5.1.1/supplied"],
      level: "SHOULD",
      title: `The ${who} issues another connection ID when the ${peer} retires one.`,
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
      id: id("packets-to-another-id"),
      spec: "rfc9000#5.1.1",
      covers: ["rfc9000#5.1.1/issued-ids-accepted"],
      title: `The ${who} accepts packets to a connection ID that it has issued.`,
      needs: ["more-ids"],
      steps: [{ do: "fence" }, { do: "use id", sequence: 1 }, app(PING)],
      control: [{ do: "fence" }, app(PING)],
      allowed: accepted,
    }),
    shown(side, {
      id: id(`${who}-issues-fresh-ids`.replace("client-", "")),
      covers: ["rfc9000#10.3.2/distinct-tokens"],
      level: "MUST NOT",
      monitor: "ids-fresh",
      title: `The ${who} issues each connection ID once, with a stateless reset token of its own.`,
      needs: ["more-ids"],
      steps: [side.begin, { do: "fence" }],
    }),
    shown(side, {
      id: id(`${who}-issues-few-ids`.replace("client-", "")),
      covers: ["rfc9000#5.1.1/within-limit"],
      level: "MUST NOT",
      monitor: "ids-within-limit",
      title: `The ${who} issues no more connection IDs than the ${peer}'s active_connection_id_limit.`,
      needs: ["more-ids"],
      steps: [side.begin, { do: "fence" }],
    }),
  ];
}
