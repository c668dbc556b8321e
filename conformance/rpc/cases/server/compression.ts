import type { Encoding } from "../../../wire/rpc/envelopes.ts";
import type { FieldSpec, MessageSpec, Step } from "../../vocabulary.ts";
import { all, answer, call, callWith, fails, holds, lastly, mustFail, PAYLOAD, type Row } from "./phrases.ts";

/** Compressed messages both ways (rpc-compression), and messages above the limit. */

const encoded = (name: string): FieldSpec => ["{rpc}-encoding", name];
const accepts = (list: string): FieldSpec => ["{rpc}-accept-encoding", list];
const ENCODINGS: readonly Encoding[] = ["gzip", "deflate", "zstd"];
const stream = (name: string, messages: readonly MessageSpec[], more: Partial<Extract<Step, { do: "say" }>> = {}): Step[] => [
  call(1, { method: "ClientStream", fields: [encoded(name)] }),
  lastly(1, messages, more),
];
const GZIP = [callWith(1, encoded("gzip")), lastly(1, [{ compress: "gzip" }])];

const read: readonly Row[] = [
  ...ENCODINGS.flatMap((name): Row[] => [
    {
      id: `compressed-${name}`,
      title: `A message in ${name} is read.`,
      covers: "rpc-compression#asymmetry/unrelated",
      needs: [name],
      steps: [callWith(1, encoded(name)), lastly(1, [{ compress: name }])],
      allowed: answer(),
    },
    {
      id: `compressed-${name}-disclosed`,
      title: `The response to a message in ${name} that is read lists ${name} among what the server accepts.`,
      covers: "rpc-compression#asymmetry/disclosed",
      needs: [name],
      steps: [callWith(1, encoded(name)), lastly(1, [{ compress: name }])],
      allowed: all(answer(), holds(`discloses-${name}`)),
    },
    {
      id: `compressed-${name}-each-alone`,
      title: `Each message of a stream in ${name} is read without what came before.`,
      covers: "rpc-http2#requests/compression-context",
      needs: [name],
      steps: stream(name, [
        { compress: name, payload: "a" },
        { compress: name, payload: "a" },
        { compress: name, payload: "b" },
      ]),
      allowed: answer({ payloads: ["aab"] }),
    },
    {
      id: `compressed-${name}-and-not`,
      title: `Messages with and without compression alternate in one stream of ${name}.`,
      covers: "rpc-http2#requests/compressed-flag",
      needs: [name],
      steps: stream(name, [{ payload: "a" }, { compress: name, payload: "b" }, { payload: "c" }]),
      allowed: answer({ payloads: ["abc"] }),
    },
    {
      id: `compressed-${name}-damaged`,
      title: `A message that is not ${name}, although it says so, fails the call with INTERNAL.`,
      covers: "rpc-status#codes/decompression",
      needs: [name],
      steps: [callWith(1, encoded(name)), lastly(1, [{ flags: 1 }])],
      control: [callWith(1, encoded(name)), lastly(1, [{ compress: name }])],
      allowed: fails("INTERNAL"),
    },
  ]),
  {
    id: "compressed-in-single-octets",
    title: "A compressed message is read from DATA frames of one octet.",
    covers: "rpc-http2#data-frames/boundaries",
    needs: ["gzip"],
    steps: [callWith(1, encoded("gzip")), lastly(1, [{ compress: "gzip" }], { cut: 1 })],
    allowed: answer(),
  },
  {
    id: "compressed-large",
    title: "A message of 300,000 octets that is small in gzip is read.",
    covers: "rpc-compression#asymmetry/unrelated",
    needs: ["gzip"],
    steps: [callWith(1, encoded("gzip")), lastly(1, [{ compress: "gzip", size: 300_000 }], { patient: true })],
    allowed: answer({ sizes: [300_000] }),
  },
  {
    id: "compressed-empty-message",
    title: "A message without octets may be compressed.",
    covers: "rpc-http2#requests/compressed-flag",
    needs: ["gzip"],
    steps: [callWith(1, encoded("gzip")), lastly(1, [{ compress: "gzip", hex: "" }])],
    allowed: answer({ payloads: [""] }),
  },
  {
    id: "encoding-identity",
    title: "A call with the encoding identity is read.",
    covers: "rpc-http2#requests/encoding-names",
    steps: [callWith(1, encoded("identity")), lastly(1)],
    allowed: answer(),
  },
  {
    id: "encoding-unused",
    title: "A call whose encoding no message uses is read.",
    covers: "rpc-http2#requests/compressed-flag",
    needs: ["gzip"],
    steps: [callWith(1, encoded("gzip")), lastly(1)],
    allowed: answer(),
  },
];

