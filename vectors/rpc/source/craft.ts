import type { SpecDocument, SpecRef } from "../../../reference/core/index.ts";
import type { Vector } from "../../load.ts";
import type { VectorSource } from "../../write.ts";

/**
 * The functions that build the vectors of RPC. Expected values are written beside what they belong to; compressed messages come from the zlib
 * and zstandard of Python. Names are those of the dialect `rpc`. Append to lists only: the position of a vector is its id.
 */

/** A requirement, by its document, section and name. */
export type Rule = `${SpecDocument}#${string}/${string}`;
/** One thing that a codec reads or writes; its members depend on what the codec is asked. */
export type Told = Readonly<Record<string, unknown>>;
/** Another answer that the specification permits, and the section that does. */
export type Other = { readonly messages: readonly Told[]; readonly by: SpecRef };

type RpcVector = Vector & {
  readonly spec: string;
  /** Permanent, and unique in its file. */
  readonly name: string;
  /** The requirements that it tests, the strongest first. */
  readonly rules: readonly [Rule, ...Rule[]];
  /** What the codec answers; in an invalid vector, what it reads before the refusal. */
  readonly messages: readonly Told[];
  readonly or?: readonly Other[];
  /** What permits to refuse an acceptable vector. */
  readonly by?: SpecRef;
  /** This project's reason for a refusal. */
  readonly fault?: string;
};
export type MessagesVector = RpcVector & {
  readonly side: "server" | "client";
  /** The octets of the stream in hexadecimal, as DATA frames cut them. */
  readonly cuts: readonly string[];
  readonly ended: boolean;
  readonly encoding?: string;
  readonly limit?: number;
  /** The status of the call after the refusal, where the specification names it. */
  readonly code?: number;
};
export const READINGS = ["timeout", "message", "content-type", "metadata", "status", "reset", "push-back"] as const;
export const WRITINGS = ["timeout", "message", "metadata", "encoding", "status", "stream"] as const;
export type ReadVector = RpcVector & { readonly of: (typeof READINGS)[number]; readonly given: unknown };
export type WriteVector = RpcVector & { readonly of: (typeof WRITINGS)[number]; readonly given: unknown };
export type AnyVector = MessagesVector | ReadVector | WriteVector;

export type Kind = "rpc-messages" | "rpc-read" | "rpc-write";
type Draft = Omit<MessagesVector, "id"> | Omit<ReadVector, "id"> | Omit<WriteVector, "id">;
export type Source = VectorSource<AnyVector> & { readonly kind: Kind };

type Titled = { readonly name: string; readonly note: string };
/** The words of a note are the permanent name of its vector; a note that changes afterwards keeps the old name with `named`. */
type Note = string | Titled;
const titled = (note: Note): Titled =>
  typeof note === "string"
    ? {
        name: note
          .toLowerCase()
          .replaceAll(/[^a-z0-9]+/g, "-")
          .replaceAll(/^-+|-+$/g, ""),
        note,
      }
    : note;

type Common = { readonly note: Note; readonly rules: readonly [Rule, ...Rule[]]; readonly flag: string };
const common = ({ note, rules }: Common): Titled & Pick<RpcVector, "spec" | "rules"> => ({
  ...titled(note),
  spec: rules[0].slice(0, rules[0].indexOf("/")),
  rules,
});

/** A valid vector has messages; an invalid one has none, or those before the refusal, and a `fault`. */
type Result = { readonly messages?: readonly Told[]; readonly fault?: string; readonly or?: readonly Other[]; readonly by?: SpecRef };
const result = ({ messages = [], fault, or, by }: Result): Pick<RpcVector, "messages" | "result" | "or" | "by" | "fault"> => ({
  messages,
  ...(or === undefined ? {} : { or }),
  result: by !== undefined ? "acceptable" : fault === undefined ? "valid" : "invalid",
  ...(by === undefined ? {} : { by }),
  ...(fault === undefined ? {} : { fault }),
});

type Stream = Common & Result & Partial<Pick<MessagesVector, "side" | "ended" | "encoding" | "limit" | "code">>;
/** Octets of a stream that arrive as these DATA frames, in hexadecimal; spaces count for nothing. */
export function stream(cuts: string | readonly string[], vector: Stream): Draft {
  const { side = "server", ended = true, encoding, limit, code, flag } = vector;
  return {
    ...common(vector),
    side,
    cuts: [cuts].flat().map((cut) => cut.replaceAll(" ", "")),
    ended,
    ...(encoding === undefined ? {} : { encoding }),
    ...(limit === undefined ? {} : { limit }),
    ...result(vector),
    ...(code === undefined ? {} : { code }),
    flags: [flag],
  };
}
/** A message in its envelope, in hexadecimal. */
export const envelope = (octets: string, flags = 0): string => {
  const digits = octets.replaceAll(" ", "");
  return `${flags.toString(16).padStart(2, "0")}${(digits.length / 2).toString(16).padStart(8, "0")}${digits}`;
};

/** What a codec reads. */
export const reading = (of: ReadVector["of"], given: unknown, vector: Common & Result): Draft => ({
  ...common(vector),
  of,
  given,
  ...result(vector),
  flags: [vector.flag],
});
/** What a codec writes. */
export const writing = (of: WriteVector["of"], given: unknown, vector: Common & Result): Draft => ({
  ...common(vector),
  of,
  given,
  ...result(vector),
  flags: [vector.flag],
});
