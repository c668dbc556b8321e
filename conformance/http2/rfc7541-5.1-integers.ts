import { answeredLikeFirst, truncatedBlock, get, handshake, firstExchange, send, compressionError } from "./phrases.ts";
import type { Case } from "./vocabulary.ts";

/** What stands at the end of a block, beside what could stand there. `head` stands at its beginning. */
type Octets = { readonly tail?: string; readonly head?: string };

const frame = (stream: number, { tail, head }: Octets) => ({
  ...get(stream),
  ...(tail === undefined ? {} : { blockTail: tail }),
  ...(head === undefined ? {} : { blockHead: head }),
});
const error = (words: string, covers: Case["covers"], what: string, wrong: Octets, right: Octets, level: Case["level"] = "MUST"): Case => ({
  id: `http2/hpack-${words}`,
  spec: "rfc7541#5.1",
  covers,
  level,
  role: "server",
  title: `The server calls it a decoding error when ${what}.`,
  steps: [handshake, send(frame(1, wrong))],
  control: [handshake, send(frame(1, right))],
  allowed: compressionError,
});
const brokenOff = (words: string, what: string, wrong: string, right: string): Case => ({
  ...error(`${words}-broken-off`, ["rfc7541#5.1/truncated"], `the block ends inside ${what}`, { tail: wrong }, { tail: right }),
  allowed: truncatedBlock,
});
const fine = (words: string, what: string, octets: Octets): Case => ({
  id: `http2/hpack-${words}`,
  spec: "rfc7541#5.1",
  covers: ["rfc7541#5.1/prefix"],
  level: "MUST",
  role: "server",
  title: `The server reads ${what}.`,
  steps: [...firstExchange, send(frame(3, octets))],
  control: [...firstExchange, send(get(3))],
  allowed: answeredLikeFirst(3),
});

/** x-a: 1, without indexing. */
const FIELD = "0003782d610131";

export const cases: readonly Case[] = [
  fine("integer-in-two-octets", "an index that continues in a second octet", { tail: "0f2b0131" }),
  // 200 = 127 + 73
  fine("length-in-two-octets", "a string of 200 octets, whose length continues in a second octet", {
    tail: `0003782d617f49${"31".repeat(200)}`,
  }),
  // 300 = 127 + 173: 0xad 0x01
  fine("length-in-three-octets", "a string of 300 octets, whose length continues in a third octet", {
    tail: `0003782d617fad01${"31".repeat(300)}`,
  }),
  // 127: the prefix is full, and nothing is added.
  fine("length-of-a-full-prefix", "a string of 127 octets, whose length fills the prefix and adds 0", {
    tail: `0003782d617f00${"31".repeat(127)}`,
  }),
  error(
    "index-beyond-32-bits",
    ["rfc7541#5.1/limits", "rfc7541#7.4/integers-limited"],
    "an index is 2 only after overflowing 32 bits",
    { tail: "ff83ffffff0f" },
    { tail: "bd" },
  ),
  error(
    "index-beyond-64-bits",
    ["rfc7541#5.1/limits", "rfc7541#7.4/integers-limited"],
    "an index is 2 only after overflowing 64 bits",
    { tail: "ff83ffffffffffffffff01" },
    { tail: "bd" },
  ),
  error(
    "name-length-beyond-32-bits",
    ["rfc7541#5.1/limits", "rfc7541#7.4/strings-limited"],
    "the length of a name is 3 only after overflowing 32 bits",
    { tail: `007f84ffffff0f782d610131` },
    { tail: FIELD },
  ),
  error(
    "value-length-beyond-32-bits",
    ["rfc7541#5.1/limits", "rfc7541#7.4/strings-limited"],
    "the length of a value is 3 only after overflowing 32 bits",
    { tail: `0003782d617f84ffffff0f313233` },
    { tail: FIELD },
  ),
  error(
    "value-length-beyond-64-bits",
    ["rfc7541#5.1/limits", "rfc7541#7.4/strings-limited"],
    "the length of a value is 3 only after overflowing 64 bits",
    { tail: `0003782d617f84ffffffffffffffff01313233` },
    { tail: FIELD },
  ),
  error(
    "size-update-beyond-32-bits",
    ["rfc7541#5.1/limits", "rfc7541#6.3/beyond-limit"],
    "a size update is 64 only after overflowing 32 bits",
    { head: "3fa180808010" },
    { head: "3f21" },
  ),
  error(
    "size-update-beyond-64-bits",
    ["rfc7541#5.1/limits", "rfc7541#6.3/beyond-limit"],
    "a size update is 64 only after overflowing 64 bits",
    { head: "3fa1808080808080808002" },
    { head: "3f21" },
  ),
  error(
    "integer-of-a-thousand-octets",
    ["rfc7541#5.1/limits", "rfc7541#7.4/integers-limited"],
    "an integer goes on for 1,000 octets that add nothing",
    { head: `3f${"80".repeat(998)}00` },
    { head: "3f00" },
    "SHOULD",
  ),
  brokenOff("index", "an index", "ff", "bd"),
  brokenOff("index-later", "the continuation of an index", "ff8080", "bd"),
  brokenOff("name-index", "the index of a name", "0f", FIELD),
  brokenOff("name-length", "the length of a name", "007f", FIELD),
  brokenOff("value-length", "the length of a value", "0003782d617f80", FIELD),
];
