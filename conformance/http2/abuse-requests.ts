import { get, handshake, FLOOD_BUDGET, permitted, request, send, attackStopped } from "./phrases.ts";
import type { Case, FieldSpec, FrameSpec, Step } from "./vocabulary.ts";

const many = (times: number, ...frames: FrameSpec[]): Step => ({ do: "repeat", times, stride: 2, frames });
const abuse = (
  c: Pick<Case, "id" | "title"> & Partial<Case>,
  steps: readonly Step[],
  control: readonly Step[],
  allowed: Case["allowed"],
): Case => ({
  spec: "rfc9113#10.5",
  covers: ["rfc9113#10.5/track-and-limit", "rfc9113#10.5/enhance-your-calm"],
  level: "SHOULD",
  role: "server",
  group: "abuse",
  budget: FLOOD_BUDGET,
  ...c,
  steps: [handshake, ...steps],
  control: [handshake, ...control],
  allowed,
});

const RESET: FrameSpec = { type: "RST_STREAM", stream: 1, code: "CANCEL" };
const [method, scheme, authority] = request() as [FieldSpec, FieldSpec, FieldSpec];

/** The request is refused by itself: with the stream, with an answer, or with the connection. */
const refused: Case["allowed"] = [
  { see: { see: "RST_STREAM", stream: 1, code: "any error" } },
  permitted({ see: "response", stream: 1, status: [400, 413, 431] }, "rfc9113#10.5.1"),
  permitted({ see: "GOAWAY", code: "any error" }, "rfc9113#10.5"),
  permitted({ see: "closed" }, "rfc9113#5.4.1"),
];

const block = (words: string, title: string, pieces: readonly FrameSpec[], control: readonly FrameSpec[]): Case =>
  abuse(
    { id: `http2/abuse-${words}`, title, spec: "rfc9113#10.5.1", covers: ["rfc9113#10.5/track-and-limit", "rfc9113#10.5.1/status-431"] },
    [send(...pieces)],
    [send(...control)],
    refused,
  );
const begin = (fields: FieldSpec[] = request()): FrameSpec => ({ type: "HEADERS", stream: 1, flags: ["END_STREAM"], fields });
const piece = (more: Partial<FrameSpec> = {}): FrameSpec => ({ type: "CONTINUATION", stream: 1, ...more });
const END: FrameSpec = piece({ flags: ["END_HEADERS"] });
const times = (count: number, make: (n: number) => FrameSpec): FrameSpec[] => Array.from({ length: count }, (_, n) => make(n));

/** An entry that nearly fills a table of 4,096 octets. */
const LARGE: FieldSpec = ["x-large", "a".repeat(3900), "indexing"];

export const cases: readonly Case[] = [
  abuse(
    {
      id: "http2/abuse-rapid-reset",
      title: "The server puts a stop to 5,000 requests in a row that are reset as soon as they are made (CVE-2023-44487).",
      fence: "ping",
    },
    [many(5000, get(1), RESET)],
    [many(5, get(1), RESET)],
    attackStopped(),
  ),
  abuse(
    {
      id: "http2/abuse-resets-provoked-by-window-updates",
      title: "The server puts a stop to 2,000 requests in a row that it has to reset for a WINDOW_UPDATE of 0 (CVE-2025-8671).",
      fence: "ping",
    },
    [many(2000, { ...get(1), flags: ["END_HEADERS"] }, { type: "WINDOW_UPDATE", stream: 1, increment: 0 })],
    [many(5, get(1), { type: "WINDOW_UPDATE", stream: 1, increment: 1 })],
    attackStopped(),
  ),
  abuse(
    {
      id: "http2/abuse-resets-provoked-by-malformed-requests",
      title: "The server puts a stop to 2,000 malformed requests in a row (CVE-2019-9514, CVE-2025-8671).",
      fence: "ping",
    },
    [many(2000, { ...get(1), fields: [method, scheme, authority] })],
    [many(5, get(1))],
    attackStopped(),
  ),
  abuse(
    {
      id: "http2/abuse-resets-provoked-by-content-after-the-end",
      title: "The server puts a stop to 2,000 requests in a row that go on with DATA after their end (CVE-2025-8671).",
      fence: "ping",
    },
    [many(2000, get(1), { type: "DATA", stream: 1, data: "more" })],
    [many(5, get(1))],
    attackStopped(),
  ),
  abuse(
    {
      id: "http2/abuse-headers-without-fields",
      title: "The server puts a stop to 2,000 HEADERS in a row with nothing in them (CVE-2019-9518).",
      fence: "ping",
    },
    [many(2000, { type: "HEADERS", stream: 1, flags: ["END_STREAM", "END_HEADERS"], block: "" })],
    [many(5, get(1))],
    attackStopped(),
  ),
  block(
    "continuation-flood",
    "The server refuses a request of 5,000 CONTINUATION, each with a field of 60 octets (CVE-2024-27316 and its family).",
    [begin(), ...times(5000, (n) => piece({ fields: [[`x-${n}`, "a".repeat(50)]] })), END],
    [begin(), ...times(3, (n) => piece({ fields: [[`x-${n}`, "a".repeat(50)]] })), END],
  ),
  block(
    "empty-continuation-flood",
    "The server refuses a request of 5,000 empty CONTINUATION (CVE-2019-9518).",
    [begin(), ...times(5000, () => piece()), END],
    [begin(), ...times(3, () => piece()), END],
  ),
  block(
    "header-bomb",
    "The server refuses a request of 15 kilobytes that refers 11,000 times to an entry of 4 kilobytes in its table (CVE-2016-1544, CVE-2016-6581).",
    [begin([...request(), LARGE]), piece({ flags: ["END_HEADERS"], block: "be".repeat(11_000) })],
    [begin([...request(), LARGE]), piece({ flags: ["END_HEADERS"], block: "be" })],
  ),
  block(
    "header-bomb-of-short-fields",
    "The server refuses a request of 128 kilobytes that refers 131,072 times to a field of the static table.",
    [begin(), ...times(8, () => piece({ block: "90".repeat(16_384) })), END],
    [begin(), piece({ block: "90" }), END],
  ),
  block(
    "many-small-fields",
    "The server refuses a request of 40,000 fields.",
    [begin(), ...times(20, () => piece({ block: "0001780131".repeat(2000) })), END],
    [begin(), piece({ block: "0001780131" }), END],
  ),
  block(
    "zero-length-fields",
    "The server refuses a request of 10,000 fields without name and value (CVE-2019-9516).",
    [begin(), ...times(2, () => piece({ block: "000000".repeat(5000) })), END],
    [begin(), piece({ block: "0001780131" }), END],
  ),
];
