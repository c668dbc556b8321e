import { accepted, connectionError, getOn, handshake, octetsOn } from "../../phrases.ts";
import { insert } from "../../../../wire/qpack/build.ts";
import type { Case, Row } from "../../../vocabulary.ts";

const CAPACITY = 200;
const capacity = insert.capacity(CAPACITY);
const entry = insert.literal("x-name", "value");

/** Instructions that no decoder can follow. `table`: they need a dynamic table, whose capacity is set before. */
const refuses = ({ octets, ...row }: Row<"covers" | "spec"> & { readonly octets: readonly Uint8Array[] }): Case => ({
  level: "MUST",
  role: "server",
  needs: ["dynamic-table"],
  steps: [handshake, octetsOn("encoder", row.title, ...octets)],
  control: [handshake, octetsOn("encoder", "Set Dynamic Table Capacity 200, and an insertion", capacity, entry)],
  allowed: connectionError("QPACK_ENCODER_STREAM_ERROR"),
  ...row,
});
/** Instructions that a server with a dynamic table has to follow. */
const follows = ({ octets, ...row }: Row<"covers" | "spec"> & { readonly octets: readonly Uint8Array[] }): Case => ({
  level: "MUST",
  role: "server",
  needs: ["dynamic-table"],
  steps: [handshake, octetsOn("encoder", row.title, ...octets), getOn("request")],
  control: [handshake, getOn("request")],
  allowed: accepted,
  ...row,
});
const tooLarge = ["rfc9204#3.2.2/entry-too-large"] as const;
const invalid = ["rfc9204#2.2.3/instruction-invalid"] as const;
/** A string whose Huffman code breaks off within a symbol of zeros (rfc7541#5.2). */
const BAD_HUFFMAN = Uint8Array.of(0x61, 0x00, 0x00);
const ENDLESS = Uint8Array.of(0x3f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f);

