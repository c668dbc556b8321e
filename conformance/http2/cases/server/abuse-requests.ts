import { attackStopped, FLOOD_BUDGET, get, handshake, permitted, request, send } from "../phrases.ts";
import type { Case, FieldSpec, FrameSpec, Row, Step } from "../../vocabulary.ts";

const many = (times: number, ...frames: FrameSpec[]): Step => ({ do: "repeat", times, stride: 2, frames });
const abuse = ({
  steps,
  control,
  ...row
}: Row<"allowed"> & { readonly steps: readonly Step[]; readonly control: readonly Step[] }): Case => ({
  spec: "rfc9113#10.5",
  covers: ["rfc9113#10.5/track-and-limit", "rfc9113#10.5/enhance-your-calm"],
  level: "SHOULD",
  role: "server",
  group: "abuse",
  budget: FLOOD_BUDGET,
  steps: [handshake, ...steps],
  control: [handshake, ...control],
  ...row,
});

const RESET: FrameSpec = { type: "RST_STREAM", stream: 1, code: "CANCEL" };
const [method, scheme, authority] = request();

/** The server rejects the request: it resets the stream, answers with an error, or ends the connection. */
const requestRejected: Case["allowed"] = [
  { see: { see: "RST_STREAM", stream: 1, code: "any error" } },
  permitted({ see: "response", stream: 1, status: [400, 413, 431] }, "rfc9113#10.5.1"),
  permitted({ see: "GOAWAY", code: "any error" }, "rfc9113#10.5"),
  permitted({ see: "closed" }, "rfc9113#5.4.1"),
];

const block = ({ pieces, legal, ...row }: Row & { readonly pieces: readonly FrameSpec[]; readonly legal: readonly FrameSpec[] }): Case =>
  abuse({
    spec: "rfc9113#10.5.1",
    covers: ["rfc9113#10.5/track-and-limit", "rfc9113#10.5.1/status-431"],
    steps: [send(...pieces)],
    control: [send(...legal)],
    allowed: requestRejected,
    ...row,
  });
const begin = (fields: FieldSpec[] = request()): FrameSpec => ({ type: "HEADERS", stream: 1, flags: ["END_STREAM"], fields });
const piece = (more: Partial<FrameSpec> = {}): FrameSpec => ({ type: "CONTINUATION", stream: 1, ...more });
const END: FrameSpec = piece({ flags: ["END_HEADERS"] });
const times = (count: number, make: (n: number) => FrameSpec): FrameSpec[] => Array.from({ length: count }, (_, n) => make(n));

/** An entry that nearly fills a table of 4,096 octets. */
const LARGE: FieldSpec = ["x-large", "a".repeat(3900), "indexing"];

/** A request that refers so many times to that entry. The first stream is taken. */
const bomb = (references: number): FrameSpec[] => [
  { ...begin(), stream: 3 },
  piece({ stream: 3, flags: ["END_HEADERS"], block: "be".repeat(references) }),
];