const refusedOnes: readonly Row[] = [
  {
    id: "flag-without-encoding",
    title: "A compressed message of a call without an encoding fails with INTERNAL.",
    covers: "rpc-compression#test-cases/flag-alone",
    steps: [call(1), lastly(1, [{ flags: 1 }])],
    control: [call(1), lastly(1)],
    allowed: mustFail("INTERNAL"),
  },
  {
    id: "flag-without-encoding-gzip",
    title: "A message in gzip of a call without an encoding fails with INTERNAL.",
    covers: "rpc-compression#test-cases/flag-alone",
    steps: [call(1), lastly(1, [{ compress: "gzip" }])],
    control: [call(1), lastly(1)],
    allowed: mustFail("INTERNAL"),
  },
  {
    id: "flag-with-identity",
    title: "A compressed message of a call with the encoding identity fails with INTERNAL.",
    covers: "rpc-compression#test-cases/flag-alone",
    steps: [callWith(1, encoded("identity")), lastly(1, [{ flags: 1 }])],
    control: [callWith(1, encoded("identity")), lastly(1)],
    allowed: mustFail("INTERNAL"),
  },
  {
    id: "flag-without-encoding-second",
    title: "A compressed second message of a stream without an encoding fails with INTERNAL.",
    covers: "rpc-compression#test-cases/flag-alone",
    steps: [call(1, { method: "ClientStream" }), lastly(1, [{}, { flags: 1 }])],
    control: [call(1, { method: "ClientStream" }), lastly(1, [{}, {}])],
    allowed: mustFail("INTERNAL"),
  },
  ...["touchstone-unknown", "x-gzip2", "lzma"].map((name): Row => ({
    id: `encoding-unknown-${name}`,
    title: `A message in the unknown encoding ${name} fails with UNIMPLEMENTED, and the answer lists the known ones.`,
    covers: ["rpc-compression#asymmetry/server-unknown", "rpc-compression#test-cases/unknown-list"],
    steps: [callWith(1, encoded(name)), lastly(1, [{ flags: 1 }])],
    control: [callWith(1, encoded("identity")), lastly(1)],
    allowed: [
      { see: all({ see: "failed", call: 1, status: "UNIMPLEMENTED" }, { see: "lists", call: 1, without: name }) },
      // The text says that the server will list them; only the status is a MUST.
      { see: { see: "failed", call: 1, status: "UNIMPLEMENTED" }, by: "rpc-compression#test-cases", verdict: "warn" },
    ],
  })),
  {
    id: "encoding-unknown-in-stream",
    title: "A message of a stream in an unknown encoding fails with UNIMPLEMENTED.",
    covers: "rpc-compression#asymmetry/server-unknown",
    steps: stream("touchstone-unknown", [{ flags: 1 }]),
    control: stream("identity", [{}]),
    allowed: mustFail("UNIMPLEMENTED"),
  },
  ...(
    [
      ["cut-short", { compress: "gzip", keep: 15, length: 10 }],
      ["empty", { flags: 1, hex: "" }],
      ["garbage-behind-head", { flags: 1, hex: "1f8b0800000000000003ffffffffffff" }],
    ] as const
  ).map(([id, message]): Row => ({
    id: `gzip-${id}`,
    title: `A message that cannot be decompressed fails with INTERNAL (${id.replaceAll("-", " ")}).`,
    covers: "rpc-status#codes/decompression",
    needs: ["gzip"],
    steps: [callWith(1, encoded("gzip")), lastly(1, [message])],
    control: GZIP,
    allowed: fails("INTERNAL"),
  })),
];

