import { connectionError, finalData, get, handshake, post, promise, request, send } from "../phrases.ts";
import type { Case, FrameSpec, Row } from "../../vocabulary.ts";

const fromClient = (more: Partial<FrameSpec>, promised = 2): FrameSpec => ({ ...promise(promised, request()), stream: 1, ...more });

/** Any PUSH_PROMISE from a client is an error (rfc9113#8.4); these also break rfc9113#6.6. */
const rejects = ({ wrong, ...row }: Row<"covers"> & { readonly wrong: FrameSpec }): Case => ({
  spec: "rfc9113#6.6",
  level: "MUST",
  role: "server",
  steps: [handshake, send(post(1), wrong)],
  control: [handshake, send(post(1), finalData)],
  allowed: connectionError("PROTOCOL_ERROR"),
  ...row,
});

/** PUSH_PROMISE (rfc9113#6.6): invalid from a client, and well-formed from the server. */
export const cases: readonly Case[] = [
  rejects({
    id: "http2/push-promise-on-stream-zero",
    title: "The server treats PUSH_PROMISE on stream 0 as a connection error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#6.6/stream-zero"],
    wrong: fromClient({ stream: 0 }),
  }),
  rejects({
    id: "http2/push-promise-of-padding",
    title: "The server treats PUSH_PROMISE whose padding exceeds its payload as a connection error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#6.6/padding-too-long"],
    wrong: fromClient({ padLength: 255, fields: [] }),
  }),
  rejects({
    id: "http2/push-promise-on-idle-stream",
    title: "The server treats PUSH_PROMISE on an idle stream as a connection error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#6.6/wrong-state", "rfc9113#5.1/idle-other-frames"],
    wrong: fromClient({ stream: 3 }),
  }),
  rejects({
    id: "http2/push-promise-of-stream-zero",
    title: "The server treats a promise of stream 0 as a connection error of type PROTOCOL_ERROR.",
    covers: ["rfc9113#6.6/illegal-promised"],
    wrong: fromClient({ promised: 0 }),
  }),
  {
    id: "http2/push-disabled",
    spec: "rfc9113#6.6",
    covers: ["rfc9113#6.6/push-disabled-not-sent", "rfc9113#6.5.2/push-disabled-server"],
    level: "MUST NOT",
    role: "server",
    needs: ["push"],
    title: "The server sends no PUSH_PROMISE to a client that disables push.",
    steps: [{ do: "handshake", settings: [["ENABLE_PUSH", 0]] }, send(get(1))],
    control: [handshake, send(get(1))],
    allowed: [{ see: { see: "accepted without", not: [{ see: "frame", type: "PUSH_PROMISE" }] } }],
  },
  {
    id: "http2/push-promise-well-formed",
    spec: "rfc9113#6.6",
    covers: ["rfc9113#6.6/sending-states", "rfc9113#6.6/padding-zero"],
    level: "MUST",
    role: "server",
    needs: ["push"],
    title: "The server sends PUSH_PROMISE on client streams that it has not ended, with zero padding only.",
    steps: [handshake, send(get(1), get(3))],
    control: [handshake, send(get(1), get(3))],
    allowed: [
      {
        see: {
          see: "all",
          of: [{ see: "accepted" }, { see: "holds", monitor: "promises-on-open-streams" }, { see: "holds", monitor: "padding-zero" }],
        },
      },
    ],
  },
  {
    id: "http2/push-within-concurrency",
    spec: "rfc9113#5.1.2",
    covers: ["rfc9113#5.1.2/not-exceeded", "rfc9113#5.1.2/counts"],
    level: "MUST NOT",
    role: "server",
    needs: ["push"],
    title: "The server keeps its pushed streams within the client's MAX_CONCURRENT_STREAMS.",
    steps: [{ do: "handshake", settings: [["MAX_CONCURRENT_STREAMS", 1]] }, send(get(1), get(3))],
    control: [handshake, send(get(1), get(3))],
    allowed: [{ see: { see: "all", of: [{ see: "accepted" }, { see: "holds", monitor: "concurrent-streams" }] } }],
  },
];
