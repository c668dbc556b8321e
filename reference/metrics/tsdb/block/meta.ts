import { Damage, Foreign } from "../files/index.ts";

/** What `meta.json` says of a block (Prometheus docs, storage.md, "On-disk layout"). Times in milliseconds, the last one is behind the block's last sample. */
export type BlockMeta = {
  readonly ulid: string;
  readonly minTime: number;
  readonly maxTime: number;
  readonly stats: { readonly numSamples: number; readonly numSeries: number; readonly numChunks: number; readonly numTombstones?: number };
  readonly compaction: {
    /** How often its samples were compacted: 1 came from memory. */
    readonly level: number;
    /** The blocks that came from memory and are in this one. */
    readonly sources: readonly string[];
    /** The blocks it was made of, and takes the place of. */
    readonly parents?: readonly Parent[];
    /** A compaction of it failed: no other is tried. */
    readonly failed?: boolean;
    /** Nothing is left of it after a deletion. */
    readonly deletable?: boolean;
    readonly hints?: readonly string[];
  };
  readonly version: 1;
};
/** One of the blocks that a compaction took in; times as in `BlockMeta`. */
export type Parent = { readonly ulid: string; readonly minTime: number; readonly maxTime: number };

/** Among the hints of a block that was made of samples that came late. */
export const LATE_HINT = "from-out-of-order";

export const printMeta = (meta: BlockMeta): Uint8Array => new TextEncoder().encode(JSON.stringify(meta, null, "\t"));

/** Throws `Damage`. Members that are not known are kept. */
export function parseMeta(path: string, bytes: Uint8Array): BlockMeta {
  const meta = parsed(path, bytes);
  if (!isObject(meta)) throw new Damage(path, 0, "it is no object");
  const { version } = meta;
  if (typeof version === "number" && version > 1) throw new Foreign(path, 0, `version ${version} is not known`);
  if (version !== 1) throw new Damage(path, 0, "its version is none");
  if (typeof meta["ulid"] !== "string" || !isUlid(meta["ulid"])) throw new Damage(path, 0, "its ulid is none");
  for (const key of ["minTime", "maxTime"]) if (!Number.isSafeInteger(meta[key])) throw new Damage(path, 0, `its ${key} is no time`);
  const compaction = isObject(meta["compaction"]) ? meta["compaction"] : {};
  const stats = isObject(meta["stats"]) ? meta["stats"] : {};
  const count = (value: unknown): number => (typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : 0);
  return {
    ...(meta as BlockMeta),
    stats: {
      ...(stats as BlockMeta["stats"]),
      numSamples: count(stats["numSamples"]),
      numSeries: count(stats["numSeries"]),
      numChunks: count(stats["numChunks"]),
    },
    compaction: {
      ...(compaction as BlockMeta["compaction"]),
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
    throw new Damage(path, 0, error instanceof Error ? error.message : "it is no JSON");
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
const isParent = (value: unknown): value is Parent => isObject(value) && typeof value["ulid"] === "string";

const SIGNS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const ULID_LENGTH = 26;
const TIME_LENGTH = 10;

/** Whether a directory's name can be a block's: 26 signs of base 32 without I, L, O and U, in upper case, of no more than 128 bits. */
export const isUlid = (text: string): boolean => /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text);

/**
 * The name of a new block: milliseconds since 1970 in ten signs, then eighty random bits in sixteen, so that names sort by when they were made.
 * `random`: at least sixteen octets, of each five bits are used.
 */
export function ulid(time: number, random: Uint8Array): string {
  let text = "";
  let rest = time;
  for (let at = 0; at < TIME_LENGTH; at++) {
    text = (SIGNS[rest % 32] ?? "") + text;
    rest = Math.floor(rest / 32);
  }
  for (let at = 0; at < ULID_LENGTH - TIME_LENGTH; at++) text += SIGNS[(random[at] ?? 0) % 32] ?? "";
  return text;
}
