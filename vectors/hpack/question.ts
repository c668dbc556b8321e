import { Decoder } from "../../reference/hpack/index.ts";
import type { HpackDecodeVector, HpackEncodeVector, HuffmanStringVector, VectorField } from "../load.ts";
import { about, ACCEPTED, type Question, type Questions, refusal, unexpected } from "../question.ts";

/** The questions about HPACK, by kind. */
export const QUESTIONS: Questions = {
  "hpack-decode": about(decodeQuestion),
  "hpack-encode": about(encodeQuestion),
  "huffman-string": about((vector: HuffmanStringVector) => decodeQuestion(asBlock(vector))),
};

function decodeQuestion({ result, tableSize = 4_096, blocks }: HpackDecodeVector): Question {
  const limits = blocks.map(({ limit }) => limit ?? null);
  return {
    request: {
      op: "hpack-decode",
      tableSize,
      ...(limits.some((limit) => limit !== null) ? { tableSizes: limits } : {}),
      blocks: blocks.map(({ wire }) => wire),
    },
    judge(answer) {
      if (answer.is === "error") return result === "valid" ? refusal(answer.error) : undefined;
      if (answer.is !== "fields") return unexpected(answer);
      if (result === "invalid") return ACCEPTED;
      return difference(
        blocks.map(({ fields = [] }) => fields),
        answer.fields,
      );
    },
  };
}

/** A Huffman string as the value of a literal without indexing, named "a". */
function asBlock({ wire, text = "", fault, ...rest }: HuffmanStringVector): HpackDecodeVector {
  const octets = wire.length / 2;
  const head = [0x00, 0x01, 0x61];
  if (octets < 0x7f) head.push(0x80 | octets);
  else {
    head.push(0xff);
    let left = octets - 0x7f;
    for (; left >= 0x80; left >>= 7) head.push((left & 0x7f) | 0x80);
    head.push(left);
  }
  return {
    ...rest,
    ...(fault === undefined ? {} : { fault }),
    blocks: [{ wire: Buffer.from(head).toString("hex") + wire, fields: [["a", text]] }],
  };
}

function encodeQuestion({ lists, limits }: HpackEncodeVector): Question {
  return {
    request: { op: "hpack-encode", ...(limits === undefined ? {} : { tableSizes: limits }), lists },
    judge(answer) {
      if (answer.is === "error") return refusal(answer.error);
      if (answer.is !== "blocks") return unexpected(answer);
      if (answer.blocks.length !== lists.length) return `${answer.blocks.length} blocks for ${lists.length} lists`;
      const decoder = new Decoder({ maxListSize: 1 << 24 });
      const decoded: (readonly [string, string, boolean])[][] = [];
      for (const [i, block] of answer.blocks.entries()) {
        const limit = limits?.[i];
        if (typeof limit === "number") decoder.maxTableSize = limit;
        const got = decoder.decode(Buffer.from(block, "hex"));
        if (got.is !== "fields")
          return `block ${i + 1} does not decode: ${got.is === "fault" ? `${got.name} (${got.spec})` : "the list is too large"}`;
        decoded.push(got.fields.map(({ name, value, sensitive }) => [name, value, sensitive] as const));
      }
      return difference(lists, decoded);
    },
  };
}

/** The first difference between two sequences of lists. A codec may leave out the never-indexed mark, but not contradict it. */
function difference(
  expected: readonly (readonly VectorField[])[],
  got: readonly (readonly (readonly [string, string, boolean?])[])[],
): string | undefined {
  if (got.length !== expected.length) return `${got.length} lists, not ${expected.length}`;
  for (const [i, list] of expected.entries()) {
    const other = got[i] ?? [];
    for (const [k, [name, value, never]] of list.entries()) {
      const field = other[k];
      if (field === undefined) return `list ${i + 1} ends before ${shown([name, value])}`;
      if (field[0] !== name || field[1] !== value) return `list ${i + 1}: ${shown(field)} where ${shown([name, value])} is expected`;
      if (never === true && field[2] === false) return `list ${i + 1}: ${shown(field)} has lost its never-indexed mark`;
    }
    if (other.length > list.length) return `list ${i + 1} goes on with ${shown(other[list.length] ?? ["", ""])}`;
  }
  return undefined;
}

const shown = ([name, value]: readonly [string, string, ...unknown[]]): string =>
  JSON.stringify(`${name}: ${value.length > 60 ? `${value.slice(0, 60)}… (${value.length} octets)` : value}`);
