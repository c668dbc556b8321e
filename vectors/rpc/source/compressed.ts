import { envelope, type Rule, type Source, stream } from "./craft.ts";

const FORM: readonly [Rule] = ["rpc-http2#requests/compressed-flag"];
const CONTEXT: readonly [Rule] = ["rpc-http2#requests/compression-context"];
const ALONE: readonly [Rule] = ["rpc-compression#test-cases/flag-alone"];
const UNKNOWN_HERE: readonly [Rule, Rule] = ["rpc-compression#asymmetry/server-unknown", "rpc-status#codes/encoding-unknown"];
const UNKNOWN_THERE: readonly [Rule] = ["rpc-compression#asymmetry/client-unknown"];
const CORRUPT: readonly [Rule] = ["rpc-status#codes/decompression"];
const LIMIT: readonly [Rule] = ["rpc-status#codes/too-large"];

const [RESOURCE_EXHAUSTED, UNIMPLEMENTED, INTERNAL] = [8, 12, 13];
const HELLO = { octets: "68656c6c6f20".repeat(5) + "68656c6c6f" };
const HI = { octets: "6869" };
const NONE = { octets: "" };
const ENCODINGS = [
  {
    encoding: "gzip",
    hello: "1f8b08000000000002ffcb48cdc9c957c8c04702005737628523000000",
    none: "1f8b08000000000002ff03000000000000000000",
    zeros: "1f8b08000000000002ffedc101010000008090feafee080a0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000006aeb8e97d700000100",
    wrongSum: "1f8b08000000000002ffcb48cdc9c957c8c04702005737628423000000",
  },
  {
    encoding: "deflate",
    hello: "78dacb48cdc9c957c8c0470200eb550d19",
    none: "789c030000000001",
    zeros: "78daedc101010000008090feafee080a0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000006a000f0001",
    wrongSum: "78dacb48cdc9c957c8c0470200eb550d18",
  },
  {
    encoding: "zstd",
    hello: "28b52ffd20236500003068656c6c6f200100b94b11",
    none: "28b52ffd2000010000",
    zeros: "28b52ffd6000ff5500001000000100fb7f1d6001",
    wrongSum: "28b52ffd04006500003068656c6c6f200100b94b112be168e8",
  },
] as const;
const ZEROS = "00".repeat(65_536);
const gzip = { encoding: "gzip" } as const;
const HI_GZIP = "1f8b08000000000002ffcbc80400ac2a93d802000000";

