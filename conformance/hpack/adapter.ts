import { createInterface } from "node:readline";
import { field, Writer, type Field } from "../../reference/core/index.ts";
import { Decoder, Encoder } from "../../reference/hpack/index.ts";

/**
 * Our HPACK as a codec that the vectors and the conformance suite can ask: `node conformance/hpack/adapter.ts`. One request a line on
 * standard input, one answer a line on standard output, until the input ends (the protocol is in `vectors/README.md`). Copy this file
 * to put another implementation to the test: only `decode` and `encode` name ours.
 */

/** A field; `true` as the third member marks a value that no table may hold (rfc7541#7.1.3). */
type FieldSpec = readonly [name: string, value: string, sensitive?: boolean];
/** Before block or list i, where it is a number, the table may take up to so many octets. */
type TableSizes = readonly (number | null)[];
type Request = { readonly id: number; readonly tableSize?: number; readonly tableSizes?: TableSizes } & (
  | { readonly op: "hpack-decode"; readonly blocks: readonly string[] }
  | { readonly op: "hpack-encode"; readonly lists: readonly (readonly FieldSpec[])[] }
);
type Answer =
  | { readonly fields: readonly (readonly FieldSpec[])[] }
  | { readonly blocks: readonly string[] }
  | { readonly error: string }
  | { readonly unknown: true };

/** What a test may ask is more than a connection would allow. */
const MAX_LIST_SIZE = 1 << 24;

function decode(blocks: readonly string[], tableSize: number, tableSizes: TableSizes): Answer {
  const decoder = new Decoder({ maxTableSize: tableSize, maxListSize: MAX_LIST_SIZE });
  const fields: FieldSpec[][] = [];
  for (const [i, block] of blocks.entries()) {
    const limit = tableSizes[i];
    if (typeof limit === "number") decoder.maxTableSize = limit;
    const decoded = decoder.decode(Buffer.from(block, "hex"));
    if (decoded.is === "fault") return { error: `${decoded.name} (${decoded.spec})` };
    if (decoded.is === "tooLarge") return { error: "the list is too large" };
    fields.push(decoded.fields.map(({ name, value, sensitive }) => (sensitive ? [name, value, true] : [name, value])));
  }
  return { fields };
}

function encode(lists: readonly (readonly FieldSpec[])[], tableSize: number, tableSizes: TableSizes): Answer {
  const encoder = new Encoder({ maxTableSize: tableSize });
  const writer = new Writer();
  const blocks = lists.map((list, i) => {
    const limit = tableSizes[i];
    if (typeof limit === "number") encoder.maxTableSize = limit;
    encoder.encode(
      list.map(([name, value, sensitive]): Field => field(name, value, sensitive === true)),
      writer,
    );
    return Buffer.from(writer.take()).toString("hex");
  });
  return { blocks };
}

function answer(request: Request): Answer {
  const { tableSize = 4_096, tableSizes = [] } = request;
  switch (request.op) {
    case "hpack-decode":
      return decode(request.blocks, tableSize, tableSizes);
    case "hpack-encode":
      return encode(request.lists, tableSize, tableSizes);
    default:
      return { unknown: true };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line) as Request;
  process.stdout.write(`${JSON.stringify({ id: request.id, ...answer(request) })}\n`);
}
