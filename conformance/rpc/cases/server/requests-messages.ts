import type { MessageSpec, Sight } from "../../vocabulary.ts";
import { all, answer, call, end, fails, GOOD, holds, lastly, PAYLOAD, type Row, say } from "./phrases.ts";

/** Messages in their envelopes, over any DATA frames. */

/** The octets of a message before its content. */
const HEAD = 5;
/** A good message has more octets than this. */
const INSIDE = 11;

const boundary = (id: string, title: string, row: Pick<Row, "steps" | "allowed"> & Partial<Row>): Row => ({
  id: `cut-${id}`,
  title,
  covers: "rpc-http2#data-frames/boundaries",
  ...row,
});

/** Two messages of a stream, whose joined payloads come back. */
const TWO: readonly MessageSpec[] = [{ payload: "first" }, { payload: "second" }];
const joined: Sight = answer({ payloads: ["firstsecond"], numbers: [2] });
const echoed: Sight = answer({ payloads: ["first", "second"], numbers: [1, 2] });

const cuts: readonly Row[] = [
  ...[1, 2, 3, 4, 5, 6, 7, 13, INSIDE].map((octets) =>
    boundary(`${octets}-octets`, `A message is read from DATA frames of ${octets} octets each.`, {
      steps: [call(1), lastly(1, [{}], { cut: octets })],
      allowed: answer(),
    }),
  ),
  ...[1, 2, 3, 4, HEAD, 6, INSIDE].map((at) =>
    boundary(`at-${at}`, `A message is read if one DATA frame ends after ${at} octets of it.`, {
      steps: [call(1), lastly(1, [{}], { cutAt: [at] })],
      allowed: answer(),
    }),
  ),
  ...[1, 2, 3, 4, HEAD, 6].map((at) =>
    boundary(`second-at-${at}`, `The second message of a stream is read if its first ${at} octets are in the frame of the first.`, {
      // A Request with the payload "first" has 7 octets.
      steps: [call(1, { method: "ClientStream" }), lastly(1, TWO, { cutAt: [HEAD + 7 + at] })],
      allowed: joined,
    }),
  ),
  boundary("two-in-one", "Two messages of a stream are read from one DATA frame.", {
    steps: [call(1, { method: "ClientStream" }), lastly(1, TWO)],
    allowed: joined,
  }),
  boundary("bidi-two-in-one", "Two messages of one DATA frame are two messages of a bidirectional stream.", {
    steps: [call(1, { method: "BidiStream" }), lastly(1, TWO)],
    allowed: echoed,
  }),
  boundary("bidi-octets", "Two messages of a bidirectional stream are read from DATA frames of one octet.", {
    steps: [call(1, { method: "BidiStream" }), lastly(1, TWO, { cut: 1 })],
    allowed: echoed,
  }),
  boundary("server-stream-octets", "The request of a streamed response is read from DATA frames of one octet.", {
    steps: [call(1, { method: "ServerStream" }), lastly(1, [{ plan: { responses: 2 } }], { cut: 1 })],
    allowed: answer({ payloads: [PAYLOAD, PAYLOAD], numbers: [1, 2] }),
  }),
  boundary("hundred-in-one", "A hundred messages are read from one DATA frame.", {
    steps: [
      call(1, { method: "ClientStream" }),
      lastly(
        1,
        Array.from({ length: 100 }, () => ({ payload: "x" })),
      ),
    ],
    allowed: answer({ payloads: ["x".repeat(100)], numbers: [100] }),
  }),
  boundary("empty-frames", "Empty DATA frames between the parts of a message change nothing.", {
    steps: [call(1), lastly(1, [{}], { cut: 4, empty: true })],
    allowed: answer(),
  }),
  boundary("padded", "Padding of DATA frames is no part of a message.", {
    covers: ["rfc9113#6.1/padded", "rpc-http2#data-frames/boundaries"],
    level: "MUST",
    steps: [call(1), lastly(1, [{}], { cut: 4, pad: 20 })],
    allowed: answer(),
  }),
  boundary("padding-only", "A DATA frame that has padding only is no part of a message.", {
    covers: ["rfc9113#6.1/padded", "rpc-http2#data-frames/boundaries"],
    level: "MUST",
    steps: [call(1), say(1, [{}], { cutAt: [8] }), { do: "frames", frames: [{ type: "DATA", stream: 1, pad: 5 }] }, end(1)],
    allowed: answer(),
  }),
  boundary("ping-inside", "A PING between the parts of a message is answered, and the message is read.", {
    steps: [
      call(1),
      {
        do: "frames",
        frames: [
          { type: "DATA", stream: 1, hex: "00" },
          { type: "PING", hex: "0102030405060708" },
        ],
      },
      { do: "await", see: { see: "pong", hex: "0102030405060708" } },
      {
        do: "frames",
        frames: [
          { type: "DATA", stream: 1, hex: "000000040a0261", flags: [] },
          { type: "DATA", stream: 1, hex: "62", flags: ["END_STREAM"] },
        ],
      },
    ],
    allowed: answer({ payloads: ["ab"] }),
  }),
  boundary("interleaved", "The parts of messages of three calls are read although they alternate.", {
    steps: [
      call(1),
      call(3),
      call(5),
      ...[0, 1, 2, 3].flatMap((part) =>
        [1, 3, 5].map((stream) => ({
          do: "frames" as const,
          frames: [
            {
              type: "DATA" as const,
              stream,
              hex: ["00000000", "04", "0a0261", "62"][part] ?? "",
              ...(part === 3 ? { flags: ["END_STREAM" as const] } : {}),
            },
          ],
        })),
      ),
    ],
    allowed: all(answer({ payloads: ["ab"] }, 1), answer({ payloads: ["ab"] }, 3), answer({ payloads: ["ab"] }, 5)),
  }),
];

