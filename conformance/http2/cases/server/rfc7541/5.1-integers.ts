import { answeredLikeFirst, compressionError, firstExchange, get, handshake, send, truncatedBlock } from "../../phrases.ts";
import type { Case, Row } from "../../../vocabulary.ts";

/** Octets at the start (`head`) or the end (`tail`) of a block. */
type Octets = { readonly tail?: string; readonly head?: string };

const frame = (stream: number, { tail, head }: Octets) => ({
  ...get(stream),
  ...(tail === undefined ? {} : { blockTail: tail }),
  ...(head === undefined ? {} : { blockHead: head }),
});
const decodingError = ({ wrong, legal, ...row }: Row<"covers"> & { readonly wrong: Octets; readonly legal: Octets }): Case => ({
  spec: "rfc7541#5.1",
  level: "MUST",
  role: "server",
  steps: [handshake, send(frame(1, wrong))],
  control: [handshake, send(frame(1, legal))],
  allowed: compressionError,
  ...row,
});
const truncated = ({ wrong, legal, ...row }: Row & { readonly wrong: string; readonly legal: string }): Case =>
  decodingError({ covers: ["rfc7541#5.1/truncated"], wrong: { tail: wrong }, legal: { tail: legal }, allowed: truncatedBlock, ...row });
const decodes = ({ octets, ...row }: Row & { readonly octets: Octets }): Case => ({
  spec: "rfc7541#5.1",
  covers: ["rfc7541#5.1/prefix"],
  level: "MUST",
  role: "server",
  steps: [...firstExchange, send(frame(3, octets))],
  control: [...firstExchange, send(get(3))],
  allowed: answeredLikeFirst(3),
  ...row,
});

/** x-a: 1, without indexing. */
const FIELD = "0003782d610131";

/** Integers (rfc7541#5.1). */
export const cases: readonly Case[] = [
  decodes({
    id: "http2/hpack-integer-in-two-octets",
    title: "The server decodes an index that continues in a second octet.",
    octets: { tail: "0f2b0131" },
  }),
  // 200 = 127 + 73
  decodes({
    id: "http2/hpack-length-in-two-octets",
    title: "The server decodes a string of 200 octets, whose length takes two octets.",
    octets: {
      tail: `0003782d617f49${"31".repeat(200)}`,
    },
  }),
  // 300 = 127 + 173: 0xad 0x01
  decodes({
    id: "http2/hpack-length-in-three-octets",
    title: "The server decodes a string of 300 octets, whose length takes three octets.",
    octets: {
      tail: `0003782d617fad01${"31".repeat(300)}`,
    },
  }),
  // 127 fills the prefix; the next octet adds 0.
  decodes({
    id: "http2/hpack-length-of-a-full-prefix",
    title: "The server decodes a string of 127 octets, whose length fills the prefix and continues with 0.",
    octets: {
      tail: `0003782d617f00${"31".repeat(127)}`,
    },
  }),
  decodingError({
    id: "http2/hpack-index-beyond-32-bits",
    title: "The server treats an index that is 2 only after a 32-bit overflow as a decoding error.",
    covers: ["rfc7541#5.1/limits", "rfc7541#7.4/integers-limited"],
    wrong: { tail: "ff83ffffff0f" },
    legal: { tail: "bd" },
  }),
  decodingError({
    id: "http2/hpack-index-beyond-64-bits",
    title: "The server treats an index that is 2 only after a 64-bit overflow as a decoding error.",
    covers: ["rfc7541#5.1/limits", "rfc7541#7.4/integers-limited"],
    wrong: { tail: "ff83ffffffffffffffff01" },
    legal: { tail: "bd" },
  }),
  decodingError({
    id: "http2/hpack-name-length-beyond-32-bits",
    title: "The server treats a name length that is 3 only after a 32-bit overflow as a decoding error.",
    covers: ["rfc7541#5.1/limits", "rfc7541#7.4/strings-limited"],
    wrong: { tail: `007f84ffffff0f782d610131` },
    legal: { tail: FIELD },
  }),
  decodingError({
    id: "http2/hpack-value-length-beyond-32-bits",
    title: "The server treats a value length that is 3 only after a 32-bit overflow as a decoding error.",
    covers: ["rfc7541#5.1/limits", "rfc7541#7.4/strings-limited"],
    wrong: { tail: `0003782d617f84ffffff0f313233` },
    legal: { tail: FIELD },
  }),
  decodingError({
    id: "http2/hpack-value-length-beyond-64-bits",
    title: "The server treats a value length that is 3 only after a 64-bit overflow as a decoding error.",
    covers: ["rfc7541#5.1/limits", "rfc7541#7.4/strings-limited"],
    wrong: { tail: `0003782d617f84ffffffffffffffff01313233` },
    legal: { tail: FIELD },
  }),
  decodingError({
    id: "http2/hpack-size-update-beyond-32-bits",
    title: "The server treats a size update that is 64 only after a 32-bit overflow as a decoding error.",
    covers: ["rfc7541#5.1/limits", "rfc7541#6.3/beyond-limit"],
    wrong: { head: "3fa180808010" },
    legal: { head: "3f21" },
  }),
  decodingError({
    id: "http2/hpack-size-update-beyond-64-bits",
    title: "The server treats a size update that is 64 only after a 64-bit overflow as a decoding error.",
    covers: ["rfc7541#5.1/limits", "rfc7541#6.3/beyond-limit"],
    wrong: { head: "3fa1808080808080808002" },
    legal: { head: "3f21" },
  }),
  decodingError({
    id: "http2/hpack-integer-of-a-thousand-octets",
    title: "The server treats an integer with 1,000 octets that add nothing as a decoding error.",
    covers: ["rfc7541#5.1/limits", "rfc7541#7.4/integers-limited"],
    level: "SHOULD",
    wrong: { head: `3f${"80".repeat(998)}00` },
    legal: { head: "3f00" },
  }),
  truncated({
    id: "http2/hpack-index-broken-off",
    title: "The server treats a block that ends inside an index as a decoding error.",
    wrong: "ff",
    legal: "bd",
  }),
  truncated({
    id: "http2/hpack-index-later-broken-off",
    title: "The server treats a block that ends inside the continuation of an index as a decoding error.",
    wrong: "ff8080",
    legal: "bd",
  }),
  truncated({
    id: "http2/hpack-name-index-broken-off",
    title: "The server treats a block that ends inside the index of a name as a decoding error.",
    wrong: "0f",
    legal: FIELD,
  }),
  truncated({
    id: "http2/hpack-name-length-broken-off",
    title: "The server treats a block that ends inside the length of a name as a decoding error.",
    wrong: "007f",
    legal: FIELD,
  }),
  truncated({
    id: "http2/hpack-value-length-broken-off",
    title: "The server treats a block that ends inside the length of a value as a decoding error.",
    wrong: "0003782d617f80",
    legal: FIELD,
  }),
];
