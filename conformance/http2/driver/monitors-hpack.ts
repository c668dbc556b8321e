import { representations } from "../../wire/hpack/representations.ts";
import { DEFAULTS } from "../../wire/http2/numbers.ts";
import type { Monitor, Watched } from "./watched.ts";
import { isFrame } from "./sights.ts";

/** Properties of the subject's own HPACK encoder (rfc7541). */

/**
 * Visits the subject's blocks in order, with the table sizes that we announced. A size is binding once acknowledged; before that, the
 * larger of the old and the new one is allowed. `owed`: the smallest size, below that of its table, that took effect since its last block
 * (rfc9113#4.3.1). Of several sizes in one SETTINGS frame only the last takes effect.
 */
function walk(
  watched: Watched,
  visit: (block: Uint8Array, limit: number, owed: number | undefined) => string | undefined,
): string | undefined {
  const announced: number[][] = watched.sent
    .filter(({ frame }) => frame.type === "SETTINGS" && frame.ack === false)
    .map(({ frame }) => (frame.settings ?? []).filter(([name]) => name === "HEADER_TABLE_SIZE").map(([, value]) => value));
  let limit: number = DEFAULTS.tableSize;
  /** What its encoder has declared. */
  let table: number = DEFAULTS.tableSize;
  let owed: number | undefined;
  for (const seen of watched.log.seen) {
    if (!isFrame(seen) || seen.on !== 0) continue;
    if (seen.frame.type === "SETTINGS" && seen.frame.ack === true) {
      limit = announced.shift()?.at(-1) ?? limit;
      // The smallest size since the last block must be signalled (rfc7541#4.2).
      if (limit < Math.min(table, owed ?? table)) owed = limit;
    }
    if (seen.section === undefined) continue;
    const found = visit(seen.section.block, Math.max(limit, ...announced.flat()), owed);
    if (found !== undefined) return `${found} (stream ${seen.section.stream})`;
    for (const one of representations(seen.section.block).all) if (one.is === "size update") table = one.size.value;
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
      if (first?.is !== "size update") return `no size update after the limit became ${owed}`;
      return first.size.value <= owed ? undefined : `a size update to ${first.size.value} where ${owed} is the limit`;
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
