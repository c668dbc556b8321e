import { after, connect, connectionError, SERVER } from "../phrases.ts";
import { beyondStreams, flowControl } from "../shared/flow-control.ts";
import type { Case } from "../../vocabulary.ts";

/** Flow control (rfc9000#4). */
export const cases: readonly Case[] = [
  ...flowControl(SERVER),
  after({
    id: "quic/connection-data-beyond-the-limit",
    spec: "rfc9000#4.1",
    covers: ["rfc9000#4.1/limits", "rfc9000#19.9/exceeded"],
    title: "The server treats more data on all streams together than it permits as a connection error of type FLOW_CONTROL_ERROR.",
    needs: ["connection-window", "stream-window", "bidirectional-streams"],
    steps: [{ do: "fill connection", beyond: 1 }],
    control: [{ do: "fill connection", beyond: 0 }],
    allowed: connectionError("FLOW_CONTROL_ERROR"),
  }),
  ...beyondStreams(SERVER, "bidirectional streams"),
  {
    id: "quic/data-out-of-order",
    spec: "rfc9000#2.2",
    covers: ["rfc9000#2.2/ordered"],
    level: "MUST",
    role: "server",
    title: "The server delivers data in order that came out of order: it answers a request whose parts come last first.",
    steps: [
      connect,
      { do: "request", stream: 0, order: "reversed" },
      { do: "await", see: { see: "frame", type: "STREAM", where: { stream: 0 } } },
    ],
    control: [connect, { do: "request", stream: 0 }, { do: "await", see: { see: "frame", type: "STREAM", where: { stream: 0 } } }],
    allowed: [{ see: { see: "all", of: [{ see: "accepted" }, { see: "frame", type: "STREAM", where: { stream: 0 } }] } }],
  },
  {
    id: "quic/data-twice",
    spec: "rfc9000#2.2",
    covers: ["rfc9000#2.2/repeated"],
    level: "MUST",
    role: "server",
    title: "The server accepts the same data at the same offset again: it answers a request each part of which comes twice.",
    steps: [
      connect,
      { do: "request", stream: 0, order: "twice" },
      { do: "await", see: { see: "frame", type: "STREAM", where: { stream: 0 } } },
    ],
    control: [connect, { do: "request", stream: 0 }, { do: "await", see: { see: "frame", type: "STREAM", where: { stream: 0 } } }],
    allowed: [{ see: { see: "all", of: [{ see: "accepted" }, { see: "frame", type: "STREAM", where: { stream: 0 } }] } }],
  },
];
