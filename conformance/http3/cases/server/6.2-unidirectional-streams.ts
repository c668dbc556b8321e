import { accepted, connectionError, getOn, handshake, permitted } from "../phrases.ts";
import type { Case, Row, Step } from "../../vocabulary.ts";

const unknown = 0x21;
const octets = (hex: string, note: string): Step => ({ do: "octets", on: "extra", hex, note });
const opened: readonly Step[] = [handshake, { do: "open", on: "extra" }];

/** A stream that exists to be ignored, with these steps on it, before a good request. */
const ignores = ({ on, ...row }: Row & { readonly on: readonly Step[] }): Case => ({
  spec: "rfc9114#6.2",
  covers: ["rfc9114#6.2/unknown-type-no-error"],
  level: "MUST NOT",
  role: "server",
  steps: [handshake, ...on],
  control: [handshake, getOn("request")],
  allowed: accepted,
  ...row,
});

const typed = (kind: number): Step => ({ do: "open", on: "extra", kind });
const refuses = ({ on, ...row }: Row<"covers"> & { readonly on: readonly Step[] }): Case => ({
  spec: "rfc9114#6.2.2",
  level: "MUST",
  role: "server",
  steps: [handshake, ...on],
  control: [handshake, typed(unknown)],
  allowed: connectionError("H3_STREAM_CREATION_ERROR"),
  ...row,
});

