import { Damage, Foreign } from "../files/index.ts";

/** `meta.json` of a block (Prometheus docs, storage.md, "On-disk layout"). Times in milliseconds; `maxTime` is exclusive. */
export type BlockMeta = {
  readonly ulid: string;
  readonly minTime: number;
  readonly maxTime: number;
  readonly stats: { readonly numSamples: number; readonly numSeries: number; readonly numChunks: number; readonly numTombstones?: number };
  readonly compaction: {
    /** 1 for a block written from the head, one more for each compaction. */
    readonly level: number;
    /** The level 1 blocks that it contains. */
    readonly sources: readonly string[];
    /** The blocks that it replaces. */
    readonly parents?: readonly Parent[];
    /** A compaction failed: no other is tried. */
    readonly failed?: boolean;
    /** Deletions left no samples. */
    readonly deletable?: boolean;
    readonly hints?: readonly string[];
  };
  readonly version: 1;
};
/** A block that a compaction replaced; times as in `BlockMeta`. */
export type Parent = { readonly ulid: string; readonly minTime: number; readonly maxTime: number };

export const printMeta = (meta: BlockMeta): Uint8Array => new TextEncoder().encode(JSON.stringify(meta, null, "\t"));

/** Throws `Damage`. Keeps unknown members. */
export function parseMeta(path: string, bytes: Uint8Array): BlockMeta {
  const meta = parsed(path, bytes);
  if (!isObject(meta)) throw new Damage(path, 0, "it is not a JSON object");
  const { version } = meta;
  if (typeof version === "number" && version > 1) throw new Foreign(path, 0, `version ${version} is unknown`);
  if (version !== 1) throw new Damage(path, 0, "its version is invalid");
  const { ulid } = meta;
  if (typeof ulid !== "string" || !isUlid(ulid)) throw new Damage(path, 0, "its ulid is invalid");
  const time = (key: "minTime" | "maxTime"): number => {
    const value = meta[key];
    if (typeof value !== "number" || !Number.isSafeInteger(value)) throw new Damage(path, 0, `its ${key} is not a time`);
    return value;
  };
  const compaction = isObject(meta["compaction"]) ? meta["compaction"] : {};
  const stats = isObject(meta["stats"]) ? meta["stats"] : {};
  const count = (value: unknown): number => (typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : 0);
  return {
    ...meta,
    ulid,
    minTime: time("minTime"),
    maxTime: time("maxTime"),
    version,
    stats: {
      ...stats,
      numSamples: count(stats["numSamples"]),
      numSeries: count(stats["numSeries"]),
      numChunks: count(stats["numChunks"]),
    },
    compaction: {
      ...compaction,
      level: count(compaction["level"]) || 1,
      sources: Array.isArray(compaction["sources"]) ? compaction["sources"].filter((one) => typeof one === "string") : [],
      ...(Array.isArray(compaction["hints"]) ? { hints: compaction["hints"].filter((one) => typeof one === "string") } : {}),
      ...(Array.isArray(compaction["parents"]) ? { parents: compaction["parents"].filter(isParent) } : {}),
    },
  };
}

function parsed(path: string, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new Damage(path, 0, error instanceof Error ? error.message : "it is not JSON");
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
const isParent = (value: unknown): value is Parent => isObject(value) && typeof value["ulid"] === "string";

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const ULID_LENGTH = 26;
const TIME_LENGTH = 10;

/** Whether a directory name is a valid block name: 26 upper-case base 32 digits without I, L, O and U, at most 128 bits. */
export const isUlid = (text: string): boolean => /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text);

/**
 * The name of a new block: milliseconds since 1970 in ten digits, then eighty random bits in sixteen, so that names sort by creation time.
 * `random`: at least sixteen octets; five bits of each are used.
 */
export function ulid(time: number, random: Uint8Array): string {
  let text = "";
  let rest = time;
  for (let at = 0; at < TIME_LENGTH; at++) {
    text = (DIGITS[rest % 32] ?? "") + text;
    rest = Math.floor(rest / 32);
  }
  for (let at = 0; at < ULID_LENGTH - TIME_LENGTH; at++) text += DIGITS[(random[at] ?? 0) % 32] ?? "";
  return text;
}