/** A call whose handler wants its answer compressed or not. */
const asks = (compression: "on" | "off" | undefined, ...fields: FieldSpec[]): Step[] => [
  callWith(1, ...fields),
  lastly(1, [{ plan: compression === undefined ? {} : { compression } }]),
];
const written: readonly Row[] = [
  {
    id: "response-default",
    title: "Without a wish of the handler a response is not compressed.",
    covers: "rpc-compression#test-cases/default",
    steps: asks(undefined, accepts("gzip,deflate")),
    allowed: answer({ compressed: [false] }),
  },
  {
    id: "response-after-compressed-request",
    title: "The response to a compressed request is read with the encoding that it names.",
    covers: "rpc-http2#requests/flag-without-encoding",
    needs: ["gzip"],
    steps: [callWith(1, encoded("gzip"), accepts("gzip")), lastly(1, [{ compress: "gzip" }])],
    allowed: all(answer(), holds("flag-with-encoding")),
  },
  {
    id: "response-compressed",
    title: "A response is compressed in an encoding of the client if its handler asks for it.",
    covers: "rpc-http2#requests/compressed-flag",
    needs: ["compresses"],
    steps: asks("on", accepts("gzip")),
    allowed: all(answer({ compressed: [true], headers: { "{rpc}-encoding": "gzip" } }), holds("flag-with-encoding")),
  },
  {
    id: "responses-compressed-each-alone",
    title: "Each response of a stream is compressed alone.",
    covers: "rpc-http2#requests/compression-context",
    needs: ["compresses"],
    steps: [
      call(1, { method: "ServerStream", fields: [accepts("gzip")] }),
      lastly(1, [{ payload: "again", plan: { responses: 3, compression: "on" } }]),
    ],
    allowed: all(answer({ payloads: ["again", "again", "again"], compressed: [true, true, true] }), holds("flag-with-encoding")),
  },
  {
    id: "response-compression-off",
    title: "A response whose handler turns compression off is not compressed.",
    covers: "rpc-compression#disabling/next",
    steps: asks("off", accepts("gzip")),
    allowed: answer({ compressed: [false] }),
  },
  ...(
    [
      ["nothing", []],
      ["identity", [accepts("identity")]],
      ["unknown", [accepts("touchstone-unknown")]],
    ] as const
  ).map(([id, fields]): Row => ({
    id: `response-to-client-that-accepts-${id}`,
    title: `A response to a client that accepts ${id} is not compressed, even if its handler asks for it.`,
    covers: "rpc-compression#asymmetry/not-supported",
    steps: asks("on", ...fields),
    allowed: answer({ compressed: [false] }),
  })),
];

const LARGE = 5_000_000;
const limits: readonly Row[] = [
  {
    id: "limit-message",
    title: "A message above the limit fails the call with RESOURCE_EXHAUSTED.",
    covers: "rpc-status#codes/too-large",
    needs: ["message-limit"],
    steps: [call(1), lastly(1, [{ size: LARGE }], { patient: true })],
    control: [call(1), lastly(1, [{ size: 1000 }], { patient: true })],
    allowed: fails("RESOURCE_EXHAUSTED"),
  },
  ...[0x7fff_ffff, 0xffff_ffff].map((length): Row => ({
    id: `limit-announced-${length.toString(16)}`,
    title: `A message that announces ${length} octets fails before they come, with RESOURCE_EXHAUSTED.`,
    covers: "rpc-status#codes/too-large",
    needs: ["message-limit"],
    steps: [call(1), { do: "say", call: 1, messages: [{ length }] }],
    control: [call(1), lastly(1)],
    allowed: fails("RESOURCE_EXHAUSTED"),
  })),
  {
    id: "limit-second-message",
    title: "A message above the limit fails a stream after a good message.",
    covers: "rpc-status#codes/too-large",
    needs: ["message-limit"],
    steps: [call(1, { method: "ClientStream" }), { do: "say", call: 1, messages: [{}, { length: 0x7fff_ffff }] }],
    control: [call(1, { method: "ClientStream" }), lastly(1, [{}, {}])],
    allowed: fails("RESOURCE_EXHAUSTED"),
  },
  {
    id: "limit-inflated",
    title: "A message that inflates above the limit fails with RESOURCE_EXHAUSTED.",
    covers: "rpc-status#codes/too-large",
    needs: ["message-limit", "gzip"],
    steps: [callWith(1, encoded("gzip")), lastly(1, [{ compress: "gzip", size: LARGE }], { patient: true })],
    control: [callWith(1, encoded("gzip")), lastly(1, [{ compress: "gzip", payload: PAYLOAD }])],
    allowed: fails("RESOURCE_EXHAUSTED"),
  },
];

export const rows: readonly Row[] = [...read, ...refusedOnes, ...written, ...limits];
