import { accepted, acceptedAndAnswered, connectionError, get, handshake, permitted, send } from "../../phrases.ts";
import type { Case, FrameSpec } from "../../../vocabulary.ts";

const setting = (value: number): FrameSpec => ({ type: "SETTINGS", settings: [["NO_RFC7540_PRIORITIES", value]] });
const first = (value: number) => ({ do: "handshake", settings: [["NO_RFC7540_PRIORITIES", value]] }) as const;

/** SETTINGS_NO_RFC7540_PRIORITIES (rfc9218#2.1). */
export const cases: readonly Case[] = [
  {
    id: "http2/no-rfc7540-priorities-of-two",
    spec: "rfc9218#2.1",
    covers: ["rfc9218#2.1/value-refused"],
    level: "MUST",
    role: "server",
    needs: ["no-rfc7540-priorities"],
    title: "The server that supports RFC 9218 ends the connection for NO_RFC7540_PRIORITIES of 2.",
    steps: [handshake, send(setting(2))],
    control: [first(1)],
    allowed: connectionError("PROTOCOL_ERROR"),
  },
  {
    id: "http2/no-rfc7540-priorities-largest-value",
    spec: "rfc9218#2.1",
    covers: ["rfc9218#2.1/value-refused"],
    level: "MUST",
    role: "server",
    needs: ["no-rfc7540-priorities"],
    title: "The server that supports RFC 9218 ends the connection for NO_RFC7540_PRIORITIES of 2^32-1.",
    steps: [handshake, send(setting(0xffff_ffff))],
    control: [first(1)],
    allowed: connectionError("PROTOCOL_ERROR"),
  },
  {
    id: "http2/no-rfc7540-priorities-accepted",
    spec: "rfc9218#2.1",
    covers: ["rfc9218#2.1/first-settings", "rfc9218#2.1/value"],
    level: "MUST",
    role: "server",
    title: "The server accepts NO_RFC7540_PRIORITIES of 1 in the client's first SETTINGS.",
    steps: [first(1), send(get(1))],
    control: [handshake, send(get(1))],
    allowed: acceptedAndAnswered(1),
  },
  {
    id: "http2/no-rfc7540-priorities-changed",
    spec: "rfc9218#2.1",
    covers: ["rfc9218#2.1/change-refused", "rfc9218#2.1/not-changed"],
    level: "MUST",
    role: "server",
    title: "The server ignores a change of NO_RFC7540_PRIORITIES, or reports PROTOCOL_ERROR.",
    steps: [first(1), send(setting(0))],
    control: [first(1), send(setting(1))],
    allowed: [...accepted, permitted({ see: "GOAWAY", code: "PROTOCOL_ERROR" }, "rfc9218#2.1")],
  },
  {
    id: "http2/no-rfc7540-priorities-signals-ignored",
    spec: "rfc9218#2.1",
    covers: ["rfc9218#2.1/signals-ignored"],
    level: "MUST",
    role: "server",
    title: "The server ignores priority signals of RFC 7540 from a client that has disabled them.",
    steps: [
      first(1),
      send(
        { type: "PRIORITY", stream: 5, priority: { on: 0, weight: 256 } },
        { ...get(1), priority: { on: 5, weight: 1, exclusive: true } },
        { type: "PRIORITY", stream: 1, priority: { on: 7, weight: 16 } },
      ),
    ],
    control: [first(1), send(get(1))],
    allowed: acceptedAndAnswered(1),
  },
  {
    id: "http2/no-rfc7540-priorities-self-dependency-ignored",
    spec: "rfc9218#2.1",
    covers: ["rfc9218#2.1/signals-ignored"],
    level: "MUST",
    role: "server",
    needs: ["no-rfc7540-priorities"],
    title: "The server ignores signals of a client that has disabled them, even those of streams that depend on themselves.",
    steps: [
      first(1),
      send(
        { type: "PRIORITY", stream: 5, priority: { on: 5, weight: 16 } },
        { ...get(1), priority: { on: 1, weight: 1, exclusive: true } },
      ),
    ],
    control: [first(1), send(get(1))],
    allowed: [
      ...acceptedAndAnswered(1),
      // RFC 7540 made it an error, and libraries that parse the signal report it still.
      permitted({ see: "RST_STREAM", stream: 1, code: "PROTOCOL_ERROR" }, "rfc7540#5.3.1", "warn"),
      permitted({ see: "GOAWAY", code: "PROTOCOL_ERROR" }, "rfc7540#5.3.1", "warn"),
    ],
  },
  {
    id: "http2/no-rfc7540-priorities-announced-at-once",
    spec: "rfc9218#2.1",
    covers: ["rfc9218#2.1/first-settings", "rfc9218#2.1/not-changed", "rfc9218#2.1/value"],
    level: "MUST",
    role: "server",
    needs: ["no-rfc7540-priorities"],
    title: "The server sends NO_RFC7540_PRIORITIES in its first SETTINGS, and does not change it.",
    steps: [handshake, send(get(1))],
    control: [handshake, send(get(1))],
    allowed: [{ see: { see: "accepted without", not: [{ see: "frame", type: "SETTINGS", where: { NO_RFC7540_PRIORITIES: 0 } }] } }],
  },
];
