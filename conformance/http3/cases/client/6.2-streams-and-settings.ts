import { sectionOf as addressOf, type RequirementRef } from "../../../harness/case.ts";
import { decoded, insert, line, prefix } from "../../../wire/qpack/build.ts";
import { octetsOn, permitted, sectionOf, send } from "../phrases.ts";
import { answerWith, clientError, exchangeSucceeds, plainExchange, respond, responseContent, untilRequest } from "../phrases-client.ts";
import type { Case, CodeName, FrameSpec, Outcome, Row, SettingName, Step } from "../../vocabulary.ts";

const refuses = ({
  steps,
  control = untilRequest,
  code,
  also = [],
  ...row
}: Row<"spec" | "covers" | "steps"> & { readonly code: CodeName; readonly also?: readonly Outcome[] }): Case => ({
  level: "MUST",
  role: "client",
  allowed: clientError(code, ...also),
  ...row,
  steps,
  control,
});
/** Another beginning of the connection than that of `handshake`. */
const begin = (...frames: FrameSpec[]): readonly Step[] => [
  { do: "open", on: "control", kind: "control" },
  send("control", ...frames),
  { do: "await", see: { see: "request" } },
];
const good = begin({ type: "SETTINGS" });
const settings = (...all: (readonly [SettingName | number, number])[]): FrameSpec => ({ type: "SETTINGS", settings: all });
const first = (slug: string, frame: FrameSpec, also: readonly Outcome[] = []): Case =>
  refuses({
    id: `http3/client-control-stream-begins-with-${slug}`,
    spec: "rfc9114#6.2.1",
    covers: ["rfc9114#6.2.1/missing-settings"],
    title: `The client treats a control stream that begins with another frame than SETTINGS (${slug.replaceAll("-", " ")}) as H3_MISSING_SETTINGS.`,
    code: "H3_MISSING_SETTINGS",
    steps: begin(frame, { type: "SETTINGS" }),
    control: good,
    also,
  });
const extra = (kind: "control" | "encoder" | "decoder"): Case =>
  refuses({
    id: `http3/client-second-${kind}-stream`,
    spec: kind === "control" ? "rfc9114#6.2.1" : "rfc9204#4.2",
    covers: [kind === "control" ? "rfc9114#6.2.1/second-control-stream" : "rfc9204#4.2/second-stream"],
    title: `The client treats a second ${kind} stream as a connection error of type H3_STREAM_CREATION_ERROR.`,
    code: "H3_STREAM_CREATION_ERROR",
    steps: [...untilRequest, { do: "open", on: "extra", kind }],
    control: [...untilRequest, { do: "open", on: "extra", kind: 0x21 }],
  });
const ends = (kind: "control" | "encoder" | "decoder"): Case =>
  refuses({
    id: `http3/client-${kind}-stream-ended`,
    spec: kind === "control" ? "rfc9114#6.2.1" : "rfc9204#4.2",
    covers: [kind === "control" ? "rfc9114#6.2.1/closed" : "rfc9204#4.2/closed"],
    title: `The client treats the end of the ${kind} stream as a connection error of type H3_CLOSED_CRITICAL_STREAM.`,
    code: "H3_CLOSED_CRITICAL_STREAM",
    steps: [...untilRequest, send("request", respond()), { do: "end", on: kind }],
    control: [...untilRequest, send("request", respond())],
  });
const STATUS = line.static(25);
const section = (slug: string, words: string, cover: RequirementRef, ...parts: Uint8Array[]): Case =>
  refuses({
    id: `http3/client-section-${slug}`,
    spec: addressOf(cover),
    covers: [cover],
    title: `The client treats ${words} in a section as QPACK_DECOMPRESSION_FAILED.`,
    code: "QPACK_DECOMPRESSION_FAILED",
    steps: answerWith(sectionOf(...parts), responseContent()),
    control: answerWith(sectionOf(prefix(0), STATUS), responseContent()),
  });
const decoder = (slug: string, words: string, cover: RequirementRef, octets: Uint8Array): Case =>
  refuses({
    id: `http3/client-${slug}`,
    spec: addressOf(cover),
    covers: [cover],
    title: `The client treats ${words} as QPACK_DECODER_STREAM_ERROR.`,
    code: "QPACK_DECODER_STREAM_ERROR",
    steps: [...untilRequest, send("request", respond()), octetsOn("decoder", words, octets)],
    control: [...untilRequest, send("request", respond())],
  });
const holding = (monitor: string, title: string, covers: Case["covers"], level: Case["level"] = "MUST"): Case => ({
  id: `http3/client-${monitor}`,
  spec: addressOf(covers[0]),
  covers,
  level,
  role: "client",
  title,
  steps: plainExchange,
  control: plainExchange,
  allowed: [{ see: { see: "all", of: [{ see: "accepted" }, { see: "exit", ok: true }, { see: "holds", monitor }] } }],
});