const sizes: readonly Row[] = [
  ...[0, 1, 127, 128, 16_379, 16_384, 65_535, 65_536, 200_000, 1_000_000].map((size): Row => ({
    id: `message-of-${size}`,
    title: `A message with a payload of ${size} octets is read, and its response is whole.`,
    covers: "rpc-http2#requests/messages",
    steps: [call(1), lastly(1, [{ size }], { patient: true })],
    allowed: answer({ sizes: [size] }),
  })),
  {
    id: "message-without-octets",
    title: "A message without any octets is the message whose fields all have their defaults.",
    covers: "rpc-http2#requests/messages",
    steps: [call(1), lastly(1, [{ hex: "" }])],
    allowed: answer({ payloads: [""] }),
  },
  {
    id: "messages-without-octets",
    title: "Three messages without any octets are three messages.",
    covers: "rpc-http2#requests/messages",
    steps: [call(1, { method: "BidiStream" }), lastly(1, [{ hex: "" }, { hex: "" }, { hex: "" }])],
    allowed: answer({ payloads: ["", "", ""], numbers: [1, 2, 3] }),
  },
  {
    id: "message-unknown-field",
    title: "A message with a field that the contract does not have is read.",
    covers: "rpc-http2#requests/messages",
    steps: [call(1), lastly(1, [{ hex: "0a0361626392f4010378797a" }])],
    allowed: answer({ payloads: ["abc"] }),
  },
];

const ends: readonly Row[] = [
  {
    id: "end-on-empty-data",
    title: "A request may end with an empty DATA frame.",
    covers: "rpc-http2#requests/end-of-stream",
    steps: [call(1), say(1), end(1)],
    allowed: answer(),
  },
  {
    id: "end-of-empty-stream",
    title: "A stream of requests may have no message.",
    covers: "rpc-http2#outline/request",
    steps: [call(1, { method: "ClientStream" }), end(1)],
    allowed: answer({ payloads: [""] }),
  },
  {
    id: "end-of-empty-bidi-stream",
    title: "A bidirectional stream without messages ends with OK.",
    covers: "rpc-http2#outline/request",
    steps: [call(1, { method: "BidiStream" }), end(1)],
    allowed: all(answer({ payloads: [] }), holds("status-present")),
  },
  {
    id: "end-on-headers-of-stream",
    title: "A stream of requests that ends with its headers has no message.",
    covers: "rpc-http2#outline/request",
    level: "SHOULD",
    steps: [call(1, { method: "ClientStream", end: true })],
    allowed: answer({ payloads: [""] }),
  },
  ...[1, 2, 3, 4, HEAD, 6, INSIDE].map((keep): Row => ({
    id: `end-inside-message-at-${keep}`,
    title: `A stream that ends after ${keep} octets of a message fails: the message was not delivered.`,
    covers: "rpc-http2#requests/cut-short",
    steps: [call(1), lastly(1, [{ keep }])],
    control: GOOD,
    allowed: fails("INTERNAL"),
  })),
  ...[1, HEAD, INSIDE].map((keep): Row => ({
    id: `end-inside-second-message-at-${keep}`,
    title: `A stream of requests that ends after ${keep} octets of its second message fails.`,
    covers: "rpc-http2#requests/cut-short",
    steps: [call(1, { method: "ClientStream" }), lastly(1, [{}, { keep }])],
    control: [call(1, { method: "ClientStream" }), lastly(1, [{}, {}])],
    allowed: fails("INTERNAL"),
  })),
  {
    id: "end-inside-message-on-empty-data",
    title: "A stream that ends inside a message with an empty DATA frame fails.",
    covers: "rpc-http2#requests/cut-short",
    steps: [call(1), say(1, [{ keep: 8 }]), end(1)],
    control: [call(1), say(1), end(1)],
    allowed: fails("INTERNAL"),
  },
  {
    id: "end-inside-message-too-long",
    title: "A stream that ends before the announced length of its message fails.",
    covers: "rpc-http2#requests/cut-short",
    steps: [call(1), lastly(1, [{ length: 1000 }])],
    control: GOOD,
    allowed: fails("INTERNAL"),
  },
  {
    id: "octets-behind-message",
    title: "Octets after the only message of a request that are no message fail the call.",
    covers: "rpc-http2#requests/cut-short",
    steps: [call(1), lastly(1, [{}, { keep: 3 }])],
    control: GOOD,
    allowed: fails(["INTERNAL", "UNIMPLEMENTED"]),
  },
];

