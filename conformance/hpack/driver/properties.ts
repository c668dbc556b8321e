import { field, type Field, Writer } from "../../../reference/core/index.ts";
import { Decoder, Encoder, STATIC_TABLE } from "../../../reference/hpack/index.ts";
import { type Representation, representations, type ReadString } from "../../wire/hpack/representations.ts";
import { limitsBefore, type Property, type Step } from "../vocabulary.ts";

type Encode = Extract<Step, { do: "encode" }>;
type Blocks = readonly (readonly Representation[])[];

const DEFAULT_LIMIT = 4096;
/** No list is larger. */
const MOST = 2 ** 24;

/** What broke a property of an encoder's blocks; undefined if it held. The blocks are known to decode to the given fields. */
export function broken(property: Property, step: Encode, blocks: readonly Uint8Array[]): string | undefined {
  return CHECKS[property](
    blocks.map((block) => representations(block).all),
    step,
    blocks,
  );
}

const stringsOf = (one: Representation): ReadString[] =>
  one.is === "literal" ? [...(one.name === undefined ? [] : [one.name]), one.value] : [];
const integersOf = (one: Representation) => [
  one.is === "size update" ? one.size : one.index,
  ...stringsOf(one).map(({ length }) => length),
];
const first = <T>(items: readonly T[], problem: (item: T, at: number) => string | undefined): string | undefined => {
  for (const [at, item] of items.entries()) {
    const found = problem(item, at);
    if (found !== undefined) return found;
  }
  return undefined;
};
/** Size updates at the beginning of a block. */
const updatesOf = (block: readonly Representation[]): number[] => {
  const end = block.findIndex((one) => one.is !== "size update");
  return block.slice(0, end < 0 ? block.length : end).flatMap((one) => (one.is === "size update" ? [one.size.value] : []));
};

const fieldsOf = (block: readonly Representation[]): Representation[] => block.filter((one) => one.is !== "size update");

/** A literal by the encoder that vectors have proved: it chooses the shorter coding of each string. */
function shortest(name: string, value: string): Uint8Array {
  const writer = new Writer();
  new Encoder({ tableSize: 0 }).encode([field(name, value)], writer);
  return writer.take();
}

/** What a table holds when a block begins is an index in it: fields, and the names of others. */
function indexed(blocks: Blocks, step: Encode, tableOf: (at: number) => readonly Field[]): string | undefined {
  return first(blocks, (block, at) => {
    const table = tableOf(at);
    return first(fieldsOf(block), (one, nth) => {
      const [name = "", value = "", secret] = step.lists[at]?.[nth] ?? [];
      const named = table.filter((entry) => entry.name === name);
      if (one.is === "literal" && one.name !== undefined && named.length > 0)
        return `block ${at + 1} spells the name ${name}, which a table holds`;
      return secret !== true && one.is !== "indexed" && named.some((entry) => entry.value === value)
        ? `block ${at + 1} repeats "${name}: ${value}", which a table holds, as a literal`
        : undefined;
    });
  });
}

type Check = (blocks: Blocks, step: Encode, octets: readonly Uint8Array[]) => string | undefined;
const CHECKS: Readonly<Record<Property, Check>> = {
  "size-update-after-lowered-limit": (blocks, step) => {
    let limit = DEFAULT_LIMIT;
    return first(blocks, (block, at) => {
      const size = limitsBefore(step, at).at(-1);
      if (size === undefined) return undefined;
      const lowered = size < limit;
      limit = size;
      const [update] = updatesOf(block);
      if (!lowered) return undefined;
      if (update === undefined) return `block ${at + 1} has no size update although the limit fell to ${size}`;
      return update <= size ? undefined : `block ${at + 1} begins with a size update to ${update}, beyond ${size}`;
    });
  },
  "lowest-limit-signalled": (blocks, step) => {
    let limit = DEFAULT_LIMIT;
    return first(blocks, (block, at) => {
      const limits = limitsBefore(step, at);
      const lowest = Math.min(...limits);
      const lowered = lowest < limit;
      limit = limits.at(-1) ?? limit;
      const updates = updatesOf(block);
      if (!lowered || updates.some((update) => update <= lowest)) return undefined;
      return updates.length === 0
        ? `block ${at + 1} has no size update although the limit was ${lowest} in between`
        : `block ${at + 1} begins with size updates to ${updates.join(", ")}, but the limit was ${lowest} in between`;
    });
  },
  "at-most-two-size-updates": (blocks) =>
    first(blocks, (block, at) =>
      updatesOf(block).length > 2 ? `block ${at + 1} begins with ${updatesOf(block).length} size updates` : undefined,
    ),
  "size-updates-within-limit": (blocks, step) => {
    let limit = DEFAULT_LIMIT;
    return first(blocks, (block, at) => {
      limit = limitsBefore(step, at).at(-1) ?? limit;
      const beyond = block.find((one) => one.is === "size update" && one.size.value > limit);
      return beyond === undefined ? undefined : `block ${at + 1} has a size update beyond ${limit}`;
    });
  },
  "never-indexed": (blocks, step) =>
    sensitive(blocks, step, (one, name) =>
      one.is === "literal" && one.mode === "never" ? undefined : `${name} is not a never-indexed literal`,
    ),
  "sensitive-not-indexed": (blocks, step) =>
    sensitive(blocks, step, (one, name) =>
      one.is === "literal" && one.mode !== "incremental" ? undefined : `${name} was added to a table`,
    ),
  "integers-shortest": (blocks) =>
    first(blocks.flat(), (one) => (integersOf(one).every(({ shortest }) => shortest) ? undefined : "an integer is longer than necessary")),
  "huffman-shorter": (blocks, step) =>
    first(blocks, (block, at) =>
      first(fieldsOf(block), (one, nth) => {
        const [name = "", value = ""] = step.lists[at]?.[nth] ?? [];
        const [best] = representations(shortest(name, value)).all.filter(({ is }) => is === "literal");
        if (one.is !== "literal" || best?.is !== "literal") return undefined;
        const isLonger = (used: ReadString | undefined, other: ReadString | undefined): boolean =>
          used !== undefined && other !== undefined && used.octets.length > other.octets.length;
        const isWrong = isLonger(one.value, best.value) || isLonger(one.name, best.name);
        return isWrong ? `"${name}: ${value.slice(0, 40)}" is in the longer of its two codings` : undefined;
      }),
    ),
  "static-entries-indexed": (blocks, step) => indexed(blocks, step, () => STATIC_TABLE),
  "inserted-entries-indexed": (blocks, step, octets) => {
    const decoder = new Decoder({ maxListSize: MOST });
    return indexed(blocks, step, (at) => {
      const { table } = decoder;
      decoder.decode(octets[at]!);
      return table;
    });
  },
  // The decoder of the round trip refuses any other padding (rfc7541#5.2), so nothing is left to check.
  "huffman-padding-valid": () => undefined,
};

function sensitive(blocks: Blocks, step: Encode, problem: (one: Representation, name: string) => string | undefined): string | undefined {
  return first(blocks, (block, at) => {
    const fields = fieldsOf(block);
    return first(step.lists[at] ?? [], ([name, , secret], nth) => {
      const one = fields[nth];
      return secret !== true || one === undefined ? undefined : problem(one, name);
    });
  });
}