/** Unidirectional streams: their types, unknown ones, and pushes of a client (rfc9114#6.2). */
export const cases: readonly Case[] = [
  ignores({
    id: "http3/stream-of-reserved-type",
    title: "The server accepts a unidirectional stream of the reserved type 0x21.",
    spec: "rfc9114#6.2.3",
    covers: ["rfc9114#6.2.3/no-meaning", "rfc9114#6.2.3/when-idle"],
    on: [typed(unknown)],
  }),
  ignores({
    id: "http3/stream-of-large-reserved-type",
    title: "The server accepts a unidirectional stream of a reserved type that takes eight octets.",
    spec: "rfc9114#6.2.3",
    covers: ["rfc9114#6.2.3/no-meaning"],
    on: [typed(0x1f * 100_000_000 + unknown)],
  }),
  ignores({
    id: "http3/stream-of-unknown-type",
    title: "The server accepts a unidirectional stream of an unknown type.",
    on: [typed(0x04)],
  }),
  ignores({
    id: "http3/stream-of-unknown-type-with-data",
    title: "The server discards the data of a unidirectional stream of an unknown type.",
    covers: ["rfc9114#6.2/unknown-type-no-error", "rfc9114#6.2/unknown-type"],
    on: [typed(0x54), octets("00".repeat(2_000), "2,000 octets")],
  }),
  ignores({
    id: "http3/stream-of-unknown-type-like-frames",
    title: "The server does not read frames on a unidirectional stream of an unknown type.",
    covers: ["rfc9114#6.2/unknown-type-no-error", "rfc9114#6.2/unknown-type"],
    on: [typed(0x54), { do: "send", on: "extra", frames: [{ type: "SETTINGS", settings: [[0x2, 1]] }, { type: 0x6 }] }],
  }),
  ignores({
    id: "http3/stream-of-unknown-type-ended",
    title: "The server accepts the end of a unidirectional stream of an unknown type.",
    spec: "rfc9114#6.2.3",
    covers: ["rfc9114#6.2.3/ends-either-way", "rfc9114#6.2/unknown-type-no-error"],
    on: [typed(unknown), { do: "end", on: "extra" }],
  }),
  ignores({
    id: "http3/stream-of-unknown-type-reset",
    title: "The server accepts that a unidirectional stream of an unknown type is reset.",
    spec: "rfc9114#6.2.3",
    covers: ["rfc9114#6.2.3/ends-either-way", "rfc9114#6.2/unknown-type-no-error"],
    on: [typed(unknown), { do: "reset", on: "extra", code: "H3_NO_ERROR" }],
  }),
  ignores({
    id: "http3/stream-ended-without-type",
    title: "The server accepts a unidirectional stream that ends before its type.",
    covers: ["rfc9114#6.2/ends-before-type"],
    level: "MUST",
    on: [
      { do: "open", on: "extra" },
      { do: "end", on: "extra" },
    ],
  }),
  ignores({
    id: "http3/stream-ended-within-type",
    title: "The server accepts a unidirectional stream that ends within its type.",
    covers: ["rfc9114#6.2/ends-before-type"],
    level: "MUST",
    on: [{ do: "open", on: "extra" }, octets("40", "half of a type"), { do: "end", on: "extra" }],
  }),
  ignores({
    id: "http3/stream-reset-within-type",
    title: "The server accepts a unidirectional stream that is reset within its type.",
    covers: ["rfc9114#6.2/ends-before-type"],
    level: "MUST",
    on: [{ do: "open", on: "extra" }, octets("c0", "an octet of a type"), { do: "reset", on: "extra", code: "H3_NO_ERROR" }],
  }),
  ignores({
    id: "http3/stream-type-in-pieces",
    title: "The server reads the type of a unidirectional stream octet by octet.",
    covers: ["rfc9114#6.2/type"],
    level: "MUST",
    on: [{ do: "open", on: "extra" }, octets("40", "half of the type 0x40"), octets("40", "the rest of it"), octets("ffff", "two octets")],
  }),
  {
    id: "http3/unknown-stream-stopped-with-creation-error",
    spec: "rfc9114#6.2",
    covers: ["rfc9114#6.2/unknown-type-code"],
    level: "SHOULD",
    role: "server",
    title: "The server that stops a stream of unknown type does so with H3_STREAM_CREATION_ERROR or a reserved code.",
    steps: [handshake, typed(0x54), octets("00", "an octet")],
    control: [handshake, getOn("request")],
    allowed: [
      {
        see: {
          see: "accepted without",
          not: [
            {
              see: "stop",
              on: "extra",
              code: [
                "H3_NO_ERROR",
                "H3_GENERAL_PROTOCOL_ERROR",
                "H3_INTERNAL_ERROR",
                "H3_FRAME_UNEXPECTED",
                "H3_FRAME_ERROR",
                "H3_REQUEST_CANCELLED",
                "H3_REQUEST_REJECTED",
                "H3_EXCESSIVE_LOAD",
              ],
            },
          ],
        },
      },
    ],
  },
  refuses({
    id: "http3/push-stream-of-client",
    title: "The server treats a push stream of a client as a connection error of type H3_STREAM_CREATION_ERROR.",
    covers: ["rfc9114#6.2.2/client-push-stream"],
    on: [{ do: "open", on: "extra", kind: "push" }, octets("00", "push ID 0")],
  }),
  refuses({
    id: "http3/push-stream-of-client-without-id",
    title: "The server treats a push stream of a client without a push ID as a connection error of type H3_STREAM_CREATION_ERROR.",
    covers: ["rfc9114#6.2.2/client-push-stream"],
    on: [{ do: "open", on: "extra", kind: "push" }],
  }),
  refuses({
    id: "http3/push-stream-of-client-in-longer-form",
    title: "The server treats a push stream of a client whose type takes two octets as H3_STREAM_CREATION_ERROR.",
    covers: ["rfc9114#6.2.2/client-push-stream"],
    on: [{ do: "open", on: "extra" }, octets("4001", "the type of a push stream in two octets")],
  }),
  {
    id: "http3/push-stream-of-client-after-max-push-id",
    spec: "rfc9114#6.2.2",
    covers: ["rfc9114#6.2.2/client-push-stream"],
    level: "MUST",
    role: "server",
    title: "The server treats a push stream of a client as H3_STREAM_CREATION_ERROR although the client permits pushes.",
    steps: [
      handshake,
      { do: "send", on: "control", frames: [{ type: "MAX_PUSH_ID", id: 8 }] },
      { do: "open", on: "extra", kind: "push" },
      octets("00", "push ID 0"),
    ],
    control: [handshake, { do: "send", on: "control", frames: [{ type: "MAX_PUSH_ID", id: 8 }] }, typed(unknown)],
    allowed: connectionError("H3_STREAM_CREATION_ERROR"),
  },
  {
    id: "http3/three-unidirectional-streams",
    spec: "rfc9114#6.2",
    covers: ["rfc9114#6.2/three-streams"],
    level: "MUST",
    role: "server",
    title: "The server permits at least three unidirectional streams.",
    steps: [handshake],
    control: [handshake],
    allowed: accepted,
  },
  {
    id: "http3/critical-streams-stay-open",
    spec: "rfc9114#6.2.1",
    covers: ["rfc9114#6.2.1/not-closed", "rfc9114#6.2.1/not-stopped", "rfc9204#4.2/not-closed", "rfc9204#4.2/not-stopped"],
    level: "MUST NOT",
    role: "server",
    title: "The server neither ends its own critical streams nor asks for the end of the client's.",
    steps: [handshake, getOn("request")],
    control: [handshake, getOn("request")],
    allowed: [
      {
        see: {
          see: "all",
          of: [
            {
              see: "accepted without",
              not: [
                { see: "stop", on: "control" },
                { see: "stop", on: "encoder" },
                { see: "stop", on: "decoder" },
              ],
            },
            { see: "holds", monitor: "critical-streams-last" },
          ],
        },
      },
    ],
  },
  {
    id: "http3/stops-no-stream-before-its-type",
    spec: "rfc9114#6.2",
    covers: ["rfc9114#6.2/type-read-first"],
    level: "SHOULD NOT",
    role: "server",
    title: "The server does not stop a unidirectional stream before it has read its type.",
    steps: [...opened, octets("c0", "an octet of a type")],
    control: [handshake, getOn("request")],
    allowed: [
      { see: { see: "accepted without", not: [{ see: "stop", on: "extra" }] } },
      permitted({ see: "accepted" }, "rfc9114#6.2", "warn"),
    ],
  },
];