const flags: readonly Row[] = [
  ...[2, 3, 4, 16, 64, 128, 129, 255].map((value): Row => ({
    id: `flags-${value}`,
    title: `A message with the flags octet ${value} fails the call.`,
    covers: "rpc-http2#requests/flags-reserved",
    steps: [call(1), lastly(1, [{ flags: value }])],
    control: GOOD,
    allowed: fails("INTERNAL"),
  })),
  {
    id: "flags-reserved-second",
    title: "Reserved flags of the second message of a stream fail the call.",
    covers: "rpc-http2#requests/flags-reserved",
    steps: [call(1, { method: "ClientStream" }), lastly(1, [{}, { flags: 2 }])],
    control: [call(1, { method: "ClientStream" }), lastly(1, [{}, {}])],
    allowed: fails("INTERNAL"),
  },
  {
    id: "flags-reserved-empty-message",
    title: "A message without octets, but with reserved flags, fails the call.",
    covers: "rpc-http2#requests/flags-reserved",
    steps: [call(1), lastly(1, [{ flags: 2, hex: "" }])],
    control: GOOD,
    allowed: fails("INTERNAL"),
  },
];

const cardinality: readonly Row[] = [
  {
    id: "no-message",
    title: "A call without a message of a method that needs one fails with UNIMPLEMENTED.",
    covers: "rpc-status#codes/cardinality",
    steps: [call(1), end(1)],
    control: GOOD,
    allowed: fails("UNIMPLEMENTED"),
  },
  {
    id: "no-message-headers-only",
    title: "A call that ends with its headers fails with UNIMPLEMENTED if the method needs a message.",
    covers: "rpc-status#codes/cardinality",
    steps: [call(1, { end: true })],
    control: GOOD,
    allowed: fails("UNIMPLEMENTED"),
  },
  {
    id: "no-message-server-stream",
    title: "A call without a message of a method with streamed responses fails with UNIMPLEMENTED.",
    covers: "rpc-status#codes/cardinality",
    steps: [call(1, { method: "ServerStream" }), end(1)],
    control: [call(1, { method: "ServerStream" }), lastly(1, [{ plan: { responses: 1 } }])],
    allowed: fails("UNIMPLEMENTED"),
  },
  {
    id: "two-messages",
    title: "A call with two messages of a method that takes one fails with UNIMPLEMENTED.",
    covers: "rpc-status#codes/cardinality",
    steps: [call(1), lastly(1, [{}, {}])],
    control: GOOD,
    allowed: fails("UNIMPLEMENTED"),
  },
  {
    id: "two-messages-server-stream",
    title: "A call with two messages of a method with streamed responses fails with UNIMPLEMENTED.",
    covers: "rpc-status#codes/cardinality",
    steps: [call(1, { method: "ServerStream" }), lastly(1, [{ plan: { responses: 1 } }, {}])],
    control: [call(1, { method: "ServerStream" }), lastly(1, [{ plan: { responses: 1 } }])],
    allowed: fails("UNIMPLEMENTED"),
  },
  ...(
    [
      ["garbage", "ffffffff"],
      ["field-cut-short", "0a0a6162"],
      ["varint-too-long", "08ffffffffffffffffffffff"],
      ["field-number-0", "0201"],
      ["wire-type-7", "0f"],
    ] as const
  ).map(([id, hex]): Row => ({
    id: `undecodable-${id}`,
    title: `A message that does not decode (${id.replaceAll("-", " ")}) fails the call with INTERNAL.`,
    covers: "rpc-status#codes/decoding",
    steps: [call(1), lastly(1, [{ hex }])],
    control: GOOD,
    allowed: fails("INTERNAL"),
  })),
  {
    id: "undecodable-in-stream",
    title: "A message that does not decode fails a stream with INTERNAL.",
    covers: "rpc-status#codes/decoding",
    steps: [call(1, { method: "ClientStream" }), lastly(1, [{}, { hex: "0a0a6162" }])],
    control: [call(1, { method: "ClientStream" }), lastly(1, [{}, {}])],
    allowed: fails("INTERNAL"),
  },
];

export const rows: readonly Row[] = [...cuts, ...sizes, ...ends, ...flags, ...cardinality];
