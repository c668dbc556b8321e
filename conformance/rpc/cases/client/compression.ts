import type { MessageSpec } from "../../vocabulary.ts";
import type { Sight, Step } from "../../client-vocabulary.ts";
import { all, answer, ask, fails, good, GOOD, headWith, hex, holds, mustFail, received, type Row, say, trailers } from "./phrases.ts";

/** Compressed messages in both directions. */

const BEGUN: readonly Step[] = [ask(), received()];
const encoded = (encoding: string, messages: readonly MessageSpec[], kind: "unary" | "server-stream" = "unary"): Step[] => [
  ask({ kind }),
  received(),
  headWith(["{rpc}-encoding", encoding]),
  say(messages),
  trailers(),
];

const read: readonly Row[] = [
  ...(["gzip", "deflate"] as const).flatMap((encoding): Row[] => [
    {
      id: `${encoding}-response`,
      title: `A response in ${encoding} is read.`,
      covers: "rpc-http2#requests/compressed-flag",
      needs: [encoding],
      steps: encoded(encoding, [{ compress: encoding }]),
      allowed: answer(),
    },
    {
      id: `${encoding}-response-uncompressed`,
      title: `A message without the flag is read as it is, although the response names ${encoding}.`,
      covers: ["rpc-http2#requests/compressed-flag", "rpc-compression#specification/asymmetry"],
      needs: [encoding],
      steps: encoded(encoding, [{}]),
      allowed: answer(),
    },
    {
      id: `${encoding}-responses-mixed`,
      title: `Messages with and without ${encoding} in one stream are read.`,
      covers: "rpc-http2#requests/compressed-flag",
      needs: [encoding, "streams"],
      steps: encoded(
        encoding,
        [{ payload: "a", compress: encoding }, { payload: "b" }, { payload: "c", compress: encoding }],
        "server-stream",
      ),
      allowed: answer({ messages: ["a", "b", "c"] }),
    },
    {
      id: `${encoding}-response-damaged`,
      title: `A message in ${encoding} that does not decompress gives INTERNAL.`,
      covers: "rpc-status#codes/decompression",
      needs: [encoding],
      steps: encoded(encoding, [{ hex: "1f8b0800ffffffff00ff", flags: 1 }]),
      control: encoded(encoding, [{ compress: encoding }]),
      allowed: fails("INTERNAL", "rpc-status#codes"),
    },
    {
      id: `${encoding}-response-not-compressed-at-all`,
      title: `A message with the flag that is no ${encoding} gives INTERNAL.`,
      covers: "rpc-status#codes/decompression",
      needs: [encoding],
      steps: encoded(encoding, [{ flags: 1 }]),
      control: encoded(encoding, [{ compress: encoding }]),
      allowed: fails("INTERNAL", "rpc-status#codes"),
    },
  ]),
  {
    id: "gzip-of-large-response",
    title: "A response that decompresses to 200,000 octets is read.",
    covers: "rpc-http2#requests/compressed-flag",
    needs: ["gzip"],
    steps: encoded("gzip", [{ size: 200_000, compress: "gzip" }]),
    allowed: answer({ sizes: [200_000] }),
  },
  {
    id: "identity-response",
    title: "A response that names identity is read.",
    covers: "rpc-http2#requests/encoding-names",
    steps: encoded("identity", [{}]),
    allowed: answer(),
  },
  ...(["x-unknown", "snappy-of-old", "GZ"] as const).map((encoding): Row => ({
    id: `encoding-unknown-${encoding.toLowerCase()}`,
    title: `A compressed message in ${encoding}, which the client does not know, gives INTERNAL.`,
    covers: "rpc-compression#asymmetry/client-unknown",
    steps: encoded(encoding, [{ compress: "gzip" }]),
    control: GOOD,
    allowed: mustFail("INTERNAL"),
  })),
  {
    id: "flag-without-encoding",
    title: "A compressed message without an encoding gives INTERNAL.",
    covers: "rpc-compression#test-cases/flag-alone",
    steps: [...BEGUN, { do: "headers" }, say([{ compress: "gzip" }]), trailers()],
    control: GOOD,
    allowed: mustFail("INTERNAL"),
  },
  {
    id: "flag-without-encoding-or-compression",
    title: "A message with the flag and without an encoding gives INTERNAL, although it is readable.",
    covers: "rpc-compression#test-cases/flag-alone",
    steps: [...BEGUN, { do: "headers" }, say([{ flags: 1 }]), trailers()],
    control: GOOD,
    allowed: mustFail("INTERNAL"),
  },
  {
    id: "flag-with-identity",
    title: "A compressed message in a response that names identity gives INTERNAL.",
    covers: "rpc-compression#test-cases/flag-alone",
    steps: encoded("identity", [{ compress: "gzip" }]),
    control: GOOD,
    allowed: mustFail("INTERNAL"),
  },
  {
    id: "flag-with-identity-readable",
    title: "A message with the flag in a response that names identity gives INTERNAL, although it is readable.",
    covers: "rpc-compression#test-cases/flag-alone",
    steps: encoded("identity", [{ flags: 1 }]),
    control: GOOD,
    allowed: mustFail("INTERNAL"),
  },
];