/** Streams of the connection, SETTINGS and QPACK, as a client reads them; and what it sends itself. */
export const cases: readonly Case[] = [
  first("goaway", { type: "GOAWAY", id: 0 }),
  first("reserved-frame", { type: 0x21, hex: "00" }),
  first("unknown-frame", { type: 0x3fff }),
  first("data", responseContent(), [permitted({ see: "close", code: "H3_FRAME_UNEXPECTED" }, "rfc9114#7.2")]),
  first("headers", respond(), [permitted({ see: "close", code: "H3_FRAME_UNEXPECTED" }, "rfc9114#7.2")]),
  ...(["control", "encoder", "decoder"] as const).flatMap((kind) => [extra(kind), ends(kind)]),
  ...[0x2, 0x3, 0x4, 0x5].map((id) =>
    refuses({
      id: `http3/client-setting-of-http2-${id}`,
      spec: "rfc9114#7.2.4.1",
      covers: ["rfc9114#7.2.4.1/http2-settings"],
      title: `The client treats the setting 0x0${id} as a connection error of type H3_SETTINGS_ERROR.`,
      code: "H3_SETTINGS_ERROR",
      steps: begin(settings([id, 1])),
      control: good,
    }),
  ),
  refuses({
    id: "http3/client-settings-without-value",
    spec: "rfc9114#7.1",
    covers: ["rfc9114#7.1/wrong-size"],
    title: "The client treats SETTINGS that ends before a value as a connection error of type H3_FRAME_ERROR.",
    code: "H3_FRAME_ERROR",
    steps: begin({ type: "SETTINGS", hex: "21" }),
    control: good,
  }),
  {
    id: "http3/client-settings-unknown",
    spec: "rfc9114#7.2.4",
    covers: ["rfc9114#7.2.4/unknown-ignored", "rfc9114#7.2.4.1/no-meaning"],
    level: "MUST",
    role: "client",
    title: "The client ignores unknown and reserved settings.",
    steps: begin(settings([0x21, 7], [0x4242, 1], [0x1f * 1_000_000 + 0x21, 2 ** 40])),
    control: good,
    allowed: exchangeSucceeds,
  },
  section("with-unknown-static-index", "static index 99", "rfc9204#3.1/unknown-index", prefix(0), STATUS, line.static(99)),
  section(
    "with-absent-dynamic-index",
    "a dynamic reference that it does not require",
    "rfc9204#2.2.3/reference-invalid",
    prefix(0),
    STATUS,
    line.dynamic(0),
  ),
  section(
    "with-absent-post-base-index",
    "a post-base reference that it does not require",
    "rfc9204#2.2.3/reference-invalid",
    prefix(0),
    STATUS,
    line.postBase(0),
  ),
  refuses({
    id: "http3/client-capacity-beyond-limit",
    spec: "rfc9204#4.3.1",
    covers: ["rfc9204#4.3.1/beyond-limit"],
    title: "The client treats a capacity of one octet more than it permits as QPACK_ENCODER_STREAM_ERROR.",
    code: "QPACK_ENCODER_STREAM_ERROR",
    steps: [...untilRequest, send("request", respond()), { do: "capacity", beyond: 1 }],
    control: [...untilRequest, send("request", respond()), { do: "capacity", beyond: 0 }],
  }),
  refuses({
    id: "http3/client-duplicate-of-an-absent-entry",
    spec: "rfc9204#2.2.3",
    covers: ["rfc9204#2.2.3/instruction-invalid"],
    needs: ["dynamic-table"],
    title: "The client treats Duplicate of an absent entry as QPACK_ENCODER_STREAM_ERROR.",
    code: "QPACK_ENCODER_STREAM_ERROR",
    steps: [...untilRequest, send("request", respond()), octetsOn("encoder", "Duplicate", insert.capacity(200), insert.duplicate(0))],
    control: [...untilRequest, send("request", respond()), octetsOn("encoder", "a capacity", insert.capacity(200))],
  }),
  decoder("increment-of-zero", "an Insert Count Increment of 0", "rfc9204#4.4.3/increment-wrong", decoded.increment(0)),
  decoder(
    "increment-beyond-insertions",
    "an Insert Count Increment beyond its insertions",
    "rfc9204#4.4.3/increment-wrong",
    decoded.increment(5),
  ),
  decoder(
    "acknowledgment-without-section",
    "a Section Acknowledgment for a stream without sections",
    "rfc9204#4.4.1/unexpected",
    decoded.acknowledge(400),
  ),
  holding("one-control-stream", "The client opens one control stream.", ["rfc9114#6.2.1/one-control-stream"]),
  holding("settings-first", "The client's control stream begins with SETTINGS.", ["rfc9114#6.2.1/settings-first"]),
  holding("settings-once", "The client sends SETTINGS once.", ["rfc9114#7.2.4/once"], "MUST NOT"),
  holding("settings-differ", "The client announces no setting twice.", ["rfc9114#7.2.4/no-duplicates"], "MUST NOT"),
  holding(
    "no-settings-of-http2",
    "The client announces no setting of HTTP/2 without a counterpart.",
    ["rfc9114#7.2.4.1/http2-not-sent"],
    "MUST NOT",
  ),
  holding(
    "no-frames-of-http2",
    "The client sends no frames of HTTP/2 without a counterpart.",
    ["rfc9114#7.2.8/http2-not-sent"],
    "MUST NOT",
  ),
  holding("frames-in-place", "The client sends every frame on a stream that may carry it.", [
    "rfc9114#7.2.1/in-message",
    "rfc9114#7.2.2/in-message",
  ]),
  holding("frames-complete", "The client sends frames whose length fits their fields.", ["rfc9114#7.1/exact-fields"]),
  holding("names-in-lower-case", "The client sends field names in lower case.", ["rfc9114#4.2/lowercase"]),
  holding("no-connection-fields", "The client sends no connection-specific fields.", ["rfc9114#4.2/not-generated"], "MUST NOT"),
  holding(
    "critical-streams-last",
    "The client ends none of its critical streams.",
    ["rfc9114#6.2.1/not-closed", "rfc9204#4.2/not-closed"],
    "MUST NOT",
  ),
];
