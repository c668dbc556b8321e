import { representations } from "../../wire/hpack/representations.ts";
import { DEFAULTS } from "../../wire/http2/numbers.ts";
import type { Monitor, Watched } from "./watched.ts";
import { isFrame } from "./sights.ts";

/** Properties of the subject's own HPACK encoder (rfc7541). */

type Limit = { readonly value: number; readonly lowered: boolean };

/**
 * Visits the subject's blocks in order, with the table sizes that we announced. A size is binding once acknowledged; before that, the
 * larger of the old and the new one is allowed.
 */
function walk(
  watched: Watched,
  visit: (block: Uint8Array, limit: number, owed: Limit | undefined) => string | undefined,
): string | undefined {
  const announced: number[][] = watched.sent
    .filter(({ frame }) => frame.type === "SETTINGS" && frame.ack === false)
    .map(({ frame }) => (frame.settings ?? []).filter(([name]) => name === "HEADER_TABLE_SIZE").map(([, value]) => value));
  let limit: number = DEFAULTS.tableSize;
  let owed: Limit | undefined;
  for (const seen of watched.log.seen) {
    if (!isFrame(seen) || seen.on !== 0) continue;
    if (seen.frame.type === "SETTINGS" && seen.frame.ack === true) {
      for (const value of announced.shift() ?? []) {
        // The smallest size since the last block must be signalled (rfc7541#4.2).
        if (value < limit) owed = { value: Math.min(value, owed?.value ?? value), lowered: true };
        limit = value;
      }
    }
    if (seen.section === undefined) continue;
    const found = visit(seen.section.block, Math.max(limit, ...announced.flat()), owed);
    if (found !== undefined) return `${found} (stream ${seen.section.stream})`;
    owed = undefined;
  }
  return undefined;
}

export const encoderMonitors: Readonly<Record<string, Monitor>> = {
  /** After it acknowledged a smaller table, the next block begins with a size update (rfc7541#4.2). */
  "size-update-follows-settings": (watched) =>
    walk(watched, (block, _limit, owed) => {
      if (owed === undefined) return undefined;
      const [first] = representations(block).all;
      if (first?.is !== "size update") return `no size update after the limit became ${owed.value}`;
      return first.size.value <= owed.value ? undefined : `a size update to ${first.size.value} where ${owed.value} is the limit`;
    }),
  /** No size update exceeds what we announced (rfc7541#6.3). */
  "size-updates-within-limit": (watched) =>
    walk(watched, (block, limit) => {
      const beyond = representations(block).all.find((one) => one.is === "size update" && one.size.value > limit);
      return beyond === undefined ? undefined : `a size update beyond ${limit}`;
    }),
  /** Size updates come at the beginning of a block (rfc7541#4.2). */
  "size-updates-first": (watched) =>
    walk(watched, (block) => {
      const { all } = representations(block);
      const other = all.findIndex((one) => one.is !== "size update");
      return other >= 0 && all.slice(other).some((one) => one.is === "size update") ? "a size update after a field" : undefined;
    }),
  /** With a table of size 0 no index refers to the dynamic table (rfc7541#4.2). */
  "no-dynamic-index-without-table": (watched) =>
    walk(watched, (block, limit) => {
      const dynamic = representations(block).all.find((one) => one.is !== "size update" && one.index.value > 61);
      return limit === 0 && dynamic !== undefined ? "an index into a table of size 0" : undefined;
    }),
  /** Every block ends with a complete representation (rfc7541#6). */
  "field-blocks-well-formed": (watched) =>
    walk(watched, (block) => (representations(block).broken ? "a block that breaks off inside a representation" : undefined)),
};