/** Floods of requests, and single requests of excessive size (rfc9113#10.5, rfc9113#10.5.1). */
export const cases: readonly Case[] = [
  abuse({
    id: "http2/abuse-rapid-reset",
    title: "The server stops a flood of 5,000 requests that are reset immediately (CVE-2023-44487).",
    fence: "ping",
    steps: [many(5000, get(1), RESET)],
    control: [many(5, get(1), RESET)],
    allowed: attackStopped(),
  }),
  abuse({
    id: "http2/abuse-resets-provoked-by-window-updates",
    title: "The server stops a flood of 2,000 requests that it must reset for a WINDOW_UPDATE of 0 (CVE-2025-8671).",
    fence: "ping",
    steps: [many(2000, { ...get(1), flags: ["END_HEADERS"] }, { type: "WINDOW_UPDATE", stream: 1, increment: 0 })],
    control: [many(5, get(1), { type: "WINDOW_UPDATE", stream: 1, increment: 1 })],
    allowed: attackStopped(),
  }),
  abuse({
    id: "http2/abuse-resets-provoked-by-malformed-requests",
    title: "The server stops a flood of 2,000 malformed requests (CVE-2019-9514, CVE-2025-8671).",
    fence: "ping",
    steps: [many(2000, { ...get(1), fields: [method, scheme, authority] })],
    control: [many(5, get(1))],
    allowed: attackStopped(),
  }),
  abuse({
    id: "http2/abuse-resets-provoked-by-content-after-the-end",
    title: "The server stops a flood of 2,000 requests with DATA after END_STREAM (CVE-2025-8671).",
    fence: "ping",
    steps: [many(2000, get(1), { type: "DATA", stream: 1, data: "more" })],
    control: [many(5, get(1))],
    allowed: attackStopped(),
  }),
  abuse({
    id: "http2/abuse-headers-without-fields",
    title: "The server stops a flood of 2,000 empty HEADERS frames (CVE-2019-9518).",
    fence: "ping",
    steps: [many(2000, { type: "HEADERS", stream: 1, flags: ["END_STREAM", "END_HEADERS"], block: "" })],
    control: [many(5, get(1))],
    allowed: attackStopped(),
  }),
  block({
    id: "http2/abuse-continuation-flood",
    title: "The server rejects a request with 5,000 CONTINUATION frames of 60 octets each (CVE-2024-27316 and related).",
    pieces: [begin(), ...times(5000, (n) => piece({ fields: [[`x-${n}`, "a".repeat(50)]] })), END],
    legal: [begin(), ...times(3, (n) => piece({ fields: [[`x-${n}`, "a".repeat(50)]] })), END],
  }),
  block({
    id: "http2/abuse-empty-continuation-flood",
    title: "The server rejects a request with 5,000 empty CONTINUATION frames (CVE-2019-9518).",
    pieces: [begin(), ...times(5000, () => piece()), END],
    legal: [begin(), ...times(3, () => piece()), END],
  }),
  block({
    id: "http2/abuse-header-bomb",
    title:
      "The server rejects a request of 15 kB that refers 11,000 times to a 4 kB entry of the dynamic table (CVE-2016-1544, CVE-2016-6581).",
    pieces: [begin([...request(), LARGE]), piece({ flags: ["END_HEADERS"], block: "be".repeat(11_000) })],
    legal: [begin([...request(), LARGE]), piece({ flags: ["END_HEADERS"], block: "be" })],
  }),
  block({
    id: "http2/abuse-header-bomb-of-short-fields",
    title: "The server rejects a request of 128 KiB that refers 131,072 times to a static table entry.",
    pieces: [begin(), ...times(8, () => piece({ block: "90".repeat(16_384) })), END],
    legal: [begin(), piece({ block: "90" }), END],
  }),
  block({
    id: "http2/abuse-many-small-fields",
    title: "The server rejects a request with 40,000 fields.",
    pieces: [begin(), ...times(20, () => piece({ block: "0001780131".repeat(2000) })), END],
    legal: [begin(), piece({ block: "0001780131" }), END],
  }),
  block({
    id: "http2/abuse-zero-length-fields",
    title: "The server rejects a request with 10,000 fields of empty name and value (CVE-2019-9516).",
    pieces: [begin(), ...times(2, () => piece({ block: "000000".repeat(5000) })), END],
    legal: [begin(), piece({ block: "0001780131" }), END],
  }),
  abuse({
    id: "http2/abuse-header-bombs-in-turn",
    title: "The server stops a flood of 1,000 requests that each refer 33 times to a 4 kB entry of the dynamic table.",
    fence: "ping",
    steps: [send({ ...begin([...request(), LARGE]), flags: ["END_STREAM", "END_HEADERS"] }), many(1000, ...bomb(33))],
    control: [send({ ...begin([...request(), LARGE]), flags: ["END_STREAM", "END_HEADERS"] }), many(5, ...bomb(1))],
    allowed: attackStopped(),
  }),
];