/** Long and uniform: no client has a reason to send it as it is. */
const LONG = "touchstone ".repeat(200);
const request = (more: Partial<Extract<Sight, { see: "request" }>>): Sight => ({ see: "request", messages: [LONG], ...more });
const written: readonly Row[] = [
  ...(["gzip", "deflate"] as const).flatMap((encoding): Row[] => [
    {
      id: `${encoding}-request`,
      title: `A call that is to use ${encoding} names it, and compresses its message.`,
      covers: ["rpc-compression#test-cases/accordingly", "rpc-http2#requests/encoding-names"],
      needs: [encoding],
      steps: [ask({ encoding, messages: [hex(LONG)] }), ...good()],
      allowed: all(answer(), request({ fields: { "{rpc}-encoding": encoding }, compressed: [true] }), holds("flag-with-encoding")),
    },
    {
      id: `${encoding}-of-channel`,
      title: `The encoding ${encoding} of the channel applies to calls that name none.`,
      covers: "rpc-compression#test-cases/channel",
      needs: [encoding],
      steps: [ask({ messages: [hex(LONG)] }, { channel: { encoding } }), ...good()],
      allowed: all(answer(), request({ fields: { "{rpc}-encoding": encoding }, compressed: [true] })),
    },
    {
      id: `${encoding}-of-channel-disabled`,
      title: `A call that asks for identity is not compressed, although the channel uses ${encoding}.`,
      covers: "rpc-compression#disabling/next",
      needs: [encoding, "identity-per-call"],
      steps: [ask({ encoding: "identity", messages: [hex(LONG)] }, { channel: { encoding } }), ...good()],
      allowed: all(answer(), request({ compressed: [false] })),
    },
    {
      id: `${encoding}-requests-of-stream`,
      title: `Each message of a stream in ${encoding} decompresses by itself.`,
      covers: ["rpc-compression#test-cases/accordingly", "rpc-http2#requests/compression-context"],
      needs: [encoding, "streams"],
      steps: [ask({ kind: "client-stream", encoding, messages: [hex(LONG), hex(LONG)] }), ...good()],
      allowed: all(answer(), request({ messages: [LONG, LONG], compressed: [true, true] })),
    },
  ]),
  {
    id: "gzip-answered-without",
    title: "A compressed request may be answered without compression.",
    covers: "rpc-compression#specification/asymmetry",
    needs: ["gzip"],
    steps: [ask({ encoding: "gzip", messages: [hex(LONG)] }), ...good()],
    allowed: answer(),
  },
  {
    id: "gzip-answered-with-deflate",
    title: "A request in gzip may be answered in deflate.",
    covers: "rpc-compression#specification/asymmetry",
    needs: ["gzip", "deflate"],
    steps: [
      ask({ encoding: "gzip", messages: [hex(LONG)] }),
      received(),
      headWith(["{rpc}-encoding", "deflate"]),
      say([{ compress: "deflate" }]),
      trailers(),
    ],
    allowed: answer(),
  },
  {
    id: "gzip-listed",
    title: "A client that reads gzip lists it among the encodings that it accepts.",
    covers: "rpc-http2#requests/encoding-names",
    level: "SHOULD",
    needs: ["gzip"],
    steps: GOOD,
    allowed: all(answer(), { see: "request", like: { "{rpc}-accept-encoding": "(^|[, ])gzip($|[, ])" } }),
  },
];

export const rows: readonly Row[] = [...read, ...written];
