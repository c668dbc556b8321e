import { Decoder } from "../reference/hpack/index.ts";
import type { CodecAnswer } from "./codec.ts";
import { EXPOSITION_KINDS, pageQuestion } from "./exposition/question.ts";
import type { PageVector } from "./exposition/source/craft.ts";
import { messagesQuestion } from "./http1/question.ts";
import type { MessageVector } from "./http1/source/craft.ts";
import { KINDS, websocketQuestion } from "./websocket/question.ts";
import type { AnyVector } from "./websocket/source/craft.ts";
import type { HpackDecodeVector, HpackEncodeVector, HuffmanStringVector, Vector, VectorField } from "./load.ts";

/** What a codec is asked for a vector, and what is wrong with an answer: one line, or nothing. */
export type Question = {
  readonly request: Readonly<Record<string, unknown>>;
  judge(answer: CodecAnswer): string | undefined;
};

/** Kinds of files that the protocol has questions for. */
export const ASKED: ReadonlySet<string> = new Set(["hpack-decode", "hpack-encode", "huffman-string", "http1-request", "http1-response", ...KINDS, ...EXPOSITION_KINDS]);

/** The question that a vector of this kind puts to a codec; undefined where the protocol has none for it. */
export function questionOf(kind: string, vector: Vector): Question | undefined {
  switch (kind) {
    case "hpack-decode":
      return decodeQuestion(vector as HpackDecodeVector);
    case "hpack-encode":
      return encodeQuestion(vector as HpackEncodeVector);
    case "huffman-string":
      return decodeQuestion(asBlock(vector as HuffmanStringVector));
    case "http1-request":
    case "http1-response":
      return messagesQuestion(kind, vector as MessageVector);
    case "websocket-frames":
    case "websocket-request":
    case "websocket-response":
      return websocketQuestion(kind, vector as AnyVector);
    case "exposition-text":
    case "exposition-openmetrics":
      return pageQuestion(kind, vector as PageVector);
    default:
      return undefined;
  }
}

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
      if (answer.is === "error") return result === "valid" ? `it was refused: ${answer.error}` : undefined;
      if (answer.is !== "fields") return strange(answer);
      if (result === "invalid") return "it was accepted, and has to be refused";
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
      if (answer.is === "error") return `it was refused: ${answer.error}`;
      if (answer.is !== "blocks") return strange(answer);
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

const strange = (answer: CodecAnswer): string => (answer.is === "trouble" ? answer.why : `it answered with ${answer.is}`);

/** The first difference of two sequences of lists. A mark that the codec leaves out is not missed; one that it contradicts is. */
function difference(
  expected: readonly (readonly VectorField[])[],
  got: readonly (readonly (readonly [string, string, boolean?])[])[],
): string | undefined {
  if (got.length !== expected.length) return `${got.length} lists, not ${expected.length}`;
  for (const [i, list] of expected.entries()) {
    const other = got[i] ?? [];
    for (const [k, [name, value, never]] of list.entries()) {
      const field = other[k];
      if (field === undefined) return `list ${i + 1} ends before ${show([name, value])}`;
      if (field[0] !== name || field[1] !== value) return `list ${i + 1}: ${show(field)} where ${show([name, value])} is expected`;
      if (never === true && field[2] === false) return `list ${i + 1}: ${show(field)} has lost its never-indexed mark`;
    }
    if (other.length > list.length) return `list ${i + 1} goes on with ${show(other[list.length] ?? ["", ""])}`;
  }
  return undefined;
}

const show = ([name, value]: readonly [string, string, ...unknown[]]): string =>
  JSON.stringify(`${name}: ${value.length > 60 ? `${value.slice(0, 60)}… (${value.length} octets)` : value}`);