export const source: Source = {
  kind: "rpc-messages",
  about: "compressed messages: encodings, their flag, limits after inflation, invalid data",
  spec: "rpc-http2#requests",
  flags: {
    Form: { why: "a compressed message", bug: "MISREAD_FLAG" },
    Context: { why: "messages that are compressed one by one", bug: "KEPT_CONTEXT" },
    Alone: { why: "a compressed message without an encoding", bug: "MISSING_CHECK" },
    Unknown: { why: "an encoding that the receiver does not know", bug: "WRONG_STATUS" },
    Corrupt: { why: "data that does not decompress", bug: "MISSING_CHECK" },
    Limit: { why: "what a message becomes counts against the limit", bug: "MISSING_LIMIT" },
  },
  vectors: [
    ...ENCODINGS.flatMap(({ encoding, hello, none, zeros, wrongSum }) => [
      stream(envelope(hello, 1), { note: `a message in ${encoding}`, rules: FORM, encoding, messages: [HELLO], flag: "Form" }),
      stream(envelope(none, 1), { note: `an empty message in ${encoding}`, rules: FORM, encoding, messages: [NONE], flag: "Form" }),
      stream(envelope(HI.octets), { note: `an uncompressed message on a stream with ${encoding}`, rules: FORM, encoding, messages: [HI], flag: "Form" }),
      stream(envelope(hello, 1) + envelope(HI.octets) + envelope(hello, 1), { note: `compressed and uncompressed messages with ${encoding}`, rules: CONTEXT, encoding, messages: [HELLO, HI, HELLO], flag: "Context" }),
      stream(envelope(hello, 1).match(/.{1,6}/g) ?? [], { note: `a message in ${encoding} in frames of 3 octets`, rules: FORM, encoding, messages: [HELLO], flag: "Form" }),
      stream(envelope(hello, 1), { note: `a message in ${encoding} to a client`, rules: FORM, side: "client", encoding, messages: [HELLO], flag: "Form" }),
      stream(envelope(hello, 1), { note: `a message in ${encoding} that inflates to the limit`, rules: LIMIT, encoding, limit: 35, messages: [HELLO], flag: "Limit" }),
      stream(envelope(hello, 1), { note: `a message in ${encoding} that inflates to more than the limit`, rules: LIMIT, encoding, limit: 34, fault: "inflatedTooLarge", code: RESOURCE_EXHAUSTED, flag: "Limit" }),
      stream(envelope(zeros, 1), { note: `65536 zeros in ${encoding}`, rules: FORM, encoding, messages: [{ octets: ZEROS }], flag: "Form" }),
      stream(envelope(zeros, 1), { note: `65536 zeros in ${encoding} above a limit of 1000`, rules: LIMIT, side: "client", encoding, limit: 1_000, fault: "inflatedTooLarge", code: RESOURCE_EXHAUSTED, flag: "Limit" }),
      stream(envelope("", 1), { note: `no octets as ${encoding}`, rules: CORRUPT, encoding, fault: "compressionInvalid", by: "rpc-http2#requests", messages: [NONE], flag: "Corrupt" }),
      stream(envelope(hello.slice(0, -2), 1), { note: `a message in ${encoding} without its last octet`, rules: CORRUPT, encoding, fault: "compressionInvalid", code: INTERNAL, flag: "Corrupt" }),
      stream(envelope(hello.slice(0, 16), 1), { note: `the first octets of a message in ${encoding}`, rules: CORRUPT, encoding, fault: "compressionInvalid", code: INTERNAL, flag: "Corrupt" }),
      stream(envelope("68656c6c6f", 1), { note: `plain text as ${encoding}`, rules: CORRUPT, encoding, fault: "compressionInvalid", code: INTERNAL, flag: "Corrupt" }),
      stream(envelope(wrongSum, 1), { note: `a wrong checksum in ${encoding}`, rules: CORRUPT, encoding, fault: "compressionInvalid", code: INTERNAL, flag: "Corrupt" }),
      stream(envelope(HI.octets) + envelope("ff", 1), { note: `an invalid second message in ${encoding}`, rules: CORRUPT, side: "client", encoding, messages: [HI], fault: "compressionInvalid", code: INTERNAL, flag: "Corrupt" }),
    ]),
    stream(envelope("1f8b08000000000000ff012300dcff68656c6c6f2068656c6c6f2068656c6c6f2068656c6c6f2068656c6c6f2068656c6c6f5737628523000000", 1), { note: "a stored block in gzip", rules: FORM, ...gzip, messages: [HELLO], flag: "Form" }),
    stream(envelope("1f8b08080000000002ff612e74787400cb48cdc9c957c8c04702005737628523000000", 1), { note: "gzip with the name of a file", rules: FORM, ...gzip, messages: [HELLO], flag: "Form" }),
    stream(envelope("1f8b08000000000002ffcb48cdc9c9570000f6f981ed060000001f8b08000000000002ff4b4c4fcccc0300fc5ba19305000000", 1), { note: "gzip with two members", rules: FORM, ...gzip, messages: [{ octets: "68656c6c6f20616761696e" }], by: "rpc-http2#requests", flag: "Form" }),
    stream(envelope("28b52ffd04006500003068656c6c6f200100b94b112be168e7", 1), { note: "zstd with a checksum and without a length", rules: FORM, encoding: "zstd", messages: [HELLO], flag: "Form" }),
    stream(envelope("cb48cdc9c957c8c0470200", 1), { note: "deflate without the head of zlib", rules: CORRUPT, encoding: "deflate", messages: [HELLO], by: "rpc-http2#requests", fault: "compressionInvalid", flag: "Corrupt" }),

    ...(["server", "client"] as const).flatMap((side) => [
      stream(envelope(HI_GZIP, 1), { note: `a compressed message to a ${side} without an encoding`, rules: ALONE, side, fault: "flagWithoutEncoding", code: INTERNAL, flag: "Alone" }),
      stream(envelope(HI_GZIP, 1), { note: `a compressed message to a ${side} with identity`, rules: ALONE, side, encoding: "identity", fault: "flagWithoutEncoding", code: INTERNAL, flag: "Alone" }),
      stream(envelope(HI.octets) + envelope(HI_GZIP, 1), { note: `a compressed second message to a ${side} without an encoding`, rules: ALONE, side, messages: [HI], fault: "flagWithoutEncoding", code: INTERNAL, flag: "Alone" }),
      stream(envelope("", 1), { note: `an empty compressed message to a ${side} without an encoding`, rules: ALONE, side, fault: "flagWithoutEncoding", code: INTERNAL, flag: "Alone" }),
    ]),
    stream(envelope(HI.octets), { note: "an uncompressed message with identity", rules: FORM, encoding: "identity", messages: [HI], flag: "Form" }),
    stream(envelope(HI.octets, 1), { note: "a message to a server in an encoding that nobody knows", rules: UNKNOWN_HERE, encoding: "x-touchstone", fault: "requestEncodingUnknown", code: UNIMPLEMENTED, flag: "Unknown" }),
    stream(envelope(HI.octets, 1), { note: "a message to a client in an encoding that nobody knows", rules: UNKNOWN_THERE, side: "client", encoding: "x-touchstone", fault: "responseEncodingUnknown", code: INTERNAL, flag: "Unknown" }),
    ...(["server", "client"] as const).map((side) =>
      stream(envelope(HI.octets), { note: `an uncompressed message to a ${side} with an unknown encoding`, rules: FORM, side, encoding: "x-touchstone", messages: [HI], by: "rpc-compression#asymmetry", flag: "Unknown" }),
    ),
    stream(envelope(HI_GZIP, 1) + envelope("1f8b", 1), { note: "a message before one that is cut off", rules: CORRUPT, ...gzip, messages: [HI], fault: "compressionInvalid", code: INTERNAL, flag: "Corrupt" }),
    stream(envelope("1f8b08000000000002ff03000000000000000000".replace("03000000", "07000000"), 1), { note: "a block of the reserved type in gzip", rules: CORRUPT, ...gzip, fault: "compressionInvalid", code: INTERNAL, flag: "Corrupt" }),
    stream(envelope(HI_GZIP.replace("02000000", "03000000"), 1), { note: "a wrong length in gzip", rules: CORRUPT, ...gzip, fault: "compressionInvalid", code: INTERNAL, flag: "Corrupt" }),
  ],
};