/** Instructions of the client's encoder (rfc9204#4.3). */
export const cases: readonly Case[] = [
  {
    id: "http3/capacity-beyond-limit",
    spec: "rfc9204#4.3.1",
    covers: ["rfc9204#4.3.1/beyond-limit"],
    level: "MUST",
    role: "server",
    title: "The server treats a capacity of one octet more than it permits as QPACK_ENCODER_STREAM_ERROR.",
    steps: [handshake, { do: "capacity", beyond: 1 }],
    control: [handshake, { do: "capacity", beyond: 0 }],
    allowed: connectionError("QPACK_ENCODER_STREAM_ERROR"),
  },
  {
    id: "http3/capacity-far-beyond-limit",
    spec: "rfc9204#4.3.1",
    covers: ["rfc9204#4.3.1/beyond-limit"],
    level: "MUST",
    role: "server",
    title: "The server treats a capacity of a gigabyte more than it permits as QPACK_ENCODER_STREAM_ERROR.",
    steps: [handshake, { do: "capacity", beyond: 1_073_741_824 }],
    control: [handshake, { do: "capacity", beyond: 0 }],
    allowed: connectionError("QPACK_ENCODER_STREAM_ERROR"),
  },
  {
    id: "http3/insertion-without-table",
    spec: "rfc9204#3.2.2",
    covers: tooLarge,
    level: "MUST",
    role: "server",
    needs: ["no-dynamic-table"],
    title: "The server without a dynamic table treats an insertion as QPACK_ENCODER_STREAM_ERROR.",
    steps: [handshake, octetsOn("encoder", "an insertion", entry)],
    control: [handshake],
    allowed: connectionError("QPACK_ENCODER_STREAM_ERROR"),
  },
  refuses({
    id: "http3/insertion-before-capacity",
    spec: "rfc9204#3.2.2",
    title: "The server treats an insertion before any capacity is set as QPACK_ENCODER_STREAM_ERROR.",
    covers: tooLarge,
    octets: [entry],
  }),
  refuses({
    id: "http3/insertion-beyond-capacity",
    spec: "rfc9204#3.2.2",
    title: "The server treats an entry larger than the capacity as QPACK_ENCODER_STREAM_ERROR.",
    covers: tooLarge,
    octets: [capacity, insert.literal("x-name", "a".repeat(CAPACITY))],
  }),
  refuses({
    id: "http3/insertion-one-octet-beyond-capacity",
    spec: "rfc9204#3.2.2",
    title: "The server treats an entry of one octet more than the capacity as QPACK_ENCODER_STREAM_ERROR.",
    covers: tooLarge,
    octets: [capacity, insert.literal("x-name", "a".repeat(CAPACITY - 32 - 6 + 1))],
  }),
  refuses({
    id: "http3/insertion-with-unknown-static-name",
    spec: "rfc9204#3.1",
    title: "The server treats an insertion with the name of static entry 99 as QPACK_ENCODER_STREAM_ERROR.",
    covers: ["rfc9204#3.1/unknown-index"],
    octets: [capacity, insert.staticName(99, "value")],
  }),
  refuses({
    id: "http3/insertion-with-absent-dynamic-name",
    spec: "rfc9204#2.2.3",
    title: "The server treats an insertion with the name of an absent entry as QPACK_ENCODER_STREAM_ERROR.",
    covers: invalid,
    octets: [capacity, insert.dynamicName(0, "value")],
  }),
  refuses({
    id: "http3/duplicate-of-an-absent-entry",
    spec: "rfc9204#2.2.3",
    title: "The server treats Duplicate of an absent entry as QPACK_ENCODER_STREAM_ERROR.",
    covers: invalid,
    octets: [capacity, insert.duplicate(0)],
  }),
  refuses({
    id: "http3/duplicate-of-an-evicted-entry",
    spec: "rfc9204#2.2.3",
    title: "The server treats Duplicate of an evicted entry as QPACK_ENCODER_STREAM_ERROR.",
    covers: invalid,
    octets: [insert.capacity(50), entry, insert.literal("x-more", "value"), insert.duplicate(1)],
  }),
  refuses({
    id: "http3/duplicate-after-capacity-zero",
    spec: "rfc9204#2.2.3",
    title: "The server treats Duplicate in a table that was emptied as QPACK_ENCODER_STREAM_ERROR.",
    covers: invalid,
    octets: [capacity, entry, insert.capacity(0), capacity, insert.duplicate(0)],
  }),
  refuses({
    id: "http3/encoder-stream-integer-too-long",
    spec: "rfc9204#7.4",
    title: "The server treats a capacity beyond 62 bits as QPACK_ENCODER_STREAM_ERROR.",
    covers: ["rfc9204#7.4/beyond"],
    octets: [ENDLESS],
  }),
  refuses({
    id: "http3/insertion-with-invalid-huffman",
    spec: "rfc9204#4.1.2",
    title: "The server treats an invalid Huffman string in an instruction as QPACK_ENCODER_STREAM_ERROR.",
    level: "SHOULD",
    covers: ["rfc9204#4.1.2/strings"],
    octets: [capacity, BAD_HUFFMAN],
  }),

  follows({
    id: "http3/capacity-set-several-times",
    spec: "rfc9204#4.3.1",
    title: "The server follows several capacities.",
    covers: ["rfc9204#4.3.1/capacity", "rfc9204#3.2.2/capacity-evicts"],
    octets: [capacity, insert.capacity(0), insert.capacity(64), capacity],
  }),
  follows({
    id: "http3/insertion-of-the-whole-capacity",
    spec: "rfc9204#3.2.1",
    title: "The server takes an entry that is as large as the capacity.",
    covers: ["rfc9204#3.2.1/size"],
    octets: [capacity, insert.literal("x-name", "a".repeat(CAPACITY - 32 - 6))],
  }),
  follows({
    id: "http3/insertion-with-static-name",
    spec: "rfc9204#4.3.2",
    title: "The server takes an insertion with a static name.",
    covers: ["rfc9204#4.3.2/name-reference", "rfc9204#3.1/entries"],
    octets: [capacity, insert.staticName(98, "value")],
  }),
  follows({
    id: "http3/insertion-with-dynamic-name",
    spec: "rfc9204#4.3.2",
    title: "The server takes an insertion with the name of another entry.",
    covers: ["rfc9204#4.3.2/name-reference", "rfc9204#3.2.5/relative"],
    octets: [capacity, entry, insert.dynamicName(0, "other")],
  }),
  follows({
    id: "http3/duplicate",
    spec: "rfc9204#4.3.4",
    title: "The server takes Duplicate.",
    covers: ["rfc9204#4.3.4/duplicate", "rfc9204#3.2/duplicates"],
    octets: [capacity, entry, insert.duplicate(0)],
  }),
  follows({
    id: "http3/insertion-with-name-of-evicted",
    spec: "rfc9204#3.2.2",
    title: "The server takes an insertion with the name of the entry that it evicts.",
    covers: ["rfc9204#3.2.2/name-of-evicted", "rfc9204#3.2.2/evict-for-room"],
    octets: [insert.capacity(50), entry, insert.dynamicName(0, "other")],
  }),
  follows({
    id: "http3/insertion-with-empty-value",
    spec: "rfc9204#3.2",
    title: "The server takes an entry with an empty value.",
    covers: ["rfc9204#3.2/empty-values"],
    octets: [capacity, insert.literal("x-name", "")],
  }),
];
