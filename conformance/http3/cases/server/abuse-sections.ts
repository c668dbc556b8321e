import { toHex, join } from "../../../wire/octets.ts";
import { insert, line, literals, prefix } from "../../../wire/qpack/build.ts";
import {
  attackStopped,
  FLOOD_BUDGET,
  data,
  get,
  handshake,
  octetsOn,
  permitted,
  post,
  request,
  sectionOf,
  send,
  whole,
} from "../phrases.ts";
import type { Case, FrameSpec, Row, Step } from "../../vocabulary.ts";

const abuse = ({
  steps,
  control,
  ...row
}: Row<"allowed"> & { readonly steps: readonly Step[]; readonly control: readonly Step[] }): Case => ({
  spec: "rfc9114#10.5",
  covers: ["rfc9114#10.5/track-and-limit", "rfc9114#10.5/excessive-load"],
  level: "SHOULD",
  role: "server",
  group: "abuse",
  budget: FLOOD_BUDGET,
  steps: [handshake, ...steps],
  control: [handshake, ...control],
  ...row,
});

/** The server rejects the request: it gives up the stream, answers with an error, or ends the connection. */
const requestRejected: Case["allowed"] = [
  { see: { see: "stream error", on: "request", code: "any error" } },
  permitted({ see: "response", on: "request", status: [400, 413, 431] }, "rfc9114#10.5.1"),
  permitted({ see: "close", code: "any error" }, "rfc9114#10.5"),
  permitted({ see: "closed" }, "rfc9114#8"),
];
const TOO_LARGE = {
  spec: "rfc9114#10.5.1",
  covers: ["rfc9114#10.5/track-and-limit", "rfc9114#10.5.1/exceed"],
  allowed: requestRejected,
} as const;

const plain = (request_ = request()): Uint8Array => literals(request_.map(([name, value]) => [name, value] as const));
const many = (octets: Uint8Array, times: number): Uint8Array => join(Array.from({ length: times }, () => octets));
/** A request of literals, whose placeholders are not replaced: it is refused before anybody reads its path. */
const withLines = (...lines: readonly Uint8Array[]): FrameSpec => sectionOf(plain(FIXED), ...lines);
const FIXED: ReturnType<typeof request> = [
  [":method", "GET"],
  [":scheme", "https"],
  [":authority", "localhost"],
  [":path", "/"],
];

/** A table of 4,096 octets with one entry that nearly fills it; the subject permits as much, or the case is skipped. */
const CAPACITY = 4_096;
const INSERTED: Step = octetsOn(
  "encoder",
  "an entry of almost 4 kB",
  insert.capacity(CAPACITY),
  insert.literal("x-large", "a".repeat(3_900)),
);
/** The encoded insert count of one insertion in a table of at most that capacity (rfc9204#4.5.1.1). */
const AFTER_ONE = prefix(2);
const bomb = (references: number): FrameSpec => sectionOf(AFTER_ONE, plain(FIXED).subarray(2), many(line.dynamic(0), references));
const trailerBomb = (references: number): FrameSpec => sectionOf(AFTER_ONE, many(line.dynamic(0), references));
/** The instruction so many times, a hundred at a time. */
const instructions = (octets: Uint8Array, times: number): Step => ({
  do: "repeat on",
  on: "encoder",
  times,
  hex: toHex(octets),
});
const TABLE = { needs: ["large-table"] } as const;
const acknowledged: Step = { do: "await", see: { see: "decoded", instruction: "increment" } };

