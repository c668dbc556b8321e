import { createInterface } from "node:readline";
import { field, Writer, type Field } from "../../../reference/core/index.ts";
import { Decoder, Encoder } from "../../../reference/hpack/index.ts";

/**
 * The reference HPACK codec as a subject for the vectors and the conformance suite: `node conformance/hpack/embedded/adapter.ts`. It reads one
 * request per line from standard input and writes one answer per line to standard output (protocol: `vectors/README.md`). To test another
 * implementation, copy this file and replace `decode` and `encode`.
 */

/** A field; `true` marks it as sensitive (rfc7541#7.1.3). */
type FieldSpec = readonly [name: string, value: string, sensitive?: boolean];
/** A number at i is the table's limit from block or list i on, in octets. */
type TableSizes = readonly (number | null)[];
type Lists = readonly (readonly FieldSpec[])[];
type Request = { readonly id: number; readonly tableSize?: number; readonly tableSizes?: TableSizes; readonly listSize?: number } & (
  | { readonly op: "hpack-decode"; readonly blocks: readonly string[] }
  /** The limits that the decoder announced, and saw acknowledged, before each block, in order. */
  | { readonly op: "hpack-decode-changes"; readonly blocks: readonly string[]; readonly changes: readonly (readonly number[])[] }
  | { readonly op: "hpack-encode"; readonly lists: Lists }
  /** The limits that the peer set before each list, in order. */
  | { readonly op: "hpack-encode-changes"; readonly lists: Lists; readonly changes: readonly (readonly number[])[] }
);
type Answer =
  | { readonly fields: readonly (readonly FieldSpec[])[] }
  | { readonly blocks: readonly string[] }
  | { readonly error: string }
  | { readonly unknown: true };

/** Tests use larger lists than a connection would allow. */
const MAX_LIST_SIZE = 1 << 24;

/** The limits of the request. */
type Initial = { readonly maxTableSize?: number; readonly maxListSize?: number };

function decode(blocks: readonly string[], initial: Initial, changes: readonly (readonly number[])[]): Answer {
  const decoder = new Decoder({ maxListSize: MAX_LIST_SIZE, ...initial });
  const fields: FieldSpec[][] = [];
  for (const [i, block] of blocks.entries()) {
    for (const limit of changes[i] ?? []) decoder.maxTableSize = limit;
    const decoded = decoder.decode(Buffer.from(block, "hex"));
    if (decoded.is === "fault") return { error: `${decoded.name} (${decoded.spec})` };
    if (decoded.is === "tooLarge") return { error: "the field list is too large" };
    fields.push(decoded.fields.map(({ name, value, sensitive }) => (sensitive ? [name, value, true] : [name, value])));
  }
  return { fields };
}

function encode(lists: Lists, initial: Initial, changes: readonly (readonly number[])[]): Answer {
  const encoder = new Encoder(initial);
  const writer = new Writer();
  const blocks = lists.map((list, i) => {
    for (const limit of changes[i] ?? []) encoder.maxTableSize = limit;
    encoder.encode(
      list.map(([name, value, sensitive]): Field => field(name, value, sensitive === true)),
      writer,
    );
    return Buffer.from(writer.take()).toString("hex");
  });
  return { blocks };
}

function answer(request: Request): Answer {
  const { tableSize, tableSizes = [], listSize } = request;
  const initial: Initial = {
    ...(tableSize === undefined ? {} : { maxTableSize: tableSize }),
    ...(listSize === undefined ? {} : { maxListSize: listSize }),
  };
  const sizes = tableSizes.map((limit) => (limit === null ? [] : [limit]));
  switch (request.op) {
    case "hpack-decode":
      return decode(request.blocks, initial, sizes);
    case "hpack-decode-changes":
      return decode(request.blocks, initial, request.changes);
    case "hpack-encode":
      return encode(request.lists, initial, sizes);
    case "hpack-encode-changes":
      return encode(request.lists, initial, request.changes);
    default:
      return { unknown: true };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line) as Request;
  process.stdout.write(`${JSON.stringify({ id: request.id, ...answer(request) })}\n`);
}