/** Field sections and tables that cost the server more than the client (rfc9114#10.5.1, rfc9204#7.3). */
export const cases: readonly Case[] = [
  abuse({
    ...TOO_LARGE,
    ...TABLE,
    id: "http3/abuse-qpack-bomb",
    title: "The server rejects a request of 11 kB that refers 11,000 times to a 4 kB entry of the dynamic table.",
    steps: [INSERTED, acknowledged, whole("request", bomb(11_000))],
    control: [INSERTED, acknowledged, whole("request", get())],
  }),
  abuse({
    ...TOO_LARGE,
    ...TABLE,
    needs: ["large-table", "post"],
    id: "http3/abuse-qpack-bomb-in-trailers",
    title: "The server rejects trailers of 11 kB that refer 11,000 times to a 4 kB entry of the dynamic table.",
    steps: [INSERTED, acknowledged, send("request", post(), data()), whole("request", trailerBomb(11_000))],
    control: [INSERTED, acknowledged, send("request", post(), data()), whole("request", { type: "HEADERS", fields: [["x-sum", "1"]] })],
  }),
  abuse({
    ...TOO_LARGE,
    id: "http3/abuse-many-small-fields",
    title: "The server rejects a request with 40,000 fields.",
    steps: [whole("request", withLines(many(line.literal("x", "1"), 40_000)))],
    control: [whole("request", get(["x", "1"]))],
  }),
  abuse({
    ...TOO_LARGE,
    id: "http3/abuse-static-references",
    title: "The server rejects a request of 128 KiB that refers 131,072 times to an entry of the static table.",
    steps: [whole("request", withLines(many(line.static(29), 131_072)))],
    control: [whole("request", get(["accept", "*/*"]))],
  }),
  abuse({
    ...TOO_LARGE,
    id: "http3/abuse-many-small-fields-in-trailers",
    title: "The server rejects trailers with 40,000 fields.",
    needs: ["post"],
    steps: [send("request", post(), data()), whole("request", sectionOf(prefix(0), many(line.literal("x", "1"), 40_000)))],
    control: [send("request", post(), data()), whole("request", { type: "HEADERS", fields: [["x", "1"]] })],
  }),
  abuse({
    ...TABLE,
    id: "http3/abuse-qpack-bombs-in-turn",
    title: "The server stops a flood of 1,000 requests that each refer 33 times to a 4 kB entry of the dynamic table.",
    steps: [INSERTED, acknowledged, { do: "repeat", times: 1_000, frames: [bomb(33)] }],
    control: [INSERTED, acknowledged, { do: "repeat", times: 5, frames: [get()] }],
    allowed: attackStopped(),
  }),
  abuse({
    ...TABLE,
    id: "http3/abuse-insertions-without-use",
    title: "The server stops a client that inserts 10,000 entries to which no request refers.",
    steps: [octetsOn("encoder", "a capacity", insert.capacity(CAPACITY)), instructions(insert.literal("x-name", "a".repeat(100)), 10_000)],
    control: [octetsOn("encoder", "a capacity", insert.capacity(CAPACITY)), instructions(insert.literal("x-name", "a".repeat(100)), 5)],
    allowed: attackStopped(),
  }),
  abuse({
    ...TABLE,
    id: "http3/abuse-duplicates-without-use",
    title: "The server stops a client that duplicates an entry of 2 kB 10,000 times, with an octet each.",
    steps: [
      octetsOn("encoder", "an entry of 2 kB", insert.capacity(CAPACITY), insert.literal("x-name", "a".repeat(1_950))),
      instructions(insert.duplicate(0), 10_000),
    ],
    control: [
      octetsOn("encoder", "an entry of 2 kB", insert.capacity(CAPACITY), insert.literal("x-name", "a".repeat(1_950))),
      instructions(insert.duplicate(0), 5),
    ],
    allowed: attackStopped(),
  }),
  abuse({
    ...TABLE,
    id: "http3/abuse-capacity-flood",
    title: "The server stops a client that changes the capacity of its dynamic table 20,000 times.",
    steps: [instructions(join([insert.capacity(CAPACITY), insert.capacity(0)]), 10_000)],
    control: [instructions(join([insert.capacity(CAPACITY), insert.capacity(0)]), 5)],
    allowed: attackStopped(),
  }),
  abuse({
    ...TABLE,
    spec: "rfc9204#4.2",
    covers: ["rfc9204#4.2/closed"],
    level: "MUST",
    id: "http3/abuse-encoder-stream-closed-and-opened-again",
    title: "The server ends the connection of a client that ends its encoder stream with entries in the table and opens others, 50 times.",
    steps: [
      INSERTED,
      acknowledged,
      { do: "reset", on: "encoder", code: "H3_NO_ERROR" },
      { do: "repeat", times: 50, kind: 0x02, frames: [], after: "reset" },
    ],
    control: [INSERTED, acknowledged, { do: "repeat", times: 50, kind: 0x21, frames: [], after: "reset" }],
    allowed: [
      { see: { see: "close", code: ["H3_CLOSED_CRITICAL_STREAM", "H3_STREAM_CREATION_ERROR"] } },
      permitted({ see: "close", code: "any error" }, "rfc9114#8.1", "warn"),
      permitted({ see: "closed" }, "rfc9114#8", "warn"),
    ],
  }),
];
